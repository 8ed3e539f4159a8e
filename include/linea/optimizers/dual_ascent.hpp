// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of dual coordinate ascent: its epochs, and what is known of the minimum between them.
#include <algorithm>  // max
#include <limits>
#include <linea/core/solution.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/course.hpp>
#include <linea/optimizers/dual_point.hpp>
#include <linea/optimizers/dual_rule.hpp>
#include <linea/optimizers/weights.hpp>
#include <utility>  // move
#include <vector>

namespace linea {

/// On samples that have passed the door, in double, for F = mean loss + λ/2·‖w‖², λ > 0. Loss and set must
/// outlive it.
///
/// While an epoch lasts, an offset costs λ/(2κ²)·(b − c)², with κ² the mean of ‖xᵢ‖²: as if it multiplied a constant
/// feature κ. After the epoch c moves to where that cost has no slope left (the method of multipliers, for Σᵢ sᵢαᵢ = 0;
/// Bertsekas, Constrained Optimization and Lagrange Multiplier Methods, 1982).
template <class L, class Rows, Order O>
class DualAscent {
 public:
  /// `multipliers` (n), in the domain of the loss's conjugate.
  DualAscent(const L& loss, const TrainingSet<Rows>& set, double lambda, bool has_offset,
             const Routine<O>& routine, const Vector<double>& multipliers)
      : loss_(loss),
        set_(set),
        lambda_(lambda),
        course_(routine),
        samples_(static_cast<std::size_t>(n())),
        rests_(n()) {
    double squares = 0;
    for (Index i = 0; i < n(); ++i) {
      sample(i) = {multipliers[i], set.rows.squared_norm(i)};
      squares += sample(i).curvature / static_cast<double>(n());
    }
    if (has_offset) constant_ = squares > 0 ? squares : 1.0;
    for (Index i = 0; i < n(); ++i)
      sample(i).curvature = weight(i) * (sample(i).curvature + constant_) * scale();
    course_.fit(set);
    weights_.replace(pull_of(set_, multipliers) / lambda_, 0);
    best_.weights = weights_.weights();
    average_ = best_;
    if (multipliers.isZero(0))  // no need of x
      best_.objective = mean_loss_at_zero();
    else
      best_.objective = value(best_);
  }

  /// Visits every sample whose turn it is. Returns how many have moved.
  Index run_epoch() {
    rests_.draw(due_);
    const auto count = static_cast<Index>(due_.size());
    Index moved = 0;
    if (count > 0) {
      DualRule<L> rule(loss_, samples_, rests_, scale(), scale() * constant_);
      Epoch epoch = course_.drawn_epoch(count);
      epoch.among = due_;
      course_.begin_epoch(std::move(epoch));
      course_.deal(set_.rows, count, count,
                   [&](const auto& rows, const Visits& visits, const Sequence& origins) {
                     if constexpr (!Rows::is_packed) rule.read_copies_of(origins);
                     const auto labels = Rows::is_packed ? labels_of(set_)
                                                         : copied_labels_.of(set_, visits, origins);
                     moved += visit_each(rule, weights_, rows, labels, visits, updates_);
                     weights_.complete(rows);
                   });
      course_.end_epoch();
      excess_ = rule.excess() / static_cast<double>(n());
    }
    if (constant_ > 0) {
      double pull = 0;
      for (Index i = 0; i < n(); ++i) pull += weight(i) * sample(i).multiplier;
      weights_.finish({}, scale() * constant_ * pull, 0);
    }
    ++epochs_;
    const double share = std::max(0.1, 2 / static_cast<double>(epochs_ + 1));
    average_.weights += share * (weights_.weights() - average_.weights);
    average_.offset += share * (weights_.offset() - average_.offset);
    return moved;
  }

  /// What the duality gap was on the way through the last epoch: an estimate, without a pass over x.
  double excess() const { return excess_; }
  Index updates() const { return updates_; }
  Index epochs() const { return epochs_; }

  /// D, but for rounding and for what an offset's Σᵢ sᵢαᵢ differs from 0.
  double dual_estimate() const {
    return dual_of_losses(loss_, set_.y, set_.weights, multipliers()) -
           lambda_ / 2 * weights_.weights().squaredNorm();
  }

  /// F, in one pass over x.
  double value(const Point<double>& point) const {
    return risk_of_rows(loss_, set_.rows, set_.y, set_.weights, point.weights, point.offset) +
           lambda_ / 2 * point.weights.squaredNorm();
  }
  /// Looks for an F below the lowest so far: where the run stands and, should that be above `enough`, at the
  /// mean of the places where the last epochs ended.
  void look(double enough) {
    for (const bool mean : {false, true}) {
      Point<double> point = mean ? average_ : Point<double>{weights_.weights(), weights_.offset()};
      point.objective = value(point);
      if (!(best_.objective <= point.objective)) best_ = std::move(point);
      if (best_.objective <= enough) return;
    }
  }
  const Point<double>& best() const { return best_; }

  /// Multipliers that belong to the domain in full, and the D that they prove. w is computed anew from them: what
  /// rounding has added to it over the epochs is gone.
  std::pair<Vector<double>, double> proof() {
    Vector<double> proven = multipliers();
    Vector<double> pull = pull_of(set_, proven);
    weights_.replace(pull / lambda_, weights_.offset());
    if (constant_ > 0) {
      balance(proven, set_.weights);
      pull = pull_of(set_, proven);
    }
    const double dual =
        dual_of_losses(loss_, set_.y, set_.weights, proven) - pull.squaredNorm() / (2 * lambda_);
    return {std::move(proven), dual};
  }

 private:
  Index n() const { return set_.rows.rows(); }
  double scale() const { return 1 / (lambda_ * static_cast<double>(n())); }
  double weight(Index i) const { return set_.weights.size() ? set_.weights[i] : 1.0; }
  DualSample& sample(Index i) { return samples_[static_cast<std::size_t>(i)]; }
  Vector<double> multipliers() const {
    Vector<double> multipliers(n());
    for (std::size_t i = 0; i < samples_.size(); ++i)
      multipliers[static_cast<Index>(i)] = samples_[i].multiplier;
    return multipliers;
  }
  double mean_loss_at_zero() const {
    double sum = 0;
    for (Index i = 0; i < n(); ++i) sum += weight(i) * loss_.value(0.0, set_.y[i]);
    return sum / static_cast<double>(n());
  }

  const L& loss_;
  const TrainingSet<Rows>& set_;
  double lambda_;
  double constant_{0};  // κ²; 0 without an offset
  Course<double, O> course_;
  std::vector<DualSample> samples_;
  Rests rests_;
  ScaledWeights<double> weights_{};
  Point<double> average_{};
  Point<double> best_{};
  CopiedLabels<double> copied_labels_;
  Sequence due_;
  Index updates_{0};
  Index epochs_{0};
  double excess_{std::numeric_limits<double>::infinity()};
};

}  // namespace linea
