// SPDX-License-Identifier: MIT
#pragma once
/// \file What looks on while a run is on: the line of progress, Ctrl-C, held-out samples.
#include <chrono>
#include <linea/core/observer.hpp>
#include <linea/core/point.hpp>
#include <string>
#include <utility>
#include <vector>

#include "programs/common/fit.hpp"
#include "programs/common/time_left.hpp"

namespace program {

/// One step of a run, for the curve.
struct CurvePoint {
  double epoch{0};
  double objective{0};
  double gap{0};       ///< or NaN
  double held_out{0};  ///< the mean loss there, or NaN
};

/// What carries over from one step of a run to the next.
struct WatchState {
  std::vector<CurvePoint> curve{};
  std::vector<linea::Point<double>> best{};  ///< on held-out samples: of each function
  double best_score{0};
  linea::Index best_epoch{0};
  linea::Index last_epoch{0};

  void keep(auto& archive) { archive(curve, best, best_score, best_epoch, last_epoch); }
};

/// Samples that are not learnt from, with targets of the loss; of a softmax numbers of classes.
struct HeldOut {
  Entries x{};
  linea::Vector<double> y{};
  linea::Index patience{5};
};

/// Follows the fits of a program, one after the other. It prints to standard error only where that
/// is a terminal.
class Watch {
 public:
  /// `shows`: print the line, if there is a terminal.
  explicit Watch(bool shows);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// What the line says in front: "fold 2 of 5".
  void name(std::string what) { what_ = std::move(what); }
  /// A new fit begins. `held_out`: ends it when it gets no better there; may be null, else must
  /// outlive the fit. The loss may be softmax.
  void begin(const std::string& loss_name, const Named& loss, const HeldOut* held_out,
             const RunGoal& goal);
  /// One more step of the fit.
  linea::Control step(const linea::Progress& progress);
  /// The fit is over: where held-out samples were better predicted before its end, the points of
  /// then, one for each function, which are now its answer; else none.
  const std::vector<linea::Point<double>>* end(Fit& fit);

  /// Has a signal come, to this process or to one of those that it runs with?
  static bool is_interrupted(const linea::Processes& processes = {});
  /// What is done is to be kept whenever so many seconds have gone by; 0: at the end alone.
  void save_every(double seconds) { save_every_ = seconds; }
  /// Is it time for that? Then the seconds begin anew.
  bool is_due();
  /// From here on steps stop the run when it is time, so that its state can be kept; or not.
  void may_pause(bool may) { may_pause_ = may; }
  /// Has a step stopped the run for that, since this was last asked?
  bool takes_pause() { return std::exchange(is_paused_, false); }
  /// The seconds begin anew with the next step: what a pause costs does not count.
  void begin_seconds() { begins_seconds_ = true; }
  const std::vector<CurvePoint>& curve() const { return state_.curve; }
  bool has_stopped_early() const { return stopped_early_; }
  /// To be stored, and given to a fit that goes on, after `begin`.
  WatchState& state() { return state_; }

 private:
  void show(const linea::Progress& progress);
  void clear();
  bool seems_over(const linea::Progress& progress, CurvePoint& point);

  bool shows_;
  bool is_shown_{false};
  std::string what_{};
  Named loss_{"hinge"};
  const HeldOut* held_out_{nullptr};
  bool is_softmax_{false};
  WatchState state_{};
  TimeLeft time_left_{};
  bool stopped_early_{false};
  std::chrono::steady_clock::time_point begun_{};
  std::chrono::steady_clock::time_point shown_{};
  double save_every_{0};
  bool may_pause_{false};
  bool is_paused_{false};
  bool begins_seconds_{false};
  std::chrono::steady_clock::time_point saved_{std::chrono::steady_clock::now()};
};

}  // namespace program
