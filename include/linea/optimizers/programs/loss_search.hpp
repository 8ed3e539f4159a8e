// SPDX-License-Identifier: MIT
#pragma once
/// \file The minimum of a LossProgram: the best point and the best bound that an interior point
/// method and active sets come to.
#include <algorithm>  // max, min
#include <cmath>
#include <linea/optimizers/programs/active_set.hpp>
#include <linea/optimizers/programs/loss_bounds.hpp>
#include <utility>  // move

namespace linea::programs {

/// Keeps two things apart, of all that it looks at: the q with the least value, and the multipliers
/// with the largest bound, which are moved to where they meet all conditions.
template <class Real = double>
class LossSearch {
  using Reals = Vector<Real>;

 public:
  /// The program must outlive this object.
  /// `floor` is a value of n·F that is as good as 0.
  LossSearch(const LossProgram<Real>& losses, double floor)
      : losses_(losses),
        program_(losses.program()),
        primal_(losses.start_primal()),
        multipliers_(program_.origins),
        floor_(floor),
        value_(losses.value(primal_)) {
    take(numerics::constant(primal_.size(), 0));
  }

  /// Until the value is proven to at most tolerance·value, or nothing helps, or `limit` iterations
  /// are made. First the program itself. Where it has minima far off, in directions that do not
  /// matter, digits run out on the way there: then those nearest to the best point so far, by the
  /// proximal point method (Rockafellar, SIAM Journal on Control and Optimization 14 (1976)), which
  /// for linear programs ends after a few rounds. Last the active set, for the digits that are
  /// left. `stops(point, iterations)` is asked after each iteration of the interior point method;
  /// returns false where it ended the search, which then has the best of all that was seen.
  template <class Stops>
  bool run(double tolerance, Index limit, const Stops& stops) {
    for (Index round = 0; round <= 4; ++round) {
      if (round > 0 && !may_be_nearer(tolerance, limit)) break;
      const bool goes_on = round == 0 ? approach(program_, tolerance, limit, stops)
                                      : approach(drawn_near(), tolerance, limit, stops);
      if (!goes_on) return false;
    }
    if (point_.primal.size() == 0) return true;  // proven from the start
    if (!is_proven(tolerance)) {
      ActiveSet<Real> active(program_, point_);
      for (int round = 0; round < 10; ++round) {
        const BoxPoint<Real> solved = active.solve(point_);
        consider(solved);
        if (is_proven(tolerance) || !active.repair(solved)) break;
      }
    }
    take_sparse(point_, tolerance);
    return true;
  }

  /// What a point on the way is worth to an observer, for whom the best of all that he was told of
  /// is kept apart: looking on changes nothing.
  void look(const BoxPoint<Real>& point) {
    if (seen_primal_.size() == 0) {
      seen_primal_ = primal_;
      seen_multipliers_ = multipliers_;
      seen_value_ = value_;
      seen_bound_ = bound_;
    }
    if (const double value = losses_.value(point.primal); value < seen_value_) {
      seen_value_ = value;
      seen_primal_ = point.primal;
    }
    // Where all columns are conditions, to meet them would take four factorizations.
    const bool all = bounds_.are_all_conditions();
    Reals multipliers = all ? multipliers_ : bounds_.feasible(point.multipliers);
    const double bound = all ? bound_ : bounds_.of(multipliers, primal_);
    if (bound > seen_bound_) {
      seen_bound_ = bound;
      seen_multipliers_ = std::move(multipliers);
    }
  }
  /// After look: n·F at the best point that was seen, a bound of it, the point and its multipliers.
  double seen_value() const { return seen_value_; }
  double seen_bound() const { return proves_ ? std::max(seen_bound_, bound_) : 0; }
  const Reals& seen_primal() const { return seen_primal_; }
  const Reals& seen_multipliers() const { return seen_multipliers_; }

  /// No bound is to be told of: the program is not all of F.
  void prove_nothing() { proves_ = false; }

  const Reals& primal() const { return primal_; }
  const Reals& multipliers() const { return multipliers_; }
  Index iterations() const { return iterations_; }

 private:
  bool is_proven(double tolerance) const {
    return value_ - bound_ <= std::max(tolerance * value_, floor_);
  }

  /// The program with q drawn to the best point so far, where nothing else draws it.
  BoxProgram<Real> drawn_near() const {
    BoxProgram<Real> near = program_;
    const auto count = static_cast<double>(program_.size());
    const double strength = 1e-9 * count * (count / value_);
    for (Index j = 0; j < losses_.rank(); ++j)
      if (program_.strength(j) == 0) {
        near.strengths[j] = strength;
        near.totals[j] -= strength * primal_[j];
      }
    return near;
  }

  /// The interior point method is asked for more and more.
  template <class Stops>
  bool approach(const BoxProgram<Real>& program, double tolerance, Index limit,
                const Stops& stops) {
    if (is_proven(tolerance)) return true;
    InteriorPoint<Real> inside(program, losses_.start_multipliers(), primal_);
    for (double part = 0.3; part > 1e-5 && !is_proven(tolerance); part /= 30) {
      BoxPoint<Real> found = inside.solve(
          part * tolerance, part * floor_, limit - iterations_,
          [&](const BoxPoint<Real>& at) { return stops(at, iterations_ + inside.iterations()); });
      consider(found);
      if (inside.is_stopped()) break;
      point_ = std::move(found);
    }
    iterations_ += inside.iterations();
    if (inside.is_stopped()) take_seen();
    return !inside.is_stopped();
  }

  /// Takes the best of what the observer was told of.
  void take_seen() {
    if (seen_primal_.size() == 0) return;
    take(seen_primal_);
    if (!(seen_bound_ > bound_)) return;
    bound_ = seen_bound_;
    multipliers_ = seen_multipliers_;
  }

  bool may_be_nearer(double tolerance, Index limit) const {
    bool is_linear = false;
    for (Index j = 0; j < losses_.rank(); ++j) is_linear = is_linear || program_.strength(j) == 0;
    return is_linear && value_ > 0 && iterations_ < limit && !is_proven(tolerance);
  }

  void consider(const BoxPoint<Real>& point) {
    take(point.primal);
    // Where all losses can be 0, a little more of the same leaves none of the rounding.
    Reals more = primal_;
    for (Index j = 0; j < more.size(); ++j) more[j] *= 1 + 1e-9;
    take(more);
    Reals multipliers = bounds_.feasible(point.multipliers);
    if (const double bound = bounds_.of(multipliers, primal_); bound > bound_) {
      bound_ = bound;
      multipliers_ = std::move(multipliers);
    }
  }

  bool take(const Reals& primal) {
    const double value = losses_.value(primal);
    if (!(value < value_)) return false;
    value_ = value;
    primal_ = primal;
    return true;
  }

  /// Under an absolute penalty a weight is 0 where the sum of the slopes is within its bounds, and
  /// an interior point only comes near to that. Sets to 0 what is nearer to 0 than the sum is to
  /// its bounds, if the value is as much proven as before, or no worse but for rounding.
  void take_sparse(const BoxPoint<Real>& point, double tolerance) {
    double largest = 0;
    for (Index j = 0; j < losses_.rank(); ++j) largest = std::max(largest, std::abs(primal_[j]));
    Reals within = numerics::constant(losses_.rank(), 0);
    for (Index k = losses_.pieces(); k < program_.size(); ++k)
      within[k - losses_.pieces()] =
          std::min(point.multipliers[k], point.room[k]) / program_.bounds[k];
    Reals sparse = primal_;
    for (Index j = 0; j < losses_.rank(); ++j)
      if (std::abs(sparse[j]) < 1e-3 * within[j] * largest) sparse[j] = 0;
    const double value = losses_.value(sparse);
    const double allowed =
        is_proven(tolerance) ? bound_ + std::max(tolerance * value_, floor_) : value_;
    if (!(value <= std::max(allowed, value_ + 1e-12 * std::abs(value_)))) return;
    value_ = value;
    primal_ = sparse;
  }

  const LossProgram<Real>& losses_;
  const BoxProgram<Real>& program_;
  LossBounds<Real> bounds_{losses_};
  Reals primal_;
  Reals multipliers_;
  double floor_;
  double value_;
  double bound_{0};  // of slopes of 0, as losses are ≥ 0
  Index iterations_{0};
  BoxPoint<Real> point_{};
  Reals seen_primal_{};
  Reals seen_multipliers_{};
  double seen_value_{0};
  double seen_bound_{0};
  bool proves_{true};
};

}  // namespace linea::programs
