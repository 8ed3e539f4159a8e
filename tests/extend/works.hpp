// SPDX-License-Identifier: MIT
#pragma once
/// \file Checks what a component of a user must support: weights, sparse rows, cross-validation.
#include <linea/models/cross_validation.hpp>
#include <tuple>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace linea::test {

/// Checks that the optimizer lowers F, that sparse rows give the objective of dense ones, that
/// sample weights change the weights, and that λ can be selected.
template <class M, class L, class P>
void works(const M& optimizer, const Objective<L, P>& objective) {
  const Matrix<double> x = synthetic::features(60, 4, 1);
  const Vector<double> y = synthetic::signs(x, 2);
  const auto sparse = synthetic::sparse(x);
  const auto solution = optimizer.minimize(objective, x, y);
  CHECK(solution.objective < optimizer.minimize(objective, Matrix<double>(0 * x), y).objective);
  CHECK_THAT(optimizer.minimize(objective, sparse, y).objective,
             WithinRel(solution.objective, 1e-3));
  Vector<double> weights = Vector<double>::Ones(60);
  weights.tail(20).setZero();
  const auto weighted = optimizer.minimize(objective, sparse, y, weights);
  CHECK((weighted.weights - solution.weights).norm() > 1e-6);
  const auto chosen =
      CrossValidation{.folds = 2}.choose(optimizer, objective, {0.1, 0.01}, sparse, y, weights);
  CHECK(chosen.mean.allFinite());
  CHECK(chosen.solution.weights.size() == 4);
}

}  // namespace linea::test
