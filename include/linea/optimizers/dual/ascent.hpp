// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of dual coordinate ascent: epochs over the samples, and estimates of the dual
/// objective D and of the duality gap.
#include <algorithm>  // max, min
#include <cmath>      // isfinite, isnan, sqrt
#include <limits>
#include <linea/core/observer.hpp>
#include <linea/core/order.hpp>
#include <linea/core/solution.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/descent/itinerary.hpp>
#include <linea/optimizers/descent/scaled_weights.hpp>
#include <linea/optimizers/descent/visit.hpp>
#include <linea/optimizers/dual/band_newton.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // exchange, move
#include <vector>

namespace linea::detail::dual {

/// Maximises the dual objective D of F = mean loss + λ/2·‖w‖², λ > 0, on validated samples in
/// double. Loss and set must outlive this object.
///
/// An offset b adds the constraint Σᵢ sᵢαᵢ = 0. The method of multipliers (Bertsekas, Constrained
/// Optimization and Lagrange Multiplier Methods, 1982) enforces the constraint. During an epoch F
/// has the additional penalty λ/(2κ²)·(b − c)², as if (b − c)/κ were the weight of a constant
/// feature κ. After the epoch the centre c moves to b. Rows are centred at their weighted mean m
/// implicitly (see DualRule). κ² is λ·score_by_slope plus a twentieth of the mean of ‖xᵢ − m‖². A
/// larger κ² couples the samples more strongly through b. With a smaller κ², c converges more
/// slowly.
template <class L, class Rows, Order O>
class Ascent {
 public:
  using Real = detail::DoubleFor<Rows>;

  /// Starts at the dual variables α = `multipliers` (n). Each ℓ*(−αᵢ, yᵢ) must be finite.
  Ascent(const L& loss, const samples::TrainingSet<Rows>& set, double lambda, bool has_offset,
         const descent::VisitOptions<O>& options, const Vector<Real>& multipliers)
      : loss_(loss),
        set_(set),
        lambda_(lambda),
        itinerary_(options),
        resting_(n()),
        samples_(static_cast<std::size_t>(n())),
        mean_(linear_algebra::constant(set.rows.cols(), 0)) {
    itinerary_.fit(set);
    if (has_offset) mean_ = dual_sum_of(set, linear_algebra::constant(n(), 1));
    set_states(multipliers, has_offset);
    start(multipliers);
  }

  /// Runs one epoch over the active dual variables. Returns how many of them changed.
  Index run_epoch() {
    const Index moved = visit();
    itinerary_.end_epoch();
    weights_.finish({}, constant_ * shift_, 0);  // c moves to b, and b to c + κ²·shift
    ++epochs_;
    const double newest = std::max(0.1, 2 / static_cast<double>(epochs_ + 1));
    mean_excess_ += epochs_ > 1 ? newest * (excess_ - mean_excess_) : excess_;
    const auto now = here();
    for (Index j = 0; j < now.weights.size(); ++j)
      average_.weights[j] += newest * (now.weights[j] - average_.weights[j]);
    average_.offset += newest * (now.offset - average_.offset);
    return moved;
  }

  /// Are all quantities of the steps finite? If not, the caller must not run epochs. For example,
  /// the squares of entries as large as 1e160 overflow.
  bool is_finite() const { return is_finite_ && std::isfinite(shift_) && !std::isnan(excess_); }

  /// Returns an estimate of the duality gap from the last epoch's visits, without a pass over x.
  double excess() const { return excess_; }
  double mean_excess() const { return mean_excess_; }  ///< running mean of `excess` over the epochs
  Index updates() const { return updates_; }           ///< number of visits
  Index epochs() const { return epochs_; }

  /// Returns an estimate of D. With an offset, Σᵢ sᵢαᵢ may differ from 0, and D is then not a lower
  /// bound on F.
  double dual_estimate() const {
    const double square = linear_algebra::squares_of(here().weights);
    return dual_of_losses(loss_, set_, multipliers()) - lambda_ / 2 * square;
  }

  /// Returns F at a point. Makes one pass over x, or none at the best point if F is known there.
  double value(const Point<Real>& point) const {
    if (is_evaluated_ && point.offset == best_.offset && point.weights == best_.weights)
      return best_.objective;
    return samples::risk_of(loss_, set_, point.weights, point.offset) +
           lambda_ / 2 * linear_algebra::squares_of(point.weights);
  }
  /// Evaluates F at the current iterate or, if `at_mean`, at the running mean of the iterates at
  /// the ends of epochs. Keeps the best point so far, and returns whether its F is above `enough`.
  bool look(bool at_mean, double enough) {
    Point<Real> point = at_mean ? average_ : here();
    point.objective = value(point);
    note(std::move(point), true);
    return best_.objective > enough;
  }
  const Point<Real>& best() const { return best_; }
  /// Returns the approximate cost of a visit, in the unit of FactorCosts.
  double visit_cost() const { return (Rows::is_packed ? 1 : 10) * row_cost(set_.rows); }
  /// Returns the approximate cost, in the unit of FactorCosts, of Newton's method for the rest of
  /// the run. `free` dual variables are between their bounds, and the gap must shrink by a factor
  /// of exp(left). Assumes 5 + 4·left steps in 2 + left/2 rounds; both numbers are empirical.
  /// Returns infinity if the loss is not a Joint, or if the matrices are too large.
  double finish_cost(Index free, double left) const requires BandLoss<L> {
    if (!std::isfinite(joint_of(loss_, set_.y[0]).at))
      return std::numeric_limits<double>::infinity();
    const auto present = static_cast<double>(resting_.present());
    const Index d = set_.rows.cols();
    const double in_row = static_cast<double>(set_.rows.entries()) / static_cast<double>(n());
    return (5 + 4 * left) * FactorCosts(in_row, std::min(free, d + 1), d).least() +
           (2 + left / 2) * present * row_cost(set_.rows);
  }
  /// Returns Newton's method, started at the current iterate.
  auto finish() const requires BandLoss<L> {
    const double squares = 20 * (constant_ - lambda_ * score_by_slope(loss_, set_)) +
                           linear_algebra::squares_of(mean_);
    return BandNewton<L, Rows>(loss_, set_, lambda_, constant_ > 0, multipliers(), here(),
                               std::sqrt(std::max(squares, 0.0)));
  }
  /// Replaces the dual variables and the offset, and the best point if `point` has a lower F. Makes
  /// all dual variables active. Counts as an epoch. Returns how many dual variables changed. The
  /// next call of `renew` updates the weights.
  Index take(const Vector<double>& multipliers, const Point<double>& point) {
    Index moved = 0;
    for (Index i = 0; i < n(); ++i)
      moved += std::exchange(sample(i).multiplier, multipliers[i]) != multipliers[i];
    weights_.replace(weights_.weights(), point.offset);
    note(point, false);
    resting_.wake();
    ++epochs_;
    return moved;
  }

  /// Returns the Proof of the current dual variables, see proof_of.
  Proof proof() const { return proof_of(loss_, set_, lambda_, constant_ > 0, multipliers()); }
  /// Recomputes w from the dual variables, which removes the rounding errors of the steps. `proof`
  /// must be the Proof of the current dual variables.
  void renew(const Proof& proof) {
    const Vector<Real> now = multipliers();
    move_to(now, constant_ > 0 ? dual_sum_of(set_, now) : proof.dual_sum, weights_.offset());
  }

  /// Returns w and b of the current iterate. Leaves F at NaN.
  Point<Real> here() const {
    Point<Real> point{weights_.weights(), weights_.offset()};
    if (constant_ > 0) linear_algebra::add(-shift_, mean_, point.weights);
    return point;
  }

 private:
  /// Sets κ² and the states of the samples. Leaves out samples of weight 0.
  void set_states(const Vector<Real>& multipliers, bool has_offset) {
    if (has_offset) constant_ = lambda_ * score_by_slope(loss_, set_);
    const double center = mean_.squaredNorm();
    for (Index i = 0; i < n(); ++i) {
      SampleState& one = sample(i);
      one.multiplier = multipliers[i];
      if (!(set_.weight(i) > 0)) {
        resting_.leave_out(static_cast<std::size_t>(i));
        continue;
      }
      const double norm = set_.rows.squared_norm(i);
      one.curvature = norm;
      if (!has_offset) continue;
      one.along_mean = set_.rows.dot(i, mean_);
      // Steps would be too long if rounding made the distance too small: add the rounding error.
      const double rounding = 16 * std::numeric_limits<double>::epsilon() * (norm + center);
      one.curvature = std::max(norm - 2 * one.along_mean + center, 0.0) + rounding;
      constant_ += set_.weight(i) * one.curvature / (20 * static_cast<double>(n()));
    }
    for (Index i = 0; i < n(); ++i) {
      if (!(set_.weight(i) > 0)) continue;
      SampleState& one = sample(i);
      one.curvature = set_.weight(i) * (one.curvature + constant_) * scale();
      is_finite_ = is_finite_ && std::isfinite(one.curvature);
    }
  }

  /// Visits the active samples. Returns how many dual variables changed.
  Index visit() {
    resting_.draw(due_);
    const auto count = static_cast<Index>(due_.size());
    if (count == 0) return 0;
    Epoch epoch = itinerary_.drawn_epoch(count);
    epoch.among = due_;
    itinerary_.begin_epoch(std::move(epoch));
    DualRule<L> rule(loss_, samples_, resting_, shift_, scale(),
                     constant_ + linear_algebra::squares_of(mean_));
    Index moved = 0;
    itinerary_.deal(set_.rows, count, count, [&](const auto& rows, const descent::Visits& visits) {
      if constexpr (!Rows::is_packed) rule.read_copies_of(itinerary_.origins());
      moved += descent::visit_each(rule, weights_, rows, itinerary_.labels(set_, visits), visits,
                                   updates_);
      weights_.complete(rows);
    });
    excess_ = rule.excess() / static_cast<double>(n());
    return moved;
  }

  /// Keeps a point if its F is the lowest so far. `is_evaluated`: did `value` compute this F?
  void note(Point<Real> point, bool is_evaluated) {
    if (best_.objective <= point.objective) return;
    best_ = std::move(point);
    is_evaluated_ = is_evaluated;
  }

  Index n() const { return set_.rows.rows(); }
  double scale() const { return 1 / (lambda_ * static_cast<double>(n())); }
  SampleState& sample(Index i) { return samples_[static_cast<std::size_t>(i)]; }
  Vector<Real> multipliers() const {
    Vector<Real> multipliers(n());
    for (std::size_t i = 0; i < samples_.size(); ++i)
      multipliers[static_cast<Index>(i)] = samples_[i].multiplier;
    return multipliers;
  }
  /// Sets v = dual_sum/λ = (1/(λn)) Σᵢ sᵢαᵢxᵢ, the shift, and the offset.
  void move_to(const Vector<Real>& multipliers, const Vector<Real>& dual_sum, double offset) {
    Vector<Real> weights = dual_sum;
    for (Real& weight : weights) weight /= lambda_;
    weights_.replace(weights, offset);
    shift_ = 0;
    if (constant_ > 0)
      for (Index i = 0; i < n(); ++i) shift_ += scale() * set_.weight(i) * multipliers[i];
  }

  /// Sets w from the dual variables, and b to about the best for these weights, but to 0 if F is no
  /// higher there, or without an offset. Does not read x if all dual variables are 0.
  void start(const Vector<Real>& multipliers) {
    const bool at_zero = linear_algebra::is_zero(multipliers.data(), n());
    move_to(multipliers, dual_sum_of(set_, multipliers), 0);
    best_ = {here().weights, 0, 0};
    Vector<Real> scores = linear_algebra::constant(n(), 0);
    if (!at_zero) set_.rows.scores(0, n(), best_.weights, scores.data());
    const auto mean = [&](const auto& of_sample) {
      double sum = 0;
      for (Index i = 0; i < n(); ++i)
        if (set_.weight(i) > 0) sum += set_.weight(i) * of_sample(scores[i], set_.y[i]);
      return sum / static_cast<double>(n());
    };
    const auto risk = [&](double b) {
      return mean([&](double p, double y) { return loss_.value(p + b, y); });
    };
    const auto fall = [&](double b) {
      return -mean([&](double p, double y) { return loss_.derivative(p + b, y); });
    };
    double at_best = risk(0);
    if (constant_ > 0) {
      const double b = at_zero ? samples::best_constant(loss_, set_)
                               : linear_algebra::falling_root(fall, 0, 1e-3, 1e-12);
      if (const double at_b = risk(b); at_b < at_best) {
        best_.offset = b;
        at_best = at_b;
      }
    }
    best_.objective = at_best + lambda_ / 2 * linear_algebra::squares_of(best_.weights);
    weights_.finish({}, best_.offset, 0);
    average_ = best_;
  }

  const L& loss_;
  const samples::TrainingSet<Rows>& set_;
  double lambda_;
  double constant_{0};  // κ²; 0 without an offset
  double shift_{0};     // Σᵢ sᵢαᵢ/(λn): tends to 0 with an offset, stays 0 without one
  descent::Itinerary<double, O> itinerary_;
  RestingMultipliers resting_;
  Sequence due_{};  // the samples to visit in this epoch
  std::vector<SampleState> samples_;
  Vector<Real> mean_;                         // m; 0 without an offset
  descent::ScaledWeights<double> weights_{};  // v and b: w = v − shift·m
  Point<Real> average_{};                     // running mean of the iterates at the ends of epochs
  Point<Real> best_{};                        // the point of the lowest F so far
  Index updates_{0}, epochs_{0};
  double excess_{std::numeric_limits<double>::infinity()}, mean_excess_{0};
  bool is_finite_{true}, is_evaluated_{false};  // is_evaluated_: see note
};

}  // namespace linea::detail::dual
