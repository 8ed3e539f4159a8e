// SPDX-License-Identifier: MIT
#pragma once
/// \file A problem in floats, and its double copy, for which every optimizer must give the same
/// result.
#include <cmath>
#include <concepts>
#include <linea/rows/in_double.hpp>
#include <type_traits>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace linea::test {

/// Floats, the same numbers as doubles, and targets ±1.
struct FloatProblem {
  Matrix<float> x;
  Matrix<double> copy = x.cast<double>();
  Vector<double> y = synthetic::signs(copy, 12);
};

inline FloatProblem float_problem(double density = 1) {
  return {synthetic::features<float>(300, 21, 11, density)};
}

/// Compares fit(x, y) on in_double(x) with that on a double copy: bit for bit by rows, dense and
/// sparse, and by columns if the order of visits is the same, up to `tolerance` of the solution.
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
