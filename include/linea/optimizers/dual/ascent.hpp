// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of dual coordinate ascent: its epochs, and what is known of the minimum between them.
#include <algorithm>  // max
#include <limits>
#include <linea/core/certificate.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/guess.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/optimizers/loop/itinerary.hpp>
#include <linea/optimizers/loop/scaled_weights.hpp>
#include <linea/optimizers/numerics/falling_root.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/risk.hpp>
#include <utility>  // move
#include <vector>

namespace linea::dual {

/// On samples that have passed the door, in double, for F = mean loss + λ/2·‖w‖², λ > 0. Loss and set must
/// outlive it.
///
/// With an offset rows are centred at their mean m, without being changed: see DualRule. While an epoch lasts, b
/// costs λ/(2κ²)·(b − c)², as if it multiplied a constant feature κ. After the epoch c moves to where that cost has
/// no slope left (the method of multipliers, for Σᵢ sᵢαᵢ = 0; Bertsekas, Constrained Optimization and Lagrange
/// Multiplier Methods, 1982). κ² = λ + a twentieth of the mean of ‖xᵢ − m‖²: larger values couple the samples for
/// the sake of b alone, and with smaller ones c is slow.
template <class L, class Rows, Order O>
class DualAscent {
 public:
  /// `multipliers` (n), in the domain of the loss's conjugate.
  DualAscent(const L& loss, const samples::TrainingSet<Rows>& set, double lambda, bool has_offset,
             const loop::Routine<O>& routine, const Vector<double>& multipliers)
      : loss_(loss),
        set_(set),
        lambda_(lambda),
        itinerary_(routine),
        samples_(static_cast<std::size_t>(n())),
        rests_(n()),
        mean_(Vector<double>::Zero(set.rows.cols())) {
    if (has_offset) mean_ = pull_of(set, Vector<double>::Ones(n()));
    constant_ = has_offset ? lambda : 0;
    const double center = mean_.squaredNorm();
    for (Index i = 0; i < n(); ++i) {
      const double norm = set.rows.squared_norm(i);
      const double along = has_offset ? set.rows.dot(i, mean_) : 0;
      double distance = norm;
      if (has_offset) {
        // Rounding must not make it too small: steps would be too long.
        const double rounding = 16 * std::numeric_limits<double>::epsilon() * (norm + center);
        distance = std::max(norm - 2 * along + center, 0.0) + rounding;
        constant_ += weight(i) * distance / (20 * static_cast<double>(n()));
      }
      sample(i) = {multipliers[i], distance, along};
    }
    for (Index i = 0; i < n(); ++i)
      sample(i).curvature = weight(i) * (sample(i).curvature + constant_) * scale();
    itinerary_.fit(set);
    start(multipliers, has_offset);
  }

  /// Visits every sample whose turn it is. Returns how many have moved.
  Index run_epoch() {
    rests_.draw(due_);
    const auto count = static_cast<Index>(due_.size());
    Index moved = 0;
    if (count > 0) {
      DualRule<L> rule(loss_, samples_, rests_, pull_, scale(), constant_ + mean_.squaredNorm());
      Epoch epoch = itinerary_.drawn_epoch(count);
      epoch.among = due_;
      itinerary_.begin_epoch(std::move(epoch));
      itinerary_.deal(set_.rows, count, count,
                      [&](const auto& rows, const loop::Visits& visits, const Sequence& origins) {
                        if constexpr (!Rows::is_packed) rule.read_copies_of(origins);
                        const auto labels = Rows::is_packed
                                                ? loop::labels_of(set_)
                                                : copied_labels_.of(set_, visits, origins);
                        moved += loop::visit_each(rule, weights_, rows, labels, visits, updates_);
                        weights_.complete(rows);
                      });
      itinerary_.end_epoch();
      excess_ = rule.excess() / static_cast<double>(n());
    }
    weights_.finish({}, constant_ * pull_, 0);
    ++epochs_;
    const double share = std::max(0.1, 2 / static_cast<double>(epochs_ + 1));
    const auto now = here();
    average_.weights += share * (now.weights - average_.weights);
    average_.offset += share * (now.offset - average_.offset);
    return moved;
  }

  /// What the duality gap was on the way through the last epoch: an estimate, without a pass over x.
  double excess() const { return excess_; }
  Index updates() const { return updates_; }
  Index epochs() const { return epochs_; }

  /// D, but for rounding and for what an offset's Σᵢ sᵢαᵢ differs from 0.
  double dual_estimate() const {
    return dual_of_losses(loss_, set_.y, set_.weights, multipliers()) -
           lambda_ / 2 * here().weights.squaredNorm();
  }

  /// F, in one pass over x.
  double value(const Point<double>& point) const {
    return samples::risk_of_rows(loss_, set_.rows, set_.y, set_.weights, point.weights,
                                 point.offset) +
           lambda_ / 2 * point.weights.squaredNorm();
  }
  /// Looks for an F below the lowest so far: where the run stands and, should that be above `enough` and `twice` be
  /// told, at the mean of the places where the last epochs ended.
  void look(double enough, bool twice) {
    for (const bool mean : {false, true}) {
      if (mean && !twice) return;
      Point<double> point = mean ? average_ : here();
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
    place(proven, pull, weights_.offset());
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
  Point<double> here() const { return {weights_.weights() - pull_ * mean_, weights_.offset()}; }

  /// To w = pull/λ = (1/(λn)) Σᵢ sᵢαᵢxᵢ, and the offset.
  void place(const Vector<double>& multipliers, const Vector<double>& pull, double offset) {
    weights_.replace(pull / lambda_, offset);
    pull_ = 0;
    if (constant_ > 0)
      for (Index i = 0; i < n(); ++i) pull_ += scale() * weight(i) * multipliers[i];
  }

  /// To the w of the multipliers, and with offset to the best b for it; no look at x where w = 0.
  void start(const Vector<double>& multipliers, bool has_offset) {
    const bool at_zero = multipliers.isZero(0);
    place(multipliers, pull_of(set_, multipliers), 0);
    best_ = here();
    Vector<double> scores = Vector<double>::Zero(n());
    if (!at_zero) set_.rows.scores(0, n(), best_.weights, scores.data());
    const auto mean = [&](const auto& of_sample) {
      double sum = 0;
      for (Index i = 0; i < n(); ++i) sum += weight(i) * of_sample(scores[i], set_.y[i]);
      return sum / static_cast<double>(n());
    };
    const auto risk = [&](double b) {
      return mean([&](double p, double y) { return loss_.value(p + b, y); });
    };
    const auto fall = [&](double b) {
      return -mean([&](double p, double y) { return loss_.derivative(p + b, y); });
    };
    double at_best = risk(0);
    if (has_offset) {
      const double b = at_zero ? samples::best_constant(loss_, set_)
                               : numerics::falling_root(fall, 0, 1e-3, 1e-12);
      if (const double at_b = risk(b); at_b < at_best) {
        best_.offset = b;
        at_best = at_b;
      }
    }
    best_.objective = at_best + lambda_ / 2 * best_.weights.squaredNorm();
    weights_.finish({}, best_.offset, 0);
    average_ = best_;
  }

  const L& loss_;
  const samples::TrainingSet<Rows>& set_;
  double lambda_;
  double constant_{0};  // κ²; 0 without an offset
  double pull_{0};      // Σᵢ sᵢαᵢ/(λn), where an offset is to bring it to 0
  loop::Itinerary<double, O> itinerary_;
  std::vector<DualSample> samples_;
  Rests rests_;
  Vector<double> mean_;                    // m; 0 without an offset
  loop::ScaledWeights<double> weights_{};  // v and b
  Point<double> average_{};
  Point<double> best_{};
  loop::CopiedLabels<double> copied_labels_;
  Sequence due_;
  Index updates_{0};
  Index epochs_{0};
  double excess_{std::numeric_limits<double>::infinity()};
};

}  // namespace linea::dual
