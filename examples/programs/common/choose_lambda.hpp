// SPDX-License-Identifier: MIT
#pragma once
/// \file Selects lambda by cross-validation.
#include <exception>
#include <linea/models/validation_curve.hpp>

#include "programs/common/functions.hpp"
#include "programs/common/table.hpp"

namespace program {

/// Thrown when Ctrl-C or SIGTERM interrupted the program before there was a model.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "no model is written"; }
};

/// The inputs of training that do not depend on lambda.
struct Samples {
  const TrainOptions& options;
  const Table& table;
  const linea::Vector<double>& y;
  const linea::Vector<double>& factors;  ///< the weights of the classes, or none
  linea::Vector<double> weights{};       ///< (n) the sample weights, or none
};

/// Returns the validation curve of the requested lambdas. With `auto`, the function adds smaller
/// lambdas, at most three times, while the smallest lambda is the best one and lies at the edge of
/// the list. Throws Interrupted after a signal.
linea::ValidationCurve choose_lambda(const Samples& samples, const Model& model, const Entries& x,
                                     Watch& watch);

}  // namespace program
