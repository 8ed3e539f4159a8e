// SPDX-License-Identifier: MIT
#pragma once
/// \file Metrics of a model on samples with known targets.
#include <linea/core/types.hpp>
#include <optional>
#include <string>

#include "programs/common/model.hpp"

namespace program {

/// Metrics of a model on some samples. Undefined metrics are empty, such as the AUC if a label does
/// not occur, or the log loss of a model without probabilities.
struct Figures {
  linea::Index samples{0};  ///< the samples that have a target and a weight above 0
  bool has_weights{false};
  /// (Σw)²/Σw² of the sample weights: the equivalent number of unweighted samples.
  double effective_samples{0};
  bool of_classes{false};
  // Metrics of classification.
  std::optional<double> accuracy{};
  double wrong_share{0};
  std::optional<double> log_loss{};
  std::optional<double> auc{};
  linea::Index mistakes{0};
  linea::Index unknown_labels{0};  ///< counted as mistakes
  /// (k × k) counts: a row per true label, a column per predicted one.
  linea::Matrix<double> confusion{};
  // Metrics of regression.
  std::optional<double> mean_squared_error{};
  std::optional<double> mean_absolute_error{};
  std::optional<double> r2{};
  double deviation{0};  ///< the standard error of mean_squared_error; NaN for a single sample

  /// Adds the defined metrics to a report.
  void add_to(json& report) const;
  /// Adds the 95 % interval of accuracy or mean_squared_error to a report, as a list of two
  /// numbers. The squared error of a single sample has no interval.
  void add_intervals_to(json& report) const;
  /// Returns the one metric that training compares, lower being better: the error rate, or the mean
  /// squared error.
  double error() const;
  /// Returns the metrics as a line of text, with a 95 % interval for the error.
  std::string text() const;
};

/// Returns the targets (n) of a file in the model's numbering: numbers, or class indices. A target
/// that is missing or unknown to the model is NaN.
linea::Vector<double> targets_for(const Model& model, const Table& table, const Column& targets);

/// Returns the column of targets of a table, or the labels of sparse rows.
Column target_column(const Table& table, std::size_t target);

/// Computes the metrics. y (n) is the result of `targets_for`. `weights` (n) are sample weights, or
/// none.
Figures figures_of(const Model& model, const linea::Matrix<double>& scores,
                   const linea::Vector<double>& y, const Column& targets,
                   const linea::Vector<double>& weights = {});

/// Returns the standard error of a mean of n numbers, from the mean of their squares; NaN for n = 1.
double standard_error_of(double mean, double mean_square, double n);

/// Returns Wilson's 95 % interval for a fraction `share` of n samples.
std::pair<double, double> share_interval(double share, double n);

}  // namespace program
