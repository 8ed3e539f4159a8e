// SPDX-License-Identifier: MIT
#pragma once
/// \file A problem in float, and its copy in double. Every optimizer must give the same result for
/// both.
#include <cmath>
#include <concepts>
#include <linea/rows/in_double.hpp>
#include <type_traits>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace linea::test {

/// A matrix of floats, its copy in double, and targets ±1.
struct FloatProblem {
  Matrix<float> x;
  Matrix<double> copy = x.cast<double>();
  Vector<double> y = synthetic::signs(copy, 12);
};

inline FloatProblem float_problem(double density = 1) {
  return {synthetic::features<float>(300, 21, 11, density)};
}

/// Compares fit(x, y) for in_double(x) with the fit for a copy in double. The results must agree
/// bit for bit for dense rows and for sparse rows. For columns they must agree up to `tolerance`,
/// if both fits visit the samples in the same order.
template <class F>
void same_solution(F&& fit, double tolerance = 1e-12) {
  const auto same = [](const auto& seen, const auto& copied) {
    static_assert(std::same_as<std::remove_cvref_t<decltype(seen.weights)>, Vector<double>>);
    CHECK(seen.weights == copied.weights);
    CHECK(seen.offset == copied.offset);
    CHECK(seen.objective == copied.objective);
    CHECK(copied.weights.norm() > 0.01);
  };
  const auto [x, copy, y] = float_problem();
  same(fit(in_double(x), y), fit(copy, y));
  const Eigen::Map<const Matrix<float>> map(x.data(), x.rows(), x.cols());
  same(fit(in_double(map), y), fit(copy, y));
  same(fit(in_double(x.middleCols(1, 9)), y), fit(copy.middleCols(1, 9), y));

  const Eigen::MatrixXf columns = x;
  const Eigen::MatrixXd columns_copy = copy;
  const auto seen = fit(in_double(columns), y);
  const auto copied = fit(columns_copy, y);
  CHECK((seen.weights - copied.weights).norm() <= tolerance * copied.weights.norm());
  CHECK(std::abs(seen.offset - copied.offset) <= tolerance * copied.weights.norm());
  CHECK(std::abs(seen.objective - copied.objective) <= tolerance);

  const auto [z, z_copy, z_y] = float_problem(0.3);
  const auto sparse = synthetic::sparse(z);
  same(fit(in_double(sparse), z_y), fit(synthetic::sparse(z_copy), z_y));
}

template <class Optimizer, class O>
auto minimize(const Optimizer& optimizer, const O& objective) {
  return [=](const auto& x, const auto& y) { return optimizer.minimize(objective, x, y); };
}

}  // namespace linea::test
