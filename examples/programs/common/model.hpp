// SPDX-License-Identifier: MIT
#pragma once
/// \file The model file of the programs: one line of JSON, read strictly.
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "programs/common/preprocessing.hpp"

namespace program {

using json = nlohmann::ordered_json;

/// The value of a JSON text, or a discarded one where the text is no JSON. Refuses, in the name of
/// `source`, lists and objects that are nested more than 32 deep: what copies or prints a value
/// recurses into it.
json parse_json(std::string_view text, const std::string& source);

/// One linear function, or one a class, and how a file becomes what they are of.
struct Model {
  std::string loss{};                      ///< by its name, or softmax
  std::optional<double> parameter{};       ///< of the loss
  std::string multiclass{"none"};          ///< none, one-vs-rest or softmax
  std::vector<double> labels{};            ///< ascending; empty for numbers
  std::vector<std::string> label_names{};  ///< where labels are text: then labels are 0, 1, …
  linea::Matrix<double> weights{};         ///< (d × 1) of two classes or numbers, else (d × k)
  linea::Vector<double> offset{};          ///< (1) or (k)
  Preprocessing input{};
  json training = json::object();  ///< lambda, objective, gap, status, …: for people
  bool is_foreign{false};          ///< did another program write it? See foreign_model.hpp

  bool has_classes() const { return !labels.empty(); }
  bool has_probabilities() const { return loss == "log" || loss == "softmax"; }
  /// The label of class k as it stood in the training file.
  std::string label_text(std::size_t k) const;
  /// (n × 1) or (n × k).
  linea::Matrix<double> scores(const EntriesView& x) const;
  /// The number of the class with the highest score (n); of equal ones the smaller, but of two
  /// classes the larger at score 0.
  std::vector<std::size_t> classes_of(const linea::Matrix<double>& scores) const;
  /// (n × k) for k classes, where the loss has probabilities; rows sum to 1.
  linea::Matrix<double> probabilities(const linea::Matrix<double>& scores) const;
  /// Their logarithms (n × k), finite where a probability is too small for a number.
  linea::Matrix<double> log_probabilities(const linea::Matrix<double>& scores) const;
};

inline constexpr int model_version = 2;

/// Throws std::invalid_argument where a number is not finite.
void write_model(std::ostream& out, const Model& model);

/// A model of linea_train, of the library's write_model or of LIBLINEAR. Throws
/// std::invalid_argument that names the file when it is none, of another version, has a part missing, too many or of the wrong kind, or does not agree with its own checksum.
Model read_model(const std::string& path);

}  // namespace program
