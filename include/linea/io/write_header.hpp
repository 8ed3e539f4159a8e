// SPDX-License-Identifier: MIT
#pragma once
/// \file Models as C++ source: a header that computes scores without linea and Eigen.
#include <array>
#include <cmath>  // abs
#include <cstddef>
#include <cstdio>  // snprintf
#include <filesystem>
#include <initializer_list>
#include <linea/core/require.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/namespace_names.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/store_model.hpp>
#include <linea/io/stored_model.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

/// The names of the namespaces in a header.
struct HeaderOptions {
  std::string name{"model"};  ///< the namespace of score, predict, …
  std::string name_space{};   ///< the namespaces around `name`: "", "spam" or "company::spam"
};

namespace io {

/// Returns the namespaces, outermost first. Throws for a name that is not valid.
inline std::vector<std::string> namespaces_of(const HeaderOptions& options) {
  const std::string all =
      options.name_space + (options.name_space.empty() ? "" : "::") + options.name;
  std::vector<std::string> names;
  for (std::size_t at = 0, end = 0; end != all.npos; at = end + 2) {
    end = all.find("::", at);
    names.push_back(all.substr(at, end == all.npos ? end : end - at));
    require(is_identifier(names.back()), "write_header: '", all,
            "' cannot name a namespace of C++");
  }
  require(!is_of_c_library(names.front()), "write_header: '", names.front(),
          "' is a name of the C library: take another name, or a name_space around it");
  return names;
}

/// Replaces \, ? and all but printable ASCII by dots, so that the text fits a // comment.
inline std::string comment_text(std::string text) {
  for (char& c : text)
    if (c < 0x20 || c > 0x7e || c == '\\' || c == '?') c = '.';
  return text;
}

/// Returns the text as a string literal. Escapes ", ?, \ and all bytes except printable ASCII.
inline std::string string_literal(std::string_view text) {
  constexpr std::string_view plain =
      " !#$&'()*+,-./:;<=>@[]^_`{|}~%0123456789"
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string literal = "\"";
  for (const char c : text) {
    char octal[6];
    std::snprintf(octal, sizeof octal, "\\%03o", unsigned{static_cast<unsigned char>(c)});
    literal += plain.find(c) != plain.npos ? std::string(1, c) : octal;
  }
  return literal += '"';
}

/// Returns the literal of the type double, float or unsigned with the fewest digits for the value.
inline std::string number_literal(std::string_view type, double value) {
  if (type == "unsigned") return detail::number_text(static_cast<unsigned>(value));
  std::string text = detail::number_text(value);
  if (type == "float") text = detail::number_text(static_cast<float>(value));
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text + (type == "float" ? "f" : "");
}

/// Appends an inline function `name` that returns a table of `type` with at(0), …, at(size − 1).
template <class At>
void append_table(std::string& text, std::string_view type, std::string_view name, std::size_t size,
                  const At& at) {
  text += detail::text_of({"inline const ", type, "* ", name, "() {\n  static constexpr ", type,
                           " table[", size, "] = {"});
  std::size_t column = 100;
  for (std::size_t k = 0; k < size; ++k) {
    const std::string element = number_literal(type, at(k)) + (k + 1 == size ? "};" : ",");
    if (column + 1 + element.size() > 100) {
      text += "\n     ";
      column = 5;
    }
    text.append(" ").append(element);
    column += 1 + element.size();
  }
  text += "\n  return table;\n}\n";
}

/// Returns the type of labels: float if the weights and all labels fit float, else double.
inline std::string_view label_type(const StoredModel& model) {
  for (const double label : model.labels)
    if (!(std::abs(label) < 1e38) || static_cast<double>(static_cast<float>(label)) != label)
      return "double";
  return scalar_name(model.is_float);
}

/// Appends the sizes, the names of the columns, if any, and the labels of the classes, if any.
inline void append_names(std::string& text, const StoredModel& model, std::size_t functions) {
  text += detail::text_of({"constexpr std::size_t columns = ", model.columns, ";\n"});
  if (!is_of_one_function(model.kind))
    text += detail::text_of({"constexpr std::size_t functions = ", functions, ";\n"});
  if (!model.features.empty()) {
    text +=
        "\n/// The name of a column, 0 <= column < columns.\n"
        "inline const char* feature(std::size_t column) {\n"
        "  static const char* const table[] = {\n";
    for (const auto& name : model.features)
      text.append("      ").append(string_literal(name)).append(",\n");
    text += "  };\n  return table[column];\n}\n";
  }
  if (model.labels.empty()) return;
  text += "\n/// The labels of the classes, in ascending order.\n";
  append_table(text, label_type(model), "labels", model.labels.size(),
               [&](std::size_t k) { return model.labels[k]; });
}

/// Appends the names, offsets and weights. The tables omit columns whose weights are all 0 if this
/// makes the tables smaller. Returns whether the tables omit columns.
inline bool append_tables(std::string& text, const StoredModel& model) {
  std::vector<double> offsets;  // (k): of the k functions
  for (const auto& part : model.parts)
    offsets.insert(offsets.end(), part.offset.begin(), part.offset.end());
  const std::size_t k = offsets.size();
  const auto weight = [&](std::size_t j, std::size_t f) {
    const bool of_parts = model.parts.size() == k;
    return of_parts ? model.parts[f].weights[j] : model.parts[0].weights[j * k + f];
  };
  std::vector<std::size_t> all;
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < static_cast<std::size_t>(model.columns); ++j) {
    all.push_back(j);
    for (std::size_t f = 0; f < k && (kept.empty() || kept.back() != j); ++f)
      if (weight(j, f) != 0) kept.push_back(j);
  }
  const std::size_t bytes = k * (model.is_float ? 4 : 8);
  const bool is_sparse = kept.size() * (bytes + 4) < all.size() * bytes;
  if (kept.empty()) kept.push_back(0);  // C++ has no empty arrays
  const std::string_view real = scalar_name(model.is_float);
  append_names(text, model, k);
  text += '\n';
  if (is_of_one_function(model.kind))
    text += detail::text_of(
        {"constexpr ", real, " offset = ", number_literal(real, offsets[0]), ";\n"});
  else
    append_table(text, real, "offsets", k, [&](std::size_t f) { return offsets[f]; });
  if (is_sparse) {
    text += detail::text_of({"\n/// All other columns have weights of 0.\n",
                             "constexpr std::size_t stored = ", kept.size(), ";\n"});
    append_table(text, "unsigned", "stored_columns", kept.size(),
                 [&](std::size_t i) { return static_cast<double>(kept[i]); });
  }
  const auto& columns = is_sparse ? kept : all;
  text += k > 1 ? "\n/// The weights of one column are adjacent.\n" : "\n";
  append_table(text, real, "weights", columns.size() * k,
               [&](std::size_t i) { return weight(columns[i / k], i % k); });
  return is_sparse;
}

inline constexpr std::string_view header_sigmoid = R"(
/// 1/(1 + exp(-p)), computed without overflow.
inline $REAL sigmoid($REAL p) {
  const $REAL small = std::exp(-std::fabs(p));
  return (p >= 0 ? 1 : small) / (1 + small);
}
)";
inline constexpr std::string_view header_place_of = R"(
/// The position of a column in the tables, or `stored` if its weights are 0.
inline std::size_t place_of(std::size_t column) {
  std::size_t first = 0;
  for (std::size_t last = stored; first < last;) {
    const std::size_t middle = first + (last - first) / 2;
    if (stored_columns()[middle] < column)
      first = middle + 1;
    else
      last = middle;
  }
  return first < stored && stored_columns()[first] == column ? first : stored;
}
)";

// Functions of a sample: $SAMPLE is the list of its parameters, and $GIVEN that of the arguments.
inline constexpr std::string_view header_score = R"(
/// <w, x> + b.
$INLINE $REAL score($SAMPLE) {
  $REAL sum = 0;
  $LOOP sum += weights()[j] * value;
  }
  return sum + offset;
}
)";
inline constexpr std::string_view header_scores = R"(
/// Sets all (functions) to <w, x> + b of each function.
$INLINE void scores($SAMPLE, $REAL* all) {
  for (std::size_t k = 0; k < functions; ++k) all[k] = 0;
  $LOOP for (std::size_t k = 0; k < functions; ++k)
        all[k] += weights()[j * functions + k] * value;
  }
  for (std::size_t k = 0; k < functions; ++k) all[k] += offsets()[k];
}
)";
inline constexpr std::string_view header_number = R"(
/// The predicted number or label; NaN if x has a NaN.
$INLINE $NUMBER predict($SAMPLE) {
  const $REAL p = score($GIVEN);
  return $ANSWER;
}
)";
inline constexpr std::string_view header_numbers = R"(
/// Sets all (functions) to the predicted number of each target.
$INLINE void predict($SAMPLE, $REAL* all) {
  scores($GIVEN, all);
}
)";
inline constexpr std::string_view header_best_label = R"(
/// The predicted label; NaN if x has a NaN.
$INLINE $NUMBER predict($SAMPLE) {
  $REAL all[functions];
  scores($GIVEN, all);
  std::size_t best = 0;
  for (std::size_t k = 0; k < functions; ++k) {
    if (std::isnan(all[k])) return all[k];
    if (all[k] > all[best]) best = k;
  }
  return labels()[best];
}
)";
inline constexpr std::string_view header_probability = R"(
/// The probability of the larger label.
$INLINE $REAL probability($SAMPLE) {
  return sigmoid(score($GIVEN));
}
)";
inline constexpr std::string_view header_probabilities = R"(
/// Sets all (functions) to the probability of each label. The sum is 1.
$INLINE void probabilities($SAMPLE, $REAL* all) {
  scores($GIVEN, all);
  $REAL top = all[0];
  for (std::size_t k = 1; k < functions; ++k) top = all[k] > top ? all[k] : top;
  $REAL sum = 0;
  for (std::size_t k = 0; k < functions; ++k) sum += all[k] = $CHANCE;
  for (std::size_t k = 0; k < functions; ++k) all[k] /= sum;
}
)";
// Below −40 exp has the quotients of the sigmoid, and does not underflow.
inline constexpr std::string_view share_of_sigmoids =
    "top < -40 ? std::exp(all[k] - top) : sigmoid(all[k])";

/// Returns the expression for the prediction of a model of one function with score p.
inline std::string_view answer_of(const StoredModel& model) {
  constexpr std::array<std::array<std::string_view, 2>, 5> known{
      {{"identity", "p"},
       {"sigmoid", "sigmoid(p)"},
       {"tanh", "std::tanh(p)"},
       {"exponential", "std::exp(p)"},
       {"hard-threshold", "p >= 0 ? 1 : p < 0 ? 0 : p"}}};
  if (are_two_classes(model.kind)) return "p >= 0 ? labels()[1] : p < 0 ? labels()[0] : p";
  if (model.kind != ModelKind::activated) return "p";
  for (const auto& [name, text] : known)
    if (model.parts[0].activation == name) return text;
  refuse("write_header: the activation is ", model.parts[0].activation,
         ", but a header can only have those of linea");
}

/// Appends score, predict, … for dense and sparse samples. `is_sparse`: the tables omit columns.
inline void append_functions(std::string& text, const StoredModel& model, bool is_sparse) {
  using enum ModelKind;
  const bool has_chances = model.part_kind == probabilistic_classifier;
  const bool has_many = !is_of_one_function(model.kind);
  const std::string_view answer = answer_of(model);
  std::string form(has_many ? header_scores : header_score);
  if (model.kind == multi_target)
    form += header_numbers;
  else if (model.kind != linear)
    form += has_many ? header_best_label : header_number;
  if (model.kind == softmax || has_chances)
    form += has_many ? header_probabilities : header_probability;
  using Replacements = std::initializer_list<std::array<std::string_view, 2>>;
  const Replacements common{{"$SIZE", is_sparse ? "stored" : "columns"},
                            {"$ANSWER", answer},
                            {"$CHANCE", has_chances ? share_of_sigmoids : "std::exp(all[k] - top)"},
                            {"$NUMBER", label_type(model)},
                            {"$REAL", scalar_name(model.is_float)}};
  const auto append = [&](std::string filled, Replacements own) {
    for (const Replacements words : {own, common})
      for (const auto& [word, by] : words)
        for (auto at = filled.find(word); at != filled.npos; at = filled.find(word))
          filled.replace(at, word.size(), by);
    text += filled;
  };
  if (has_chances || answer.starts_with("sigmoid")) append(std::string(header_sigmoid), {});
  if (is_sparse) text += header_place_of;
  append(form,
         {{"$INLINE", "inline"},
          {"$SAMPLE", "const $REAL* x"},
          {"$GIVEN", "x"},
          {"$LOOP",
           "for (std::size_t j = 0; j < $SIZE; ++j) {\n    const $REAL value = x[$COLUMN];\n   "},
          {"$COLUMN", is_sparse ? "stored_columns()[j]" : "j"}});
  append(form, {{"$INLINE", "template <class Column>\ninline"},
                {"$SAMPLE", "const Column* indices, const $REAL* values, std::size_t count"},
                {"$GIVEN", "indices, values, count"},
                {"$LOOP",
                 "for (std::size_t i = 0; i < count; ++i) {\n    const $REAL value = values[i];\n"
                 "    const std::size_t j = $PLACE;\n    if (j < $SIZE)\n     "},
                {"$PLACE", is_sparse ? "place_of(static_cast<std::size_t>(indices[i]))"
                                     : "static_cast<std::size_t>(indices[i])"}});
}

inline std::string header_text(const StoredModel& model, const HeaderOptions& options) {
  const auto names = namespaces_of(options);
  require_sound("write_header", model);
  const StoredPart& part = model.parts[0];
  std::string all_names;
  for (const auto& name : names) all_names.append(name).append("::");
  const std::string guard =
      "LINEA_MODEL_" + names.back() + "_" + detail::number_text(checksum(all_names));
  const std::string title = detail::text_of(
      {"A linear model written by linea: ", name_of(model.kind), ", ", model.columns, " columns",
       part.loss.empty() ? "" : "; ", part.loss, part.penalty.empty() ? "" : " + ", part.penalty});
  std::string text = "// " + comment_text(title) + ".\n";
  text +=
      "// Needs C++11 and nothing else. A sample is x, a number for each column, or the numbers\n"
      "// of some columns, which count from 0. The numbers of all other columns are then 0.\n"
      "// Columns that the model does not have are ignored.\n";
  text += "#ifndef " + guard + "\n#define " + guard;
  text += "\n\n#include <cmath>\n#include <cstddef>\n\n";
  for (const auto& name : names) text += "namespace " + name + " {\n";
  text += '\n';
  append_functions(text, model, append_tables(text, model));
  text += '\n';
  for (std::size_t k = names.size(); k-- > 0;) text += "}  // namespace " + names[k] + '\n';
  return text += "\n#endif\n";
}

}  // namespace io

/// Writes the model as a C++11 header that needs no library. The header has tables of the weights
/// and, in namespace `name_space::name`,
///
/// | function              | for                                                             |
/// |-----------------------|-----------------------------------------------------------------|
/// | score(x)              | models of one function: ⟨w, x⟩ + b                              |
/// | scores(x, all)        | models of k functions: sets all (k)                             |
/// | predict(x)            | classifiers: the label. Regressors and ActivatedModel: a number |
/// | predict(x, all)       | MultiTargetRegressor: sets all (k)                              |
/// | probability(x)        | ProbabilisticClassifier: of the larger label                    |
/// | probabilities(x, all) | SoftmaxClassifier, or OneVsRestClassifier of probabilistic ones |
///
/// x is a `const T*` to d numbers, for a model of scalar T. Each function also accepts the entries
/// of a sparse sample (columns, values, count) in place of x: columns from 0, of any integer type,
/// in any order, each once. Sums are in T, column by column; labels that T cannot represent are
/// doubles. The functions do not allocate, throw or validate; predict returns NaN if x has a NaN.
///
/// The tables omit columns whose weights are 0 if this saves memory; x of these columns is ignored.
/// Throws std::invalid_argument for names that are not identifiers, an invalid StoredModel, an
/// activation that is not one of linea's, a stream that fails, and a name without `name_space` that
/// `cmath` declares outside std, too, such as `log`.
template <ModelToWrite Model>
void write_header(std::ostream& out, const Model& model, const HeaderOptions& options = {}) {
  io::write_all("write_header", out, io::header_text(io::stored_of(model), options));
}

/// Writes the header to a file, completely or not at all.
template <ModelToWrite Model>
void write_header(const std::filesystem::path& path, const Model& model,
                  const HeaderOptions& options = {}) {
  io::write_file("write_header", path,
                 [&](std::ostream& out) { write_header(out, model, options); });
}

}  // namespace linea
