// SPDX-License-Identifier: MIT
#include "programs/common/emit_header.hpp"

#include <cctype>
#include <iostream>
#include <linea/io/output_file.hpp>
#include <linea/io/write_header.hpp>

#include "programs/common/system.hpp"

namespace program {
namespace {

using linea::Index;

linea::ModelKind kind_of(const Model& model) {
  using linea::ModelKind;
  if (!model.has_classes()) return ModelKind::regressor;
  if (model.multiclass == "softmax") return ModelKind::softmax;
  if (model.multiclass == "one-vs-rest") return ModelKind::one_vs_rest;
  return model.has_probabilities() ? ModelKind::probabilistic_classifier : ModelKind::classifier;
}

/// Returns weights and offset of functions [first, first + count), for unscaled columns.
linea::StoredPart part_of(const Model& model, Index first, Index count) {
  linea::Matrix<double> weights = model.weights.middleCols(first, count);
  linea::Vector<double> offset = model.offset.segment(first, count);
  if (model.input.is_scaled()) {
    weights = model.input.scaling.scale.cwiseInverse().asDiagonal() * weights;
    offset -= weights.transpose() * model.input.scaling.mean;
  }
  linea::StoredPart part;
  // The part has the weights row by row.
  part.weights.assign(weights.data(), weights.data() + weights.size());
  part.offset.assign(offset.begin(), offset.end());
  part.loss = model.loss;
  return part;
}

linea::StoredModel stored(const Model& model) {
  linea::StoredModel out;
  out.kind = out.part_kind = kind_of(model);
  out.columns = model.weights.rows();
  out.labels = model.labels;
  if (!model.input.has_entries) out.features = model.input.encoder.feature_names();
  if (out.kind != linea::ModelKind::one_vs_rest) {
    out.parts.push_back(part_of(model, 0, model.weights.cols()));
    return out;
  }
  out.part_kind = model.has_probabilities() ? linea::ModelKind::probabilistic_classifier
                                            : linea::ModelKind::classifier;
  for (Index k = 0; k < model.weights.cols(); ++k) {
    out.parts.push_back(part_of(model, k, 1));
    out.parts.back().labels = {-1, 1};
  }
  return out;
}

/// Returns a C++ name for the file: spam_2 for "deep/spam-2.hpp".
std::string name_from(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  name = name.substr(0, name.find('.'));
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return path == "-" || name.empty() ? "model" : name;
}

void write(std::ostream& out, const Model& model, const std::string& name) {
  linea::write_header(out, stored(model), {.name = name});
  for (std::size_t k = 0; k < model.label_names.size(); ++k) {
    std::string shown;
    for (const char c : model.label_names[k])
      shown += static_cast<unsigned char>(c) < 0x20 || c == '\\' ? ' ' : c;
    out << "// label " << k << ": " << shown << '\n';
  }
}

}  // namespace

void emit_header(const Model& model, const std::string& path) {
  linea::require(model.input.degree == 1 && model.input.encoder.hash_bits == 0,
                 "--emit-header: a header cannot compute features, but this model uses ",
                 model.input.degree > 1 ? "products (--polynomial)" : "hashes (--hash)");
  const std::string name = name_from(path);
  if (path == "-")
    write(std::cout, model, name);
  else
    linea::io::write_file("--emit-header", path_of(path),
                          [&](std::ostream& out) { write(out, model, name); });
}

}  // namespace program
