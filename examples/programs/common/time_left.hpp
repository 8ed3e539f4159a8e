// SPDX-License-Identifier: MIT
#pragma once
/// \file Estimates the remaining time of a run.
#include <cmath>
#include <linea/core/observer.hpp>
#include <string>
#include <vector>

namespace program {

/// The epoch limit of a run, and the gap at which it ends.
struct RunGoal {
  linea::Index epochs{0};  ///< the limit; 0: unknown
  double tolerance{0};     ///< the goal for the gap, relative to F; 0: no such goal
};

/// Estimates the remaining time of a run in two ways. One is the number of remaining epochs times
/// the mean time of an epoch. The other, if a gap is known, extrapolates the logarithm of the gap
/// to the goal at the rate of the last half of the run.
class TimeLeft {
 public:
  void begin(const RunGoal& goal) {
    goal_ = goal;
    past_.clear();
  }

  /// Records an epoch that ended with this gap, relative to F, `seconds` after the start.
  void note(linea::Index epoch, double relative_gap, double seconds) {
    const double gap = relative_gap / goal_.tolerance;  // at 1 the run is over
    past_.push_back({epoch, seconds, gap > 0 ? std::log(gap) : NAN});
    if (past_.size() > 20000) thin_out();
  }

  /// Returns a text such as "about 3 min left" or "at most 20 s left", or "" if the time is
  /// unknown.
  std::string text() const {
    if (past_.size() < 3) return "";
    const double by_gap = seconds_by_gap();
    const double by_epochs = seconds_by_epochs();
    if (std::isfinite(by_gap) && !(by_gap > by_epochs)) return "about " + shown(by_gap) + " left";
    if (std::isfinite(by_epochs)) return "at most " + shown(by_epochs) + " left";
    return "";
  }

  /// Returns a time such as 90 s, 12 min or 3 h, or "years".
  static std::string shown(double seconds) {
    if (seconds < 100) return std::to_string(static_cast<int>(std::ceil(seconds))) + " s";
    if (seconds < 6000) return std::to_string(static_cast<int>(std::round(seconds / 60))) + " min";
    if (seconds < 3.6e8) return std::to_string(static_cast<int>(std::round(seconds / 3600))) + " h";
    return "years";
  }

 private:
  struct Moment {
    linea::Index epoch;
    double seconds;
    double log_gap;  // the logarithm of the gap over the goal
  };

  double seconds_by_epochs() const {
    if (goal_.epochs == 0) return INFINITY;
    const Moment& first = past_.front();
    const Moment& now = past_.back();
    return (now.seconds - first.seconds) / static_cast<double>(now.epoch - first.epoch) *
           static_cast<double>(goal_.epochs - now.epoch);
  }
  double seconds_by_gap() const {
    const Moment& half = past_[past_.size() / 2];
    const Moment& now = past_.back();
    const double rate = (half.log_gap - now.log_gap) / (now.seconds - half.seconds);
    return rate > 0 ? std::max(now.log_gap, 0.0) / rate : INFINITY;
  }
  void thin_out() {
    std::vector<Moment> kept;
    for (std::size_t i = 0; i < past_.size(); i += 2) kept.push_back(past_[i]);
    past_ = std::move(kept);
  }

  RunGoal goal_{};
  std::vector<Moment> past_{};
};

}  // namespace program
