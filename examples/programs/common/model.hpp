// SPDX-License-Identifier: MIT
#pragma once
/// \file A model of the programs. Its file is that of the library.
#include <iosfwd>
#include <linea/io/stored_model.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "programs/common/preprocessing.hpp"

namespace program {

using json = nlohmann::ordered_json;  ///< for reports

/// One linear function, or one for each class, and the preprocessing of its input.
struct Model {
  std::string loss{};                      ///< the name of the loss, or softmax
  std::optional<double> parameter{};       ///< the parameter of the loss, if it is given
  std::string multiclass{"none"};          ///< none, one-vs-rest or softmax
  std::vector<double> labels{};            ///< ascending; empty for regression
  std::vector<std::string> label_names{};  ///< the labels as text; `labels` are then 0, 1, …
  /// (d × 1) if `multiclass` is none, else (d × k).
  linea::Matrix<double> weights{};
  linea::Vector<double> offset{};  ///< (1) or (k)
  Preprocessing input{};
  std::vector<linea::StoredPart>
      fits{};  ///< penalty, optimizer, status, …: one, or one of each class
  std::vector<std::pair<std::string, std::string>> notes{};

  bool has_classes() const { return !labels.empty(); }
  bool has_probabilities() const { return has_classes() && (loss == "log" || loss == "softmax"); }
  /// Returns the label of class k as it is in the training file.
  std::string label_text(std::size_t k) const;
  /// Returns the scores, (n × 1) or (n × k).
  linea::Matrix<double> scores(const EntriesView& x) const;
  /// Returns the class index of each sample (n): the class with the highest score, and of equal
  /// scores the first. With a single function the index is 1 if the score is at least 0, else 0.
  std::vector<std::size_t> classes_of(const linea::Matrix<double>& scores) const;
  /// Returns the probabilities (n × k) of k classes, for losses with probabilities. Rows sum to 1.
  linea::Matrix<double> probabilities(const linea::Matrix<double>& scores) const;
  /// Returns the logarithms of the probabilities (n × k), finite even if a probability underflows.
  linea::Matrix<double> log_probabilities(const linea::Matrix<double>& scores) const;
};

/// Returns the model as the library stores it. Its weights and offsets are for features that are not
/// scaled.
linea::StoredModel stored_of(const Model& model);

/// Writes the model as the library does.
void write_model(std::ostream& out, const Model& model);

/// Reads a model of linea_train, of the library's write_model or of LIBLINEAR. A model without an
/// encoder expects sparse rows; Preprocessing::take_columns changes it to expect a table. Throws
/// std::invalid_argument, which names the file, for damaged files and unsupported kinds of models.
Model read_model(const std::string& path);

}  // namespace program
