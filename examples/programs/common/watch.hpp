// SPDX-License-Identifier: MIT
#pragma once
/// \file Observes a run: the line of progress, Ctrl-C, held-out samples.
#include <chrono>
#include <functional>
#include <linea/core/observer.hpp>
#include <string>
#include <utility>
#include <vector>

#include "programs/common/fit.hpp"
#include "programs/common/time_left.hpp"

namespace program {

/// One step of a run, as a point of the curve.
struct CurvePoint {
  double epoch{0};
  double objective{0};
  double gap{0};       ///< NaN if unknown
  double held_out{0};  ///< the mean loss of held-out samples, or NaN
};

/// Held-out samples: targets for the loss, or class indices for softmax.
struct HeldOut {
  Entries x{};
  linea::Vector<double> y{};
  linea::Vector<double> sample_weights{};  ///< > 0, or none
  linea::Index patience{5};  ///< a fit ends after this many epochs without improvement
};

/// Observes the fits of a program, one after the other. It prints progress to standard error only
/// if standard error is a terminal.
class Watch {
 public:
  using Keep = std::function<void(const std::vector<linea::Point<double>>&)>;

  /// If `shows`, prints the line of progress if standard error is a terminal.
  explicit Watch(bool shows);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Sets the beginning of the line of progress, such as "fold 2 of 5".
  void name(std::string what) { what_ = std::move(what); }
  /// Begins a new fit. If `held_out` is not null, the fit ends when the mean loss of these samples
  /// has not improved for held_out->patience epochs; `held_out` must then outlive the fit. The loss
  /// may be softmax.
  void begin(const std::string& loss_name, const Named& loss, const HeldOut* held_out,
             const RunGoal& goal);
  /// Records one more step of the fit, and returns whether the fit should continue.
  linea::Control step(const linea::Progress& progress);
  /// Ends the fit. If the score of held-out samples was best at an earlier epoch, describes that
  /// epoch in `fit`, sets the status `stopped` unless the run diverged, and returns the points of
  /// the epoch, one for each function; they are the result. Else returns null.
  const std::vector<linea::Point<double>>* end(Fit& fit);

  /// Has a signal arrived?
  static bool is_interrupted();
  /// Calls `keep` with the iterate of the fit, a point for each function, at intervals of
  /// `seconds`. What `keep` refers to must outlive the fits.
  void keep_iterates(double seconds, Keep keep);
  /// Computes objective and gap after each of the first 100,000 steps, for `curve`.
  void keep_curve() { keeps_curve_ = true; }
  const std::vector<CurvePoint>& curve() const { return curve_; }

 private:
  void show(const linea::Progress& progress);
  void keep_if_due(const linea::Progress& progress);
  void clear();
  bool seems_over(const linea::Progress& progress, CurvePoint& point);

  bool shows_;
  bool is_shown_{false}, keeps_curve_{false};
  std::string what_{};
  Named loss_{"hinge"};
  const HeldOut* held_out_{nullptr};
  bool is_softmax_{false};
  std::vector<CurvePoint> curve_{};
  // The best iterate on held-out samples, a point per function.
  std::vector<linea::Point<double>> best_{};
  double best_score_{0};
  linea::Index best_epoch_{0};
  linea::Index last_epoch_{0};
  TimeLeft time_left_{};
  bool stopped_early_{false};
  std::chrono::steady_clock::time_point begun_{};
  std::chrono::steady_clock::time_point shown_{};
  Keep keep_{};
  double seconds_{0};  // the interval between calls of keep_
  std::chrono::steady_clock::time_point kept_{};
};

}  // namespace program
