// SPDX-License-Identifier: MIT
#pragma once
/// \file What weights from a quadratic program reach on the samples: F, and how far it is above its
/// minimum.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/programs/hinge_program.hpp>
#include <utility>  // move

namespace linea::programs {

template <class Real>
struct HingePrimal {
  Vector<Real> weights{};
  double offset{0};
  double objective{0};
  double gap{std::numeric_limits<double>::infinity()};
  Vector<Real> losses{};
};

/// What the weights of `dual`, rounded to T, and the best offset beside them reach on samples with
/// targets y (n) and shares (n). `from_multipliers` is the w that the multipliers stand for, Σᵢ
/// αᵢyᵢxᵢ/λ. No worse than the best constant.
template <class T, class Rows, class Real>
HingePrimal<Real> hinge_primal(const Rows& rows, const Vector<Real>& y, const Vector<Real>& shares,
                               const HingeDual<Real>& dual, const Vector<Real>& from_multipliers,
                               double lambda, bool has_offset) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double smallest = infinity;  // agreement of the samples below their bounds
  const auto reached = [&](double factor) {
    HingePrimal<Real> tried{dual.weights, 0, 0, 0, Vector<Real>(rows.rows())};
    double distance = 0;
    for (Index j = 0; j < rows.cols(); ++j) {
      double& w = tried.weights[j];
      w = static_cast<double>(static_cast<T>(factor * w));
      tried.objective += lambda / 2 * w * w;
      distance += (w - from_multipliers[j]) * (w - from_multipliers[j]);
    }
    Vector<Real> scores(rows.rows());
    rows.scores(0, rows.rows(), tried.weights, scores.data());
    bool finite = true;
    for (Index i = 0; i < scores.size(); ++i) finite = finite && std::isfinite(scores[i]);
    if (!finite) return HingePrimal<Real>{};  // beyond what T holds
    if (has_offset)
      tried.offset = static_cast<double>(
          static_cast<T>(hinge_offset(scores, y, shares, factor * dual.offset)));
    smallest = infinity;
    for (Index i = 0; i < scores.size(); ++i) {
      const double z = y[i] * (scores[i] + tried.offset);
      tried.losses[i] = std::max(1 - z, 0.0);
      tried.objective += shares[i] * tried.losses[i];
      tried.gap += hinge_product(z, dual.multipliers[i], shares[i]);
      if (dual.multipliers[i] < shares[i]) smallest = std::min(smallest, z);
    }
    tried.gap += lambda / 2 * distance;
    return tried;
  };
  // Samples below their bounds have no loss but for rounding; under a small λ that is all there is.
  HingePrimal<Real> best = reached(1);
  double factor = 1;
  for (int round = 0; round < 2 && smallest < 1 && smallest > 0.9; ++round) {
    factor *= (1 + static_cast<double>(std::numeric_limits<T>::epsilon())) / smallest;
    if (auto tried = reached(factor); tried.gap < best.gap) best = std::move(tried);
  }
  // Weights that reach less than the best constant are none. F of w = 0 is least at b = 0 or ±1.
  const double positive = (y.array() > 0).select(shares.array(), 0.0).sum();
  const double constant = has_offset ? 2 * std::min(positive, 1 - positive) : 1;
  if (best.weights.size() == 0 || best.objective > constant)
    if (auto tried = reached(0); best.weights.size() == 0 || tried.objective < best.objective)
      best = std::move(tried);
  return best;
}

}  // namespace linea::programs
