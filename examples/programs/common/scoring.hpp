// SPDX-License-Identifier: MIT
#pragma once
/// \file How well a model predicts samples whose targets are known.
#include <linea/core/types.hpp>
#include <optional>
#include <string>

#include "programs/common/model.hpp"

namespace program {

/// Figures of a model on some samples. Those that are not defined are left out: the AUC where not
/// all labels are there, the log loss of a loss without probabilities.
struct Figures {
  linea::Index samples{0};  ///< with a target
  bool has_weights{false};
  double effective_samples{0};  ///< (Σw)²/Σw² of their weights: as many say as much without weights
  bool of_classes{false};
  // Of classes.
  std::optional<double> accuracy{};
  double wrong_share{0};
  std::optional<double> log_loss{};
  std::optional<double> auc{};
  linea::Index mistakes{0};
  linea::Index unknown_labels{0};     ///< counted as mistakes
  linea::Matrix<double> confusion{};  ///< (k × k) counts: true label × predicted
  // Of numbers.
  std::optional<double> mean_squared_error{};
  std::optional<double> mean_absolute_error{};
  std::optional<double> r2{};
  int exponent{0};             ///< of the power of two next to the largest number
  double scaled_squares{0};    ///< mean_squared_error/4^exponent, which does not overflow
  double scaled_deviation{0};  ///< its standard error

  /// Adds the figures that are defined.
  void add_to(json& report) const;
  /// Adds the 95 % intervals of accuracy or mean_squared_error, each a list of two numbers.
  void add_intervals_to(json& report) const;
  /// One figure, lower being better: the share of mistakes, or the mean squared error.
  double error() const;
  /// The figures with 95 % intervals, a line each, for people.
  std::string text() const;
};

/// Targets (n) as a file has them, as the model counts them: numbers, or the number of the class;
/// NaN where there is none, or none that the model knows.
linea::Vector<double> targets_for(const Model& model, const Table& table, const Column& targets);

/// The column of targets of a table; of lists of entries their labels.
Column target_column(const Table& table, std::size_t target);

/// y (n) as `targets_for` makes it. `weights` (n) say how much each sample counts, or are none.
Figures figures_of(const Model& model, const linea::Matrix<double>& scores,
                   const linea::Vector<double>& y, const Column& targets,
                   const linea::Vector<double>& weights = {});

/// Wilson's interval for a share of so many of n, at 95 %.
std::pair<double, double> share_interval(double share, double n);

}  // namespace program
