// SPDX-License-Identifier: MIT
#pragma once
/// \file The gradient of the objective, computed from the definition.
#include <linea/core/objective.hpp>
#include <linea/penalties/l2.hpp>

namespace linea::test {

/// Returns ∇F at theta = (w, b), or theta = w without an offset, for sample weights s (n).
template <class L>
Vector<double> gradient_of(const Objective<L, L2>& objective, const Matrix<double>& x,
                           const Vector<double>& y, const Vector<double>& s,
                           const Vector<double>& theta, bool offset) {
  const Index d = x.cols();
  Vector<double> gradient = Vector<double>::Zero(theta.size());
  for (Index i = 0; i < x.rows(); ++i) {
    const double p = x.row(i).dot(theta.head(d)) + (offset ? theta[d] : 0);
    const double slope = s[i] / s.sum() * objective.loss.derivative(p, y[i]);
    gradient.head(d) += slope * x.row(i).transpose();
    if (offset) gradient[d] += slope;
  }
  gradient.head(d) += objective.penalty.lambda * theta.head(d);
  return gradient;
}

}  // namespace linea::test
