// SPDX-License-Identifier: MIT
#pragma once
/// \file What is known of a minimum.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <limits>
#include <linea/core/compiler.hpp>

namespace linea {

/// What is known of a minimum: F at some w and b, and a number that no F is below.
struct [[nodiscard]] Certificate {
  double primal;  ///< F(w, b)
  double dual;    ///< F(w′, b′) ≥ dual for all w′ and b′

  /// Not a number where F is not finite or the bound is no bound, so that no comparison with a
  /// tolerance holds.
  double gap() const {
    if (!std::isfinite(primal) || !(dual < std::numeric_limits<double>::infinity()))
      return std::numeric_limits<double>::quiet_NaN();
    return std::max(primal - dual, 0.0);
  }
  /// gap/|primal|; 0 where both are 0. Not a number where the gap is not.
  double relative_gap() const { return gap() == 0 ? 0 : gap() / std::abs(primal); }
  /// Is F at most `tolerance`·|F| or `rounding` above its minimum?
  bool proves(double tolerance, double rounding = 0) const {
    return gap() <= std::max(tolerance * std::abs(primal), rounding);
  }
};

}  // namespace linea
