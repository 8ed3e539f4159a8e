// SPDX-License-Identifier: MIT
#include "programs/common/watch.hpp"

#include <unistd.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <sstream>

#include "programs/common/program.hpp"

namespace program {

Watch::Watch(bool shows) : shows_(shows && ::isatty(STDERR_FILENO)) { waits_for_step = 1; }

Watch::~Watch() {
  waits_for_step = 0;
  clear();
}

bool Watch::is_interrupted() { return interrupts != 0; }

void Watch::begin(const Named& loss, const HeldOut* held_out) {
  loss_ = loss;
  held_out_ = held_out;
  curve_.clear();
  best_score_ = std::numeric_limits<double>::infinity();
  best_epoch_ = last_epoch_ = 0;
  stopped_early_ = false;
}

linea::Control Watch::step(const linea::Progress& progress) {
  CurvePoint point{static_cast<double>(progress.epoch), progress.objective, progress.gap,
                   std::numeric_limits<double>::quiet_NaN()};
  last_epoch_ = progress.epoch;
  const bool over = held_out_ && progress.iterate && seems_over(progress, point);
  if (curve_.size() < 100000) curve_.push_back(point);
  show(progress);
  return over || is_interrupted() ? linea::Control::stop : linea::Control::proceed;
}

bool Watch::seems_over(const linea::Progress& progress, CurvePoint& point) {
  const auto at = progress.iterate();
  point.held_out =
      mean_loss(loss_, scores_of(held_out_->x, at.weights, at.offset), held_out_->y, {});
  if (point.held_out < best_score_) {
    best_score_ = point.held_out;
    best_epoch_ = progress.epoch;
    best_ = at;
  }
  stopped_early_ = progress.epoch - best_epoch_ >= held_out_->patience;
  return stopped_early_;
}

void Watch::end(Fit& fit) {
  if (best_epoch_ > 0 && best_epoch_ < last_epoch_) {
    fit.weights = best_.weights;
    fit.offset = best_.offset;
    fit.objective = best_.objective;
    fit.gap.reset();
    fit.dual.reset();
    fit.note += "; the weights are those of epoch " + std::to_string(best_epoch_) + " of " +
                std::to_string(last_epoch_) + ", where held-out samples were predicted best";
    fit.details["stopped_early"] = stopped_early_;
  }
  held_out_ = nullptr;
}

void Watch::show(const linea::Progress& progress) {
  if (!shows_) return;
  const auto now = std::chrono::steady_clock::now();
  if (is_shown_ && now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  is_shown_ = true;
  std::ostringstream line;
  line.precision(5);
  line << '\r' << what_ << (what_.empty() ? "" : ": ") << "epoch " << progress.epoch
       << ", objective " << progress.best_objective;
  if (!std::isnan(progress.gap)) line << ", gap " << progress.gap;
  line << "\x1b[K";
  std::cerr << line.str() << std::flush;
}

void Watch::clear() {
  if (is_shown_) std::cerr << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

}  // namespace program
