// SPDX-License-Identifier: MIT
#pragma once
/// \file How a run of line searches has ended, if it has.
#include <linea/core/solution.hpp>

namespace linea::smooth {

/// Not at its end yet, or there for a reason.
struct RunEnd {
  bool is_here{false};
  Status status{Status::epoch_limit};
  double excess{0};  ///< of F above its minimum, as far as known, before the last rounding
  double value{0};   ///< F
};

}  // namespace linea::smooth
