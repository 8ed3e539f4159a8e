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

  /// Hands it to an archive. A run that its observer stopped has not ended by itself.
  void keep(auto& archive) {
    RunEnd kept = status == Status::stopped ? RunEnd{} : *this;
    archive(kept.is_here, kept.status, kept.excess, kept.value);
    if (archive.reads()) *this = kept;
  }
};

}  // namespace linea::smooth
