// SPDX-License-Identifier: MIT
#pragma once
/// \file The linear functions for all classes, and their fits.
#include <functional>
#include <linea/core/observer.hpp>
#include <linea/core/solution.hpp>
#include <optional>
#include <vector>

#include "programs/common/fit.hpp"
#include "programs/common/model.hpp"
#include "programs/common/train_options.hpp"
#include "programs/common/watch.hpp"

namespace program {

/// One linear function, or one for each class, with the details of their fits. With softmax all
/// functions have one common fit.
struct Functions {
  linea::Matrix<double> weights{};
  linea::Vector<double> offset{};
  std::vector<Fit> fits{};

  linea::Status status() const;  ///< the worst status of the fits
  double objective() const;      ///< the sum over the fits
  std::optional<double> dual() const;
  linea::Index epochs() const;
  linea::Index updates() const;
  /// Sets the weights and offsets of the functions from `first` on to these points.
  void take(linea::Index first, const std::vector<linea::Point<double>>& points);
};

/// Returns the number of linear functions of a model other than softmax.
linea::Index functions_of(const Model& model);

/// Returns the targets −1 and +1 of function k from class indices y (n). Targets of regression are
/// unchanged.
linea::Vector<double> targets_of(const Model& model, const linea::Vector<double>& y,
                                 linea::Index k);

/// Fits softmax regression for classes 0, 1, …, count − 1 (n). A class without samples, as in a
/// fold, is never predicted.
Functions fit_softmax(const FitTask& task, const EntriesView& x,
                      const linea::Vector<double>& classes, linea::Index count);

/// The training data: x (n × d), y (n) of class indices or numbers, and sample weights (n) or none.
struct Learnt {
  Entries x;
  const linea::Vector<double>& y;
  linea::Vector<double> sample_weights{};
};

/// A function that fit_all calls during the fit with the weights and offsets of all functions.
/// Functions that are not fitted yet have their start values. May be empty.
using Checkpoint = std::function<void(const Functions&)>;

/// Fits the functions for all classes. `start` has the weights and offset of each function, or is
/// null. If `held_out` is not null, each fit ends when the mean loss of these samples has not
/// improved for held_out->patience epochs.
Functions fit_all(const TrainOptions& options, const Model& model, double lambda,
                  const Learnt& learnt, const Functions* start, const HeldOut* held_out,
                  const Checkpoint& checkpoint, Watch& watch);

/// Do the optimizer and the model support --start? Ridge, dual, pegasos and softmax do not.
bool takes_start(const TrainOptions& options);

/// Reads the start model, and converts its weights to the scales of `model`. Throws
/// std::invalid_argument unless the start model has the required number of weights and functions.
Functions read_start(const TrainOptions& options, const Model& model);

}  // namespace program
