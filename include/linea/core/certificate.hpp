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

  /// Returns max(primal − dual, 0). Returns NaN if `primal` is not finite, or if `dual` is +∞ or
  /// NaN: then gap() ≤ tolerance is false for every tolerance.
  double gap() const {
    if (!std::isfinite(primal) || !(dual < std::numeric_limits<double>::infinity()))
      return std::numeric_limits<double>::quiet_NaN();
    return std::max(primal - dual, 0.0);
  }
  /// Returns gap/|primal|; 0 if the gap is 0, NaN if the gap is NaN.
  double relative_gap() const { return gap() == 0 ? 0 : gap() / std::abs(primal); }
  /// Returns whether gap() ≤ max(tolerance·|primal|, rounding). If so, `primal` is at most this
  /// maximum above min F.
  bool proves(double tolerance, double rounding = 0) const {
    return gap() <= std::max(tolerance * std::abs(primal), rounding);
  }
};

}  // namespace linea
