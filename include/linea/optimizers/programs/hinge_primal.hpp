// SPDX-License-Identifier: MIT
#pragma once
/// \file What the weights that a dual solution of the support vector machine suggests reach on the
/// samples.
#include <algorithm>  // max
#include <limits>
#include <linea/core/types.hpp>
#include <linea/optimizers/programs/hinge_offset.hpp>
#include <vector>

namespace linea::programs {

/// A solution of the dual program for n samples.
template <class Real>
struct HingeDual {
  Vector<Real> weights;
  double offset;
  Vector<Real> multipliers;  ///< of yᵢxᵢ (n), 0 ≤ αᵢ ≤ the sample's bound
  Vector<Real> slacks;
  std::vector<Index> support{};
  Index iterations{0};
};

/// Weights and offset with F there, how far that is above the dual, and the hinge losses (n).
template <class Real>
struct HingePrimal {
  Vector<Real> weights{};
  double offset{0};
  double objective{0};
  double gap{std::numeric_limits<double>::infinity()};
  Vector<Real> losses{};
};

/// F less the dual of multipliers a within bounds, for agreements z, up to λ/2·‖w − w(a)‖²: as a
/// sum of terms ≥ 0, where the difference of the two would be all rounding.
template <class Z, class A, class U>
double hinge_gap(const Z& z, const A& a, const U& bounds) {
  return ((bounds - a) * (1 - z).max(0) + a * (z - 1).max(0)).sum();
}

/// The best of what the weights of `dual`, rounded to T, reach with the best offset beside them, if
/// there is to be one. `shares` (n) are the weights of the samples, of sum 1; `pull` (d) is w(α) of
/// the dual's multipliers α.
template <class T, class Rows, class Real>
HingePrimal<Real> primal_of(const HingeDual<Real>& dual, const Vector<Real>& pull, const Rows& rows,
                            const Vector<Real>& y, const Vector<Real>& shares, double lambda,
                            bool offset) {
  using Array = Eigen::Array<Real, Eigen::Dynamic, 1>;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  HingePrimal<Real> best;
  Vector<Real> scores(rows.rows());
  double factor = 1;
  for (int round = 0; round < 3; ++round) {
    const Vector<Real> w = (factor * dual.weights).template cast<T>().template cast<Real>();
    for (Index i = 0; i < rows.rows(); ++i) {
      scores[i] = 0;
      rows.for_each(i,
                    [&](Index j, auto value) { scores[i] += static_cast<double>(value) * w[j]; });
    }
    if (!scores.allFinite()) {  // the weights are beyond what T holds
      factor = 0;
      continue;
    }
    const double near = factor * dual.offset;
    const T b = offset ? static_cast<T>(hinge_offset(scores, y, shares, near)) : T(0);
    const Array z = y.array() * (scores.array() + static_cast<double>(b));
    const Vector<Real> losses = (1 - z).max(0);
    const double gap = hinge_gap(z, dual.multipliers.array(), shares.array()) +
                       lambda / 2 * (w - pull).squaredNorm();
    if (gap < best.gap)
      best = {w, static_cast<double>(b), shares.dot(losses) + lambda / 2 * w.squaredNorm(), gap,
              losses};
    // Samples below their bounds have no loss but for rounding; under a small λ that is all there
    // is.
    const double smallest =
        (dual.multipliers.array() < shares.array()).select(z, infinity).minCoeff();
    if (!(smallest < 1 && smallest > 0.9)) break;
    factor *= (1 + static_cast<double>(std::numeric_limits<T>::epsilon())) / smallest;
  }
  return best;
}

}  // namespace linea::programs
