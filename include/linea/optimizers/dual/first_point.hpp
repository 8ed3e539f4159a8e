// SPDX-License-Identifier: MIT
#pragma once
/// \file Where a dual ascent begins.
#include <linea/core/point.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::dual {

/// The weights with about the best b for them, or 0 where that is better or b is not free, and F
/// there. Does not read x where the weights are 0.
template <class L, class Rows>
Point<double> first_point(const L& loss, const samples::TrainingSet<Rows>& set, double lambda,
                          const Vector<double>& weights, bool at_zero, bool has_offset) {
  Point<double> best{weights, 0, 0};
  const Index n = set.rows.rows();
  Vector<double> scores = Vector<double>::Zero(n);
  if (!at_zero) set.rows.scores(0, n, best.weights, scores.data());
  const auto mean = [&](const auto& of_sample) {
    double sum = 0;
    for (Index i = 0; i < n; ++i)
      if (set.weight(i) > 0) sum += set.weight(i) * of_sample(scores[i], set.y[i]);
    return sum / static_cast<double>(n);
  };
  const auto risk = [&](double b) {
    return mean([&](double p, double y) { return loss.value(p + b, y); });
  };
  const auto fall = [&](double b) {
    return -mean([&](double p, double y) { return loss.derivative(p + b, y); });
  };
  double at_best = risk(0);
  if (has_offset) {
    const double b =
        at_zero ? samples::best_constant(loss, set) : numerics::falling_root(fall, 0, 1e-3, 1e-12);
    if (const double at_b = risk(b); at_b < at_best) {
      best.offset = b;
      at_best = at_b;
    }
  }
  best.objective = at_best + lambda / 2 * best.weights.squaredNorm();
  return best;
}

}  // namespace linea::dual
