// SPDX-License-Identifier: MIT
#pragma once
/// \file Problems of ridge regression, and the relative difference of numbers.
#include <Eigen/QR>
#include <cmath>
#include <linea/core/objective.hpp>
#include <linea/losses/squared.hpp>
#include <linea/penalties/l2.hpp>

#include "support/synthetic.hpp"

namespace linea::test {

inline Objective<Squared, L2> ridge(double lambda) { return {Squared{}, L2{lambda}}; }

inline double relative(double value, double reference) {
  return std::abs(value - reference) / std::abs(reference);
}

/// Returns x (50 × 5) with singular values from 1 to 1e-7. Normal equations would keep two digits.
inline Matrix<double> uneven_columns() {
  const Eigen::MatrixXd q =
      Eigen::HouseholderQR<Eigen::MatrixXd>(synthetic::features(50, 5, 8)).householderQ() *
      Eigen::MatrixXd::Identity(50, 5);
  return q * Vector<double>{{1, 1e-2, 1e-4, 1e-6, 1e-7}}.asDiagonal();
}

}  // namespace linea::test
