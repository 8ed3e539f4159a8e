// SPDX-License-Identifier: MIT
#pragma once
/// \file Checks members of a solution with dual variables against their definitions.
#include <algorithm>
#include <cmath>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/problems.hpp"

namespace linea::test {

/// Checks the objective, the dual bound and the gap against their definitions, and that the weights
/// are near those of the dual variables. With an offset the dual variables must be balanced, and
/// without one the offset must be 0.
template <class L, class T>
void check_claims(const DualSolution<T>& s, const L& loss, const synthetic::Problem& p,
                  double lambda, bool offset) {
  const Index n = p.y.size();
  REQUIRE(s.multipliers.size() == n);
  REQUIRE(s.weights.size() == p.x.cols());
  double total = 0;
  double losses = 0;
  double conjugates = 0;
  double size = 0;
  double balance = 0;
  std::vector<double> pull(static_cast<std::size_t>(p.x.cols()), 0.0);
  for (Index i = 0; i < n; ++i) {
    const double weight = p.weights.size() ? p.weights[i] : 1.0;
    double score = static_cast<double>(s.offset);
    double terms = std::abs(score);
    for (Index j = 0; j < p.x.cols(); ++j) {
      score += static_cast<double>(s.weights[j]) * p.x(i, j);
      terms += std::abs(static_cast<double>(s.weights[j]) * p.x(i, j));
    }
    const double a = s.multipliers[i];
    total += weight;
    losses += weight * loss.value(score, p.y[i]);
    conjugates += weight * loss.conjugate(-a, p.y[i]);
    // The rounding error of a score is about 1e-15·terms. The tolerance `rounding` is 1e-13 of
    // `size`.
    size += weight * 0.01 * terms * std::abs(loss.derivative(score, p.y[i]));
    size += weight *
            (std::abs(loss.value(score, p.y[i])) + std::abs(a * (std::abs(p.y[i]) + std::abs(a))));
    balance += weight * a;
    for (Index j = 0; j < p.x.cols(); ++j)
      pull[static_cast<std::size_t>(j)] += weight * a * p.x(i, j);
  }
  double norm = 0;
  double distance = 0;
  double dual_norm = 0;
  for (Index j = 0; j < p.x.cols(); ++j) {
    const double v = pull[static_cast<std::size_t>(j)] / (total * lambda);
    const auto w = static_cast<double>(s.weights[j]);
    norm += w * w;
    dual_norm += v * v;
    distance += (w - v) * (w - v);
  }
  const double primal = losses / total + lambda / 2 * norm;
  const double dual = -conjugates / total - lambda / 2 * dual_norm;
  const double rounding = 1e-13 * (size / total + lambda / 2 * (norm + dual_norm));
  CHECK_THAT(s.objective, WithinAbs(primal, rounding));
  CHECK_THAT(s.dual, WithinAbs(dual, rounding));
  CHECK(primal >= dual - rounding);
  REQUIRE(s.gap.has_value());
  CHECK(*s.gap == std::max(s.objective - s.dual, 0.0));
  CHECK(s.certificate().gap() == *s.gap);
  if (offset)
    CHECK(std::abs(balance) <= 1e-12 * (1 + s.multipliers.cwiseAbs().maxCoeff()) * total);
  else
    CHECK(s.offset == T(0));
  // F and −D are λ-strongly convex in w and v. So the squared distances of w and v from the
  // minimiser sum to at most 2·gap/λ, and ‖w − v‖ ≤ 2·√(gap/λ).
  CHECK(std::sqrt(distance) <= 2 * std::sqrt((*s.gap + rounding) / lambda));
}

}  // namespace linea::test
