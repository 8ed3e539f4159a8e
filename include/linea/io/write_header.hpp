// SPDX-License-Identifier: MIT
#pragma once
/// \file Models as C++ source: a header that scores without linea and without Eigen.
#include <cmath>  // signbit
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/header_text.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/store_model.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/write_model_text.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

/// What a header calls the model.
struct HeaderOptions {
  std::string name{"model"};  ///< of the namespace that has score, predict, …
  std::string name_space{};   ///< around it: "" or "spam" or "company::spam"
};

namespace io {

/// The tables of a header: of all columns, or of those that have a weight other than 0 if that is
/// less.
template <class Stored>
class HeaderTables {
 public:
  explicit HeaderTables(const Stored& model) : model_(model) {
    for (std::size_t j = 0; j < columns(); ++j)
      if (has_weight(j)) stored_.push_back(j);
    const std::size_t bytes = functions() * (model.is_float ? 4 : 8);
    is_sparse_ = stored_.size() * (bytes + (has_wide_columns() ? 8 : 4)) < columns() * bytes;
  }

  bool is_sparse() const { return is_sparse_; }
  std::size_t columns() const { return static_cast<std::size_t>(model_.columns); }
  std::size_t functions() const {
    return model_.kind == ModelKind::one_vs_rest ? model_.parts.size()
                                                 : model_.parts[0].offset.size();
  }

  void append(ModelWriter& out) const {
    const std::size_t k = functions();
    out.text().append("constexpr std::size_t columns = ").append(core::number_text(columns()));
    out.text() += ";\n";
    if (has_many())
      out.text().append("constexpr std::size_t functions = ").append(core::number_text(k)) += ";\n";
    append_features(out);
    append_labels(out);
    append_offset(out);
    if (is_sparse_) {
      append_stored_columns(out);
    } else {
      out.text() += k > 1 ? "\n/// Those of a column side by side.\n" : "\n";
      append_table(out, scalar_name(model_.is_float), "weights", columns() * k,
                   [&](std::size_t i) { return literal(i / k, i % k); });
    }
  }

 private:
  /// Are there several functions, with scores that fill an array?
  bool has_many() const { return !is_of_one_function(model_.kind); }
  double weight(std::size_t column, std::size_t function) const {
    if (model_.kind == ModelKind::one_vs_rest) return model_.parts[function].weights[column];
    return model_.parts[0].weights[column * functions() + function];
  }
  double offset(std::size_t function) const {
    const bool of_parts = model_.kind == ModelKind::one_vs_rest;
    return of_parts ? model_.parts[function].offset[0] : model_.parts[0].offset[function];
  }
  std::string literal(std::size_t column, std::size_t function) const {
    return number_literal(weight(column, function), model_.is_float);
  }

  bool has_weight(std::size_t column) const {
    for (std::size_t k = 0; k < functions(); ++k)
      if (weight(column, k) != 0) return true;
    return false;
  }
  bool has_wide_columns() const { return columns() > 0xffffffffU; }

  void append_features(ModelWriter& out) const {
    if (model_.features.empty()) return;
    out.text() +=
        "\n/// The name of a column, 0 <= column < columns.\n"
        "inline const char* feature(std::size_t column) {\n"
        "  static const char* const table[] = {\n";
    for (const auto& name : model_.features) {
      out.text().append("      ").append(string_literal(name)).append(",\n");
      out.pass_on();
    }
    out.text() += "  };\n  return table[column];\n}\n";
  }

  void append_labels(ModelWriter& out) const {
    if (model_.labels.empty()) return;
    out.text() += "\n/// What the classes are called, in ascending order.\n";
    append_table(out, "double", "labels", model_.labels.size(),
                 [&](std::size_t k) { return number_literal(model_.labels[k]); });
  }

  void append_offset(ModelWriter& out) const {
    out.text() += '\n';
    if (!has_many())
      out.text().append("constexpr double offset = ").append(number_literal(offset(0))) += ";\n";
    else
      append_table(out, "double", "offsets", functions(),
                   [&](std::size_t k) { return number_literal(offset(k)); });
  }

  /// A model without any weight keeps one of column 0: there are no empty tables.
  void append_stored_columns(ModelWriter& out) const {
    const std::vector<std::size_t> kept = stored_.empty() ? std::vector<std::size_t>{0} : stored_;
    const std::size_t k = functions();
    out.text().append(
        "\n/// All other columns have weights of 0.\nconstexpr std::size_t stored = ");
    out.text().append(core::number_text(kept.size())) += ";\n";
    append_table(out, has_wide_columns() ? "unsigned long long" : "unsigned int", "stored_columns",
                 kept.size(), [&](std::size_t i) { return core::number_text(kept[i]); });
    append_table(out, scalar_name(model_.is_float), "weights", kept.size() * k,
                 [&](std::size_t i) { return literal(kept[i / k], i % k); });
  }

  const Stored& model_;
  std::vector<std::size_t> stored_{};
  bool is_sparse_{false};
};

/// What the model is, for who opens the header.
template <class Stored>
std::string header_title(const Stored& model) {
  const StoredPart& part = model.parts[0];
  std::string title = "A linear model written by linea: ";
  title.append(name_of(model.kind)).append(", ").append(core::number_text(model.columns));
  title += " columns";
  if (!part.loss.empty()) title += "; " + part.loss;
  if (!part.penalty.empty()) title += " + " + part.penalty;
  return comment_text(title);
}

template <class Stored>
void write_sound_header(std::ostream& out, const Stored& model, const HeaderOptions& options) {
  auto names = namespaces_of("write_header", options.name_space);
  require(is_identifier(options.name), "write_header: '", options.name,
          "' cannot name a model of C++ in any program");
  names.push_back(options.name);
  require(
      !is_global_name(names.front()), "write_header: '", names.front(),
      "' is a name that <cmath> has outside of std: take another one, or a name_space around it");
  require_sound("write_header", model);
  io::Checksum sum;
  for (const auto& name : names) sum.add(name + "::");
  const std::string guard = "LINEA_MODEL_" + options.name + "_" + core::number_text(sum.value());
  const HeaderTables tables(model);
  const HeaderFunctions functions(model, tables.is_sparse());  // refuses what it cannot write
  ModelWriter writer(out);
  auto& text = writer.text();
  text.append("// ").append(header_title(model)).append(".\n");
  text +=
      "// Needs C++11 and nothing else. A sample is x, a number for each column, or numbers of\n"
      "// some columns (counted from 0; the others are 0, and those beyond the model's count for\n"
      "// nothing).\n";
  text.append("#ifndef ").append(guard).append("\n#define ").append(guard);
  text.append("\n\n#include <cmath>\n#include <cstddef>\n\n");
  for (const auto& name : names) text.append("namespace ").append(name).append(" {\n");
  text += '\n';
  tables.append(writer);
  functions.append(writer);
  text += '\n';
  for (std::size_t k = names.size(); k-- > 0;)
    text.append("}  // namespace ").append(names[k]) += '\n';
  text += "\n#endif\n";
  writer.end("write_header");
}

}  // namespace io

/// Writes the model as a header of C++11 that needs no library: tables of its weights and, in
/// namespace `name_space::name`,
///
/// | function              | of                                                               |
/// |-----------------------|------------------------------------------------------------------|
/// | score(x)              | models of one function: ⟨w, x⟩ + b                               |
/// | scores(x, all)        | models of k functions: fills all (k)                             |
/// | predict(x)            | classifiers: the label. Regressors and ActivatedModel: a number |
/// | predict(x, all)       | MultiTargetRegressor: fills all (k)                              |
/// | probability(x)        | ProbabilisticClassifier: of the larger label                     |
/// | probabilities(x, all) | SoftmaxClassifier, or OneVsRestClassifier of probabilistic ones  |
///
/// x is a `const double*` to d numbers. Each function also takes the entries of a sparse sample,
/// (columns, values, count) in place of x: columns from 0, of any whole type, in any order, each
/// once. Sums are in double, column by column, also of models of floats. Nothing is checked: where
/// x is not a number, predict answers with one that is not (NaN).
///
/// Columns without a weight are left out where that makes the tables smaller; what x has there does
/// not count, whatever it is. Refuses, by std::invalid_argument, names that are no identifiers or
/// that `cmath` has already, an activation that is not linea's, and a stream that fails.
template <ModelToWrite Model>
void write_header(std::ostream& out, const Model& model, const HeaderOptions& options = {}) {
  io::write_sound_header(out, io::stored_of(model), options);
}

/// The same into a file, whole or not at all.
template <ModelToWrite Model>
void write_header(const std::filesystem::path& path, const Model& model,
                  const HeaderOptions& options = {}) {
  io::write_file("write_header", path,
                 [&](std::ostream& out) { write_header(out, model, options); });
}

}  // namespace linea
