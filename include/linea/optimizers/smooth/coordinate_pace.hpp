// SPDX-License-Identifier: MIT
#pragma once
/// \file How a run of coordinate descent gets on: what its models promise, and what they keep.
#include <algorithm>  // max, min
#include <cmath>      // abs
#include <limits>
#include <linea/core/types.hpp>

namespace linea::smooth {

/// What a run of CoordinateDescent learns from its steps about the models to come.
struct CoordinatePace {
  double floor{1e-3};   ///< least curvature of the model over the bound of ℓ″; 1: it is above F
  double promise{0};    ///< fall of the model without its quadratic part
  double step{0};       ///< of the last iteration; 1: to the model's minimum
  Index falls_fast{0};  ///< whole steps in a row that promised half of what the last did, or less
  Index idle{0};        ///< iterations in a row that gained no more than rounding

  /// Takes note of a step; `last`: what the model before had promised.
  void add(double last) {
    falls_fast = step == 1 && promise <= 0.5 * last ? falls_fast + 1 : 0;
    floor = step == 1 ? std::max(floor / 4, 1e-12) : std::min(16 * floor, 1.0);
  }

  /// Has the step to F = value, and to this gap from the one before, gained more than rounding, or
  /// one of the last ten?
  bool is_open(double value, double gap_before, double gap) {
    if (promise > std::numeric_limits<double>::epsilon() * std::abs(value)) return true;
    idle = gap > 0.9 * gap_before ? idle + 1 : 0;
    return idle < 10;
  }

  /// Of the tolerance, what an iteration that promises less may settle at: less where the promises
  /// hardly fall, for many more may come.
  double rest(bool open) const { return falls_fast > 1 || !open ? 1e-2 : 1e-6; }
};

}  // namespace linea::smooth
