// SPDX-License-Identifier: MIT
#pragma once
/// \file F with its value, gradient and curvature, each from one pass over x, for Newton's method
/// and L-BFGS.
#include <algorithm>  // copy, max, min
#include <cmath>      // isfinite, sqrt
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/validate.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/proof/bound.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <linea/samples/row_blocks.hpp>
#include <vector>

namespace linea::detail::newton {

/// Returns λfⱼ.
inline double strength_of(const SquaredTerm& penalty, Index j) {
  return penalty.factors.size() > 0 ? penalty.lambda * penalty.factors[j] : penalty.lambda;
}

/// Returns Σⱼ fⱼ·wⱼ·w′ⱼ over the first d entries.
inline double product_of(const SquaredTerm& penalty, const Vector<double>& one,
                         const Vector<double>& other, Index d) {
  if (penalty.factors.size() == 0) return linear_algebra::dot(one.data(), other.data(), d);
  double sum = 0;
  for (Index j = 0; j < d; ++j) sum += penalty.factors[j] * one[j] * other[j];
  return sum;
}

/// Adds the gradient at w of the penalty of d weights to `gradient`, whose entry of a held weight
/// becomes 0.
inline void add_gradient(const SquaredTerm& penalty, const Vector<double>& w,
                         Vector<double>& gradient, Index d) {
  if (penalty.factors.size() == 0) return rows::add(w.data(), penalty.lambda, gradient.data(), d);
  for (Index j = 0; j < d; ++j) gradient[j] += strength_of(penalty, j) * w[j];
  if (penalty.held >= 0) gradient[penalty.held] = 0;
}

/// Returns the conjugate of the penalty at the first d entries of v, for λf > 0: Σⱼ vⱼ²/(2λfⱼ),
/// plus vⱼ of a held weight.
inline double conjugate_of(const SquaredTerm& penalty, const Vector<double>& v, Index d) {
  if (penalty.factors.size() == 0)
    return linear_algebra::dot(v.data(), v.data(), d) / (2 * penalty.lambda);
  double sum = 0;
  for (Index j = 0; j < d; ++j)
    sum += j == penalty.held ? v[j] : v[j] * v[j] / (2 * strength_of(penalty, j));
  return sum;
}

/// Returns the least λfⱼ of d weights, except that of a held weight. It is at most λ.
inline double least_strength_of(const SquaredTerm& penalty, Index d) {
  double least = penalty.lambda;
  for (Index j = 0; j < d; ++j)
    if (j != penalty.held) least = std::min(least, strength_of(penalty, j));
  return least;
}

/// The loss and the validated samples of F, centred if the offset is free.
struct SmoothSamples {
  const samples::LossBlocks& loss;
  const samples::RowBlocks& rows;    ///< (n × d)
  const Vector<double>&y, &weights;  ///< targets (n), and sample weights (n) of mean 1 or none
  const samples::Frame<>& frame;
};

/// F on x (n × d) and y (n) as a function of θ = (w, b), or θ = w without an offset. Sums are in
/// double, even where x is float, and bit-identical for any number of threads.
///
/// F depends on x through the scores ⟨w, xᵢ⟩ + b, (n), which are linear along a line in θ. Once the
/// scores and their changes are known, F and its slope on the line cost O(n) and no pass over x.
class SmoothObjective {
 public:
  using Theta = Vector<double>;
  using Scores = Vector<double>;
  using State = samples::RiskOfScores::Samplewise;  ///< slopes and curvatures at some scores

  /// The line θ + t·direction.
  struct Line {
    const Vector<double>& scores;  ///< at t = 0
    const Vector<double>& moves;   ///< change of the scores for a unit of t
    double square{0};              ///< ⟨w, w⟩ at t = 0, see `product`
    double product{0};             ///< ⟨w, direction⟩
    double direction_square{0};    ///< ⟨direction, direction⟩
  };

  /// F is the mean loss + the penalty on these samples. The entry of a held weight is 1 in θ, and 0
  /// in ∇F and in products with ∇²F. The samples must outlive this object.
  SmoothObjective(const SmoothSamples& samples, const SquaredTerm& penalty, bool has_offset,
                  Index threads)
      : samples_(samples),
        penalty_(penalty),
        least_(least_strength_of(penalty, samples.rows.cols())),
        has_offset_(has_offset),
        risk_(samples.loss, samples.y, samples.weights, samples.rows.all_rows(), samples.rows),
        passes_(samples.rows, has_offset, threads),
        d_(samples.rows.cols()) {}
  SmoothObjective(const SmoothObjective&) = delete;

  /// Returns the centring of samples and targets, to which θ refers.
  const samples::Frame<>& frame() const { return samples_.frame; }
  const SmoothSamples& set() const { return samples_; }
  const samples::LossBlocks::Traits& traits() const { return samples_.loss.traits(); }
  bool is_curved() const { return traits().is_curved; }
  bool is_of_bounded_curvature() const { return std::isfinite(traits().curvature_bound); }
  Index samples() const { return risk_.samples(); }  ///< number of samples of this process
  Index all_samples() const { return samples_.rows.all_rows(); }
  double sum(double own) const { return risk_.sum(own); }  ///< sum over all processes
  const samples::RiskOfScores& risk() const { return risk_; }
  Index features() const { return d_; }
  Index size() const { return passes_.cols(); }  ///< size of θ: d, or d + 1 with offset
  const SquaredTerm& penalty() const { return penalty_; }
  double lambda() const { return penalty_.lambda; }
  /// Returns the penalty's part of the diagonal entry j of ∇²F: λfⱼ, or 0 for the offset.
  double lambda_of(Index j) const { return j < d_ ? strength_of(penalty_, j) : 0; }
  bool has_offset() const { return has_offset_; }
  Index passes() const { return passes_.passes(); }
  void count_pass() { passes_.count_pass(); }

  /// Returns Σⱼ fⱼ·wⱼ·w′ⱼ for θ = (w, b) and θ′ = (w′, b′).
  double product(const Vector<double>& one, const Vector<double>& other) const {
    return product_of(penalty_, one, other, d_);
  }

  /// Sets scores[i] to ⟨w, xᵢ⟩ + b for the `count` samples i with wanted[i] ≠ 0, and possibly for
  /// others; `wanted` is (n), or null for all. Samples of weight 0 get the score 0, so that huge
  /// entries in their rows have no effect.
  void score(const Vector<double>& theta, Vector<double>& scores, const double* wanted,
             Index count) {
    passes_.score(theta, scores, wanted, count);
    clear_ignored(scores, 0, samples());
  }
  /// Computes the scores of all samples. Makes no pass if w = 0.
  void score(const Vector<double>& theta, Vector<double>& scores) {
    if (product(theta, theta) == 0 && linear_algebra::is_zero(theta.data(), d_)) {
      scores = detail::filled(samples(), has_offset_ ? theta[d_] : 0.0);
      return;
    }
    scores.resize(samples());
    score(theta, scores, nullptr, samples());
  }

  Line line(const Vector<double>& theta, const Vector<double>& direction,
            const Vector<double>& scores, const Vector<double>& moves) const {
    return {scores, moves, product(theta, theta), product(theta, direction),
            product(direction, direction)};
  }

  /// Returns F and its slope at t. Sets the slopes in `at` and, if `curved`, the curvatures.
  linear_algebra::LinePoint evaluate(const Line& line, double t, State& at, bool curved) {
    std::vector<linear_algebra::LinePoint> sums(static_cast<std::size_t>(passes_.shares()));
    passes_.for_each_share([&](Index share, Index first, Index last) {
      double scores[samples::most_scores];
      auto& sum = sums[static_cast<std::size_t>(share)];
      for (Index i = first; i < last; i += samples::most_scores) {
        const Index count = std::min(samples::most_scores, last - i);
        const double* const from = line.scores.data() + i;
        const double* const moves = line.moves.data() + i;
        for (Index k = 0; k < count; ++k) scores[k] = t == 0 ? from[k] : from[k] + t * moves[k];
        sum.value += risk_.evaluate(scores, i, count, at, curved);
        sum.slope += linear_algebra::dot(at.slopes.data() + i, moves, count);
      }
    });
    double both[2] = {0, 0};
    for (const auto& sum : sums) {
      both[0] += sum.value;
      both[1] += sum.slope;
    }
    samples_.rows.sum(both, 2);
    linear_algebra::LinePoint all{t, both[0], both[1]};
    all.value +=
        penalty_.lambda / 2 * (line.square + t * (2 * line.product + t * line.direction_square));
    all.slope += penalty_.lambda * (line.product + t * line.direction_square);
    return all;
  }

  /// Computes ∇F at θ in one pass; `at` has the slopes at θ.
  void find_gradient(const Vector<double>& theta, const State& at, Vector<double>& gradient) {
    passes_.add_up(at.slopes, gradient);
    add_penalty(theta, gradient);
  }

  /// Returns F at θ, and sets the scores, slopes and gradient at θ, all in one pass.
  double evaluate_with_gradient(const Vector<double>& theta, Vector<double>& scores, State& at,
                                Vector<double>& gradient) {
    scores.resize(samples());
    at.slopes.resize(samples());
    std::vector<double> sums(static_cast<std::size_t>(passes_.shares()), 0.0);
    passes_.score_and_add_up(
        theta, scores, nullptr, samples(),
        [&](Index share, Index first, Index count, double* slopes) {
          clear_ignored(scores, first, count);
          sums[static_cast<std::size_t>(share)] +=
              risk_.evaluate(scores.data() + first, first, count, at, false);
          for (Index k = 0; k < count; ++k) slopes[k] = at.slopes[first + k];
        },
        gradient);
    add_penalty(theta, gradient);
    double risk = 0;
    for (const double sum : sums) risk += sum;
    return this->sum(risk) + penalty_.lambda / 2 * product(theta, theta);
  }

  /// Computes image ← Σᵢ cᵢ·xᵢ⟨xᵢ, v⟩ + λv, which is ∇²F·v if c (n) are the curvatures of all
  /// samples. With an offset, xᵢ has a further entry 1 and λv a further entry 0. Also sets
  /// products[i] ← ⟨v, xᵢ⟩ for the `count` samples with cᵢ ≠ 0. Makes one pass over these samples.
  void find_curvature(const Vector<double>& v, const Vector<double>& curvatures, Index count,
                      Vector<double>& products, Vector<double>& image) {
    passes_.score_and_add_up(
        v, products, curvatures.data(), count,
        [&](Index, Index first, Index in_block, double* coefficients) {
          clear_ignored(products, first, in_block);
          for (Index k = 0; k < in_block; ++k)
            coefficients[k] = curvatures[first + k] * products[first + k];
        },
        image);
    add_penalty(v, image);
  }

  /// Returns (1/S) Σᵢ sᵢ·x²ᵢⱼ for every column, 0 for that of a held weight, and 1 for the offset.
  /// The first call makes a pass.
  const Vector<double>& mean_squares() {
    if (squares_.size() == 0) passes_.add_up_squares(risk_.parts(), squares_);
    if (penalty_.held >= 0) squares_[penalty_.held] = 0;
    return squares_;
  }

  /// Is there a lower bound on F*?
  bool has_bound() const {
    return least_ >= least_number && (traits().has_dual || (traits().is_convex && !has_offset_));
  }
  /// Returns an estimate of F − F* at θ with gradient g: Ω*(g_w), which is ‖g_w‖²/(2λ) without
  /// factors, where g_w is the part of g for w. With an offset, adds the decrease that a Newton
  /// step on the offset alone predicts. Without one, the estimate is a bound if the loss is convex.
  double estimate(const Vector<double>& gradient, const State& at) const {
    double estimate = conjugate_of(penalty_, gradient, d_);
    if (!has_offset_) return estimate;
    double curvature = 0;
    for (const double one : at.curvatures) curvature += one;
    curvature = sum(curvature);
    const double g = gradient[d_];
    return estimate + g * g / (2 * (curvature > 0 ? curvature : 1));
  }
  /// Returns a lower bound on F*, or −∞ if there is none. For a convex loss without an offset, the
  /// bound is value − Ω*(g), less its rounding error. Otherwise it is the larger of D(0) and D
  /// at the dual variables of the slopes or, far from the minimum, at their best multiple. Costs
  /// one pass; the first of these bounds none without a held weight, after its first call.
  double bound(double value, const Vector<double>& theta, const Vector<double>& gradient,
               const Vector<double>& scores, const State& at) {
    if (traits().is_convex && !has_offset_)
      return value - conjugate_of(penalty_, gradient, d_) - rounding(theta, gradient, scores, at);
    if (!traits().has_dual) return -std::numeric_limits<double>::infinity();
    const Vector<double> multipliers = risk_.multipliers(at.slopes, has_offset_);
    Vector<double> dual_sum;
    passes_.add_up(risk_.in_parts(multipliers), dual_sum);
    const auto dual = [&](double t) {
      return risk_.dual(multipliers, t) -
             conjugate_of(penalty_, linear_algebra::scaled(t, dual_sum), d_);
    };
    double bound = dual(1);
    if (proof::is_low(bound, value)) bound = proof::best_multiple(1, dual);
    const double at_zero = risk_.dual(detail::filled(samples(), 0.0));
    return std::max(bound, at_zero);
  }

  /// Returns the best point for the centred samples with w = 0, except for a held weight, and the
  /// risk there as F. Makes a pass if a weight is held.
  Point<double> constant() {
    Point<double> point{linear_algebra::constant(d_, 0)};
    if (penalty_.held >= 0) point.weights[penalty_.held] = 1;
    Vector<double> scores;
    score(theta_of(point), scores);
    if (has_offset_) {
      point.offset = samples::best_constant(risk_, scores);
      for (double& score : scores) score += point.offset;
    }
    State state;
    point.objective = evaluate(theta_of(point), scores, state, false);
    return point;
  }
  /// Returns the F whose rounding error a run accepts as the gap: that of the best constant, or
  /// that of scores 0 if a weight is held and this F is less. A held column alone may make F huge.
  double unit(double constant) {
    if (penalty_.held < 0) return constant;
    const Vector<double> zeros = detail::filled(samples(), 0.0);
    State state;
    state.slopes.resize(samples());
    return std::min(std::abs(constant), std::abs(evaluate({zeros, zeros}, 0, state, false).value));
  }
  Point<double> point(const Vector<double>& theta, double value) const {
    return {linear_algebra::part_of(theta, 0, d_), has_offset_ ? theta[d_] : 0, value};
  }
  Vector<double> theta_of(const Point<double>& point) const {
    Vector<double> theta(size());
    std::copy(point.weights.begin(), point.weights.end(), theta.begin());
    if (has_offset_) theta[d_] = point.offset;
    return theta;
  }

  /// Returns θ of a point for x as it is stored.
  Vector<double> theta_of_stored(Point<double> point) const {
    if (penalty_.held >= 0) point.weights[penalty_.held] = 1;
    point.offset = samples_.frame.enter(point.weights, point.offset);
    return theta_of(point);
  }

  /// Returns F at θ, from its scores. Sets the slopes in `at` and, if `curved`, the curvatures.
  double evaluate(const Vector<double>& theta, const Vector<double>& scores, State& at,
                  bool curved) {
    at.slopes.resize(samples());
    if (curved) at.curvatures.resize(samples());
    const Line here{scores, scores, product(theta, theta), 0, 0};
    return evaluate(here, 0, at, curved).value;
  }
  /// Returns F at θ. Makes one pass.
  double value_of(const Vector<double>& theta) {
    Vector<double> scores;
    State state;
    score(theta, scores);
    return evaluate(theta, scores, state, false);
  }
  /// Does nothing: the direction includes the offset.
  void polish(Vector<double>&, Vector<double>&, State&, double&, double) const {}

 private:
  /// Returns the rounding error of the bound without an offset: the slopes times the rounding
  /// errors of the scores, plus the effect of the rounding error of the gradient g on ‖g‖²/(2λ).
  /// Scores that are sums of many steps may be far from Xw. As the loss is convex, the bound for
  /// such scores p is too high by Σᵢ slopeᵢ·(pᵢ − ⟨xᵢ, w⟩).
  double rounding(const Vector<double>& theta, const Vector<double>& gradient,
                  const Vector<double>& scores, const State& at) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    Vector<double> exact;
    if (penalty_.held >= 0) score(theta, exact);  // the gradient has no entry for a held weight
    double sums[3] = {0, 0, 0};
    for (Index i = 0; i < scores.size(); ++i) {
      sums[0] += std::abs(at.slopes[i] * scores[i]);
      sums[1] += at.slopes[i] * at.slopes[i];
      sums[2] += at.slopes[i] * (penalty_.held >= 0 ? scores[i] - exact[i] : scores[i]);
    }
    samples_.rows.sum(sums, 3);
    if (penalty_.held < 0)
      sums[2] += penalty_.lambda * product(theta, theta) -
                 linear_algebra::dot(gradient.data(), theta.data(), d_);
    double squares = 0;
    for (const double one : mean_squares()) squares += one;
    const double off = epsilon * std::sqrt(static_cast<double>(all_samples()) * sums[1] * squares);
    const double length = std::sqrt(linear_algebra::dot(gradient.data(), gradient.data(), d_));
    return epsilon * sums[0] + off * (off + 2 * length) / (2 * least_) +
           std::max(sums[2] - epsilon * sums[0], 0.0);
  }

  void add_penalty(const Vector<double>& v, Vector<double>& image) const {
    add_gradient(penalty_, v, image, d_);
  }

  /// Sets the entries of samples of weight 0 to 0, among the `count` entries from `first` on.
  void clear_ignored(Vector<double>& numbers, Index first, Index count) const {
    const Vector<double>& weights = samples_.weights;
    if (weights.size() == 0) return;
    for (Index i = first; i < first + count; ++i)
      if (weights[i] == 0) numbers[i] = 0;
  }

  const SmoothSamples& samples_;
  SquaredTerm penalty_;
  double least_;  // the least λfⱼ
  bool has_offset_;
  samples::RiskOfScores risk_;
  samples::Passes passes_;
  Vector<double> squares_{};
  Index d_;
};

}  // namespace linea::detail::newton
