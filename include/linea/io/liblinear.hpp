// SPDX-License-Identifier: MIT
#pragma once
/// \file Reader and writer of LIBLINEAR models.
#include <algorithm>  // reverse, sort
#include <array>
#include <cmath>     // abs, floor
#include <concepts>  // same_as
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/store_model.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/text.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>  // move, pair
#include <vector>

// The format of LIBLINEAR model files, and the solvers that these files name.
//
// A file has lines of a word and its values: solver_type, nr_class, label (not for regression),
// nr_feature, bias, w. Then a line for each feature has a weight for each class, but only one
// weight for regression, and for two classes unless the solver is MCSVM_CS. If bias ≥ 0, a last
// line has the weights of a constant feature of value `bias`. Fan, Chang, Hsieh, Wang and Lin,
// LIBLINEAR: A Library for Large Linear Classification, Journal of Machine Learning Research 9
// (2008); the code is save_model in linear.cpp.

namespace linea::io {

struct LiblinearSolver {
  std::string_view name;
  std::string_view loss;     ///< name of the loss in a StoredPart
  std::string_view penalty;  ///< name of the penalty in a StoredPart
  ModelKind kind;            ///< kind of a model with one function

  bool is_of_regression() const { return kind == ModelKind::regressor; }
  /// Returns whether each class has weights of its own, even with two classes.
  bool is_multiclass() const { return name == "MCSVM_CS"; }
};

inline constexpr std::array<LiblinearSolver, 11> liblinear_solvers{{
    {"L2R_LR", "log", "l2", ModelKind::probabilistic_classifier},
    {"L1R_LR", "log", "l1", ModelKind::probabilistic_classifier},
    {"L2R_LR_DUAL", "log", "l2", ModelKind::probabilistic_classifier},
    {"L2R_L2LOSS_SVC", "squared-hinge", "l2", ModelKind::classifier},
    {"L2R_L2LOSS_SVC_DUAL", "squared-hinge", "l2", ModelKind::classifier},
    {"L1R_L2LOSS_SVC", "squared-hinge", "l1", ModelKind::classifier},
    {"L2R_L1LOSS_SVC_DUAL", "hinge", "l2", ModelKind::classifier},
    {"MCSVM_CS", "crammer-singer", "l2", ModelKind::classifier},
    {"L2R_L2LOSS_SVR", "squared-epsilon-insensitive", "l2", ModelKind::regressor},
    {"L2R_L2LOSS_SVR_DUAL", "squared-epsilon-insensitive", "l2", ModelKind::regressor},
    {"L2R_L1LOSS_SVR_DUAL", "epsilon-insensitive", "l2", ModelKind::regressor},
}};

/// Returns nullptr for an unknown name.
inline const LiblinearSolver* liblinear_solver(std::string_view name) {
  for (const auto& solver : liblinear_solvers)
    if (solver.name == name) return &solver;
  return nullptr;
}

/// The `reason` of a model from read_liblinear begins with this text. The writer then names the
/// same solver.
inline constexpr std::string_view liblinear_reason = "solver_type ";

/// Returns the solver to name in the file of a model: MCSVM_CS where only it has the same
/// predictions (see write_liblinear), else the solver of the file that the model was read from,
/// else a solver of the same kind, loss and penalty, else the first solver of the same kind.
inline const LiblinearSolver& solver_for(const StoredModel& model) {
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
  const LiblinearSolver* like = nullptr;  // the first solver of the same kind
  for (const auto& solver : liblinear_solvers) {
    if (solver.kind != kind || solver.is_multiclass()) continue;
    if (!like) like = &solver;
    if (part.loss.starts_with(solver.loss) && part.penalty.starts_with(solver.penalty))
      return solver;
  }
  return *like;
}

/// Returns the text of a model. For two classes the weights and the offset in the text have the
/// opposite sign.
inline std::string liblinear_text(const StoredModel& model) {
  require_sound("write_liblinear", model);
  const LiblinearSolver& solver = solver_for(model);
  std::string text;
  text.append("solver_type ").append(solver.name).append("\nnr_class ");
  detail::append_number(text, solver.is_of_regression() ? std::size_t{2} : model.labels.size());
  if (!solver.is_of_regression()) text += "\nlabel";
  for (const double label : model.labels) {
    require(std::floor(label) == label && std::abs(label) <= 2147483647.0,
            "write_liblinear: label ", label, " is not a whole number of 32 bits");
    text += ' ';
    detail::append_number(text, static_cast<int>(label));
  }
  bool has_bias = false;
  for (const auto& part : model.parts)
    for (const double offset : part.offset) has_bias = has_bias || offset != 0;
  text.append("\nnr_feature ").append(detail::number_text(model.columns));
  text += has_bias ? "\nbias 1\nw\n" : "\nbias -1\nw\n";
  const auto columns = static_cast<std::size_t>(model.columns);
  for (std::size_t j = 0; j < columns + has_bias; ++j) {
    for (const auto& part : model.parts)
      for (std::size_t k = 0; k < part.offset.size(); ++k) {
        const double value =
            j < columns ? part.weights[j * part.offset.size() + k] : part.offset[k];
        detail::append_number(text, are_two_classes(model.kind) ? -value : value);
        text += ' ';
      }
    text += '\n';
  }
  return text;
}

}  // namespace linea::io

namespace linea {

/// Writes a Classifier, ProbabilisticClassifier, OneVsRestClassifier, SoftmaxClassifier, Regressor
/// or LinearModel, or a StoredModel of these kinds. `liblinear-predict` then predicts the same
/// labels and numbers as linea, up to rounding. `solver_type` is LIBLINEAR's solver for the loss
/// and penalty, or another solver with the same predictions: MCSVM_CS for softmax (without
/// probabilities) and for one-vs-rest of two classes or of regressors. For two classes the smaller
/// label comes first and the weights change sign, so that a score of 0 means the larger label, as
/// in linea. The offset becomes the weight of a bias of 1. A model from `read_liblinear` keeps its
/// solver.
///
/// Throws std::invalid_argument for other kinds, a StoredModel that is not valid, labels that are
/// not 32-bit integers, and a stream that fails.
template <ModelToWrite Model>
void write_liblinear(std::ostream& out, const Model& model) {
  io::write_all("write_liblinear", out, io::liblinear_text(io::stored_of(model)));
}

/// Writes the model to a file, completely or not at all.
template <ModelToWrite Model>
void write_liblinear(const std::filesystem::path& path, const Model& model) {
  io::write_file("write_liblinear", path, [&](std::ostream& out) { write_liblinear(out, model); });
}

namespace io {

/// Reads the text of one model. Any blanks and line ends may separate words, as in LIBLINEAR.
class LiblinearReader {
 public:
  LiblinearReader(std::string_view text, const std::string& name) : words_(text, name) {}

  StoredModel read() {
    read_header();
    const bool is_pair = classes_ == 2 && !solver_->is_multiclass();
    StoredModel model{.kind = is_pair ? solver_->kind : ModelKind::one_vs_rest,
                      .part_kind = solver_->kind,
                      .columns = features_};
    model.parts.resize(static_cast<std::size_t>(is_pair ? Index{1} : classes_), new_part());
    for (Index j = 0; j < features_; ++j)
      for (auto& part : model.parts) part.weights.push_back(number());
    for (auto& part : model.parts) part.offset.push_back(bias_ >= 0 ? bias_ * number() : 0.0);
    if (const auto rest = words_.next(); !rest.empty())
      words_.refuse(rest, "expected the end of the model");
    model.source = words_.name();
    if (is_pair)
      order_pair(model);
    else
      order_classes(model);
    require_sound(words_.name(), model);
    return model;
  }

 private:
  double number() { return words_.number<double>(words_.next(), "the number"); }

  /// Reads an integer from `least` to the number of bytes left: each counted item takes at least
  /// one byte.
  Index count(std::string_view what, Index least) {
    const auto word = words_.next();
    return words_.whole(word, what, least, words_.left(), ", the bytes that are left");
  }

  /// Reads and validates the lines up to and including `w`.
  void read_header() {
    for (auto key = words_.next(); key != "w"; key = words_.next()) {
      if (key == "solver_type")
        read_solver();
      else if (key == "nr_class")
        classes_ = count(key, 2);
      else if (key == "nr_feature")
        features_ = count(key, 1);
      else if (key == "bias")
        bias_ = number();
      else if (key == "label" && labels_.empty())
        read_labels();
      else
        words_.refuse(key, "expected solver_type, nr_class, label, nr_feature, bias or w");
    }
    require(solver_, words_.name(), ": not a model of LIBLINEAR: there is no solver_type before w");
    require(classes_ > 0 && features_ > 0, words_.name(), ": ",
            classes_ > 0 ? "nr_feature" : "nr_class", " is missing before w");
    const bool has_labels = !solver_->is_of_regression();
    require(static_cast<Index>(labels_.size()) == (has_labels ? classes_ : Index{0}), words_.name(),
            ": there are ", labels_.size(), " labels, but nr_class is ", classes_, " and ",
            solver_->name, has_labels ? " needs them all" : " needs none");
    require(has_labels || classes_ == 2, words_.name(), ": nr_class is ", classes_,
            ", but that of a regression is 2");
  }

  void read_solver() {
    const auto name = words_.next();
    solver_ = liblinear_solver(name);
    if (!solver_) words_.refuse(name, "a solver_type that linea does not know");
  }

  void read_labels() {
    if (classes_ == 0) words_.refuse(words_.next(), "label comes before nr_class");
    while (static_cast<Index>(labels_.size()) < classes_) labels_.push_back(number());
  }

  StoredPart new_part() const {
    StoredPart part;
    part.loss = solver_->loss;
    part.penalty = solver_->penalty;
    part.optimizer = "LIBLINEAR";
    part.reason = std::string(liblinear_reason).append(solver_->name);
    part.status = Status::settled;
    return part;
  }

  /// Orders the two labels and sets the signs: a positive score means the first label in the file,
  /// but the larger label in linea.
  void order_pair(StoredModel& model) const {
    model.labels = labels_;
    if (labels_.empty() || labels_[0] >= labels_[1]) {
      std::reverse(model.labels.begin(), model.labels.end());
      return;
    }
    for (double& weight : model.parts[0].weights) weight = -weight;
    model.parts[0].offset[0] = -model.parts[0].offset[0];
  }

  void order_classes(StoredModel& model) const {
    std::vector<std::pair<double, StoredPart>> classes;
    for (std::size_t k = 0; k < labels_.size(); ++k)
      classes.emplace_back(labels_[k], std::move(model.parts[k]));
    std::sort(classes.begin(), classes.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      model.labels.push_back(classes[k].first);
      model.parts[k] = std::move(classes[k].second);
      if (are_two_classes(model.part_kind)) model.parts[k].labels = {-1, 1};
    }
  }

  Words words_;
  const LiblinearSolver* solver_{nullptr};
  Index classes_{0};
  Index features_{0};
  double bias_{-1};
  std::vector<double> labels_{};
};

/// Returns the StoredModel, or the fitted model of type Model.
template <class Model>
Model model_of_liblinear(std::string_view text, const std::string& name) {
  auto stored = LiblinearReader(text, name).read();
  if constexpr (std::same_as<Model, StoredModel>)
    return stored;
  else
    return stored.template as<Model>();
}

}  // namespace io

/// Reads a model of LIBLINEAR (`liblinear-train`), with any solver but ONECLASS_SVM. The model
/// becomes
///
/// | solver_type       | two classes             | several classes, or MCSVM_CS |
/// |-------------------|-------------------------|------------------------------|
/// | L2R_LR, L1R_LR, … | ProbabilisticClassifier | OneVsRestClassifier of these |
/// | …_SVC, MCSVM_CS   | Classifier              | OneVsRestClassifier of these |
/// | …_SVR             | Regressor               |                              |
///
/// Scores are LIBLINEAR's decision values up to rounding. For two classes the scores change sign if
/// the file has the smaller label first, because in linea a score ≥ 0 means the larger label.
/// Labels can differ only where a decision value is exactly 0: LIBLINEAR then predicts the second
/// label of the file. Feature 1 is column 0, and the weight of the bias becomes part of the offset.
///
/// `read_liblinear(path)` returns a StoredModel of any kind,
/// `read_liblinear<Classifier<double>>(path)` the fitted model. Throws std::invalid_argument, with
/// file, line and column, if the file does not have such a model, or has a model of another kind.
template <class Model = StoredModel>
[[nodiscard]] Model read_liblinear(const std::filesystem::path& path) {
  const auto bytes = io::read_file("read_liblinear", path);
  return io::model_of_liblinear<Model>(bytes.text(), path.string());
}

/// Reads a model from a stream, to its end. `name` is the name of the source in messages.
template <class Model = StoredModel>
[[nodiscard]] Model read_liblinear(std::istream& in, const std::string& name = "stream") {
  std::string text;
  io::append_from(in, std::numeric_limits<std::uint64_t>::max(), text, name);
  return io::model_of_liblinear<Model>(text, name);
}

}  // namespace linea
