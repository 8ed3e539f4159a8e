// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of coordinate descent.
#include <algorithm>  // max, min
#include <cmath>      // abs, hypot, isfinite
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/numerics/falling_root.hpp>
#include <linea/optimizers/smooth/coordinate_model.hpp>
#include <linea/optimizers/smooth/risk_of_scores.hpp>
#include <linea/samples/columns.hpp>
#include <vector>

namespace linea::smooth {

/// A run of CoordinateDescent: the iterate, its F, and the best dual bound so far. The samples have
/// passed the door and are in double. All that the run is given must outlive it.
///
/// An iteration minimises a quadratic model of F (see CoordinateModel) and searches the line to its
/// minimum.
template <class L, class P, class Rows, class Columns>
class CoordinateRun {
 public:
  /// Starts at the weights (d) and, with offset, at the best b for them; `offset` is where the
  /// search for b begins.
  CoordinateRun(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
                const Columns& columns, bool has_offset, const Vector<double>& weights,
                double offset)
      : objective_(objective),
        columns_(columns),
        has_offset_(has_offset),
        risk_(objective.loss, set.y, set.weights),
        model_(columns, objective.penalty, has_offset) {
    rounding_ = std::numeric_limits<double>::epsilon() *
                std::abs(risk_.template evaluate<false>(Vector<double>::Zero(set.y.size()), at_));
    move_to(weights, offset);
    if (has_offset) {
      const Vector<double> scores = scores_;
      const double small = 1e-15 * at_.slopes.cwiseAbs().sum();
      const auto fall = [&](double b) {
        risk_.template evaluate<true>(scores.array() + (b - offset), at_);
        return -at_.slopes.sum();
      };
      move_to(weights, numerics::falling_root(fall, offset, 1e-3 * (1 + std::abs(offset)), small));
    }
    prove();
  }

  /// Iterates until the criterion is met or the iterations are used up. An observer is told
  /// `change` and `step_size` of the iteration.
  template <class T>
  Solution<T> finish(double tolerance, Index iterations, const Extras<T>& extras) {
    Index updates = 0;
    bool open = std::isfinite(value_);
    bool converged = has_dual() && is_near(tolerance);
    bool stopped = false;
    while (open && !converged && !stopped && updates < iterations) {
      open = iterate();
      ++updates;
      converged = is_near(tolerance) || (!open && !has_dual());
      // F is about 0: at its minimum if the loss is curved there, else on the way to an infimum far
      // away.
      if (!has_dual() && value_ < 1e-12 * rounding_) {
        open = false;
        converged = at_.curvatures.sum() > 0.1 * objective_.loss.curvature_bound();
      }
      if (extras.observer) stopped = extras.observer(progress(updates)) == Control::stop;
    }
    auto solution = rounded_solution<T>();
    solution.updates = updates;
    solution.status = !std::isfinite(value_) ? Status::diverged
                      : converged            ? Status::converged
                      : stopped              ? Status::stopped
                                             : Status::epoch_limit;
    return solution;
  }

 private:
  /// Has D a finite value but at 0? A penalty without strength has a conjugate that is finite at 0
  /// only.
  bool has_dual() const {
    return std::isfinite(objective_.penalty.conjugate(std::numeric_limits<double>::min()));
  }

  /// Is F known, or without a dual estimated, to be within `tolerance` of its minimum?
  bool is_near(double tolerance) const {
    const double allowed = tolerance * std::abs(value_);
    if (has_dual()) return value_ - dual_ <= std::max(allowed, rounding_);
    return step_ == 1 && promise_ <= 0.01 * allowed;
  }

  Progress progress(Index updates) const {
    Progress progress;
    progress.epoch = progress.updates = updates;
    progress.objective = progress.best_objective = value_;
    progress.change = change_;
    progress.step_size = step_;
    if (has_dual()) progress.gap = std::max(value_ - dual_, 0.0);
    return progress;
  }

  /// The iterate with weights rounded to T, and F of those. Updates and status are left to set.
  template <class T>
  Solution<T> rounded_solution() {
    Solution<T> solution;
    solution.weights = weights_.template cast<T>();
    solution.offset = static_cast<T>(offset_);
    move_to(solution.weights.template cast<double>(), static_cast<double>(solution.offset));
    solution.objective = value_;
    if (has_dual()) solution.gap = std::max(value_ - dual_, 0.0);
    solution.epochs = (visits_ + model_.visits()) / columns_.cols();
    return solution;
  }

  /// One iteration. False if no step lowers F, or if the last ten have gained no more than
  /// rounding.
  bool iterate() {
    std::vector<Index> working;
    for (Index j = 0; j < weights_.size(); ++j)
      if (weights_[j] != 0 || objective_.penalty.proximal(dual_sum_[j], 1.0) != 0)
        working.push_back(j);
    while (true) {
      const double least = floor_ * objective_.loss.curvature_bound();
      model_.descend(at_.slopes, at_.curvatures.cwiseMax(least * risk_.parts()), weights_, working);
      promise_ = objective_.penalty.value(weights_) - objective_.penalty.value(model_.target()) -
                 at_.slopes.dot(model_.moves());
      promise_ = std::max(promise_, model_.fall() / 2);  // small differences lose digits
      if (!(promise_ > 0)) return false;
      if (search()) break;
      if (floor_ == 1) return false;
      floor_ = 1;
    }
    floor_ = step_ == 1 ? std::max(floor_ / 4, 1e-12) : std::min(16 * floor_, 1.0);
    const double gap = value_ - dual_;
    prove();
    if (promise_ > std::numeric_limits<double>::epsilon() * std::abs(value_)) return true;
    idle_ = value_ - dual_ > 0.9 * gap ? idle_ + 1 : 0;
    return idle_ < 10;
  }

  /// Moves to weights and offset. Computes scores and F anew.
  void move_to(const Vector<double>& weights, double offset) {
    weights_ = weights;
    offset_ = offset;
    scores_ = Vector<double>::Constant(risk_.samples(), offset);
    for (Index j = 0; j < weights.size(); ++j)
      if (weights[j] != 0) columns_.add(j, weights[j], scores_);
    value_ = risk_.template evaluate<true>(scores_, at_) + objective_.penalty.value(weights);
  }

  /// Moves along the line to the model's minimum: by the whole step or half of it, a quarter, …,
  /// the first that meets Armijo's rule. False if there is none.
  bool search() {
    const double slack = 16 * std::numeric_limits<double>::epsilon() * std::abs(value_);
    Vector<double> scores;
    Vector<double> weights;
    for (double t = 1; t > 1e-12; t /= 2) {
      scores = scores_ + t * model_.moves();
      weights = t == 1 ? model_.target() : weights_ + t * model_.direction();
      const double value =
          risk_.template evaluate<true>(scores, at_) + objective_.penalty.value(weights);
      if (!(value <= value_ - 0.01 * t * promise_ + slack)) continue;
      const double moved = t * std::hypot(model_.direction().norm(), model_.offset_move());
      offset_ += t * model_.offset_move();
      weights_.swap(weights);
      scores_.swap(scores);
      const double norm = std::hypot(weights_.norm(), offset_);
      change_ = norm > 0 ? moved / norm : 0;
      value_ = value;
      step_ = t;
      return true;
    }
    risk_.template evaluate<true>(scores_, at_);
    return false;
  }

  /// D at the multipliers of the slopes: balanced for an offset, and scaled towards 0 until Ω* is
  /// finite.
  void prove() {
    const Vector<double> multipliers = risk_.multipliers(at_.slopes, has_offset_);
    const Vector<double> terms = risk_.parts().cwiseProduct(multipliers);
    dual_sum_.resize(columns_.cols());
    for (Index j = 0; j < dual_sum_.size(); ++j) dual_sum_[j] = columns_.dot(j, terms);
    visits_ += dual_sum_.size();
    const double scale = dual::largest_scale(objective_.penalty, dual_sum_);
    dual_ = std::max(dual_, risk_.dual(multipliers, scale) -
                                dual::conjugate_of(objective_.penalty, dual_sum_, scale));
  }

  const Objective<L, P>& objective_;
  const Columns& columns_;
  bool has_offset_;
  RiskOfScores<L> risk_;
  typename RiskOfScores<L>::Samplewise at_{};  // at the scores
  CoordinateModel<Columns, P> model_;
  Vector<double> weights_{};
  double offset_{0};
  Vector<double> scores_{};
  Vector<double>
      dual_sum_{};  // (1/S) Σᵢ sᵢαᵢxᵢ at the balanced multipliers: about −∇ of the mean loss
  double value_{0};
  double rounding_{0};                                     // of F at w = 0
  double dual_{-std::numeric_limits<double>::infinity()};  // the best bound so far
  double floor_{
      1e-3};  // least curvature of the model over the bound of ℓ″; 1: the model is above F
  double promise_{0};  // fall of the model without its quadratic part
  double step_{0};     // of the last iteration; 1: to the minimum of the model
  double change_{0};   // of (w, b) in the last iteration, relative
  Index idle_{0};      // iterations in a row that gained no more than rounding
  Index visits_{0};    // to columns, beside those of the model
};

}  // namespace linea::smooth
