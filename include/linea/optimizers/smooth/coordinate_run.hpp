// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of coordinate descent: where it stands, one iteration, and the best dual point so far.
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

/// A run of CoordinateDescent on samples that have passed the door, in double: where it stands, one iteration, and the
/// best dual point so far. All that it is given must outlive it.
template <class L, class P, class Rows, class Columns>
class CoordinateRun {
 public:
  using Numbers = Eigen::VectorXd;

  /// From weights (d), and the best offset for them where there is to be one.
  CoordinateRun(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
                const Columns& columns, bool has_offset, const Numbers& weights, double offset)
      : objective_(objective),
        columns_(columns),
        has_offset_(has_offset),
        risk_(objective.loss, set.y, set.weights),
        model_(columns, objective.penalty, has_offset) {
    rounding_ = std::numeric_limits<double>::epsilon() *
                std::abs(risk_.template settle<false>(Numbers::Zero(set.y.size()), at_));
    place(weights, offset);
    if (has_offset) {
      const Numbers scores = scores_;
      const double small = 1e-15 * at_.slopes.cwiseAbs().sum();
      const auto fall = [&](double b) {
        risk_.template settle<true>(scores.array() + (b - offset), at_);
        return -at_.slopes.sum();
      };
      place(weights, numerics::falling_root(fall, offset, 1e-3 * (1 + std::abs(offset)), small));
    }
    prove();
  }

  /// To the end, where the criterion is met, or the iterations are used up. `change` and `step_size` of the news are
  /// those of the iteration.
  template <class T>
  Solution<T> finish(double tolerance, Index iterations, const Extras<T>& extras) {
    // Without strength of the penalty its conjugate is finite at 0 only.
    const bool has_dual =
        std::isfinite(objective_.penalty.conjugate(std::numeric_limits<double>::min()));
    const auto is_near = [&] {
      const double allowed = tolerance * std::abs(value_);
      if (has_dual) return value_ - dual_ <= std::max(allowed, rounding_);
      return step_ == 1 && promise_ <= 0.01 * allowed;
    };
    Solution<T> solution;
    bool open = std::isfinite(value_);
    bool converged = has_dual && is_near();
    bool stopped = false;
    while (open && !converged && !stopped && solution.updates < iterations) {
      open = iterate();
      ++solution.updates;
      converged = is_near() || (!open && !has_dual);
      // A minimum of 0, or an infimum still far away.
      if (!has_dual && value_ < 1e-12 * rounding_) {
        open = false;
        converged = at_.curvatures.sum() > 0.1 * objective_.loss.curvature_bound();
      }
      if (!extras.observer) continue;
      Progress progress;
      progress.epoch = progress.updates = solution.updates;
      progress.objective = progress.best_objective = value_;
      progress.change = change_;
      progress.step_size = step_;
      if (has_dual) progress.gap = std::max(value_ - dual_, 0.0);
      stopped = extras.observer(progress) == Control::stop;
    }
    solution.weights = weights_.template cast<T>();
    solution.offset = static_cast<T>(offset_);
    place(solution.weights.template cast<double>(), static_cast<double>(solution.offset));
    solution.objective = value_;
    if (has_dual) solution.gap = std::max(value_ - dual_, 0.0);
    solution.status = !std::isfinite(value_) ? Status::diverged
                      : converged            ? Status::converged
                      : stopped              ? Status::stopped
                                             : Status::epoch_limit;
    solution.epochs = (visits_ + model_.visits()) / columns_.cols();
    return solution;
  }

 private:
  /// False where no step brings F down, be it by more than rounding.
  bool iterate() {
    std::vector<Index> working;
    for (Index j = 0; j < weights_.size(); ++j)
      if (weights_[j] != 0 || objective_.penalty.proximal(pull_[j], 1.0) != 0) working.push_back(j);
    while (true) {
      const double least = floor_ * objective_.loss.curvature_bound();
      model_.descend(at_.slopes, at_.curvatures.cwiseMax(least * risk_.parts()), weights_, working);
      promise_ = objective_.penalty.value(weights_) - objective_.penalty.value(model_.target()) -
                 at_.slopes.dot(model_.moves());
      promise_ = std::max(promise_, model_.fall() / 2);  // be the difference ever so small
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

  /// To weights and offset, with scores and F computed anew.
  void place(const Numbers& weights, double offset) {
    weights_ = weights;
    offset_ = offset;
    scores_ = Numbers::Constant(risk_.samples(), offset);
    for (Index j = 0; j < weights.size(); ++j)
      if (weights[j] != 0) columns_.add(j, weights[j], scores_);
    value_ = risk_.template settle<true>(scores_, at_) + objective_.penalty.value(weights);
  }

  /// Armijo's rule along the scores, from the whole step by halves.
  bool search() {
    const double slack = 16 * std::numeric_limits<double>::epsilon() * std::abs(value_);
    Numbers scores;
    Numbers weights;
    for (double t = 1; t > 1e-12; t /= 2) {
      scores = scores_ + t * model_.moves();
      weights = t == 1 ? model_.target() : weights_ + t * model_.direction();
      const double value =
          risk_.template settle<true>(scores, at_) + objective_.penalty.value(weights);
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
    risk_.template settle<true>(scores_, at_);
    return false;
  }

  /// The dual point of the slopes: balanced for an offset, and drawn towards 0 until Ω* is finite.
  void prove() {
    const Numbers multipliers = risk_.multipliers(at_.slopes, has_offset_);
    const Numbers shares = risk_.parts().cwiseProduct(multipliers);
    pull_.resize(columns_.cols());
    for (Index j = 0; j < pull_.size(); ++j) pull_[j] = columns_.dot(j, shares);
    visits_ += pull_.size();
    const double scale = dual::largest_scale(objective_.penalty, pull_);
    dual_ = std::max(dual_, risk_.dual(multipliers, scale) -
                                dual::conjugate_of(objective_.penalty, pull_, scale));
  }

  const Objective<L, P>& objective_;
  const Columns& columns_;
  bool has_offset_;
  RiskOfScores<L> risk_;
  typename RiskOfScores<L>::Samplewise at_{};  // at the scores
  CoordinateModel<Columns, P> model_;
  Numbers weights_{};
  double offset_{0};
  Numbers scores_{};
  Numbers pull_{};  // −∇ of the mean loss, at the balanced multipliers
  double value_{0};
  double rounding_{0};  // of F at w = 0
  double dual_{-std::numeric_limits<double>::infinity()};
  double floor_{1e-3};  // of the curvatures, over their bound: 1 makes the model a bound
  double promise_{0};   // what the model comes down by, curvature apart
  double step_{0};
  double change_{0};
  Index idle_{0};
  Index visits_{0};
};

}  // namespace linea::smooth
