// SPDX-License-Identifier: MIT
#pragma once
/// \file Checks members of a solution with dual variables against their definitions.
#include <algorithm>
#include <cmath>
#include <linea/optimizers/dual_coordinate_ascent.hpp>

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
  const Vector<double> parts = p.parts(), a = s.multipliers;
  const Vector<double> w = s.weights.template cast<double>();
  const auto b = static_cast<double>(s.offset);
  const Vector<double> scores = (p.x * w).array() + b;
  const Vector<double> terms = (p.x.cwiseAbs() * w.cwiseAbs()).array() + std::abs(b);
  const Vector<double> v = p.x.transpose() * parts.cwiseProduct(a) / lambda;
  double primal = lambda / 2 * w.squaredNorm();
  double dual = -lambda / 2 * v.squaredNorm();
  double size = primal - dual;
  for (Index i = 0; i < n; ++i) {
    const double value = loss.value(scores[i], p.y[i]);
    primal += parts[i] * value;
    dual -= parts[i] * loss.conjugate(-a[i], p.y[i]);
    // The rounding error of a score is about 1e-15·terms. The tolerance `rounding` is 1e-13 of
    // `size`.
    size += parts[i] * (0.01 * terms[i] * std::abs(loss.derivative(scores[i], p.y[i])) +
                        std::abs(value) + std::abs(a[i]) * (std::abs(p.y[i]) + std::abs(a[i])));
  }
  const double rounding = 1e-13 * size;
  CHECK_THAT(s.objective, WithinAbs(primal, rounding));
  CHECK_THAT(s.dual, WithinAbs(dual, rounding));
  CHECK(primal >= dual - rounding);
  REQUIRE(s.gap.has_value());
  CHECK(*s.gap == std::max(s.objective - s.dual, 0.0));
  CHECK(s.certificate().gap() == *s.gap);
  if (offset)
    CHECK(std::abs(parts.dot(a)) <= 1e-12 * (1 + a.cwiseAbs().maxCoeff()));
  else
    CHECK(s.offset == T(0));
  // F and −D are λ-strongly convex in w and v. So the squared distances of w and v from the
  // minimiser sum to at most 2·gap/λ, and ‖w − v‖ ≤ 2·√(gap/λ).
  CHECK((w - v).norm() <= 2 * std::sqrt((*s.gap + rounding) / lambda));
}

}  // namespace linea::test
