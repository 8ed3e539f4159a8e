// SPDX-License-Identifier: MIT
#pragma once
/// \file Lambda by cross-validation.
#include <exception>
#include <linea/models/validation_curve.hpp>

#include "programs/common/functions.hpp"
#include "programs/common/table.hpp"

namespace program {

/// Ctrl-C or SIGTERM interrupted the program before there was a model.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "no model is written"; }
};

/// All parts of a table that do not depend on lambda.
struct Samples {
  const TrainOptions& options;
  const Table& table;
  std::size_t target;
  const linea::Vector<double>& y;
  const linea::Vector<double>& factors;  ///< of the classes, or none
  linea::Vector<double> weights{};       ///< (n) of the samples, or none
};

/// The curve of the requested lambdas. For `auto` the list is extended below while the least is the
/// best, at most three times. Throws Interrupted.
linea::ValidationCurve choose_lambda(const Samples& samples, const Model& model, const Entries& x,
                                     Watch& watch);

}  // namespace program
