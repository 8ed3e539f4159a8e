// SPDX-License-Identifier: MIT
#pragma once
/// \file Minima to compare with, found by Ridge and by Newton, which are compiled once for all
/// tests.
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>

namespace linea::test {

/// The minimum of the mean of ½(p − y)² plus λ/2·‖w‖², exact but for rounding.
Solution<double> least_squares_minimum(const Matrix<double>& x, const Vector<double>& y,
                                       double lambda, bool offset = true);

/// The minimum of the mean log loss plus λ/2·‖w‖², to a gap of 1e-15.
Solution<double> log_minimum(const Matrix<double>& x, const Vector<double>& y, double lambda,
                             bool offset = true);

}  // namespace linea::test
