// SPDX-License-Identifier: MIT
/// \file A program in which Eigen stores matrices by rows by default. linea states its own storage
/// orders, so that minima do not change.
#ifndef EIGEN_DEFAULT_TO_ROW_MAJOR
#define EIGEN_DEFAULT_TO_ROW_MAJOR
#endif
#include <cmath>
#include <iostream>
#include <linea/linea.hpp>
#include <string_view>

using namespace linea;

namespace {

constexpr double lambda = 1e-3;
bool failed = false;

/// Checks that ∇F for the loss ½(p − y)² and the penalty λ/2·‖w‖² is 0, in w and in b.
void expect_minimum(const Matrix<double>& x, const Vector<double>& y, const Vector<double>& w,
                    double b, double tolerance, std::string_view who) {
  const Vector<double> shares = ((x * w - y).array() + b) / static_cast<double>(x.rows());
  const double slope = (x.transpose() * shares + lambda * w).norm() + std::abs(shares.sum());
  if (slope < tolerance) return;
  std::cerr << who << " ends where the gradient is " << slope << '\n';
  failed = true;
}

}  // namespace

int main() {
  static_assert(bool(Eigen::MatrixXd::IsRowMajor));
  Random random(1);
  Matrix<double> all(60, 5);
  for (double& entry : all.reshaped()) entry = 5 + random.uniform();
  Vector<double> targets = all.rowwise().sum();
  for (double& target : targets) target += random.uniform();
  const Objective objective{Squared{}, L2{lambda}};
  for (const Index n : {60, 4}) {
    const Matrix<double> x = all.topRows(n);
    const Vector<double> y = targets.head(n);
    Matrix<double> both(n, 2);
    both << y, -y;
    const auto two = Ridge{}.minimize(objective, x, both);
    expect_minimum(x, y, two.weights.col(0), two.offset[0], 1e-10, "Ridge");
    expect_minimum(x, -y, two.weights.col(1), two.offset[1], 1e-10, "Ridge, the second target,");
    for (const bool left_out : {true, false})
      for (const double least : {0.0, lambda}) {
        const RidgePath fit{.lambdas = {least, lambda}, .leave_one_out = left_out};
        const auto path = fit.fit(x, y).at(1);
        expect_minimum(x, y, path.weights, path.offset, 1e-9, "RidgePath");
      }
    const detail::ColumnMatrix<double> columns = x;
    const auto one = Ridge{}.minimize(objective, columns, y);
    expect_minimum(x, y, one.weights, one.offset, 1e-10, "Ridge by columns");
    const auto newton = Newton{.tolerance = 1e-12}.minimize(objective, columns, y);
    expect_minimum(x, y, newton.weights, newton.offset, 1e-5, "Newton");
    const auto descent = CoordinateDescent{.tolerance = 1e-12}.minimize(objective, columns, y);
    expect_minimum(x, y, descent.weights, descent.offset, 1e-5, "CoordinateDescent");
  }
  return failed ? 1 : 0;
}
