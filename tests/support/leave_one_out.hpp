// SPDX-License-Identifier: MIT
#pragma once
/// \file The leave-one-out error of ridge regression by its definition.
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <cstdint>
#include <linea/core/objective.hpp>
#include <linea/core/random.hpp>
#include <linea/losses/squared.hpp>
#include <linea/penalties/l2.hpp>

#include "support/synthetic.hpp"

namespace linea::test {

inline Objective<Squared, L2> ridge(double lambda) { return {Squared{}, L2{lambda}}; }

inline double relative(double value, double reference) {
  return std::abs(value - reference) / std::abs(reference);
}

/// (50 × 5) with singular values from 1 to 1e-7, of which normal equations would keep two digits.
inline Matrix<double> uneven_columns() {
  const Eigen::MatrixXd q =
      Eigen::HouseholderQR<Eigen::MatrixXd>(synthetic::features(50, 5, 8)).householderQ() *
      Eigen::MatrixXd::Identity(50, 5);
  return q * Vector<double>{{1, 1e-2, 1e-4, 1e-6, 1e-7}}.asDiagonal();
}

/// Positive weights that differ.
inline Vector<double> some_weights(Index n, std::uint64_t seed) {
  Random random(seed);
  Vector<double> weights(n);
  for (double& weight : weights) weight = 0.1 + random.uniform();
  return weights;
}

/// The leave-one-out error by its definition, one fit a sample with 64 bits of mantissa, from the
/// normal equations of the smaller side. These must be well conditioned.
inline double by_refits(const Matrix<double>& x, const Vector<double>& y,
                        const Vector<double>& weights, double lambda, bool offset) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  using WideVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Wide wide_x = x.cast<long double>();
  const WideVector wide_y = y.cast<long double>();
  long double sum = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    WideVector share = weights.cast<long double>();
    share[i] = 0;
    share /= share.sum();
    WideVector mean = WideVector::Zero(x.cols());
    long double target_mean = 0;
    if (offset) {
      mean = wide_x.transpose() * share;
      target_mean = share.dot(wide_y);
    }
    const WideVector root = share.cwiseSqrt();
    const Wide z = root.asDiagonal() * (wide_x.rowwise() - mean.transpose());
    const WideVector t = root.cwiseProduct((wide_y.array() - target_mean).matrix());
    const bool dual = x.rows() - 1 - (offset ? 1 : 0) < x.cols();
    Wide a = dual ? Wide(z * z.transpose()) : Wide(z.transpose() * z);
    a.diagonal().array() += static_cast<long double>(lambda);
    if (dual) a(i, i) = 1;  // the sample that is not there
    const WideVector right = dual ? t : WideVector(z.transpose() * t);
    const WideVector solved = a.ldlt().solve(right);
    const WideVector w = dual ? WideVector(z.transpose() * solved) : solved;
    const long double error = wide_y[i] - target_mean - (wide_x.row(i) - mean.transpose()).dot(w);
    sum += static_cast<long double>(weights[i]) * error * error;
  }
  return static_cast<double>(sum / weights.cast<long double>().sum());
}

}  // namespace linea::test
