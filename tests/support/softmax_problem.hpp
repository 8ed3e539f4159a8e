// SPDX-License-Identifier: MIT
#pragma once
/// \file A small problem of multinomial logistic regression, for the parts of SoftmaxNewton.
#include <linea/optimizers/newton/softmax_objective.hpp>
#include <linea/rows/in_double.hpp>
#include <utility>

#include "support/synthetic.hpp"

namespace linea::test {

/// Samples and classes for SoftmaxNewton. Sample i has class i mod k, or classes[i].
template <class X>
struct SoftmaxProblem {
  using Rows = decltype(rows::rows_in_double(std::declval<const X&>()));

  newton::SoftmaxObjective<Rows> objective;

  SoftmaxProblem(const X& x, Index k, double lambda, bool has_offset,
                 const Vector<double>& weights = {}, Index threads = 1, Vector<Index> classes = {})
      : objective(samples::admit_samples("test", x, x.rows(), weights),
                  classes.size() > 0 ? std::move(classes) : in_turn(x.rows(), k), k, lambda,
                  has_offset, threads) {}

  static Vector<Index> in_turn(Index n, Index k) {
    Vector<Index> classes(n);
    for (Index i = 0; i < n; ++i) classes[i] = i % k;
    return classes;
  }

  /// Returns a table of normal numbers, with 0 in the columns after the classes.
  newton::Table random_table(std::uint64_t seed) const {
    Random random(seed);
    newton::Table table = newton::Table::Zero(objective.cols(), objective.stride());
    for (Index j = 0; j < table.rows(); ++j)
      for (Index a = 0; a < objective.classes(); ++a) table(j, a) = synthetic::normal(random);
    return table;
  }

  struct Point {
    newton::Table scores, gradient;
    typename newton::SoftmaxObjective<Rows>::State at;
    double value;
  };
  Point at(newton::Table& theta) {
    Point point;
    objective.score(theta, point.scores);
    point.value = objective.evaluate(theta, point.scores, point.at);
    objective.find_gradient(theta, point.at, point.gradient);
    return point;
  }
};

}  // namespace linea::test
