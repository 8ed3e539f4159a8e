// SPDX-License-Identifier: MIT
#pragma once
/// \file Metrics of a model on samples with known targets.
#include <linea/core/types.hpp>
#include <optional>
#include <string>

#include "programs/common/model.hpp"

namespace program {

/// Metrics of a model on some samples. Undefined ones are omitted: the AUC if not all labels occur,
/// the log loss of a loss without probabilities.
struct Figures {
  linea::Index samples{0};  ///< with a target
  bool has_weights{false};
  double effective_samples{0};  ///< (Σw)²/Σw² of their weights: the equivalent number of unweighted
                                ///< samples
  bool of_classes{false};
  // For classes.
  std::optional<double> accuracy{};
  double wrong_share{0};
  std::optional<double> log_loss{};
  std::optional<double> auc{};
  linea::Index mistakes{0};
  linea::Index unknown_labels{0};     ///< counted as mistakes
  linea::Matrix<double> confusion{};  ///< (k × k) counts: true label × predicted
  // For numbers.
  std::optional<double> mean_squared_error{};
  std::optional<double> mean_absolute_error{};
  std::optional<double> r2{};
  int exponent{0};             ///< of the power of two nearest to the largest number
  double scaled_squares{0};    ///< mean_squared_error/4^exponent, which does not overflow
  double scaled_deviation{0};  ///< its standard error

  /// Adds the defined metrics.
  void add_to(json& report) const;
  /// Adds the 95 % intervals of accuracy or mean_squared_error, each a list of two numbers.
  void add_intervals_to(json& report) const;
  /// One metric, lower being better: the error rate, or the mean squared error.
  double error() const;
  /// The metrics with 95 % intervals, one line each, as text.
  std::string text() const;
};

/// Targets (n) of a file in the model's numbering: numbers, or class indices; NaN if missing or
/// unknown to the model.
linea::Vector<double> targets_for(const Model& model, const Table& table, const Column& targets);

/// The column of targets of a table; the labels of sparse rows.
Column target_column(const Table& table, std::size_t target);

/// y (n) is the result of `targets_for`. `weights` (n) are sample weights, or none.
Figures figures_of(const Model& model, const linea::Matrix<double>& scores,
                   const linea::Vector<double>& y, const Column& targets,
                   const linea::Vector<double>& weights = {});

/// Wilson's 95 % interval for a fraction `share` of n.
std::pair<double, double> share_interval(double share, double n);

}  // namespace program
