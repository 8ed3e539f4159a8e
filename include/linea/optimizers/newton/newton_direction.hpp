// SPDX-License-Identifier: MIT
#pragma once
/// \file The direction of Newton's method by conjugate gradients.
#include <algorithm>  // clamp, max, min
#include <cmath>      // isfinite, sqrt
#include <cstdint>
#include <limits>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/samples/all_rows.hpp>

namespace linea::detail::newton {

/// Sets `curvatures` (n) to about one in `stride` of the entries of `all`, scaled to keep their
/// sum, and to 0 elsewhere. A hash of the index selects the entries, so that the selection does not
/// follow periods in x. `first` is the index of the first sample of this process among the samples
/// of all processes, so that all processes together select what one process would. `turn` counts
/// the selections. If the selected curvatures are all 0, keeps all.
template <class Problem, class Real>
void sample_curvatures(const Problem& problem, Index first, Index stride, std::uint32_t& turn,
                       const Vector<Real>& all, Vector<Real>& curvatures) {
  curvatures = all;
  if (stride == 1) return;
  const double curvature = problem.sum(linear_algebra::sum_of(curvatures));
  ++turn;
  const auto every = static_cast<std::uint32_t>(stride);
  for (Index i = 0; i < all.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(first + i);
    const std::uint32_t hash = number * 2654435769U;  // 2³² over the golden ratio
    const auto part = static_cast<std::uint32_t>((std::uint64_t{hash} * every) >> 32);
    if (part != turn % every) curvatures[i] = 0;
  }
  if (const double sum = problem.sum(linear_algebra::sum_of(curvatures)); sum > 0)
    linear_algebra::scale(curvature / sum, curvatures);
  else
    curvatures = all;
}

/// Returns the least power of 2 for which a change of the scores by this number, up or down,
/// changes the slopes by a tenth on average. Returns 0 if there is none.
template <class Problem, class Real>
double averaging_reach(const Problem& problem, const Vector<Real>& scores,
                       const Vector<Real>& slopes) {
  Vector<Real> curvatures;
  const double enough = 0.1 * problem.sum(linear_algebra::sizes_of(slopes));
  const auto is_enough = [&](double reach) {
    problem.widen(scores, reach, curvatures);
    return reach * problem.sum(linear_algebra::sum_of(curvatures)) > enough;
  };
  double reach = 1;
  while (reach > 1e-30 && is_enough(reach)) reach /= 2;
  while (reach < 1e30 && !is_enough(reach)) reach *= 2;
  return reach < 1e30 ? reach : 0;
}

/// Returns ⟨s, ∇²F·s⟩ for a direction s, from the curvatures and the changes of the scores along s.
template <class Problem, class Real>
double curvature_along(const Problem& problem, const Vector<Real>& curvatures,
                       const Vector<Real>& moves, const Vector<Real>& direction) {
  double curvature = 0;
  for (Index i = 0; i < moves.size(); ++i) curvature += curvatures[i] * moves[i] * moves[i];
  return problem.sum(curvature) + problem.lambda() * problem.product(direction, direction);
}

/// Solves ∇²F·s = −∇F by conjugate gradients, with one pass over the samples for each iteration.
/// The preconditioner λ + c·mean x²ⱼ estimates the diagonal, where c is the mean of ℓ″. The class
/// is a template, so that it is compiled only where it is used.
template <class Real = double>
class NewtonDirection {
 public:
  /// The first directions use the curvatures of one sample in `stride`.
  explicit NewtonDirection(Index stride) : stride_(stride) {}

  Vector<Real> direction{};  ///< s, (d) or (d + 1)
  Vector<Real> moves{};      ///< changes of the scores along s, (n)
  double first_step{1};      ///< first trial step of the line search

  /// Computes s and the moves. The residual is at most `enough` times ∇F, unless s is truncated.
  /// Returns ⟨∇F, s⟩.
  template <class Problem, class Run>
  double find(Problem& problem, const Run& run, double enough = 0.1) {
    prepare(problem);
    if (reach_ > 0)
      widen(problem, run);
    else
      sample_curvatures(problem, samples::first_of_all(problem.set().rows), stride_, turn_,
                        run.at.curvatures, curvatures_);
    const double norm = scale(problem, run);
    solve(problem, run.gradient, norm,
          {enough, radius_ * std::sqrt(unit_), noise_of(problem, run)});
    is_whole_ = stride_ == 1 && reach_ == 0 && !cut_short_ && !is_flat_;
    const double slope = linear_algebra::dot(run.gradient, direction);
    const double curvature = curvature_along(problem, run.at.curvatures, moves, direction);
    first_step = stride_ > 1 && curvature > 0 ? -slope / curvature : 1;
    if (curvature > -1.5 * slope || norm / unit_ > 0.64 * last_norm_)
      stride_ = std::max<Index>(stride_ / 4, 1);
    last_norm_ = norm / unit_;
    return slope;
  }

  /// Was s computed from all curvatures at θ, not truncated, and without finding a direction of no
  /// curvature?
  bool is_whole() const { return is_whole_; }

  /// Adapts the next direction to the length of the step along s, which is 0 if there was no step.
  /// Returns true if the next s may do better. A step far too short or too long means that ∇²F at θ
  /// is a poor model of F along the step: the loss is piecewise linear, and few samples are at its
  /// curved parts. The next directions then average the curvatures over an interval around each
  /// score, about as wide as a step changes the scores.
  template <class Problem, class Run>
  bool learn(Problem& problem, const Run& run, double step) {
    if (step < first_step)
      radius_ = step * length_;
    else if (cut_short_)
      radius_ = 4 * step * length_;
    if constexpr (Problem::is_of_bounded_curvature) {
      const bool is_good = !is_flat_ && step >= 0.1 * first_step && step <= 10 * first_step;
      if (is_good && reach_ == 0) return false;
      radius_ = std::numeric_limits<double>::infinity();
      if (reach_ == 0) {
        reach_ = averaging_reach(problem, run.scores, run.at.slopes);
        return reach_ > 0;
      }
      const double mean_move = std::sqrt(problem.sum(linear_algebra::squares_of(moves))) /
                               std::sqrt(static_cast<double>(problem.all_samples()));
      reach_ = std::clamp(2 * step * mean_move, reach_ / 8, reach_ * 8);
    }
    return false;
  }

 private:
  struct Limits {
    double residual;  // bound on the residual, relative to ∇F
    double length;    // bound on the norm of s in the metric of the preconditioner
    double noise;     // approximate rounding error of ∇F: a residual this small also suffices
  };
  // A curvature below this fraction of the preconditioner's curvature is rounding error.
  static constexpr double flatness = 1e-14;

  template <class Problem>
  void prepare(Problem& problem) {
    if (mean_squares_.size() == 0) mean_squares_ = problem.mean_squares();
  }

  /// Averages the curvatures over `reach_`. If the averages are close to the curvatures at θ, later
  /// directions use the curvatures at θ again.
  template <class Problem, class Run>
  void widen(const Problem& problem, const Run& run) {
    problem.widen(run.scores, reach_, curvatures_);
    stride_ = 1;
    const double change = problem.sum(
        linear_algebra::sizes_of(linear_algebra::difference(curvatures_, run.at.curvatures)));
    if (!(change > 0.1 * problem.sum(linear_algebra::sum_of(run.at.curvatures)))) reach_ = 0;
  }

  /// Sets the preconditioner and returns ‖∇F‖² in its metric.
  template <class Problem, class Run>
  double scale(Problem& problem, const Run& run) {
    const double curvature = problem.sum(linear_algebra::sum_of(curvatures_));
    unit_ = curvature > 0 ? curvature : 1;
    scale_ = mean_squares_;
    double square = 0;
    for (Index j = 0; j < scale_.size(); ++j) {
      const double entry = unit_ * scale_[j] + (j < problem.features() ? problem.lambda() : 0);
      scale_[j] = entry > 0 ? 1 / entry : 1;
      square += run.gradient[j] * scale_[j] * run.gradient[j];
    }
    return square;
  }

  /// Returns the approximate norm of the rounding error of ∇F in the metric of the preconditioner.
  double noise_of(const auto& problem, const auto& run) const {
    const double slopes = problem.sum(
        linear_algebra::sizes_of(run.at.slopes) +
        linear_algebra::sizes_of(linear_algebra::product(run.at.curvatures, run.scores)));
    return 16 * std::numeric_limits<double>::epsilon() * slopes *
           std::sqrt(static_cast<double>(scale_.size()) / unit_);
  }

  /// Runs conjugate gradients from s = 0, within the limits, in the metric of the preconditioner.
  template <class Problem>
  void solve(Problem& problem, const Vector<Real>& gradient, double norm, const Limits& limits) {
    begin(problem, gradient);
    const double bound = limits.length * limits.length;
    const double noise = limits.noise * limits.noise;
    const double enough = std::max(limits.residual * limits.residual * norm, noise);
    double square = 0;   // ‖s‖² in the metric
    double product = 0;  // ⟨s, p⟩ for the search direction p
    double search_square = norm;
    for (Index round = 0; round < 10 * problem.size() + 50; ++round) {
      problem.find_curvature(search_, curvatures_, used_, products_, image_);
      const double curvature = linear_algebra::dot(search_, image_);
      double length = norm / curvature;
      if (!(curvature > flatness * search_square) ||
          !std::isfinite(length)) {  // true for negative curvature, too
        is_flat_ = norm > noise;
        if (round > 0) break;
        length = 1;
        cut_short_ = true;
      }
      if (square + length * (2 * product + length * search_square) > bound) {
        const double rest = bound - square;
        length = rest / (product + std::sqrt(product * product + search_square * rest));
        cut_short_ = true;
      }
      linear_algebra::add(length, search_, direction);
      linear_algebra::add(length, products_, moves);
      square += length * (2 * product + length * search_square);
      if (cut_short_) break;
      linear_algebra::add(-length, image_, residual_);
      double next = 0;
      for (Index j = 0; j < image_.size(); ++j) {
        image_[j] = scale_[j] * residual_[j];
        next += residual_[j] * image_[j];
      }
      if (!(next > enough)) break;
      const double ratio = next / norm;
      for (Index j = 0; j < search_.size(); ++j) search_[j] = image_[j] + ratio * search_[j];
      product = ratio * (product + length * search_square);
      search_square = next + ratio * ratio * search_square;
      norm = next;
    }
    length_ = std::sqrt(square / unit_);
    // The products with ∇²F skipped the samples without curvature: compute their moves.
    if (used_ < problem.samples())
      problem.score(
          direction, moves, [this](Index i) { return curvatures_[i] == 0; },
          problem.samples() - used_);
    curvatures_.resize(0);  // free the memory until the next direction
    products_.resize(0);
  }

  template <class Problem>
  void begin(const Problem& problem, const Vector<Real>& gradient) {
    direction = linear_algebra::constant(problem.size(), 0);
    moves = products_ = linear_algebra::constant(problem.samples(), 0);
    used_ = 0;
    for (const double curvature : curvatures_) used_ += curvature != 0;
    residual_ = gradient;
    linear_algebra::scale(-1, residual_);
    search_ = linear_algebra::product(scale_, residual_);
    cut_short_ = is_flat_ = false;
  }

  Index stride_;
  Index used_{0};  // number of selected samples with curvature
  std::uint32_t turn_{0};
  Vector<Real> mean_squares_{}, scale_{};
  Vector<Real> curvatures_{}, products_{};        // sᵢ/S·ℓ″, selected; X·p
  Vector<Real> search_{}, image_{}, residual_{};  // p, ∇²F·p, −∇F − ∇²F·s
  double unit_{1};                                // mean of ℓ″, or 1 if the mean is 0
  double reach_{0};  // curvatures are averaged over scores up to reach_ away; 0: not averaged
  double radius_{std::numeric_limits<double>::infinity()};  // limit of length_
  double length_{0};  // ‖s‖ in the norm of the preconditioner, over √unit_: about the rms change of
                      // the scores
  bool cut_short_{false}, is_whole_{false};
  bool is_flat_{false};  // does F fall in a direction without curvature?
  double last_norm_{std::numeric_limits<double>::infinity()};
};

}  // namespace linea::detail::newton
