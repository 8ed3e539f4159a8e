// SPDX-License-Identifier: MIT
#pragma once
/// \file F with its value, gradient and curvature, each from one pass over x, for Newton's method
/// and L-BFGS.
#include <algorithm>  // max, min
#include <cmath>      // sqrt
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/newton/risk_of_scores.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/passes.hpp>
#include <type_traits>  // remove_cvref
#include <utility>      // declval, move
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

/// F on x (n × d) and y (n) as a function of θ = (w, b), or θ = w without an offset. Sums are in
/// double, even where x is float, and bit-identical for any number of threads.
///
/// F depends on x through the scores ⟨w, xᵢ⟩ + b, (n), which are linear along a line in θ. Once the
/// scores and their changes are known, F and its slope on the line cost O(n) and no pass over x.
template <DifferentiableLoss L, class Rows>
class SmoothObjective {
 public:
  using Real = detail::DoubleFor<Rows>;
  static constexpr bool is_convex = is_convex_loss<L>, has_dual = ConjugateLoss<L>;
  static constexpr bool is_of_bounded_curvature = SmoothLoss<L>, is_curved = CurvedLoss<L>;
  using All = std::remove_cvref_t<decltype(samples::all_of(std::declval<const Rows&>()))>;
  using Risk = RiskOfScores<L, double, All>;
  using Theta = Vector<Real>;
  using Scores = Vector<Real>;
  using State = typename Risk::Samplewise;  ///< slopes and curvatures at some scores

  /// The line θ + t·direction.
  struct Line {
    const Vector<Real>& scores;  ///< at t = 0
    const Vector<Real>& moves;   ///< change of the scores for a unit of t
    double square{0};            ///< ⟨w, w⟩ at t = 0, see `product`
    double product{0};           ///< ⟨w, direction⟩
    double direction_square{0};  ///< ⟨direction, direction⟩
  };

  /// F is the mean loss + the penalty on validated samples in double. The entry of a held weight is
  /// 1 in θ, and 0 in ∇F and in products with ∇²F. The storage of the rows must outlive this
  /// object.
  SmoothObjective(const L& loss, const SquaredTerm& penalty, samples::TrainingSet<Rows> set,
                  bool has_offset, Index threads)
      : loss_(loss),
        penalty_(penalty),
        least_(least_strength_of(penalty, set.rows.cols())),
        set_(std::move(set)),
        frame_(loss_, set_, has_offset),
        has_offset_(has_offset),
        risk_(loss_, set_.y, set_.weights, set_.all_rows(), set_.all()),
        passes_(set_.rows, has_offset, threads),
        d_(set_.rows.cols()) {}
  SmoothObjective(const SmoothObjective&) = delete;

  /// Returns the centring of samples and targets, to which θ refers.
  const samples::Frame<>& frame() const { return frame_; }
  const samples::TrainingSet<Rows>& set() const { return set_; }
  Index samples() const { return risk_.samples(); }  ///< number of samples of this process
  Index all_samples() const { return set_.all_rows(); }
  double sum(double own) const { return set_.all().sum(own); }  ///< sum over all processes
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
  double product(const Vector<Real>& one, const Vector<Real>& other) const {
    return product_of(penalty_, one, other, d_);
  }

  /// Sets scores[i] to ⟨w, xᵢ⟩ + b for the `count` samples i with wanted(i), and possibly for
  /// others. Samples of weight 0 get the score 0, so that huge entries in their rows have no
  /// effect.
  template <class Wanted>
  void score(const Vector<Real>& theta, Vector<Real>& scores, Wanted&& wanted, Index count) {
    passes_.score(theta, scores, wanted, count);
    clear_ignored(scores, 0, samples());
  }
  /// Computes the scores of all samples. Makes no pass if w = 0.
  void score(const Vector<Real>& theta, Vector<Real>& scores) {
    if (product(theta, theta) == 0 && linear_algebra::is_zero(theta.data(), d_)) {
      scores = detail::filled(samples(), has_offset_ ? theta[d_] : 0.0);
      return;
    }
    scores.resize(samples());
    score(
        theta, scores, [](Index) { return true; }, samples());
  }

  Line line(const Vector<Real>& theta, const Vector<Real>& direction, const Vector<Real>& scores,
            const Vector<Real>& moves) const {
    return {scores, moves, product(theta, theta), product(theta, direction),
            product(direction, direction)};
  }

  /// Returns F and its slope at t. Sets the slopes in `at` and, if `curved`, the curvatures.
  linear_algebra::LinePoint evaluate(const Line& line, double t, State& at, bool curved) {
    std::vector<linear_algebra::LinePoint> sums(static_cast<std::size_t>(passes_.shares()));
    passes_.for_each_share([&](Index share, Index first, Index last) {
      double scores[most_scores];
      auto& sum = sums[static_cast<std::size_t>(share)];
      for (Index i = first; i < last; i += most_scores) {
        const Index count = std::min(most_scores, last - i);
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
    set_.all().sum(both, 2);
    linear_algebra::LinePoint all{t, both[0], both[1]};
    all.value +=
        penalty_.lambda / 2 * (line.square + t * (2 * line.product + t * line.direction_square));
    all.slope += penalty_.lambda * (line.product + t * line.direction_square);
    return all;
  }

  /// Computes ∇F at θ in one pass; `at` has the slopes at θ.
  void find_gradient(const Vector<Real>& theta, const State& at, Vector<Real>& gradient) {
    passes_.add_up(at.slopes, gradient);
    add_penalty(theta, gradient);
  }

  /// Returns F at θ, and sets the scores, slopes and gradient at θ, all in one pass.
  double evaluate_with_gradient(const Vector<Real>& theta, Vector<Real>& scores, State& at,
                                Vector<Real>& gradient) {
    std::vector<double> sums(static_cast<std::size_t>(passes_.shares()), 0.0);
    passes_.score_and_add_up(
        theta, scores, [](Index) { return true; }, samples(),
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
  void find_curvature(const Vector<Real>& v, const Vector<Real>& curvatures, Index count,
                      Vector<Real>& products, Vector<Real>& image) {
    passes_.score_and_add_up(
        v, products, [&](Index i) { return curvatures[i] != 0; }, count,
        [&](Index, Index first, Index in_block, double* coefficients) {
          clear_ignored(products, first, in_block);
          for (Index k = 0; k < in_block; ++k)
            coefficients[k] = curvatures[first + k] * products[first + k];
        },
        image);
    add_penalty(v, image);
  }

  /// Computes averaged curvatures (n), for steps that change the scores by about `reach` > 0: the
  /// mean of sᵢ/S·ℓ″ over scores up to `reach` away on both sides. For piecewise linear losses this
  /// mean is positive near kinks, although ℓ″ is 0.
  void widen(const Vector<Real>& scores, double reach, Vector<Real>& curvatures) const {
    risk_.widen(scores, reach, curvatures);
  }

  /// Returns (1/S) Σᵢ sᵢ·x²ᵢⱼ for every column, 0 for that of a held weight, and 1 for the offset.
  /// The first call makes a pass.
  const Vector<Real>& mean_squares() {
    if (squares_.size() == 0) passes_.add_up_squares(risk_.parts(), squares_);
    if (penalty_.held >= 0) squares_[penalty_.held] = 0;
    return squares_;
  }

  /// Is there a lower bound on F*? Squares of a dual sum underflow where λ is nearly 0.
  bool has_bound() const { return least_ >= 1e-290 && (has_dual || (is_convex && !has_offset_)); }
  /// Returns an estimate of F − F* at θ with gradient g: Ω*(g_w), which is ‖g_w‖²/(2λ) without
  /// factors, where g_w is the part of g for w. With an offset, adds the decrease that a Newton
  /// step on the offset alone predicts. Without one, the estimate is a bound if the loss is convex.
  double estimate(const Vector<Real>& gradient, const State& at) const {
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
  /// at the dual variables of the slopes, which costs one pass.
  double bound(double value, const Vector<Real>&, const Vector<Real>& gradient,
               const Vector<Real>& scores, const State& at) {
    if (is_convex && !has_offset_)
      return value - conjugate_of(penalty_, gradient, d_) - rounding(gradient, scores, at);
    if constexpr (has_dual) {
      const Vector<Real> multipliers = risk_.multipliers(at.slopes, has_offset_);
      Vector<Real> dual_sum;
      const double of_losses = risk_.dual(multipliers);
      passes_.add_up(risk_.in_parts(multipliers), dual_sum);
      const double at_zero = risk_.dual(detail::filled(samples(), 0.0));
      return std::max(of_losses - conjugate_of(penalty_, dual_sum, d_), at_zero);
    }
    return -std::numeric_limits<double>::infinity();
  }

  /// Returns the best constant for the centred samples.
  Point<double> constant() const {
    Vector<Real> w = linear_algebra::constant(d_, 0);
    if (penalty_.held >= 0) w[penalty_.held] = 1;
    return samples::constant_point(loss_, set_, has_offset_, w);
  }
  Point<double> point(const Vector<Real>& theta, double value) const {
    return {linear_algebra::part_of(theta, 0, d_), has_offset_ ? theta[d_] : 0, value};
  }
  Vector<Real> theta_of(const Point<double>& point) const {
    Vector<Real> theta = point.weights;
    theta.conservativeResize(size());
    if (has_offset_) theta[d_] = point.offset;
    return theta;
  }

  /// Returns θ of a point for x as it is stored.
  Vector<Real> theta_of_stored(Point<double> point) const {
    if (penalty_.held >= 0) point.weights[penalty_.held] = 1;
    point.offset = frame_.enter(point.weights, point.offset);
    return theta_of(point);
  }

  /// Returns F at θ, from its scores. Sets the slopes in `at` and, if `curved`, the curvatures.
  double evaluate(const Vector<Real>& theta, const Vector<Real>& scores, State& at, bool curved) {
    at.slopes.resize(samples());
    if (curved) at.curvatures.resize(samples());
    const Line here{scores, scores, product(theta, theta), 0, 0};
    return evaluate(here, 0, at, curved).value;
  }
  /// Does nothing: the direction includes the offset.
  void polish(Vector<Real>&, Vector<Real>&, State&, double&) const {}

 private:
  /// Returns the rounding error of the bound without an offset: the slopes times the rounding
  /// errors of the scores, plus the effect of the rounding error of the gradient g on ‖g‖²/(2λ).
  double rounding(const Vector<Real>& gradient, const Vector<Real>& scores, const State& at) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    double sums[2] = {0, 0};
    for (Index i = 0; i < scores.size(); ++i) {
      sums[0] += std::abs(at.slopes[i] * scores[i]);
      sums[1] += at.slopes[i] * at.slopes[i];
    }
    set_.all().sum(sums, 2);
    double squares = 0;
    for (const double one : mean_squares()) squares += one;
    const double off = epsilon * std::sqrt(static_cast<double>(all_samples()) * sums[1] * squares);
    const double length = std::sqrt(linear_algebra::dot(gradient.data(), gradient.data(), d_));
    return epsilon * sums[0] + off * (off + 2 * length) / (2 * least_);
  }

  void add_penalty(const Vector<Real>& v, Vector<Real>& image) const {
    add_gradient(penalty_, v, image, d_);
  }

  /// Sets the entries of samples of weight 0 to 0, among the `count` entries from `first` on.
  void clear_ignored(Vector<Real>& numbers, Index first, Index count) const {
    if (set_.weights.size() == 0) return;
    for (Index i = first; i < first + count; ++i)
      if (set_.weights[i] == 0) numbers[i] = 0;
  }

  L loss_;
  SquaredTerm penalty_;
  double least_;  // the least λfⱼ
  samples::TrainingSet<Rows> set_;
  samples::Frame<> frame_;
  bool has_offset_;
  Risk risk_;
  samples::Passes<Rows> passes_;
  Vector<Real> squares_{};
  Index d_;
};

}  // namespace linea::detail::newton
