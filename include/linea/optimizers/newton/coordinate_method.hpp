// SPDX-License-Identifier: MIT
#pragma once
/// \file The method of coordinate descent.
#include <algorithm>  // max
#include <cmath>      // abs, hypot, isfinite
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/objective.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/newton/coordinate_model.hpp>
#include <linea/optimizers/newton/risk_of_scores.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <linea/samples/columns.hpp>
#include <vector>

namespace linea::newton {

/// By what to move all scores (n) for the mean loss to be least, to rounding; `size` is about that
/// of the move or of the scores. Uses `at`.
template <class Risk>
double best_move(const Risk& risk, const Vector<core::DoubleFor<Risk>>& scores, double size,
                 typename Risk::Samplewise& at) {
  const Vector<core::DoubleFor<Risk>> ones = core::filled(scores.size(), 1.0);
  double sizes = 0;
  const auto fall = [&](double move) {
    risk.evaluate(scores, at, move, &ones);
    double sum = sizes = 0;
    for (const double slope : at.slopes) {
      sum += slope;
      sizes += std::abs(slope);
    }
    return -sum;
  };
  fall(0);
  double move = 0;
  // Twice, as slopes far from the best move say little of how small they are to be.
  for (int round = 0; round < 2; ++round)
    move = linear_algebra::falling_root(fall, move, 1e-3 * size, 1e-15 * sizes);
  return move;
}

/// What a run of CoordinateDescent learns from its steps about the models to come.
struct CoordinatePace {
  double floor{1e-3};  ///< least curvature of the model over the bound of ℓ″; 1: it is above F
  double promise{
      std::numeric_limits<double>::infinity()};  ///< fall of the model but its quadratic part
  double step{0};       ///< of the last iteration; 1: to the model's minimum
  Index falls_fast{0};  ///< whole steps in a row that promised half of what the last did, or less
  Index idle{0};        ///< iterations in a row that gained no more than rounding

  /// Takes note of a step; `last`: what the model before had promised.
  void add(double last) {
    falls_fast = step == 1 && promise <= 0.5 * last ? falls_fast + 1 : 0;
    floor = step == 1 ? std::max(floor / 4, 1e-12) : std::min(16 * floor, 1.0);
  }

  /// Has the step to F = value, and to this gap from the one before, gained more than rounding, or
  /// one of the last ten?
  bool is_open(double value, double gap_before, double gap) {
    if (promise > std::numeric_limits<double>::epsilon() * std::abs(value)) return true;
    idle = gap > 0.9 * gap_before ? idle + 1 : 0;
    return idle < 10;
  }

  /// Of the tolerance, what an iteration that promises less may settle at: less where the promises
  /// hardly fall, for many more may come.
  double rest(bool open) const { return falls_fast > 1 || !open ? 1e-2 : 1e-6; }
};

/// The iterate of CoordinateDescent, its F, and the best dual bound so far, on samples that are
/// validated, in double and centred. All that it is given must outlive it. An iteration minimises a
/// quadratic model of F (see CoordinateModel) and searches the line to its minimum.
template <class L, class P, class Columns>
class CoordinateMethod : public solver::MethodBase {
 public:
  using Real = core::DoubleFor<Columns>;
  /// Starts at the weights of θ (d), or where they must not be those of a finite penalty next to
  /// them, and, with offset, at the best b for them; the b of θ is where the search for it begins.
  /// Set, columns and θ are in the frame.
  CoordinateMethod(const Objective<L, P>& objective, const Vector<Real>& y,
                   const Vector<Real>& weights, const samples::Frame<>& frame,
                   const Columns& columns, bool has_offset, const Vector<Real>& theta)
      : objective_(objective),
        frame_(frame),
        columns_(columns),
        has_offset_(has_offset),
        has_dual_(finite_at(std::numeric_limits<double>::min()) &&
                  finite_at(-std::numeric_limits<double>::min())),
        risk_(objective.loss, y, weights),
        model_(columns, objective.penalty, has_offset) {
    move_to(allowed(Vector<Real>::Zero(columns.cols())), 0);
    if (has_offset) find_best_offset();
    constant_ = point();
    move_to(allowed(theta.head(columns.cols())), has_offset ? theta[columns.cols()] : 0);
    if (has_offset) find_best_offset();
    prove();
  }

  double value() const { return value_; }
  Point<double> point() const { return {weights_, offset_, value_}; }
  const Point<double>& constant() const { return constant_; }
  const samples::Frame<>& frame() const { return frame_; }
  Index passes() const { return (visits_ + model_.visits()) / columns_.cols(); }
  /// Computes the scores anew, and stays there.
  double value_at(const Point<double>& point) {
    move_to(point.weights, point.offset);
    return value_;
  }

  double bound_here() const { return has_dual_ ? dual_ : -std::numeric_limits<double>::infinity(); }
  /// Without a dual, as the conjugate of a penalty of strength 0 has none but at 0: what the last
  /// model promised, the more carefully the less its promises fall.
  double decrement() const {
    if (!has_dual_ && value_ < 1e-28 * constant_.objective) return 0;  // the rounding of nothing
    return has_dual_ ? std::numeric_limits<double>::infinity()
                     : pace_.promise / pace_.rest(is_open_);
  }
  void describe(Progress& progress) const {
    progress.change = change_;
    progress.step_size = pace_.step;
  }

  /// False if no step lowers F, or the last ten have gained no more than rounding.
  bool iterate(double) {
    const std::vector<Index> working = working_set();
    const double last_promise = pace_.promise;
    double& promise = pace_.promise;
    while (true) {
      const double least = pace_.floor * objective_.loss.curvature_bound();
      const Vector<Real> curvatures = at_.curvatures.cwiseMax(least * risk_.parts());
      model_.descend(at_.slopes, curvatures, weights_, working);
      promise = objective_.penalty.value(weights_) - objective_.penalty.value(model_.target()) -
                at_.slopes.dot(model_.moves());
      promise = std::max(promise, model_.fall() / 2);  // small differences lose digits
      if (!(promise > 0)) return is_open_ = false;
      if (search()) break;
      if (pace_.floor == 1) return is_open_ = false;
      pace_.floor = 1;
    }
    pace_.add(last_promise);
    const double gap = value_ - dual_;
    prove();
    return is_open_ = pace_.is_open(value_, gap, value_ - dual_);
  }

 private:
  /// Is Ω*(v) finite, for all entries of v the same?
  bool finite_at(double v) const {
    return dual::largest_scale(objective_.penalty, core::filled(columns_.cols(), v)) == 1;
  }

  /// The weights of finite penalty next to these.
  Vector<Real> allowed(Vector<Real> weights) const {
    for (Index j = 0; j < weights.size(); ++j)
      weights[j] =
          of_column(objective_.penalty, j).proximal(weights[j], std::numeric_limits<double>::min());
    return weights;
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

  /// The weights that are not 0 and, of those that the penalty does not hold at 0, the ones whose
  /// slopes are the farthest beyond it: at least as many, and 50, or all of them. So the set grows
  /// geometrically (Massias, Gramfort and Salmon, ICML 2018). Without a bound it is always all.
  std::vector<Index> working_set() const {
    Vector<Real> excess = weights_;
    Index support = 0;
    double largest = 0;
    for (Index j = 0; j < weights_.size(); ++j) {
      excess[j] = std::abs(of_column(objective_.penalty, j).proximal(dual_sum_[j], 1.0));
      support += weights_[j] != 0 ? 1 : 0;
      if (weights_[j] == 0) largest = std::max(largest, double(excess[j]));
    }
    const auto list = [&](double least) {
      std::vector<Index> working;
      for (Index j = 0; j < weights_.size(); ++j)
        if (weights_[j] != 0 || (excess[j] != 0 && !(excess[j] < least))) working.push_back(j);
      return working;
    };
    const auto wanted = static_cast<std::size_t>(support + std::max<Index>(support, 50));
    for (double least = largest; has_dual_ && least > 1e-3 * largest; least /= 2)
      if (auto working = list(least); working.size() >= wanted) return working;
    return list(0);
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
  bool has_offset_, has_dual_;
  RiskOfScores<L> risk_;
  typename RiskOfScores<L>::Samplewise at_{};  // at the scores
  CoordinateModel<Columns, P> model_;
  Vector<Real> weights_{};
  double offset_{0}, value_{0};
  Vector<Real> scores_{}, dual_sum_{};  // the latter at the balanced multipliers
  Point<double> constant_{};
  double dual_{-std::numeric_limits<double>::infinity()};  // the best bound so far
  CoordinatePace pace_{};
  double change_{0};    // of the last iteration, relative
  bool is_open_{true};  // has the last iteration gained more than rounding?
  Index visits_{0};     // to columns, beside those of the model
};

}  // namespace linea::newton
