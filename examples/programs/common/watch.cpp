// SPDX-License-Identifier: MIT
#include "programs/common/watch.hpp"

#include <cmath>
#include <iostream>
#include <limits>
#include <sstream>

#include "programs/common/program.hpp"

namespace program {

namespace {

/// Returns the current iterate, one point for each function.
std::vector<linea::Point<double>> iterates_of(const linea::Progress& progress) {
  std::vector<linea::Point<double>> points;
  for (linea::Index k = 0; k < progress.iterates(); ++k) points.push_back(progress.iterate(k));
  return points;
}

}  // namespace

Watch::Watch(bool shows) : shows_(shows && shows_errors_on_terminal()) { waits_for_step = 1; }

Watch::~Watch() {
  waits_for_step = 0;
  clear();
}

bool Watch::is_interrupted() { return interrupted_by != 0; }

void Watch::keep_iterates(double seconds, Keep keep) {
  seconds_ = seconds;
  keep_ = std::move(keep);
  kept_ = std::chrono::steady_clock::now();
}

void Watch::begin(const std::string& loss_name, const Named& loss, const HeldOut* held_out,
                  const RunGoal& goal) {
  loss_ = loss;
  is_softmax_ = loss_name == "softmax";
  held_out_ = held_out;
  curve_.clear();
  best_.clear();
  best_epoch_ = last_epoch_ = 0;
  best_score_ = std::numeric_limits<double>::infinity();
  stopped_early_ = false;
  begun_ = std::chrono::steady_clock::now();
  time_left_.begin(goal);
}

void Watch::keep_if_due(const linea::Progress& progress) {
  if (!keep_ || progress.iterates() == 0) return;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - kept_;
  if (since.count() < seconds_) return;
  keep_(iterates_of(progress));
  // The interval does not include the time of the call.
  kept_ = std::chrono::steady_clock::now();
}

linea::Control Watch::step(const linea::Progress& progress) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  CurvePoint point{static_cast<double>(progress.epoch), unknown, unknown, unknown};
  last_epoch_ = progress.epoch;
  const bool over = held_out_ && progress.iterates() > 0 && seems_over(progress, point);
  if (keeps_curve_ && curve_.size() < 100000) {
    point.objective = progress.objective();
    point.gap = progress.gap();
    curve_.push_back(point);
  }
  show(progress);
  keep_if_due(progress);
  return over || is_interrupted() ? linea::Control::stop : linea::Control::proceed;
}

bool Watch::seems_over(const linea::Progress& progress, CurvePoint& point) {
  auto at = iterates_of(progress);
  linea::Matrix<double> scores(held_out_->x.rows(), static_cast<linea::Index>(at.size()));
  for (std::size_t k = 0; k < at.size(); ++k)
    scores.col(static_cast<linea::Index>(k)) = scores_of(held_out_->x, at[k].weights, at[k].offset);
  point.held_out = is_softmax_
                       ? mean_softmax_loss(scores, held_out_->y, held_out_->sample_weights)
                       : mean_loss(loss_, scores.col(0), held_out_->y, held_out_->sample_weights);
  if (point.held_out < best_score_) {
    best_score_ = point.held_out;
    best_epoch_ = progress.epoch;
    best_ = std::move(at);
  }
  stopped_early_ = progress.epoch - best_epoch_ >= held_out_->patience;
  return stopped_early_;
}

const std::vector<linea::Point<double>>* Watch::end(Fit& fit) {
  held_out_ = nullptr;
  if (best_epoch_ == 0 || best_epoch_ >= last_epoch_) return nullptr;
  fit.objective = best_.front().objective;
  fit.gap.reset();
  fit.dual.reset();
  if (fit.status != linea::Status::diverged) fit.status = linea::Status::stopped;
  fit.note += "; the weights are those of epoch " + std::to_string(best_epoch_) + " of " +
              std::to_string(last_epoch_) + ", where held-out samples were predicted best";
  fit.details["stopped_early"] = stopped_early_;
  return &best_;
}

void Watch::show(const linea::Progress& progress) {
  if (!shows_) return;
  const auto now = std::chrono::steady_clock::now();
  if (is_shown_ && now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  is_shown_ = true;
  const double objective = progress.objective();
  const double gap = progress.gap();
  const std::chrono::duration<double> since = now - begun_;
  time_left_.note(progress.epoch, gap / std::abs(objective), since.count());
  std::ostringstream line;
  line.precision(5);
  line << '\r' << what_ << (what_.empty() ? "" : ": ") << "epoch " << progress.epoch
       << ", objective " << objective;
  if (!std::isnan(gap)) line << ", gap " << gap;
  if (const auto left = time_left_.text(); !left.empty()) line << ", " << left;
  line << "\x1b[K";
  std::cerr << line.str() << std::flush;
}

void Watch::clear() {
  if (is_shown_) std::cerr << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

}  // namespace program
