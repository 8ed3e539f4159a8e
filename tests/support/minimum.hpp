// SPDX-License-Identifier: MIT
#pragma once
/// \file Reference minima, found by Ridge. The code of Ridge is compiled once for all tests.
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>

namespace linea::test {

/// Returns the minimum of the mean of ½(p − y)² plus λ/2·‖w‖², exact up to rounding.
Solution<double> least_squares_minimum(const Matrix<double>& x, const Vector<double>& y,
                                       double lambda, bool offset = true);

}  // namespace linea::test
