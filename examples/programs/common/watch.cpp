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

bool Watch::is_interrupted(const linea::Processes& processes) {
  return processes.any(interrupted_by != 0);
}

bool Watch::is_due() {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> since = now - saved_;
  if (!(save_every_ > 0) || since.count() < save_every_) return false;
  saved_ = now;
  return true;
}

void Watch::begin(const std::string& loss_name, const Named& loss, const HeldOut* held_out,
                  const RunGoal& goal) {
  loss_ = loss;
  is_softmax_ = loss_name == "softmax";
  held_out_ = held_out;
  state_ = {};
  state_.best_score = std::numeric_limits<double>::infinity();
  stopped_early_ = false;
  begun_ = std::chrono::steady_clock::now();
  time_left_.begin(goal);
}

linea::Control Watch::step(const linea::Progress& progress) {
  CurvePoint point{static_cast<double>(progress.epoch), progress.objective, progress.gap,
                   std::numeric_limits<double>::quiet_NaN()};
  state_.last_epoch = progress.epoch;
  const bool over =
      held_out_ && (progress.iterate || progress.iterates) && seems_over(progress, point);
  if (state_.curve.size() < 100000) state_.curve.push_back(point);
  show(progress);
  if (std::exchange(begins_seconds_, false)) saved_ = std::chrono::steady_clock::now();
  is_paused_ = may_pause_ && is_due();
  return over || is_paused_ || is_interrupted() ? linea::Control::stop : linea::Control::proceed;
}

bool Watch::seems_over(const linea::Progress& progress, CurvePoint& point) {
  auto at = progress.iterates ? progress.iterates() : std::vector{progress.iterate()};
  linea::Matrix<double> scores(held_out_->x.rows(), static_cast<linea::Index>(at.size()));
  for (std::size_t k = 0; k < at.size(); ++k)
    scores.col(static_cast<linea::Index>(k)) = scores_of(held_out_->x, at[k].weights, at[k].offset);
  point.held_out = is_softmax_ ? mean_softmax_loss(scores, held_out_->y)
                               : mean_loss(loss_, scores.col(0), held_out_->y, {});
  if (point.held_out < state_.best_score) {
    state_.best_score = point.held_out;
    state_.best_epoch = progress.epoch;
    state_.best = std::move(at);
  }
  stopped_early_ = progress.epoch - state_.best_epoch >= held_out_->patience;
  return stopped_early_;
}

const std::vector<linea::Point<double>>* Watch::end(Fit& fit) {
  held_out_ = nullptr;
  if (state_.best_epoch == 0 || state_.best_epoch >= state_.last_epoch) return nullptr;
  fit.objective = state_.best.front().objective;
  fit.gap.reset();
  fit.dual.reset();
  fit.note += "; the weights are those of epoch " + std::to_string(state_.best_epoch) + " of " +
              std::to_string(state_.last_epoch) + ", where held-out samples were predicted best";
  fit.details["stopped_early"] = stopped_early_;
  return &state_.best;
}

void Watch::show(const linea::Progress& progress) {
  if (!shows_) return;
  const auto now = std::chrono::steady_clock::now();
  time_left_.note(progress, std::chrono::duration<double>(now - begun_).count());
  if (is_shown_ && now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  is_shown_ = true;
  std::ostringstream line;
  line.precision(5);
  line << '\r' << what_ << (what_.empty() ? "" : ": ") << "epoch " << progress.epoch
       << ", objective " << progress.best_objective;
  if (!std::isnan(progress.gap)) line << ", gap " << progress.gap;
  if (const auto left = time_left_.text(); !left.empty()) line << ", " << left;
  line << "\x1b[K";
  std::cerr << line.str() << std::flush;
}

void Watch::clear() {
  if (is_shown_) std::cerr << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

}  // namespace program
