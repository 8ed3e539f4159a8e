// SPDX-License-Identifier: MIT
#pragma once
/// \file Minimises a LossProgram: finds the best point and the best bound by an interior point
/// method and by active sets.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/observer.hpp>
#include <linea/optimizers/interior_point/active_set.hpp>
#include <linea/optimizers/interior_point/central_path.hpp>
#include <linea/optimizers/interior_point/loss_program.hpp>
#include <linea/optimizers/interior_point/row_space.hpp>
#include <linea/proof/separable_penalty.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/row_blocks.hpp>
#include <utility>  // move

namespace linea::detail::interior_point {

/// Validated samples of a BoxLoss, centred if the offset is free.
struct LossSamples {
  const samples::LossBlocks& loss;
  const proof::SeparablePenalty& penalty;
  const samples::RowBlocks& rows;
  const Vector<double>&y, &weights;  ///< targets (n), and sample weights (n) of mean 1 or none
  const samples::Frame<>& frame;
  const Coordinates& space;
  Matrix<double> boxes;  ///< see boxes_of
};

/// When a search may end.
struct LossGoal {
  double tolerance;  ///< the gap must be at most tolerance·value, or at most `floor`
  double floor;      ///< a negligible value of n·F
  Index iterations;  ///< limit of iterations of the interior point method
  bool exact;        ///< solve the equations of the active set even after convergence
};

/// Variables q of a LossProgram with the value n·F there, and dual variables with the lower bound
/// on n·F that they give.
template <class Real>
struct BoundedPoint {
  Vector<Real> primal;
  double value;
  Vector<Real> multipliers;
  double bound;
};

/// Minimises a LossProgram within a LossGoal. Of all evaluated points, keeps the q with the least
/// n·F and, separately, the feasible dual variables with the largest bound. In the end, solutions
/// of the active set and sparse weights may replace both, even if n·F or the bound becomes slightly
/// worse.
template <class Real = double>
class LossSearch {
  using Reals = Vector<Real>;

 public:
  /// The program must outlive this object.
  LossSearch(const LossProgram<Real>& losses, const LossGoal& goal)
      : losses_(losses), program_(losses.program()), goal_(goal) {
    best_ = {losses.start_primal(), losses.value(losses.start_primal()), program_.origins, 0};
    take(best_, linear_algebra::constant(best_.primal.size(), 0));
  }

  /// Runs the interior point method until the goal or the limit of iterations is reached, or no
  /// progress is possible. If the goal is `exact` or not reached, then solves the equations of the
  /// active set for the remaining digits.
  ///
  /// Calls `stops(point, iterations)` after each iteration of the interior point method. If `stops`
  /// returns true, the search ends with the best of all evaluated points, and `run` returns false.
  template <class Stops>
  bool run(const Stops& stops) {
    if (!approach(stops)) return false;
    if (point_.primal.size() == 0) return true;  // the start has reached the goal
    if (goal_.exact || !is_proven())
      solve_active_sets(program_, point_, [&](const BoxPoint<Real>& solved) {
        improve(best_, solved, true, goal_.exact ? 1e-12 * best_.value : 0);
        return !goal_.exact && is_proven();
      });
    take_sparse();
    return true;
  }

  /// Returns, for an observer, the best of the observed points. This point is kept apart, so that
  /// an observer changes the result only by stopping the search. Without a penalty `look` does not
  /// improve the bound, because feasible dual variables would take at least four factorisations.
  const BoundedPoint<Real>& look(const BoxPoint<Real>& point) {
    if (seen_.primal.size() == 0) seen_ = best_;
    improve(seen_, point, !losses_.is_free(), 0);
    if (best_.bound > seen_.bound) {
      seen_.bound = best_.bound;
      seen_.multipliers = best_.multipliers;
    }
    return seen_;
  }
  /// Returns the result of run.
  const BoundedPoint<Real>& best() const { return best_; }
  Index iterations() const { return iterations_; }

 private:
  double gap() const { return best_.value - best_.bound; }
  bool is_proven() const { return gap() <= std::max(goal_.tolerance * best_.value, goal_.floor); }

  /// Runs the interior point method. Returns false if `stops` ended it.
  template <class Stops>
  bool approach(const Stops& stops) {
    if (is_proven()) return true;
    CentralPath<Real> path(program_, losses_.start_multipliers(), best_.primal);
    BoxPoint<Real> found =
        path.solve(0.3 * goal_.tolerance, 0.3 * goal_.floor, goal_.iterations,
                   [&](const BoxPoint<Real>& at) { return stops(at, path.iterations()); });
    iterations_ = path.iterations();
    improve(best_, found, true, 0);
    if (!path.is_stopped()) {
      point_ = std::move(found);
      return true;
    }
    if (seen_.primal.size() > 0) {
      take(best_, seen_.primal);
      best_.bound = seen_.bound;
      best_.multipliers = seen_.multipliers;
    }
    return false;
  }

  /// Replaces q of `at` by q of `point` if the value is lower, or higher by less than `slack`. With
  /// `with_bound`, replaces the dual variables if their bound is larger, or smaller by less than
  /// `slack`.
  void improve(BoundedPoint<Real>& at, const BoxPoint<Real>& point, bool with_bound,
               double slack) const {
    take(at, point.primal, slack);
    // If all losses can be 0, slightly larger weights make them exactly 0 in spite of rounding.
    if (slack == 0) {
      Reals more = at.primal;
      for (double& entry : more) entry *= 1 + 1e-9;
      take(at, more);
    }
    if (!with_bound) return;
    Reals multipliers = feasible(point.multipliers);
    const double bound = bound_of(multipliers, at.primal);
    if (!(bound > at.bound - slack)) return;
    at.bound = bound;
    at.multipliers = std::move(multipliers);
  }

  void take(BoundedPoint<Real>& at, const Reals& primal, double slack = 0) const {
    const double value = losses_.value(primal);
    if (!(value < at.value + slack)) return;
    at.value = value;
    at.primal = primal;
  }

  /// Sets weights to 0 for an L1 penalty. At the minimum a weight is 0 if the sum of slopes in its
  /// column is strictly between the two bounds on this sum; the interior point method only
  /// approaches 0. Let ρ be the distance of the sum from the nearer bound, divided by the distance
  /// between the bounds. Sets a weight to 0 if its size is less than ρ/1000 times that of the
  /// largest weight. Keeps the result if its value is still proven, or grows by at most rounding.
  void take_sparse() {
    double largest = 0;
    for (Index j = 0; j < losses_.rank(); ++j)
      largest = std::max(largest, std::abs(best_.primal[j]));
    Reals sparse = best_.primal;
    for (Index k = losses_.pieces(); k < program_.size(); ++k) {
      double& weight = sparse[k - losses_.pieces()];
      const double within = std::min(point_.multipliers[k], point_.room[k]) / program_.bounds[k];
      if (std::abs(weight) < 1e-3 * within * largest) weight = 0;
    }
    const double value = losses_.value(sparse);
    const double allowed = is_proven()
                               ? best_.bound + std::max(goal_.tolerance * best_.value, goal_.floor)
                               : best_.value;
    if (!(value <= std::max(allowed, best_.value + 1e-12 * std::abs(best_.value)))) return;
    best_.value = value;
    best_.primal = sparse;
  }

  /// Projects dual variables into the box. Four rounds also correct the dual variables towards the
  /// constraints (Gᵀα)ⱼ = aⱼ: for every column j without a penalty, else only for the column of an
  /// offset. The corrections mostly change dual variables that are far from both bounds.
  Reals feasible(Reals a) const {
    const Reals& u = program_.bounds;
    const bool all = losses_.is_free();
    for (int round = 0;; ++round) {
      Reals room = u;
      for (Index k = 0; k < a.size(); ++k) {
        a[k] = a[k] > 0 ? std::min(a[k], u[k]) : 0;
        room[k] = a[k] * ((u[k] - a[k]) / u[k]);
      }
      if (round == 4 || !(all || losses_.has_offset())) return a;
      const Reals missing = program_.missing(a, linear_algebra::constant(program_.rows.cols(), 0));
      if (all) {
        const Reals none = linear_algebra::constant(a.size(), 0);
        typename BoxNewton<Real>::Step step;
        for (const BoxFactor factor : {BoxFactor::cholesky, BoxFactor::qr})
          if (!step.accurate) step = BoxNewton<Real>(program_, room, factor).solve(none, missing);
        linear_algebra::add(1, step.multipliers, a);
      } else {
        double total = 0;
        for (Index k = 0; k < losses_.pieces(); ++k) total += room[k];
        if (!(total > 0)) continue;
        const double share = missing[losses_.rank()] / total;
        for (Index k = 0; k < losses_.pieces(); ++k) a[k] -= share * room[k];
      }
    }
  }

  /// Returns a lower bound on n·F, up to rounding, or 0 if slopes give no bound. With a penalty,
  /// replaces `multipliers` by the dual variables of the bound. For an L1 penalty without a squared
  /// one, first scales all slopes towards 0 until they satisfy the constraints. Without a penalty,
  /// subtracts IndependentColumns::missed.
  double bound_of(Reals& multipliers, const Reals& primal) const {
    if (!losses_.has_bounds()) return 0;
    Reals slopes = program_.origins;
    linear_algebra::add(-1, multipliers, slopes);
    if (losses_.is_free()) return of_slopes(slopes) - losses_.missed(slopes, primal);
    for (Index k = losses_.pieces(); k < slopes.size(); ++k) slopes[k] = 0;
    const Reals sums = linear_algebra::transposed_times(program_.rows, slopes);
    double scale = 1;
    for (Index j = 0; j < losses_.rank(); ++j)
      if (program_.strengths[j] == 0 && losses_.absolute()[j] < std::abs(sums[j]))
        scale = std::min(scale, losses_.absolute()[j] / std::abs(sums[j]));
    for (Index k = 0; k < slopes.size(); ++k)
      multipliers[k] = program_.origins[k] - (slopes[k] *= scale);
    double bound = of_slopes(slopes);
    for (Index j = 0; j < losses_.rank(); ++j) {
      const double beyond = std::max(scale * std::abs(sums[j]) - losses_.absolute()[j], 0.0);
      if (program_.strengths[j] > 0) bound -= beyond * (beyond / (2 * program_.strengths[j]));
    }
    return bound;
  }

  /// Returns the dual of the losses: minus the sum of their conjugates at slopes U.
  double of_slopes(const Reals& slopes) const {
    double sum = 0;
    for (Index k = 0; k < slopes.size(); ++k) {
      const double c = program_.curvatures[k];
      sum -= slopes[k] * (program_.levels[k] - c * program_.origins[k] + c / 2 * slopes[k]);
    }
    return sum;
  }

  const LossProgram<Real>& losses_;
  const BoxProgram<Real>& program_;
  LossGoal goal_;
  BoundedPoint<Real> best_{};  // the bound is 0 at first, as losses are ≥ 0
  BoundedPoint<Real> seen_{};
  BoxPoint<Real> point_{};
  Index iterations_{0};
};

/// Shows a search at a point of the interior point method to an observer. place(best) converts the
/// best observed point to a Point. `count` is n.
template <class Real, class Place>
class SearchSeen final : public ObservedRun {
 public:
  SearchSeen(LossSearch<Real>& search, const BoxPoint<Real>& at, const Place& place, double count)
      : search_(search), at_(at), place_(place), count_(count) {}
  double objective() const override { return best().value / count_; }
  double gap() const override { return std::max(best().value - best().bound, 0.0) / count_; }
  Point<double> iterate(Index) const override { return place_(best()); }

 private:
  const BoundedPoint<Real>& best() const {
    if (!best_) best_ = &search_.look(at_);
    return *best_;
  }

  LossSearch<Real>& search_;
  const BoxPoint<Real>& at_;
  const Place& place_;
  double count_;
  mutable const BoundedPoint<Real>* best_{nullptr};
};

}  // namespace linea::detail::interior_point
