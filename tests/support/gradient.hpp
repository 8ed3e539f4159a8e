// SPDX-License-Identifier: MIT
#pragma once
/// \file The gradient of the objective, computed from the definition.
#include <linea/core/objective.hpp>
#include <linea/core/solution.hpp>
#include <linea/penalties/l2.hpp>

namespace linea::test {

/// Returns ∇F at a solution, with respect to w and, with an offset, to b. Empty sample weights s are
/// all 1.
template <class L>
Vector<double> gradient_of(const Objective<L, L2>& objective, const Solution<double>& at,
                           const Matrix<double>& x, const Vector<double>& y,
                           const Vector<double>& s, bool offset) {
  const Index d = x.cols();
  Vector<double> slopes = (x * at.weights).array() + at.offset;
  for (Index i = 0; i < x.rows(); ++i) {
    const double part = s.size() > 0 ? s[i] / s.sum() : 1.0 / static_cast<double>(x.rows());
    slopes[i] = part * objective.loss.derivative(slopes[i], y[i]);
  }
  Vector<double> gradient(d + (offset ? 1 : 0));
  gradient.head(d) = x.transpose() * slopes + objective.penalty.lambda * at.weights;
  if (offset) gradient[d] = slopes.sum();
  return gradient;
}

}  // namespace linea::test
