// SPDX-License-Identifier: MIT
#pragma once
/// \file Whether a run has settled: F hardly falls any more.
#include <algorithm>  // min
#include <cmath>
#include <limits>
#include <linea/core/types.hpp>

namespace linea::descent {

/// Compares the lowest F over `patience` epochs, all looked at. They begin where it has hardly
/// fallen from one tenth epoch to the next, which may be chance. A template, so that it is compiled
/// where it is used and not where it is included.
template <class Real = double>
class Settling {
 public:
  explicit Settling(Index patience) : patience_(patience) {}

  /// Takes note of F at the end of an epoch.
  void note(Real objective) { lowest_ = std::min(lowest_, objective); }
  /// The run is back at its start, where F is that.
  void restart(Real objective) { lowest_ = objective; }
  void stop_watching() { watched_from_ = 0; }
  bool is_watching() const { return watched_from_ > 0; }  ///< is every epoch to be looked at?
  Real lowest() const { return lowest_; }

  /// Has F hardly fallen, by `tolerance` relatively? `epoch` counts from the last rollback.
  bool has_settled(Index epoch, Real tolerance) {
    const bool fell = mark_ - lowest_ > tolerance * std::abs(lowest_);
    if (watched_from_ > 0 && !fell) return epoch - watched_from_ >= patience_;
    watched_from_ = 0;
    if (epoch % patience_ == 0 && !fell) watched_from_ = epoch;
    if (epoch % patience_ == 0 || !std::isfinite(mark_)) mark_ = lowest_;
    return false;
  }

 private:
  Index patience_;
  Real lowest_{std::numeric_limits<Real>::infinity()};  // that the run has looked at
  Real mark_{lowest_};                                  // what it was at an epoch before
  Index watched_from_{0};                               // the epoch; 0: not
};

}  // namespace linea::descent
