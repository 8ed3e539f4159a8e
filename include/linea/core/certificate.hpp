// SPDX-License-Identifier: MIT
#pragma once
/// \file A lower bound on F, and the duality gap.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <limits>
#include <linea/core/compiler.hpp>

namespace linea {

/// F at some w and b, and a lower bound on F.
struct [[nodiscard]] Certificate {
  double primal;  ///< F(w, b)
  double dual;    ///< F(w′, b′) ≥ dual for all w′ and b′

  /// Returns primal − dual, or 0 if this is negative. Returns NaN if `primal` is not finite, or if
  /// `dual` is +∞ or NaN, so that no comparison with a tolerance holds.
  double gap() const {
    if (!std::isfinite(primal) || !(dual < std::numeric_limits<double>::infinity()))
      return std::numeric_limits<double>::quiet_NaN();
    return std::max(primal - dual, 0.0);
  }
  /// Returns gap/|primal|; 0 if the gap is 0, NaN if the gap is NaN.
  double relative_gap() const { return gap() == 0 ? 0 : gap() / std::abs(primal); }
  /// Returns whether the gap is at most the larger of `tolerance`·|F| and `rounding`, which proves
  /// that F is at most that much above its minimum.
  bool proves(double tolerance, double rounding = 0) const {
    return gap() <= std::max(tolerance * std::abs(primal), rounding);
  }
};

}  // namespace linea
