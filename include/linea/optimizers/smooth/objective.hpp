// SPDX-License-Identifier: MIT
#pragma once
/// \file F with its value, gradient and curvature, each from one pass over x: what Newton's method
/// and L-BFGS ask for.
#include <algorithm>  // max
#include <cmath>      // sqrt
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/optimizers/numerics/line_search.hpp>
#include <linea/optimizers/smooth/risk_of_scores.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/unseen_columns.hpp>
#include <string_view>
#include <type_traits>  // remove_cvref
#include <utility>      // declval, move
#include <vector>

namespace linea::smooth {

/// A penalty that is λ/2·‖w‖² for some λ ≥ 0: its gradient is λw.
template <class P>
concept SquaredPenalty = LazyPenalty<P> && !ThresholdPenalty<P>;

/// The door of the methods that work on a SmoothObjective: throws std::invalid_argument, naming
/// `function`, on input that is not well-formed.
template <class L, SquaredPenalty P, AnySamples X, VectorLike Y, class T>
auto admit(std::string_view function, const Objective<L, P>& objective, Index threads, const X& x,
           const Y& y, const Extras<T>& extras) {
  core::require_valid(function, objective);
  require_threads(function, threads);
  return samples::admit_in_double(function, objective.loss, x, y, extras.sample_weights);
}

/// F on x (n × d) and y (n) as a function of θ = (w, b), or θ = w without offset. Sums are kept in
/// double, even where x is float, and have the same bits with any number of threads.
///
/// F depends on x through the scores ⟨w, xᵢ⟩ + b, (n), which move linearly along a line in θ: once
/// they and their moves are known, F and its slope there cost O(n) and no pass over x.
template <DifferentiableLoss L, class Rows>
class SmoothObjective {
 public:
  using Real = core::DoubleFor<Rows>;
  static constexpr bool is_convex = is_convex_loss<L>, has_dual = ConjugateLoss<L>;
  static constexpr bool is_of_bounded_curvature = SmoothLoss<L>, is_curved = CurvedLoss<L>;
  using All = std::remove_cvref_t<decltype(samples::all_of(std::declval<const Rows&>()))>;
  using Risk = RiskOfScores<L, double, All>;
  using Samplewise = typename Risk::Samplewise;

  /// The line θ + t·direction.
  struct Line {
    const Vector<Real>& scores;  ///< at t = 0
    const Vector<Real>& moves;   ///< their change a unit of t
    double square{0};            ///< ‖w‖² at t = 0
    double product{0};           ///< ⟨w, direction⟩, without the offset's part
    double direction_square{0};  ///< ‖direction‖², without the offset's part
  };

  /// Loss + λ/2·‖w‖² on samples that have passed the door, in double. What the rows are read from
  /// must outlive it.
  SmoothObjective(const L& loss, double lambda, samples::TrainingSet<Rows> set, bool has_offset,
                  Index threads)
      : loss_(loss),
        lambda_(lambda),
        set_(std::move(set)),
        frame_(loss_, set_, has_offset),
        has_offset_(has_offset),
        risk_(loss_, set_.y, set_.weights, set_.all_rows(), set_.all()),
        passes_(set_.rows, has_offset, threads),
        d_(set_.rows.cols()) {}
  SmoothObjective(const SmoothObjective&) = delete;

  /// Samples and targets are read in this frame, and θ has its offset.
  const samples::Frame<>& frame() const { return frame_; }
  const samples::TrainingSet<Rows>& set() const { return set_; }
  Index samples() const { return risk_.samples(); }  ///< here
  bool has_all_samples() const { return set_.all().parts() == 1; }
  Index all_samples() const { return set_.all_rows(); }
  double sum(double own) const { return set_.all().sum(own); }  ///< over all samples
  Index features() const { return d_; }
  Index size() const { return passes_.cols(); }  ///< of θ: d, or d + 1 with offset
  double lambda() const { return lambda_; }
  Status seen(Status s) const { return samples::status_of_seen(s, lambda_, set_, has_offset_); }
  Index passes() const { return passes_.passes(); }
  void count_pass() { passes_.count_pass(); }

  /// ⟨w, w′⟩ for θ = (w, b) and θ′ = (w′, b′).
  double product(const Vector<Real>& one, const Vector<Real>& other) const {
    return one.head(d_).dot(other.head(d_));
  }
  /// Does it cost nothing to skip samples?
  static constexpr bool reads_single_rows() { return samples::Passes<Rows>::reads_single_rows(); }

  /// Sets scores[i] to ⟨w, xᵢ⟩ + b for the `count` samples i with wanted(i), and perhaps for
  /// others. Samples of weight 0 score 0, lest huge entries of theirs be felt.
  template <class Wanted>
  void score(const Vector<Real>& theta, Vector<Real>& scores, Wanted&& wanted, Index count) {
    passes_.score(theta, scores, wanted, count);
    silence(scores, 0, samples());
  }
  void score(const Vector<Real>& theta, Vector<Real>& scores) {
    score(
        theta, scores, [](Index) { return true; }, samples());
  }

  Line line(const Vector<Real>& theta, const Vector<Real>& direction, const Vector<Real>& scores,
            const Vector<Real>& moves) const {
    return {scores, moves, product(theta, theta), product(theta, direction),
            product(direction, direction)};
  }

  /// F and its slope at t. Sets the slopes in `at` and, where `curved`, the curvatures.
  template <bool curved>
  numerics::LinePoint evaluate(const Line& line, double t, Samplewise& at) {
    std::vector<numerics::LinePoint> sums(static_cast<std::size_t>(passes_.shares()));
    passes_.for_each_share([&](Index share, Index first, Index last) {
      LossBlock block;
      auto& sum = sums[static_cast<std::size_t>(share)];
      for (Index i = first; i < last; i += most_scores) {
        const Index count = std::min(most_scores, last - i);
        const auto moves = line.moves.segment(i, count).array();
        const ScoreBlock scores = line.scores.segment(i, count).array() + t * moves;
        sum.value += risk_.template evaluate<curved>(scores, i, block, at);
        sum.slope += (at.slopes.segment(i, count).array() * moves).sum();
      }
    });
    double both[2] = {0, 0};
    for (const auto& sum : sums) {
      both[0] += sum.value;
      both[1] += sum.slope;
    }
    set_.all().sum(both, 2);
    numerics::LinePoint all{t, both[0], both[1]};
    all.value += lambda_ / 2 * (line.square + t * (2 * line.product + t * line.direction_square));
    all.slope += lambda_ * (line.product + t * line.direction_square);
    return all;
  }

  /// ∇F at θ; `at` has the slopes there. One pass.
  void find_gradient(const Vector<Real>& theta, const Samplewise& at, Vector<Real>& gradient) {
    passes_.add_up(at.slopes, gradient);
    gradient.head(d_) += lambda_ * theta.head(d_);
  }

  /// F at θ. Sets the scores, slopes and gradient there. One pass for all of them.
  double evaluate_with_gradient(const Vector<Real>& theta, Vector<Real>& scores, Samplewise& at,
                                Vector<Real>& gradient) {
    std::vector<double> sums(static_cast<std::size_t>(passes_.shares()), 0.0);
    passes_.score_and_add_up(
        theta, scores, [](Index) { return true; }, samples(),
        [&](Index share, Index first, Index count, double* slopes) {
          LossBlock block;
          silence(scores, first, count);
          const ScoreBlock part = scores.segment(first, count).array();
          sums[static_cast<std::size_t>(share)] +=
              risk_.template evaluate<false>(part, first, block, at);
          Eigen::Map<Vector<Real>>(slopes, count) = at.slopes.segment(first, count);
        },
        gradient);
    gradient.head(d_) += lambda_ * theta.head(d_);
    double risk = 0;
    for (const double sum : sums) risk += sum;
    return this->sum(risk) + lambda_ / 2 * product(theta, theta);
  }

  /// image ← Σᵢ cᵢ·xᵢ⟨xᵢ, v⟩ + λv, which is ∇²F·v if c (n) are the curvatures of all samples. On
  /// the way products[i] ← ⟨v, xᵢ⟩ where cᵢ ≠ 0, `count` samples in number. One pass over those.
  void find_curvature(const Vector<Real>& v, const Vector<Real>& curvatures, Index count,
                      Vector<Real>& products, Vector<Real>& image) {
    passes_.score_and_add_up(
        v, products, [&](Index i) { return curvatures[i] != 0; }, count,
        [&](Index, Index first, Index in_block, double* coefficients) {
          silence(products, first, in_block);
          Eigen::Map<Vector<Real>>(coefficients, in_block) =
              curvatures.segment(first, in_block).cwiseProduct(products.segment(first, in_block));
        },
        image);
    image.head(d_) += lambda_ * v.head(d_);
  }

  /// The curvatures (n) that a step meets which moves the scores by `reach` > 0: the mean of
  /// sᵢ/S·ℓ″ over scores that far to both sides. Losses that are straight in pieces have such a
  /// curvature where ℓ″ is 0.
  void widen(const Vector<Real>& scores, double reach, Vector<Real>& curvatures) const {
    risk_.widen(scores, reach, curvatures);
  }

  /// About the excess of F over its minimum, for λ = 0 and a step of Newton's method with its moves
  /// of the scores that was found to the last digits; a quarter more, for its errors. One pass.
  /// After the step the slopes are those in `at` plus ℓ″ times the moves. They make multipliers α
  /// with Σᵢ sᵢαᵢxᵢ = 0 but for some rest r, so that F ≥ D(α) − ⟨r, θ*⟩ at the minimum θ*, for
  /// which the end of the step stands. Where r is above 1e-4 of ∇F, θ* may be far off: infinity.
  template <class Run>
  double excess_after(const Run& run, const Vector<Real>& direction,
                      const Vector<Real>& moves) requires has_dual {
    const Vector<Real> bends = run.at.curvatures.cwiseProduct(moves);
    Vector<Real> rest;
    const double dual = dual_of_losses(risk_.multipliers(run.at.slopes + bends, false), rest);
    const Vector<Real> rms = mean_squares().cwiseSqrt().cwiseMax(1e-300);
    const double sizes = sum(run.at.slopes.cwiseAbs().sum() + bends.cwiseAbs().sum());
    const double noise = 4e-15 * std::sqrt(static_cast<double>(size())) * sizes;
    const double foreseen = 1e-4 * run.gradient.cwiseQuotient(rms).norm();
    if (rest.cwiseQuotient(rms).norm() > std::max(foreseen, noise))
      return std::numeric_limits<double>::infinity();
    const double part = rest.cwiseAbs().dot((run.theta + direction).cwiseAbs());
    return 1.25 * (run.value - dual + part);
  }

  /// (1/S) Σᵢ sᵢ·x²ᵢⱼ for every column, and 1 for the offset. One pass, the first time.
  const Vector<Real>& mean_squares() {
    if (squares_.size() == 0) passes_.add_up_squares(risk_.parts(), squares_);
    return squares_;
  }

  /// D(0), a lower bound on F.
  double dual_at_zero() const requires has_dual {
    return risk_.dual(Vector<Real>::Zero(samples()));
  }
  /// D at the multipliers that the slopes make, for λ > 0. One pass.
  double dual(const Samplewise& at) requires has_dual {
    Vector<Real> dual_sum;
    const double of_losses = dual_of_losses(risk_.multipliers(at.slopes, has_offset_), dual_sum);
    return of_losses - dual_sum.head(d_).squaredNorm() / (2 * lambda_);
  }

 private:
  /// The first term of D at these multipliers. Sets dual_sum to Σᵢ sᵢ/S·αᵢxᵢ.
  double dual_of_losses(Vector<Real> multipliers, Vector<Real>& dual_sum) {
    const double value = risk_.dual(multipliers);
    passes_.add_up(risk_.in_parts(std::move(multipliers)), dual_sum);
    return value;
  }

  /// 0 for samples of weight 0, among `count` from `first` on.
  void silence(Vector<Real>& numbers, Index first, Index count) const {
    if (set_.weights.size() == 0) return;
    for (Index i = first; i < first + count; ++i)
      if (set_.weights[i] == 0) numbers[i] = 0;
  }

  L loss_;
  double lambda_;
  samples::TrainingSet<Rows> set_;
  samples::Frame<> frame_;
  bool has_offset_;
  Risk risk_;
  samples::Passes<Rows> passes_;
  Vector<Real> squares_{};
  Index d_;
};

}  // namespace linea::smooth
