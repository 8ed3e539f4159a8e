// SPDX-License-Identifier: MIT
#pragma once
/// \file What optimizers answer with that maximise the dual of F as well.
#include <limits>
#include <linea/core/certificate.hpp>
#include <linea/core/solution.hpp>

namespace linea {

/// A solution with the multipliers that prove how good it is: no w and b have an F below `dual`,
/// and `gap` = objective − dual ≥ 0.
template <class T>
struct [[nodiscard]] DualSolution : Solution<T> {
  /// αᵢ (n), −αᵢ being a slope of the loss of sample i. With λ/2·‖w‖² for a penalty w = Σᵢ
  /// sᵢαᵢxᵢ/(λS) at the minimum, and with offset Σᵢ sᵢαᵢ = 0. A start of DualCoordinateAscent for
  /// other λ and weights.
  Vector<double> multipliers{};
  double dual{-std::numeric_limits<double>::infinity()};

  Certificate certificate() const { return {this->objective, dual}; }

  /// Makes this the start of a run on the same samples for another λ: the multipliers.
  void hand_on(Extras<T>& next) const { next.start_multipliers = multipliers; }
};

}  // namespace linea
