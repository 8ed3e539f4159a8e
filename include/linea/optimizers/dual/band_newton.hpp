// SPDX-License-Identifier: MIT
#pragma once
/// \file The tail of dual coordinate ascent for a loss of two pieces: Newton's method on the
/// samples near their joint.
#include <algorithm>  // clamp, max
#include <cmath>      // abs, isfinite
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/point.hpp>
#include <linea/optimizers/dual/band.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // move

namespace linea::dual {

/// Rounds of the method of multipliers: with the slopes u = −α held near those of the round before,
/// F is smooth, and its minimum is found by Newton's method, on the samples alone that may lie at
/// the kink in the end, or on the parabola of a squared hinge. A pass over x then tells F, the gap,
/// and who else belongs to the band.
///
/// Coordinate ascent is fast until it knows which samples those are, and slow from then on: there
/// are hardly more of them than columns, and they are as dependent as the problem is badly
/// conditioned, which Newton's method does not feel.
///
/// Li, Sun and Toh, SIAM J. Optim. 28 (2018), a semismooth Newton augmented Lagrangian method;
/// Bertsekas, Constrained Optimization and Lagrange Multiplier Methods (1982).
template <class L, class Rows>
class BandNewton {
 public:
  using Reals = Vector<typename Rows::Scalar>;

  /// Starts at multipliers of the domain and about the weights and offset that belong to them. Two
  /// passes. Loss and set must outlive it.
  BandNewton(const L& loss, const samples::TrainingSet<Rows>& set, double lambda, bool has_offset,
             const Reals& multipliers, const Point<double>& point, double row_length)
      : loss_(loss),
        set_(set),
        lambda_(lambda),
        has_offset_(has_offset),
        passes_(set.rows, has_offset, 1),
        band_(set.rows, lambda, has_offset),
        slopes_(-multipliers),
        unit_(unit()),
        width_(0.2 * unit_),
        row_length_(row_length) {
    band_.rho = 0.3 * unit_;
    theta_.resize(passes_.cols());
    theta_.head(d()) = point.weights;
    if (has_offset) theta_[d()] = point.offset;
    passes_.add_up(parts(slopes_), pull_);
    look();
    note_best();
  }

  /// Is there anything to be done? Not for a loss of one's own that is a line and a parabola.
  bool is_sound() const {
    return unit_ > 0 && std::isfinite(unit_) && std::isfinite(dual_) &&
           (OpenBoxLoss<L> || box(0).curvature == 0);
  }

  /// A round, in the end of which the gap should be at most `allowed`. Nothing more is to be hoped
  /// for if it answers false: the multipliers are then the best so far.
  bool run_round(double allowed) {
    const double before = lowest_.objective - best_.dual;
    choose_band();
    descend(0.8 * allowed);
    width_ = has_turned_back_ ? 0.2 * unit_ : std::max(width_ / 2, 0.02 * unit_);
    has_turned_back_ = false;
    const double missed = look();
    const double lost = best_.dual - dual_;
    if (lost < 0) note_best();
    const double gap = lowest_.objective - best_.dual;
    // Near the maximum D may fall a little while F, and the gap with it, still falls much.
    if (lost < 0 || (gap < 0.5 * before && lost < 0.5 * gap)) {
      const double target = 0.8 * allowed;
      if (missed > 0.3 * target) band_.rho *= std::clamp(0.25 * target / missed, 0.3, 0.7);
      return true;
    }
    slopes_ = best_.slopes;
    theta_ = best_.theta;
    pull_ = best_.pull;
    look();
    band_.rho *= 10;
    width_ = std::numeric_limits<double>::infinity();
    has_turned_back_ = true;
    return ++turns_back_ <= most_turns_back;
  }

  Reals multipliers() const {
    Reals multipliers = -best_.slopes;
    for (Index i = 0; i < multipliers.size(); ++i)
      multipliers[i] = within_domain(loss_, multipliers[i], set_.y[i]);
    return multipliers;
  }
  /// D at those, about: with offset the slopes need not add up to 0 yet.
  double dual() const { return best_.dual; }
  /// The iterate of the lowest F so far.
  const Point<double>& point() const { return lowest_; }

 private:
  Index d() const { return set_.rows.cols(); }
  double part(Index i) const { return set_.weight(i) / static_cast<double>(set_.rows.rows()); }
  Reals parts(const Reals& slopes) const {
    Reals parts(slopes.size());
    for (Index i = 0; i < parts.size(); ++i) parts[i] = part(i) > 0 ? part(i) * slopes[i] : 0;
    return parts;
  }
  DualBox box(Index i) const { return box_of(loss_, set_.y[i]); }

  /// How far apart scores are that matter: the mean loss of the best constant score, or of 0.
  double unit() const {
    const Point<double> constant =
        samples::constant_point(loss_, set_, has_offset_ && is_residual_loss<L>);
    return constant.objective;
  }

  /// F at θ, and about D at the slopes. Answers what the slopes miss of F. One pass.
  double look() {
    passes_.score(
        theta_, scores_.size() ? scores_ : (scores_ = Reals::Zero(slopes_.size())),
        [](Index) { return true; }, slopes_.size());
    double missed = 0;
    double risk = 0;
    double positive = 0;
    for (Index i = 0; i < slopes_.size(); ++i) {
      if (!(part(i) > 0)) continue;
      const BandSample one = sample(i);
      missed += one.part * one.excess();
      risk += one.part * loss_.value(one.score, set_.y[i]);
      positive += one.part * std::max(one.slope, 0.0);
    }
    mass_ = positive > 0 ? risk / positive : 0;
    value_ = risk + lambda_ / 2 * theta_.head(d()).squaredNorm();
    gradient_ = pull_;
    gradient_.head(d()) += lambda_ * theta_.head(d());
    dual_ = value_ - missed - rest();
    if (!(lowest_.objective <= value_))
      lowest_ = {theta_.head(d()), has_offset_ ? theta_[d()] : 0, value_};
    return missed;
  }

  /// What the gradient adds to the gap: that of w, and the price of balanced multipliers.
  double rest() const {
    const double imbalance = has_offset_ ? std::abs(gradient_[d()]) : 0;
    const double length = gradient_.head(d()).norm() + imbalance * row_length_;
    return length * length / (2 * lambda_) + imbalance * mass_;
  }

  BandSample sample(Index i) const {
    return {part(i), box(i), slopes_[i], slopes_[i], scores_[i], 0};
  }

  /// Those whose slope is free, whose score is near the kink, or on the wrong side of it.
  void choose_band() {
    band_.samples.clear();
    band_.members.clear();
    for (Index i = 0; i < slopes_.size(); ++i) {
      if (!(part(i) > 0)) continue;
      const BandSample one = sample(i);
      const double distance = one.score - one.box.at;
      const bool is_settled =
          std::abs(distance) > width_ && one.slope == (distance > 0 ? one.box.high : one.box.low);
      if (is_settled) continue;
      band_.samples.push_back(one);
      band_.members.push_back(static_cast<std::uint32_t>(i));
    }
    band_.take_rows();
  }

  /// Newton's method on the band, until its part of the gap is at most `target` or, after a step at
  /// least, most of it is what this ρ leaves.
  void descend(double target) {
    Reals direction;
    band_.update(theta_, pull_, gradient_);
    for (int step = 0; step < most_steps; ++step) {
      const double missed = band_.excess();
      const double left = rest();
      if (!std::isfinite(left) || missed + left <= target) break;
      if (step > 0 && missed > 0.3 * target && left <= 0.1 * missed) break;
      band_.find_direction(gradient_, direction);
      const double length = band_.step_along(theta_, pull_, direction);
      if (!(length > 0)) break;
      theta_ += length * direction;
      for (BandSample& one : band_.samples) one.score += length * one.move;
      band_.update(theta_, pull_, gradient_);
    }
    for (std::size_t k = 0; k < band_.samples.size(); ++k)
      slopes_[static_cast<Index>(band_.members[k])] = band_.samples[k].slope;
  }

  void note_best() { best_ = {slopes_, theta_, pull_, dual_}; }

  static constexpr int most_steps = 60;
  static constexpr int most_turns_back = 3;

  struct Best {
    Reals slopes{};
    Reals theta{};
    Reals pull{};
    double dual{-std::numeric_limits<double>::infinity()};
  };

  const L& loss_;
  const samples::TrainingSet<Rows>& set_;
  double lambda_;
  bool has_offset_;
  samples::Passes<Rows> passes_;
  Band<Rows> band_;
  Reals slopes_;  // u = −α
  Reals scores_{};
  Reals theta_{};
  Reals pull_{};  // (1/n) Σᵢ sᵢuᵢ·(xᵢ, 1)
  Reals gradient_{};
  double unit_;  // of scores: how far apart those are that matter
  double width_;
  double row_length_;  // ‖x‖, in the mean
  double value_{0}, dual_{0};
  double mass_{0};  // the price of slopes that do not add up to 0
  Best best_{};
  Point<double> lowest_{{}, 0, std::numeric_limits<double>::infinity()};
  bool has_turned_back_{false};
  int turns_back_{0};
};

}  // namespace linea::dual
