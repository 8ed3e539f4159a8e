// SPDX-License-Identifier: MIT
#pragma once
/// \file The solver::Method of CoordinateDescent: see solver/solve.hpp.
#include <algorithm>  // copy, max, min
#include <cmath>      // abs, hypot, isfinite, sqrt
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/newton/coordinate_model.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <linea/proof/bound.hpp>
#include <linea/proof/separable_penalty.hpp>
#include <linea/samples/columns.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// The dual sums of k classes (k = 1 for a loss of one score), and the terms of the dual D and of
/// the gap that depend on these sums: see proof/bound.hpp. `scale` multiplies the dual variables in
/// D. Columns and penalty must outlive this object.
struct DualSums {
  using Table = detail::ColumnMatrix<double>;

  const samples::Columns& columns;
  const proof::SeparablePenalty& penalty;
  Table terms{};        ///< sᵢαᵢ/S (n × k)
  Table sums{};         ///< the dual sums (d × k)
  double scale{1};      ///< the largest scale ≤ 1 with a finite Ω*
  double least_gap{0};  ///< a lower bound on the gap
  Index visits{0};      ///< number of visits to columns so far

  /// Stores the terms, and sets sums, scale and least_gap for weights w (d × k) with these scores
  /// (n × k). The bound on the gap follows from the inequality of Fenchel and Young,
  /// ℓ(p) + ℓ*(−α) ≥ −⟨α, p⟩.
  void find(Table new_terms, const Table& w, const Table& scores) {
    terms = std::move(new_terms);
    sums.resize(columns.cols(), terms.cols());
    scale = 1;
    least_gap = 0;
    for (Index k = 0; k < sums.cols(); ++k) {
      const Vector<double> dots = columns.dots(linear_algebra::column_of(terms, k));
      std::copy(dots.begin(), dots.end(), &sums(0, k));
      scale = std::min(scale, penalty.largest_scale(dots));
      least_gap += penalty.value(linear_algebra::column_of(w, k));
    }
    least_gap +=
        conjugate(scale) - scale * linear_algebra::dot(terms.data(), scores.data(), terms.size());
    visits += sums.size();
  }

  /// Returns Ω* at t times the sums.
  double conjugate(double t) const {
    double sum = 0;
    for (Index k = 0; k < sums.cols(); ++k)
      sum += penalty.conjugate(linear_algebra::column_of(sums, k), t);
    return sum;
  }

  /// Returns D, less its rounding error, at the scaled dual variables or, far from the minimum, at
  /// the best multiple of them. of_losses(t) returns the part of D that depends on the losses, for
  /// t times the dual variables. F = `value` at the weights w (d × k).
  template <class OfLosses>
  double bound(double value, const Table& w, const OfLosses& of_losses) const {
    const auto dual = [&](double t) { return of_losses(t) - conjugate(t); };
    double best = dual(scale);
    if (proof::is_low(best, value)) best = std::max(proof::best_multiple(scale, dual), dual(0));
    return best - rounding(value, w);
  }

  /// Returns the rounding error of D near its maximum, for F = `value` at the weights w (d × k). An
  /// error e in the dual sums of non-zero weights changes D by about |e|·Σ|wⱼₖ|, through `scale`.
  /// The inequality of Cauchy and Schwarz bounds the sizes of the terms of these sums, and so e.
  double rounding(double value, const Table& w) const {
    double largest = 0, in_all = 0;
    for (Index k = 0; k < sums.cols(); ++k) {
      in_all += linear_algebra::sizes_of(linear_algebra::column_of(w, k));
      Vector<double> sizes = linear_algebra::column_of(terms, k);
      for (double& size : sizes) size = std::abs(size);
      const double total = linear_algebra::sum_of(sizes);
      for (Index j = 0; j < sums.rows(); ++j)
        if (w(j, k) != 0)
          largest = std::max(largest, total * columns.moments(j, false, sizes, total).square);
    }
    return 4 * std::numeric_limits<double>::epsilon() *
           (std::abs(value) + in_all * std::sqrt(largest));
  }
};

/// Parameters of the quadratic models of CoordinateDescent, adapted after each step.
struct CoordinatePace {
  double floor{1e-3};  ///< least curvature of the model, relative to sup ℓ″; at 1 the model is ≥ F
  /// The decrease of F that the last model predicts without its quadratic term ½Σhᵢmᵢ².
  double promise{std::numeric_limits<double>::infinity()};
  double step{0};       ///< length of the last step; 1 leads to the minimum of the model
  Index falls_fast{0};  ///< full steps in a row that `add` counts as fast
  Index idle{0};        ///< steps in a row without progress: see is_open
  double least_gap{std::numeric_limits<double>::infinity()};  ///< least gap that is_open recorded

  /// Updates `floor` and `falls_fast` after a step. `last` is the previous `promise`. A full step
  /// that at least halves `promise` is fast, unless it changes which weights are 0: a weight that
  /// has just left 0 may still be far from its final value.
  void add(double last, bool keeps_zeros) {
    falls_fast = step == 1 && promise <= 0.5 * last && keeps_zeros ? falls_fast + 1 : 0;
    floor = step == 1 ? std::max(floor / 4, 1e-12) : std::min(16 * floor, 1.0);
  }

  /// Should the run go on after a step that led to F = `value` with this gap? Yes if the step
  /// promised to lower F by more than rounding. Among the other steps, ten in a row that do not
  /// reduce the least gap by a tenth end the run.
  bool is_open(double value, double gap) {
    const double rounding = std::numeric_limits<double>::epsilon() * std::abs(value);
    if (promise > rounding) return true;
    gap = std::max(gap, rounding);
    idle = gap > 0.9 * least_gap ? idle + 1 : 0;
    least_gap = std::min(least_gap, gap);
    return idle < 10;
  }

  /// Returns the fraction of the tolerance that `promise` must reach for the run to settle. The
  /// fraction is 1e-2 if `falls_fast` is at least 2 or the run is not `open` (see is_open).
  /// Otherwise it is 1e-6, because many more steps may follow.
  double rest(bool open) const { return falls_fast > 1 || !open ? 1e-2 : 1e-6; }
};

/// What coordinate descent minimises: a loss, a penalty, targets y (n) and sample weights (n) of
/// validated and centred samples. All members must outlive the run.
struct CoordinateProblem {
  const samples::LossBlocks& loss;
  const proof::SeparablePenalty& penalty;
  const Vector<double>&y, &weights;
  const samples::Frame<>& frame;
  const samples::Columns& columns;
  bool has_offset;
};

/// The iterate of coordinate descent: weights (d) and offset, with their scores and F. A step
/// minimises a quadratic model of F (see CoordinateModel) and searches the line to the minimum of
/// the model.
struct CoordinateIterate {
  const samples::LossBlocks& loss;
  const proof::SeparablePenalty& penalty;
  const samples::Columns& columns;
  samples::RiskOfScores risk;
  CoordinateModel model;
  Vector<double> weights{}, scores{};
  double offset{0}, value{0};
  samples::RiskOfScores::Samplewise at{};  ///< slopes and curvatures at the scores
  CoordinatePace pace{};
  double change{0};  ///< relative change of (w, b) by the last step

  explicit CoordinateIterate(const CoordinateProblem& of)
      : loss(of.loss),
        penalty(of.penalty),
        columns(of.columns),
        risk(loss, of.y, of.weights),
        model(columns, penalty, of.has_offset) {}

  /// Moves to the weights w and the offset b. Computes the scores if they are not given, and sets
  /// `at` and F.
  void move_to(const Vector<double>& w, double b, Vector<double> scores_there) {
    weights = w;
    offset = b;
    scores = std::move(scores_there);
    value = risk.evaluate(scores, at) + penalty.value(weights);
  }
  void move_to(const Vector<double>& w, double b) {
    Vector<double> scores_there = detail::filled(risk.samples(), b);
    for (Index j = 0; j < w.size(); ++j)
      if (w[j] != 0) columns.add(j, w[j], scores_there);
    move_to(w, b, std::move(scores_there));
  }

  void find_best_offset() {
    const Vector<double> w = weights;
    move_to(w, offset + samples::best_move(risk, scores, 1 + std::abs(offset), at));
  }

  /// Returns the indices of all non-zero weights, and of the zero weights that most violate the
  /// optimality conditions for these dual sums (d). Takes at least as many zero weights as there
  /// are non-zero weights, and at least 50, so that the set grows geometrically (Massias, Gramfort
  /// and Salmon, ICML 2018). Takes all that violate the conditions if there are fewer, or if
  /// `is_all`.
  std::vector<Index> working_set(const Vector<double>& dual_sum, bool is_all) const {
    Vector<double> excess = weights;
    Index support = 0;
    double largest = 0;
    for (Index j = 0; j < weights.size(); ++j) {
      excess[j] = std::abs(penalty.proximal(j, dual_sum[j], 1));
      support += weights[j] != 0 ? 1 : 0;
      if (weights[j] == 0) largest = std::max(largest, excess[j]);
    }
    const auto list = [&](double least) {
      std::vector<Index> working;
      for (Index j = 0; j < weights.size(); ++j)
        if (weights[j] != 0 || (excess[j] != 0 && !(excess[j] < least))) working.push_back(j);
      return working;
    };
    const auto wanted = static_cast<std::size_t>(support + std::max<Index>(support, 50));
    for (double least = largest; !is_all && least > 1e-3 * largest; least /= 2)
      if (auto working = list(least); working.size() >= wanted) return working;
    return list(0);
  }

  /// Makes a step on the weights in `working`, on the way to a gap ≤ `allowed`. Returns false if no
  /// step lowers F.
  bool step(const std::vector<Index>& working, double allowed) {
    const double last_promise = pace.promise;
    double& promise = pace.promise;
    const Vector<double> before = weights;
    // Newton's method converges quadratically: if this model falls by f, the next falls by about
    // f²/last_promise. This is at most `allowed`/100 if f is at most last_fall. The gap converges
    // later than F.
    const double last_fall =
        std::isfinite(last_promise) ? 0.1 * std::sqrt(allowed * last_promise) : 0;
    while (true) {
      const double least = pace.floor * loss.traits().curvature_bound;
      Vector<double> curvatures = risk.parts();
      for (Index i = 0; i < curvatures.size(); ++i)
        curvatures[i] = std::max(at.curvatures[i], least * curvatures[i]);
      model.descend(at.slopes, curvatures, weights, working, last_fall, allowed);
      promise = penalty.value(weights) - penalty.value(model.target()) -
                linear_algebra::dot(at.slopes, model.moves());
      promise = std::max(promise, model.fall() / 2);  // the difference may lose digits
      if (!(promise > 0)) return false;
      if (search()) break;
      if (pace.floor == 1) return false;
      pace.floor = 1;
    }
    bool keeps_zeros = true;
    for (const Index j : working)
      keeps_zeros = keeps_zeros && (before[j] == 0) == (weights[j] == 0);
    pace.add(last_promise, keeps_zeros);
    return true;
  }

 private:
  /// Backtracks along the line to the minimum of the model, with steps 1, ½, ¼, …, until Armijo's
  /// condition holds. Returns false if it holds for no step.
  bool search() {
    const double slack = 16 * std::numeric_limits<double>::epsilon() * std::abs(value);
    Vector<double> scores_there;
    Vector<double> w;
    for (double t = 1; t > 1e-12; t /= 2) {
      scores_there = scores;
      linear_algebra::add(t, model.moves(), scores_there);
      w = t == 1 ? model.target() : weights;
      if (t < 1) linear_algebra::add(t, model.direction(), w);
      const double value_there = risk.evaluate(scores_there, at) + penalty.value(w);
      if (!(value_there <= value - 0.01 * t * pace.promise + slack)) continue;
      const double moved = t * std::hypot(std::sqrt(linear_algebra::squares_of(model.direction())),
                                          model.offset_move());
      offset += t * model.offset_move();
      weights.swap(w);
      scores.swap(scores_there);
      const double norm = std::hypot(std::sqrt(linear_algebra::squares_of(weights)), offset);
      change = norm > 0 ? moved / norm : 0;
      value = value_there;
      pace.step = t;
      return true;
    }
    risk.evaluate(scores, at);
    return false;
  }
};

/// The solver::Method of CoordinateDescent:
///
/// 1. Start at the given weights, with the best offset for them.
/// 2. Find dual variables from the slopes of the losses, their dual sums, and the gap.
/// 3. Choose a working set: the weights that are not 0, and those that most violate the conditions.
/// 4. Build the quadratic model of the mean loss at the scores (CoordinateModel) and minimise model
///    + penalty over the working set: sweeps over single weights, and joint steps on those not 0.
/// 5. Backtrack along the way to this minimum until Armijo's condition holds: only scores are read.
/// 6. Go to 2 until the gap is small enough, or no step lowers F.
class CoordinateMethod : public solver::MethodBase {
 public:
  /// Starts at the weights of θ = (w, b), or at the nearest weights of finite penalty. With an
  /// offset, starts at the best b for these weights, and searches for it from the b of θ. Without
  /// an offset, θ is w.
  CoordinateMethod(const CoordinateProblem& of, const Vector<double>& theta)
      : frame_(of.frame), has_offset_(of.has_offset), here_(of), sums_{of.columns, of.penalty} {
    constexpr double tiny = std::numeric_limits<double>::min();
    has_dual_ = finite_at(tiny) && finite_at(-tiny);
    const Index d = of.columns.cols();
    here_.move_to(of.penalty.nearest_finite(detail::filled(d, 0.0)), 0);
    if (has_offset_) here_.find_best_offset();
    constant_ = point();
    here_.move_to(of.penalty.nearest_finite(linear_algebra::part_of(theta, 0, d)),
                  has_offset_ ? theta[d] : 0);
    if (has_offset_) here_.find_best_offset();
    prove();
  }

  double value() const { return here_.value; }
  Point<double> point() const { return {here_.weights, here_.offset, here_.value}; }
  const Point<double>& constant() const { return constant_; }
  const samples::Frame<>& frame() const { return frame_; }
  double estimate() const { return sums_.least_gap; }
  Index passes() const { return (sums_.visits + here_.model.visits()) / here_.columns.cols(); }
  /// Moves the iterate to the point, recomputes the scores, and returns F.
  double value_at(const Point<double>& point) {
    here_.move_to(point.weights, point.offset);
    return here_.value;
  }

  double bound_here() const {
    if (!has_dual_) return -std::numeric_limits<double>::infinity();
    return sums_.bound(value(), here_.weights,
                       [&](double t) { return here_.risk.dual(multipliers_, t); });
  }
  /// Returns ∞ if there is a bound on F*. There is none if the penalty of some weight is 0, because
  /// Ω* is then infinite except at 0. In this case returns the decrease that the last model
  /// predicted, divided by pace.rest, or 0 if F is only rounding error.
  double decrement() const {
    if (has_dual_) return std::numeric_limits<double>::infinity();
    if (value() < 1e-28 * constant_.objective) return 0;  // F is only rounding
    return here_.pace.promise / here_.pace.rest(is_open_);
  }
  void describe(Progress& progress) const {
    progress.change = here_.change;
    progress.step_size = here_.pace.step;
  }

  /// Makes a step. Returns false if no step lowers F, or if CoordinatePace::is_open is false.
  bool iterate(double allowed) {
    if (!here_.step(here_.working_set(sums_.sums, !has_dual_), has_dual_ ? allowed : 0))
      return is_open_ = false;
    prove();
    return is_open_ = here_.pace.is_open(value(), estimate());
  }

 private:
  /// Is Ω* finite at the vector with all entries v?
  bool finite_at(double v) const {
    return here_.penalty.largest_scale(detail::filled(here_.columns.cols(), v)) == 1;
  }

  /// Sets the dual variables to −ℓ′ at the scores. If the model has been minimised exactly and the
  /// step was 1, takes the slopes of the model instead: D is then far nearer to F*, because its
  /// error is of second order in the error of the dual variables. With an offset, balances the dual
  /// variables. Scales them towards 0 until Ω* is finite.
  void prove() {
    const bool is_exact = here_.model.is_exact() && here_.pace.step == 1;
    multipliers_ =
        here_.risk.multipliers(is_exact ? here_.model.slopes() : here_.at.slopes, has_offset_);
    sums_.find(here_.risk.in_parts(multipliers_), here_.weights, here_.scores);
  }

  const samples::Frame<>& frame_;
  bool has_offset_, has_dual_{false};
  CoordinateIterate here_;
  DualSums sums_;
  Vector<double> multipliers_{};  // the balanced dual variables
  Point<double> constant_{};
  bool is_open_{true};  // result of the last call of iterate
};

}  // namespace linea::detail::newton
