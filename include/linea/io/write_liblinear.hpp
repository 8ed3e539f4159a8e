// SPDX-License-Identifier: MIT
#pragma once
/// \file Models for LIBLINEAR to predict with.
#include <algorithm>  // any_of
#include <cmath>      // abs, floor
#include <cstddef>
#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/liblinear_format.hpp>
#include <linea/io/model_kinds.hpp>
#include <linea/io/model_writer.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/store_model.hpp>
#include <linea/io/stored_model.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace linea {
namespace io {

/// The solver that a file is to name: the one that it was read with, else one for a model of this
/// kind, loss and penalty.
template <class Stored>
const LiblinearSolver& solver_for(const Stored& model) {
  const StoredPart& part = model.parts[0];
  const bool of_each = model.kind == ModelKind::one_vs_rest;
  const ModelKind kind =
      model.part_kind == ModelKind::linear ? ModelKind::regressor : model.part_kind;
  if (kind == ModelKind::softmax ||
      (of_each && (model.labels.size() == 2 || !are_two_classes(kind))))
    return *liblinear_solver("MCSVM_CS");
  require(are_two_classes(kind) || kind == ModelKind::regressor,
          "write_liblinear: LIBLINEAR has no models of kind ", name_of(model.kind));
  if (std::string_view reason = part.reason; reason.starts_with(liblinear_reason)) {
    const auto* const solver = liblinear_solver(reason.substr(liblinear_reason.size()));
    if (solver && solver->kind == kind && (of_each || !solver->is_multiclass())) return *solver;
  }
  const LiblinearSolver* like = nullptr;  // else the first of the kind
  for (const auto& solver : liblinear_solvers) {
    if (solver.kind != kind || solver.is_multiclass()) continue;
    if (!like) like = &solver;
    if (part.loss.starts_with(solver.loss) && part.penalty.starts_with(solver.penalty))
      return solver;
  }
  return *like;
}

/// Labels as LIBLINEAR has them, int.
template <class Labels>
std::string liblinear_labels(const Labels& labels) {
  std::string text = "label";
  for (const double label : labels) {
    require(std::floor(label) == label && std::abs(label) <= 2147483647.0,
            "write_liblinear: label ", core::number_text(label),
            " is not a whole number of 32 bits");
    text += ' ';
    core::append_number(text, static_cast<int>(label));
  }
  return text += '\n';
}

/// A line: what each function has, with the sign turned if there are two classes.
template <class Stored, class Of>
void append_liblinear_line(std::string& text, const Stored& model, Of&& of) {
  const double sign = are_two_classes(model.kind) ? -1 : 1;
  for (const auto& part : model.parts)
    for (std::size_t k = 0; k < part.offset.size(); ++k) {
      core::append_number(text, sign * of(part, k));
      text += ' ';
    }
  text += '\n';
}

template <class Stored>
void write_sound_liblinear(std::ostream& out, const Stored& model) {
  require_sound("write_liblinear", model);
  const LiblinearSolver& solver = solver_for(model);
  const bool has_bias =
      std::any_of(model.parts.begin(), model.parts.end(), [](const StoredPart& part) {
        return std::any_of(part.offset.begin(), part.offset.end(), [](double b) { return b != 0; });
      });
  ModelWriter writer(out);
  auto& text = writer.text();
  text.append("solver_type ").append(solver.name).append("\nnr_class ");
  core::append_number(text, solver.is_of_regression() ? std::size_t{2} : model.labels.size());
  text += '\n';
  if (!solver.is_of_regression()) text += liblinear_labels(model.labels);
  text.append("nr_feature ").append(core::number_text(model.columns));
  text += has_bias ? "\nbias 1\nw\n" : "\nbias -1\nw\n";
  for (std::size_t j = 0; j < static_cast<std::size_t>(model.columns); ++j) {
    append_liblinear_line(text, model, [j](const StoredPart& part, std::size_t k) {
      return part.weights[j * part.offset.size() + k];
    });
    writer.pass_on();
  }
  if (has_bias)
    append_liblinear_line(text, model,
                          [](const StoredPart& part, std::size_t k) { return part.offset[k]; });
  writer.end("write_liblinear");
}

}  // namespace io

/// Writes a Classifier, ProbabilisticClassifier, OneVsRestClassifier, SoftmaxClassifier, Regressor
/// or LinearModel, or a StoredModel of these kinds, for `liblinear-predict`: its labels and numbers
/// are linea's, up to rounding. `solver_type` is that of the loss and penalty where LIBLINEAR has
/// it, else one that predicts alike: MCSVM_CS for softmax (without probabilities) and for
/// one-vs-rest of two classes or of regressors. Of two classes the smaller label comes first, with
/// the sign of the weights turned: so does a score of 0 mean the larger one there too. The offset
/// is the weight of a bias of 1. A model that `read_liblinear` gave is written with the solver that
/// it had.
///
/// Refuses, by std::invalid_argument, other kinds, labels that are no whole numbers of 32 bits, and
/// a stream that fails.
template <ModelToWrite Model>
void write_liblinear(std::ostream& out, const Model& model) {
  io::write_sound_liblinear(out, io::stored_of(model));
}

/// The same into a file, whole or not at all.
template <ModelToWrite Model>
void write_liblinear(const std::filesystem::path& path, const Model& model) {
  io::write_file("write_liblinear", path, [&](std::ostream& out) { write_liblinear(out, model); });
}

}  // namespace linea
