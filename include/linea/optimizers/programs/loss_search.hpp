// SPDX-License-Identifier: MIT
#pragma once
/// \file The minimum of a LossProgram: the best point and the best bound that an interior point
/// method and active sets come to.
#include <algorithm>  // max, min
#include <cmath>
#include <linea/optimizers/programs/active_set.hpp>
#include <linea/optimizers/programs/loss_program.hpp>
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
  /// left.
  void run(double tolerance, Index limit) {
    BoxPoint<Real> point;
    approach(program_, tolerance, limit, point);
    for (int round = 0; round < 4 && may_be_nearer(tolerance, limit); ++round) {
      BoxProgram<Real> near = program_;
      const auto count = static_cast<double>(program_.all_size());
      const double strength = 1e-9 * count * (count / value_);
      for (Index j = 0; j < losses_.rank(); ++j)
        if (program_.strength(j) == 0) {
          near.strengths[j] = strength;
          near.totals[j] -= strength * primal_[j];
        }
      approach(near, tolerance, limit, point);
    }
    if (point.primal.size() == 0) return;  // proven from the start
    if (!is_proven(tolerance)) {
      ActiveSet<Real> active(program_, point);
      for (int round = 0; round < 10; ++round) {
        const BoxPoint<Real> solved = active.solve(point);
        consider(solved);
        if (is_proven(tolerance) || !active.repair(solved)) break;
      }
    }
    take_sparse(point, tolerance);
  }

  const Reals& primal() const { return primal_; }
  const Reals& multipliers() const { return multipliers_; }
  Index iterations() const { return iterations_; }

 private:
  bool is_proven(double tolerance) const {
    return value_ - bound_ <= std::max(tolerance * value_, floor_);
  }

  /// The interior point method is asked for more and more.
  void approach(const BoxProgram<Real>& program, double tolerance, Index limit,
                BoxPoint<Real>& point) {
    if (is_proven(tolerance)) return;
    InteriorPoint<Real> inside(program, losses_.start_multipliers(), primal_);
    for (double part = 0.3; part > 1e-5 && !is_proven(tolerance); part /= 30) {
      point = inside.solve(part * tolerance, part * floor_, limit - iterations_);
      consider(point);
    }
    iterations_ += inside.iterations();
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
    Reals multipliers = feasible(point.multipliers);
    if (const double bound = bound_of(multipliers); bound > bound_) {
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
    program_.processes.sum_entries(within);
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

  /// Is the sum of the slopes times column j to be 0?
  bool is_condition(Index j) const {
    return program_.strength(j) == 0 && (j == losses_.rank() || losses_.absolute()[j] == 0);
  }

  /// Multipliers within the box that meet the conditions: most of what they miss is laid on those
  /// that are away from both ends of the box.
  Reals feasible(Reals a) const {
    const Reals& u = program_.bounds;
    bool all = true;
    for (Index j = 0; j < program_.rows.cols(); ++j) all = all && is_condition(j);
    for (int round = 0;; ++round) {
      Reals room = u;
      for (Index k = 0; k < a.size(); ++k) {
        a[k] = a[k] > 0 ? std::min(a[k], u[k]) : 0;
        room[k] = a[k] * ((u[k] - a[k]) / u[k]);
      }
      if (round == 4) return a;
      Reals missing = program_.transposed_times(a);
      for (Index j = 0; j < missing.size(); ++j) missing[j] = program_.total(j) - missing[j];
      if (all) {
        const Reals none = numerics::constant(a.size(), 0);
        auto step = BoxNewton<Real>(program_, room, BoxFactor::cholesky).solve(none, missing);
        if (!step.accurate)
          step = BoxNewton<Real>(program_, room, BoxFactor::qr).solve(none, missing);
        numerics::add(1, step.multipliers, a);
      } else if (losses_.has_offset()) {
        double total = 0;
        for (Index k = 0; k < losses_.pieces(); ++k) total += room[k];
        total = program_.processes.sum(total);
        if (!(total > 0)) continue;
        const double share = missing[losses_.rank()] / total;
        for (Index k = 0; k < losses_.pieces(); ++k) a[k] += share * room[k];
      }
    }
  }

  /// Σᵢ Uᵢ·row i over the rows of samples. `size` becomes √n·‖U‖: no sum of a column of mean square
  /// 1 is larger.
  Reals sums_of(const Reals& multipliers, double& size) const {
    Reals sums = numerics::constant(program_.rows.cols(), 0);
    double squares = 0;
    for (Index k = 0; k < losses_.pieces(); ++k) {
      const double slope = program_.origins[k] - multipliers[k];
      rows::add(program_.rows.data() + k * sums.size(), slope, sums.data(), sums.size());
      squares += slope * slope;
    }
    program_.processes.sum_entries(sums);
    double facts[2] = {squares, static_cast<double>(losses_.pieces())};
    program_.processes.sum(facts, 2);
    size = std::sqrt(facts[0] * facts[1]);
    return sums;
  }

  /// What n·F is nowhere below. First draws all slopes towards 0 as far as an absolute penalty
  /// without a squared one asks for.
  double bound_of(Reals& multipliers) const {
    double size = 0;
    const Reals sums = sums_of(multipliers, size);
    double scale = 1;
    for (Index j = 0; j < losses_.rank(); ++j)
      if (losses_.absolute()[j] > 0 && std::isinf(cost_of(j, sums[j], size)))
        scale = std::min(scale, losses_.absolute()[j] / std::abs(sums[j]));
    double bound = 0;
    for (Index k = 0; k < multipliers.size(); ++k) {
      const double slope =
          (k < losses_.pieces() ? scale : 0) * (program_.origins[k] - multipliers[k]);
      multipliers[k] = program_.origins[k] - slope;
      const double c = program_.curvatures[k];
      bound -= slope * (program_.levels[k] - c * program_.origins[k] + c / 2 * slope);
    }
    bound = program_.processes.sum(bound);
    for (Index j = 0; j < sums.size(); ++j) bound -= cost_of(j, scale * sums[j], scale * size);
    return bound;
  }

  double cost_of(Index j, double sum, double size) const {
    const double l1 = j < losses_.rank() ? losses_.absolute()[j] : 0;
    return penalty_cost(sum, size, l1, program_.strength(j), primal_[j]);
  }

  const LossProgram<Real>& losses_;
  const BoxProgram<Real>& program_;
  Reals primal_;
  Reals multipliers_;
  double floor_;
  double value_;
  double bound_{0};  // of slopes of 0, as losses are ≥ 0
  Index iterations_{0};
};

}  // namespace linea::programs
