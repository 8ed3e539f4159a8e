// SPDX-License-Identifier: MIT
#pragma once
/// \file What looks on while a run is on: the line of progress, Ctrl-C, held-out samples.
#include <chrono>
#include <linea/core/observer.hpp>
#include <linea/core/point.hpp>
#include <string>
#include <vector>

#include "programs/common/fit.hpp"

namespace program {

/// One step of a run, for the curve.
struct CurvePoint {
  double epoch{0};
  double objective{0};
  double gap{0};       ///< or NaN
  double held_out{0};  ///< the mean loss there, or NaN
};

/// Samples that are not learnt from, with targets of the loss.
struct HeldOut {
  linea::SparseMatrix<double> x{};
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
  /// outlive the fit.
  void begin(const Named& loss, const HeldOut* held_out);
  /// One more step of the fit.
  linea::Control step(const linea::Progress& progress);
  /// The fit is over: where held-out samples were better predicted before its end, its weights
  /// become those of then.
  void end(Fit& fit);

  static bool is_interrupted();
  const std::vector<CurvePoint>& curve() const { return curve_; }

 private:
  void show(const linea::Progress& progress);
  void clear();
  bool seems_over(const linea::Progress& progress, CurvePoint& point);

  bool shows_;
  bool is_shown_{false};
  std::string what_{};
  Named loss_{"hinge"};
  const HeldOut* held_out_{nullptr};
  std::vector<CurvePoint> curve_{};
  linea::Point<double> best_{};
  double best_score_{0};
  linea::Index best_epoch_{0};
  linea::Index last_epoch_{0};
  bool stopped_early_{false};
  std::chrono::steady_clock::time_point shown_{};
};

}  // namespace program
