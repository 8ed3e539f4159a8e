// SPDX-License-Identifier: MIT
#pragma once
/// \file Observes a run: the line of progress, Ctrl-C, held-out samples.
#include <chrono>
#include <functional>
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

/// Held-out samples, with targets of the loss; class indices for softmax.
struct HeldOut {
  Entries x{};
  linea::Vector<double> y{};
  linea::Index patience{5};
};

/// Observes the fits of a program, one after the other. It prints to standard error only if that is
/// a terminal.
class Watch {
 public:
  using Keep = std::function<void(const std::vector<linea::Point<double>>&)>;

  /// `shows`: print the line, if there is a terminal.
  explicit Watch(bool shows);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// The beginning of the line: "fold 2 of 5".
  void name(std::string what) { what_ = std::move(what); }
  /// A new fit begins. `held_out` ends it when its score no longer improves; may be null, else must
  /// outlive the fit. The loss may be softmax.
  void begin(const std::string& loss_name, const Named& loss, const HeldOut* held_out,
             const RunGoal& goal);
  /// One more step of the fit.
  linea::Control step(const linea::Progress& progress);
  /// Ends the fit. If the score of held-out samples was best before the end, returns the points of
  /// that epoch, one for each function, which are the result; else null.
  const std::vector<linea::Point<double>>* end(Fit& fit);

  /// Was there a signal?
  static bool is_interrupted();
  /// Calls `keep` with the iterate of the fit, a point for each function, at intervals of
  /// `seconds`. The references of `keep` must outlive the fits.
  void keep_iterates(double seconds, Keep keep);
  /// Computes objective and gap after every step, for `curve`.
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
  std::vector<linea::Point<double>> best_{};  // for held-out samples: of each function
  double best_score_{0};
  linea::Index best_epoch_{0};
  linea::Index last_epoch_{0};
  TimeLeft time_left_{};
  bool stopped_early_{false};
  std::chrono::steady_clock::time_point begun_{};
  std::chrono::steady_clock::time_point shown_{};
  Keep keep_{};
  double seconds_{0};  // between calls of keep_
  std::chrono::steady_clock::time_point kept_{};
};

}  // namespace program
