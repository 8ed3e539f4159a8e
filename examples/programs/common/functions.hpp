// SPDX-License-Identifier: MIT
#pragma once
/// \file As many linear functions as the classes need, and how they are fitted.
#include <functional>
#include <linea/core/point.hpp>
#include <linea/core/solution.hpp>
#include <optional>
#include <vector>

#include "programs/common/fit.hpp"
#include "programs/common/model.hpp"
#include "programs/common/train_options.hpp"
#include "programs/common/watch.hpp"

namespace program {

/// One linear function, or one a class, and how each was found. A softmax has one fit for all.
struct Functions {
  linea::Matrix<double> weights{};
  linea::Vector<double> offset{};
  std::vector<Fit> fits{};

  linea::Status status() const;  ///< the worst of the fits'
  double objective() const;      ///< the sum of the fits'
  std::optional<double> dual() const;
  linea::Index epochs() const;
  linea::Index updates() const;
  /// Sets functions from number `first` on to these points.
  void take(linea::Index first, const std::vector<linea::Point<double>>& points);
};

/// How many linear functions a model has that is no softmax.
linea::Index functions_of(const Model& model);

/// Targets of function k for numbers of classes (n); numbers as they are.
linea::Vector<double> targets_of(const Model& model, const linea::Vector<double>& y,
                                 linea::Index k);

/// Softmax regression for classes 0, 1, …, count − 1 (n), compiled apart. A class without samples,
/// as in a fold, is never predicted.
Functions fit_softmax(const FitTask& task, const EntriesView& x,
                      const linea::Vector<double>& classes, linea::Index count);

/// What functions are fitted to: x (n × d), y (n) of numbers of classes or numbers, and sample
/// weights (n) or none.
struct Learnt {
  Entries x;
  const linea::Vector<double>& y;
  linea::Vector<double> sample_weights{};
};

/// What is called with all functions, some still at their start, while they are fitted; or empty.
using Checkpoint = std::function<void(const Functions&)>;

/// Fits as many functions as the classes need. `start`: weights and offset of each, or none.
/// `held_out`: what ends each fit when it gets no better there, or none.
Functions fit_all(const TrainOptions& options, const Model& model, double lambda,
                  const Learnt& learnt, const Functions* start, const HeldOut* held_out,
                  const Checkpoint& checkpoint, Watch& watch);

/// Does the optimizer go on from a model, --start? A softmax does not.
bool takes_start(const TrainOptions& options);

/// A model to start from, with as many weights and functions as are to be fitted.
Functions read_start(const TrainOptions& options, const Model& model);

}  // namespace program
