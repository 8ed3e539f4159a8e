// SPDX-License-Identifier: MIT
#pragma once
/// \file What is known of a minimum.
#include <algorithm>  // max
#include <cmath>      // abs

namespace linea {

/// What is known of a minimum: F at some w and b, and a number that no F is below.
struct Certificate {
  double primal;  ///< F(w, b)
  double dual;    ///< F(w′, b′) ≥ dual for all w′ and b′

  double gap() const { return std::max(primal - dual, 0.0); }
  /// gap/|primal|; 0 where both are 0.
  double relative_gap() const { return gap() > 0 ? gap() / std::abs(primal) : 0; }
};

}  // namespace linea
