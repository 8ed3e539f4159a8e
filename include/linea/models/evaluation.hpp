// SPDX-License-Identifier: MIT
#pragma once
/// \file How good a model is: the usual figures of its kind in one value, which prints for people.
///
/// A figure that is undefined is NaN, and prints as such: precision of a label that is never
/// predicted, recall of one that is not in y, ROC AUC where not all labels are.
#include <algorithm>  // max, min
#include <cmath>      // isnan
#include <iomanip>
#include <linea/core/require.hpp>
#include <linea/core/text_stream.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/precision_recall.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>  // pair
#include <vector>

namespace linea {

/// Of a model that tells two labels apart. Counts are sums of sample weights.
struct [[nodiscard]] TwoClassEvaluation {
  Index samples{0};          ///< of a weight above 0
  double smaller{0};         ///< the labels
  double larger{0};          ///< precision, recall and F1 are of this one
  double accuracy{0};        ///< the fraction that is predicted rightly
  double accuracy_error{0};  ///< its standard error, for samples drawn one by one; 0 at 0 and 1
  double precision{0};       ///< see metrics/precision_recall.hpp, as for the next two
  double recall{0};
  double f1{0};
  double roc_auc{0};                    ///< of the scores
  std::optional<double> log_loss{};     ///< of a model with probabilities
  std::optional<double> brier_score{};  ///< the same; in [0, 1]
  ConfusionMatrix confusion{};          ///< of both labels (2 × 2)
};

/// Of a model that tells several labels apart by a score for each.
struct [[nodiscard]] ClassesEvaluation {
  Index samples{0};             ///< of a weight above 0
  double accuracy{0};           ///< the fraction that is predicted rightly
  double accuracy_error{0};     ///< its standard error, for samples drawn one by one; 0 at 0 and 1
  double balanced_accuracy{0};  ///< the mean recall of the labels in y
  double macro_f1{0};           ///< the mean F1 of all labels that are predicted or in y
  double roc_auc{0};            ///< of the probabilities, else scores, each label against the rest
  std::optional<double> log_loss{};     ///< of a model with probabilities
  std::optional<double> brier_score{};  ///< the same; in [0, 2]
  ClassMetrics classes{};               ///< of each label that is predicted or in y
  ConfusionMatrix confusion{};          ///< of all labels of the model (k × k)
};

/// Of a model that predicts numbers.
struct [[nodiscard]] NumbersEvaluation {
  Index samples{0};  ///< of a weight above 0
  double r2{0};
  double mean_squared_error{0};       ///< in the square of y's unit
  double root_mean_squared_error{0};  ///< in y's unit
  double mean_absolute_error{0};      ///< in y's unit
};

namespace models {

/// Four digits, or the word for NaN.
inline std::string figure_text(double figure) {
  if (std::isnan(figure)) return "undefined";
  core::TextStream text;
  text << std::setprecision(4) << figure;
  return text.str();
}

/// Lines of a name and a figure, in a column each.
class FigureTable {
 public:
  void add(const std::string& name, const std::string& figure) {
    lines_.emplace_back(name, figure);
    width_ = std::max(width_, name.size());
  }
  void add(const std::string& name, double figure) { add(name, figure_text(figure)); }
  void add(const std::string& name, const std::optional<double>& figure) {
    if (figure) add(name, *figure);
  }
  void add_accuracy(double accuracy, double error) {
    add("accuracy", figure_text(accuracy) + " (standard error " + figure_text(error) + ')');
  }

  std::string text() const {
    std::string text;
    for (const auto& [name, figure] : lines_)
      text.append(name).append(width_ + 2 - name.size(), ' ').append(figure) += '\n';
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_{};
  std::size_t width_{0};
};

/// Rows of cells, right-aligned in columns.
template <class Text>
Text grid_text(const std::vector<std::vector<Text>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k)
      text += std::string(widths[k] - row[k].size() + (k > 0 ? 2 : 0), ' ') + row[k];
    text += '\n';
  }
  return text;
}

/// More labels than these are not for people.
inline constexpr Index most_labels_shown = 20;

template <class Text = std::string>
Text confusion_text(const ConfusionMatrix& confusion) {
  const Index size = confusion.labels.size();
  if (size > most_labels_shown) return {};
  std::vector<std::vector<Text>> rows{{"true \\ predicted"}};
  for (Index j = 0; j < size; ++j) rows[0].push_back(core::number_text(confusion.labels[j]));
  for (Index i = 0; i < size; ++i) {
    rows.push_back({core::number_text(confusion.labels[i])});
    for (Index j = 0; j < size; ++j) rows.back().push_back(figure_text(confusion.counts(i, j)));
  }
  return grid_text(rows);
}

template <class Text = std::string>
Text classes_text(const ClassMetrics& classes) {
  std::vector<std::vector<Text>> rows{{"label", "precision", "recall", "F1", "support"}};
  const Index shown = std::min(classes.labels.size(), most_labels_shown);
  for (Index k = 0; k < shown; ++k)
    rows.push_back({core::number_text(classes.labels[k]), figure_text(classes.precision[k]),
                    figure_text(classes.recall[k]), figure_text(classes.f1[k]),
                    figure_text(classes.support[k])});
  const Index left = classes.labels.size() - shown;
  return grid_text(rows) + (left > 0 ? "and " + std::to_string(left) + " labels more\n" : "");
}

}  // namespace models

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const TwoClassEvaluation& evaluation) {
  const std::string of = " of " + core::number_text(evaluation.larger);
  models::FigureTable table;
  table.add_accuracy(evaluation.accuracy, evaluation.accuracy_error);
  table.add("precision" + of, evaluation.precision);
  table.add("recall" + of, evaluation.recall);
  table.add("F1" + of, evaluation.f1);
  table.add("ROC AUC", evaluation.roc_auc);
  table.add("log loss", evaluation.log_loss);
  table.add("Brier score", evaluation.brier_score);
  return out << std::to_string(evaluation.samples) + " samples of two labels\n" + table.text() +
                    models::confusion_text(evaluation.confusion);
}

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const ClassesEvaluation& evaluation) {
  models::FigureTable table;
  table.add_accuracy(evaluation.accuracy, evaluation.accuracy_error);
  table.add("balanced accuracy", evaluation.balanced_accuracy);
  table.add("F1, mean of labels", evaluation.macro_f1);
  table.add("ROC AUC, mean of labels", evaluation.roc_auc);
  table.add("log loss", evaluation.log_loss);
  table.add("Brier score", evaluation.brier_score);
  return out << std::to_string(evaluation.samples) + " samples of " +
                    std::to_string(evaluation.confusion.labels.size()) + " labels\n" +
                    table.text() + models::classes_text(evaluation.classes) +
                    models::confusion_text(evaluation.confusion);
}

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const NumbersEvaluation& evaluation) {
  models::FigureTable table;
  table.add("R2", evaluation.r2);
  table.add("mean squared error", evaluation.mean_squared_error);
  table.add("root mean squared error", evaluation.root_mean_squared_error);
  table.add("mean absolute error", evaluation.mean_absolute_error);
  return out << std::to_string(evaluation.samples) + " samples\n" + table.text();
}

}  // namespace linea
