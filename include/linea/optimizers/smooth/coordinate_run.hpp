// SPDX-License-Identifier: MIT
#pragma once
/// \file A run of coordinate descent.
#include <algorithm>  // max
#include <cmath>      // abs, hypot, isfinite
#include <concepts>   // same_as
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/smooth/best_move.hpp>
#include <linea/optimizers/smooth/constant.hpp>
#include <linea/optimizers/smooth/coordinate_model.hpp>
#include <linea/optimizers/smooth/coordinate_pace.hpp>
#include <linea/optimizers/smooth/progress.hpp>
#include <linea/optimizers/smooth/risk_of_scores.hpp>
#include <linea/samples/columns.hpp>
#include <linea/samples/frame.hpp>
#include <vector>

namespace linea::smooth {

/// A run of CoordinateDescent: the iterate, its F, and the best dual bound so far. The samples have
/// passed the door and are in double. All that the run is given must outlive it. An iteration
/// minimises a quadratic model of F (see CoordinateModel) and searches the line to its
/// minimum.
template <class L, class P, class Columns>
class CoordinateRun {
 public:
  using Real = core::DoubleFor<Columns>;
  /// Starts at the weights of θ (d) and, with offset, at the best b for them; the b of θ is where
  /// the search for it begins. Set, columns and θ are in the frame.
  CoordinateRun(const Objective<L, P>& objective, const Vector<Real>& y,
                const Vector<Real>& weights, const samples::Frame<>& frame, const Columns& columns,
                bool has_offset, const Vector<Real>& theta)
      : objective_(objective),
        frame_(frame),
        columns_(columns),
        has_offset_(has_offset),
        risk_(objective.loss, y, weights),
        model_(columns, objective.penalty, has_offset) {
    move_to(Vector<Real>::Zero(columns.cols()), 0);
    if (has_offset) find_best_offset();
    constant_ = {offset_, value_};
    rounding_ = std::numeric_limits<double>::epsilon() * std::abs(value_);
    move_to(theta.head(columns.cols()), has_offset ? theta[columns.cols()] : 0);
    if (has_offset) find_best_offset();
    prove();
  }

  /// Iterates until the criterion is met or the iterations are used up. An observer is told
  /// `change` and `step_size` of the iteration.
  template <class T>
  void descend(double tolerance, Index iterations, const Extras<T>& extras) {
    if (updates_ == 0) status_ = is_proven(tolerance) ? Status::converged : Status::epoch_limit;
    while (std::isfinite(value_) && status_ == Status::epoch_limit && !stopped_ &&
           updates_ < iterations) {
      const bool open = iterate();
      ++updates_;
      judge(tolerance, open);
      if (extras.observer) stopped_ = extras.observer(progress<T>(updates_)) == Control::stop;
    }
  }

  /// The iterate rounded to T; the best constant where that lost all gain, or overflow the run.
  template <class T>
  Solution<T> solution(double tolerance) {
    if (stopped_ && status_ != Status::converged) status_ = Status::stopped;
    Solution<T> solution;
    solution.status = status_;
    const double before = value_;
    round_to(solution);
    const double allowed = std::max(tolerance * std::abs(value_), rounding_);
    if (status_ <= Status::settled && value_ - (has_dual() ? dual_ : before) > allowed)
      solution.status = Status::precision_limit;
    else if (status_ == Status::precision_limit && is_proven(tolerance))
      solution.status = Status::converged;  // the rounding of the run's scores is gone
    if (!std::isfinite(value_)) solution.status = Status::diverged;
    if (solution.status == Status::diverged ||
        (solution.status == Status::precision_limit && value_ > constant_.value)) {
      move_to(Vector<Real>::Zero(weights_.size()), constant_.offset);
      round_to(solution);
    }
    solution.objective = value_;
    if (has_dual()) solution.gap = std::max(value_ - dual_, 0.0);
    solution.epochs = (visits_ + model_.visits()) / columns_.cols();
    solution.iterations = solution.updates = updates_;
    return solution;
  }

 private:
  /// Has D a finite value but at 0? The conjugate of a penalty without strength has none.
  bool has_dual() const {
    return std::isfinite(objective_.penalty.conjugate(std::numeric_limits<double>::min()));
  }

  /// Is F known to be within `tolerance` of its minimum?
  bool is_proven(double tolerance) const {
    return has_dual() && value_ - dual_ <= std::max(tolerance * std::abs(value_), rounding_);
  }

  /// The status that an iteration leads to; `open`: it has lowered F by more than rounding.
  void judge(double tolerance, bool open) {
    if (is_proven(tolerance)) {
      status_ = Status::converged;
    } else if (!has_dual() && value_ < 1e-12 * rounding_) {
      // At the minimum 0 if the loss is curved there, else on the way to an infimum far away.
      const double least = 0.1 * objective_.loss.curvature_bound();
      status_ = at_.curvatures.sum() > least ? Status::converged : Status::settled;
    } else if (!has_dual() && pace_.promise <= pace_.rest(open) * tolerance * std::abs(value_)) {
      status_ = Status::settled;  // what the model promises is no proof
    } else if (!open) {
      status_ = Status::precision_limit;
    }
  }

  template <class T>
  Progress progress(Index updates) const {
    Progress progress = progress_at(updates, value_, change_, pace_.step);
    progress.iterate = [this] { return frame_.template leave<T>(weights_, offset_, value_); };
    if (has_dual()) progress.gap = std::max(value_ - dual_, 0.0);
    return progress;
  }

  /// Moves to the iterate rounded to T, with the offset of the samples as they are stored.
  template <class T>
  void round_to(Solution<T>& solution) {
    Vector<Real> theta(weights_.size() + has_offset_);
    theta.head(weights_.size()) = weights_.template cast<T>().template cast<double>();
    if (!std::same_as<T, double> && has_offset_) {  // b makes up for some of their rounding
      move_to(theta.head(weights_.size()), offset_);
      find_best_offset();
    }
    if (has_offset_) theta[weights_.size()] = offset_;
    frame_.leave(theta, has_offset_, solution.weights, solution.offset);
    frame_.enter(solution.weights, solution.offset, has_offset_, theta);
    move_to(theta.head(columns_.cols()), has_offset_ ? theta[columns_.cols()] : 0);
  }

  /// One iteration. False if no step lowers F, or the last ten have gained no more than rounding.
  bool iterate() {
    std::vector<Index> working;
    for (Index j = 0; j < weights_.size(); ++j)
      if (weights_[j] != 0 || objective_.penalty.proximal(dual_sum_[j], 1.0) != 0)
        working.push_back(j);
    const double last_promise = pace_.promise;
    double& promise = pace_.promise;
    while (true) {
      const double least = pace_.floor * objective_.loss.curvature_bound();
      const Vector<Real> curvatures = at_.curvatures.cwiseMax(least * risk_.parts());
      model_.descend(at_.slopes, curvatures, weights_, working);
      promise = objective_.penalty.value(weights_) - objective_.penalty.value(model_.target()) -
                at_.slopes.dot(model_.moves());
      promise = std::max(promise, model_.fall() / 2);  // small differences lose digits
      if (!(promise > 0)) return false;
      if (search()) break;
      if (pace_.floor == 1) return false;
      pace_.floor = 1;
    }
    pace_.add(last_promise);
    const double gap = value_ - dual_;
    prove();
    return pace_.is_open(value_, gap, value_ - dual_);
  }

  /// Moves to weights and offset. Computes scores and F anew.
  void move_to(const Vector<Real>& weights, double offset) {
    weights_ = weights;
    offset_ = offset;
    scores_ = Vector<Real>::Constant(risk_.samples(), offset);
    for (Index j = 0; j < weights.size(); ++j)
      if (weights[j] != 0) columns_.add(j, weights[j], scores_);
    value_ = risk_.mean(scores_, at_) + objective_.penalty.value(weights);
  }

  void find_best_offset() {
    const Vector<Real> weights = weights_;
    move_to(weights, offset_ + best_move(risk_, scores_, 1 + std::abs(offset_), at_));
  }

  /// Moves along the line to the model's minimum: by the whole step or half of it, a quarter, …,
  /// the first that meets Armijo's rule. False if there is none.
  bool search() {
    const double slack = 16 * std::numeric_limits<double>::epsilon() * std::abs(value_);
    Vector<Real> scores;
    Vector<Real> weights;
    for (double t = 1; t > 1e-12; t /= 2) {
      scores = scores_ + t * model_.moves();
      weights = t == 1 ? model_.target() : weights_ + t * model_.direction();
      const double value = risk_.mean(scores, at_) + objective_.penalty.value(weights);
      if (!(value <= value_ - 0.01 * t * pace_.promise + slack)) continue;
      const double moved = t * std::hypot(model_.direction().norm(), model_.offset_move());
      offset_ += t * model_.offset_move();
      weights_.swap(weights);
      scores_.swap(scores);
      const double norm = std::hypot(weights_.norm(), offset_);
      change_ = norm > 0 ? moved / norm : 0;
      value_ = value;
      pace_.step = t;
      return true;
    }
    risk_.mean(scores_, at_);
    return false;
  }

  /// D at the multipliers of the slopes: balanced for an offset, and scaled towards 0 until Ω* is
  /// finite.
  void prove() {
    const Vector<Real> multipliers = risk_.multipliers(at_.slopes, has_offset_);
    const Vector<Real> terms = risk_.in_parts(multipliers);
    dual_sum_ = samples::dots_of(columns_, terms);
    visits_ += dual_sum_.size();
    const double scale = dual::largest_scale(objective_.penalty, dual_sum_);
    dual_ = std::max(dual_, risk_.dual(multipliers, scale) -
                                dual::conjugate_of(objective_.penalty, dual_sum_, scale));
  }

  const Objective<L, P>& objective_;
  const samples::Frame<>& frame_;
  const Columns& columns_;
  bool has_offset_;
  RiskOfScores<L> risk_;
  typename RiskOfScores<L>::Samplewise at_{};  // at the scores
  CoordinateModel<Columns, P> model_;
  Vector<Real> weights_{};
  double offset_{0}, value_{0};
  Vector<Real> scores_{}, dual_sum_{};  // the latter at the balanced multipliers
  Constant constant_{};
  double rounding_{0};                                     // of F at the best constant
  double dual_{-std::numeric_limits<double>::infinity()};  // the best bound so far
  CoordinatePace pace_{};
  Status status_{Status::epoch_limit};
  bool stopped_{false};           // by the observer
  double change_{0};              // of the last iteration, relative
  Index updates_{0}, visits_{0};  // iterations; visits to columns, beside those of the model
};

}  // namespace linea::smooth
