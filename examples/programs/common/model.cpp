// SPDX-License-Identifier: MIT
#include "programs/common/model.hpp"

#include <algorithm>
#include <linea/activations/sigmoid.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <linea/io/liblinear.hpp>
#include <linea/io/model_file.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/linear_model.hpp>

#include "programs/common/system.hpp"

namespace program {
namespace {

using linea::Index;
using linea::ModelKind;
using linea::StoredModel;
using linea::StoredPart;

ModelKind kind_of(const Model& model) {
  if (!model.has_classes()) return ModelKind::regressor;
  return model.has_probabilities() ? ModelKind::probabilistic_classifier : ModelKind::classifier;
}

/// Returns the functions [first, first + count) as a part, for features that are not scaled.
StoredPart part_of(const Model& model, Index first, Index count) {
  const auto fit = static_cast<std::size_t>(first);
  StoredPart part = fit < model.fits.size() ? model.fits[fit] : StoredPart{};
  linea::Matrix<double> weights = model.weights.middleCols(first, count);
  linea::Vector<double> offset = model.offset.segment(first, count);
  if (model.input.is_scaled()) {
    weights = model.input.scaling.scale.cwiseInverse().asDiagonal() * weights;
    offset -= weights.transpose() * model.input.scaling.mean;
  }
  part.weights.assign(weights.data(), weights.data() + weights.size());  // row by row
  part.offset.assign(offset.begin(), offset.end());
  part.loss = model.loss;
  if (model.parameter) part.loss += ':' + linea::detail::number_text(*model.parameter);
  return part;
}

Preprocessing input_of(const StoredModel& stored) {
  Preprocessing input;
  if (stored.encoder) input.encoder = *stored.encoder;
  input.has_entries = input.encoder.columns.empty();
  input.zero_based = stored.zero_based;
  input.degree = stored.degree;
  if (!stored.encoder)
    while (input.features() < stored.columns) ++input.width;
  linea::require(input.features() == stored.columns, stored.source, ": a model of ", stored.columns,
                 " columns, but its input has ", input.features());
  // Names without an encoder are those of a table: see take_columns.
  if (!stored.encoder)
    for (const auto& name : stored.features) input.encoder.columns.push_back({.name = name});
  return input;
}

/// Returns the names of the labels, or none unless the target of the encoder is text.
std::vector<std::string> label_names_of(const StoredModel& stored) {
  std::vector<std::string> names;
  const auto classes = stored.encoder ? stored.encoder->class_names() : names;
  for (const double label : stored.labels) {
    if (classes.empty()) break;
    const auto k = static_cast<std::size_t>(std::max(label, 0.0));
    linea::require(k < classes.size() && static_cast<double>(k) == label, stored.source,
                   ": the encoder has no class ", label);
    names.push_back(classes[k]);
  }
  return names;
}

/// Returns scores (n × k) of k classes: a single score is that of the second of two classes.
linea::Matrix<double> scores_of_classes(const linea::Matrix<double>& all) {
  if (all.cols() > 1) return all;
  return (linea::Matrix<double>(all.rows(), 2) << -all, all).finished();
}

Model model_of(const StoredModel& stored) {
  linea::require(stored.kind != ModelKind::multi_target && stored.part_kind != ModelKind::activated,
                 stored.source, ": a model of kind ", linea::name_of(stored.kind),
                 ", which linea_predict does not take; the library's read_model does");
  Model model;
  model.loss = stored.kind == ModelKind::softmax                         ? "softmax"
               : stored.part_kind == ModelKind::probabilistic_classifier ? "log"
                                                                         : stored.parts[0].loss;
  if (model.loss.empty()) model.loss = "unknown";
  if (stored.kind == ModelKind::one_vs_rest) model.multiclass = "one-vs-rest";
  if (stored.kind == ModelKind::softmax) model.multiclass = "softmax";
  model.labels = stored.labels;
  model.label_names = label_names_of(stored);
  model.input = input_of(stored);
  const auto of_part = static_cast<Index>(stored.parts[0].offset.size());
  const Index k = of_part * static_cast<Index>(stored.parts.size());
  model.weights.resize(stored.columns, k);
  model.offset.resize(k);
  for (Index first = 0; const StoredPart& part : stored.parts) {
    model.weights.middleCols(first, of_part) =
        linea::Matrix<double>::Map(part.weights.data(), stored.columns, of_part);
    model.offset.segment(first, of_part) = linea::Vector<double>::Map(part.offset.data(), of_part);
    first += of_part;
  }
  return model;
}

}  // namespace

StoredModel stored_of(const Model& model) {
  const bool is_apart = model.multiclass == "one-vs-rest";
  StoredModel stored;
  stored.part_kind = model.multiclass == "softmax" ? ModelKind::softmax : kind_of(model);
  stored.kind = is_apart ? ModelKind::one_vs_rest : stored.part_kind;
  stored.columns = model.weights.rows();
  stored.labels = model.labels;
  stored.zero_based = model.input.zero_based;
  stored.degree = model.input.degree;
  if (!model.input.has_entries || model.input.encoder.hash_bits > 0)
    stored.encoder = model.input.encoder;
  if (stored.degree == 1) stored.features = model.input.encoder.feature_names();
  stored.notes = model.notes;
  const Index functions = model.weights.cols();
  for (Index first = 0; first < functions; first += is_apart ? 1 : functions) {
    stored.parts.push_back(part_of(model, first, is_apart ? 1 : functions));
    if (is_apart && model.has_classes()) stored.parts.back().labels = {-1, 1};
  }
  return stored;
}

void write_model(std::ostream& out, const Model& model) {
  linea::write_model(out, stored_of(model));
}

Model read_model(const std::string& path) {
  const auto bytes = linea::io::read_file("reading a model", path_of(path));
  const bool is_of_liblinear = bytes.text().starts_with("solver_type ");
  return model_of(is_of_liblinear ? linea::io::model_of_liblinear<StoredModel>(bytes.text(), path)
                                  : linea::io::parse_model(bytes.text(), path));
}

std::string Model::label_text(std::size_t k) const {
  return label_names.empty() ? linea::detail::number_text(labels[k]) : label_names[k];
}

linea::Matrix<double> Model::scores(const EntriesView& x) const {
  linea::Matrix<double> all = x * weights;
  all.rowwise() += offset.transpose();
  return all;
}

std::vector<std::size_t> Model::classes_of(const linea::Matrix<double>& all) const {
  std::vector<std::size_t> classes;
  for (Index i = 0; i < all.rows(); ++i) {
    Index best = 0;
    if (all.cols() == 1)
      best = all(i, 0) >= 0;
    else
      for (Index k = 1; k < all.cols(); ++k)
        if (all(i, k) > all(i, best)) best = k;
    classes.push_back(static_cast<std::size_t>(best));
  }
  return classes;
}

linea::Matrix<double> Model::probabilities(const linea::Matrix<double>& all) const {
  if (multiclass == "softmax") return log_probabilities(all).array().exp();
  linea::Matrix<double> chances = scores_of_classes(all);
  if (all.cols() > 1)
    linea::detail::to_shares(chances);
  else
    for (double& score : chances.reshaped()) score = linea::Sigmoid{}.value(score);
  return chances;
}

linea::Matrix<double> Model::log_probabilities(const linea::Matrix<double>& all) const {
  linea::Matrix<double> logs = scores_of_classes(all);
  // Without softmax, take the logarithms of the sigmoids. Two classes need no normalisation, as
  // σ(p) + σ(−p) = 1.
  if (multiclass != "softmax")
    for (double& score : logs.reshaped()) score = -linea::Log{}.value(score, 1.0);
  if (all.cols() > 1) linea::detail::to_log_probabilities(logs);
  return logs;
}

}  // namespace program
