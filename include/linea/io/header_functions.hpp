// SPDX-License-Identifier: MIT
#pragma once
/// \file The functions of a header that scores: pieces of C++11, put together by the kind of model.
#include <array>
#include <linea/core/require.hpp>
#include <linea/io/model_writer.hpp>
#include <linea/io/stored_model.hpp>
#include <string>
#include <string_view>
#include <utility>  // pair

namespace linea::io {

/// Has the model several functions, with scores that fill an array?
inline bool has_many_functions(ModelKind kind) { return !is_of_one_function(kind); }

/// Writes score, predict, … for samples of both forms.
template <class Stored = StoredModel>
class HeaderFunctions {
 public:
  /// `is_sparse`: are columns without weight left out of the table? Refuses an activation that is
  /// not one of linea's.
  HeaderFunctions(const Stored& model, bool is_sparse)
      : kind_(model.kind),
        is_sparse_(is_sparse),
        has_many_(has_many_functions(model.kind)),
        has_chances_(model.part_kind == ModelKind::probabilistic_classifier ||
                     model.kind == ModelKind::softmax),
        weight_(model.is_float ? "static_cast<double>(weights()[" : "weights()["),
        weight_end_(model.is_float ? "])" : "]"),
        activation_(kind_ == ModelKind::activated ? activation_of(model.parts[0]) : "") {}

  void append(ModelWriter& out) const {
    auto& text = out.text();
    if (activation_.starts_with("sigmoid") || (has_chances_ && kind_ != ModelKind::softmax))
      text += sigmoid;
    if (is_sparse_) text += place_of;
    for (const bool is_dense : {true, false}) {
      text +=
          has_many_ ? "\n/// Fills all (functions): <w, x> + b of each.\n" : "\n/// <w, x> + b.\n";
      function(text, has_many_ ? "void scores" : "double score", is_dense, has_many_);
      text += has_many_ ? scores_body(is_dense) : score_body(is_dense);
      append_prediction(text, is_dense);
      if (has_chances_) append_chances(text, is_dense);
    }
  }

 private:
  static constexpr std::string_view sigmoid = R"(
/// 1/(1 + exp(-p)), which never overflows.
inline double sigmoid(double p) {
  const double small = std::exp(-std::fabs(p));
  return (p >= 0 ? 1.0 : small) / (1.0 + small);
}
)";
  static constexpr std::string_view place_of = R"(
/// Where a column stands in the tables; `stored` where it does not.
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

  /// The first line of a function of a sample. `fills`: it answers in an array.
  static void function(std::string& text, std::string_view name, bool is_dense, bool fills) {
    if (!is_dense) text += "template <class Column>\n";
    text.append("inline ").append(name);
    text += is_dense ? "(const double* x"
                     : "(const Column* indices, const double* values, std::size_t count";
    text += fills ? ", double* all) {\n" : ") {\n";
  }

  static std::string_view arguments(bool is_dense) {
    return is_dense ? "x" : "indices, values, count";
  }

  /// The loop over the numbers of a sample: `inside` says what to do with number `value` of place j
  /// of the tables.
  std::string loop(bool is_dense, std::string_view inside) const {
    const std::string size = is_sparse_ ? "stored" : "columns";
    std::string text;
    if (is_dense) {
      text = "  for (std::size_t j = 0; j < " + size + "; ++j) {\n    const double value = x[";
      text += is_sparse_ ? "stored_columns()[j]" : "j";
      text += "];\n    ";
    } else {
      text = "  for (std::size_t i = 0; i < count; ++i) {\n    const double value = values[i];\n";
      text += "    const std::size_t j = ";
      text += is_sparse_ ? "place_of(static_cast<std::size_t>(indices[i]));\n"
                         : "static_cast<std::size_t>(indices[i]);\n";
      text += "    if (j < " + size + ")\n      ";
    }
    return text.append(inside).append("\n  }\n");
  }

  std::string score_body(bool is_dense) const {
    const std::string add = "sum += " + weight_ + "j" + weight_end_ + " * value;";
    return "  double sum = 0;\n" + loop(is_dense, add) + "  return sum + offset;\n}\n";
  }

  std::string scores_body(bool is_dense) const {
    const std::string each = "for (std::size_t k = 0; k < functions; ++k) ";
    const std::string add =
        "all[k] += " + weight_ + "j * functions + k" + weight_end_ + " * value;";
    return "  " + each + "all[k] = 0;\n" + loop(is_dense, each + add) + "  " + each +
           "all[k] += offsets()[k];\n}\n";
  }

  void append_prediction(std::string& text, bool is_dense) const {
    const std::string given(arguments(is_dense));
    if (kind_ == ModelKind::linear) return;
    if (kind_ == ModelKind::multi_target) {
      text += "\n/// Fills all (functions): a number for each target.\n";
      function(text, "void predict", is_dense, true);
      text += "  scores(" + given + ", all);\n}\n";
      return;
    }
    const bool has_labels = has_many_ || are_two_classes(kind_);
    text += has_labels ? "\n/// The label; NaN where x is not a number.\n" : "\n/// The target.\n";
    function(text, "double predict", is_dense, false);
    if (has_many_) {
      text += "  double all[functions];\n  scores(" + given + ", all);\n";
      text += R"(  std::size_t best = 0;
  for (std::size_t k = 0; k < functions; ++k) {
    if (std::isnan(all[k])) return all[k];
    if (all[k] > all[best]) best = k;
  }
  return labels()[best];
}
)";
      return;
    }
    text += "  const double p = score(" + given + ");\n  return ";
    text += has_labels ? "p >= 0 ? labels()[1] : p < 0 ? labels()[0] : p" : activation_;
    if (kind_ == ModelKind::regressor) text += "p";
    text += ";\n}\n";
  }

  void append_chances(std::string& text, bool is_dense) const {
    const std::string given(arguments(is_dense));
    if (!has_many_) {
      text += "\n/// The probability of the larger label.\n";
      function(text, "double probability", is_dense, false);
      text += "  return sigmoid(score(" + given + "));\n}\n";
      return;
    }
    text += "\n/// Fills all (functions): the probability of each label. Their sum is 1.\n";
    function(text, "void probabilities", is_dense, true);
    text += "  scores(" + given + ", all);\n";
    text += kind_ == ModelKind::softmax ? softmax_of_all : shares_of_all;
  }

  static constexpr std::string_view softmax_of_all = R"(  double top = all[0];
  for (std::size_t k = 1; k < functions; ++k) top = all[k] > top ? all[k] : top;
  double sum = 0;
  for (std::size_t k = 0; k < functions; ++k) sum += all[k] = std::exp(all[k] - top);
  for (std::size_t k = 0; k < functions; ++k) all[k] /= sum;
}
)";
  static constexpr std::string_view shares_of_all = R"(  double sum = 0;
  for (std::size_t k = 0; k < functions; ++k) sum += all[k] = sigmoid(all[k]);
  for (std::size_t k = 0; k < functions; ++k)
    all[k] = std::isnan(sum) || sum > 0 ? all[k] / sum : 1.0 / functions;
}
)";

  static std::string_view activation_of(const StoredPart& part) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> known{
        {{"identity", "p"},
         {"sigmoid", "sigmoid(p)"},
         {"tanh", "std::tanh(p)"},
         {"exponential", "std::exp(p)"},
         {"hard-threshold", "p >= 0 ? 1.0 : p < 0 ? 0.0 : p"}}};
    for (const auto& [name, text] : known)
      if (part.activation == name) return text;
    refuse("write_header: the activation is ", part.activation,
           ", but a header has those of linea only");
  }

  ModelKind kind_;
  bool is_sparse_;
  bool has_many_;
  bool has_chances_;
  std::string weight_;  ///< in front of its place in the table
  std::string weight_end_;
  std::string_view activation_;
};

}  // namespace linea::io
