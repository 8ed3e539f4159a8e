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

namespace linea::newton {

/// Takes one in `stride` of all curvatures (n), drawn by a hash so that no period in x can meet
/// that of the draw, and multiplies them so that their sum stays. `first` is the number of the
/// first of them among all, of which the parts draw together what one would draw. `turn`
/// counts the draws. Where those drawn are all 0, all stay as they are.
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

/// The least power of 2 by which scores have to move on both sides of these for a tenth of the
/// slopes to be lost; 0 if there is none.
template <class Problem, class Real>
double bending_reach(const Problem& problem, const Vector<Real>& scores,
                     const Vector<Real>& slopes) {
  Vector<Real> curvatures;
  const double enough = 0.1 * problem.sum(linear_algebra::sizes_of(slopes));
  const auto bends = [&](double reach) {
    problem.widen(scores, reach, curvatures);
    return reach * problem.sum(linear_algebra::sum_of(curvatures)) > enough;
  };
  double reach = 1;
  while (reach > 1e-30 && bends(reach)) reach /= 2;
  while (reach < 1e30 && !bends(reach)) reach *= 2;
  return reach < 1e30 ? reach : 0;
}

/// ⟨s, ∇²F·s⟩ for a direction s with these moves of the scores, where the curvatures are those.
template <class Problem, class Real>
double bend_along(const Problem& problem, const Vector<Real>& curvatures, const Vector<Real>& moves,
                  const Vector<Real>& direction) {
  double bend = 0;
  for (Index i = 0; i < moves.size(); ++i) bend += curvatures[i] * moves[i] * moves[i];
  return problem.sum(bend) + problem.lambda() * problem.product(direction, direction);
}

/// s with ∇²F·s = −∇F, each step of the conjugate gradients one pass over the samples. They are
/// preconditioned with λ + c·mean x²ⱼ, an estimate of the diagonal.
/// A template, so that it is compiled where it is used and not where it is included.
template <class Real = double>
class NewtonDirection {
 public:
  explicit NewtonDirection(Index stride) : stride_(stride) {}  ///< a sample in so many to start

  Vector<Real> direction{};  ///< s, (d) or (d + 1)
  Vector<Real> moves{};      ///< of the scores along s, (n)
  double first_step{1};      ///< where F would be least if its curvature along s stayed

  /// s but for a residual of `enough` of ∇F, and its moves; answers ⟨∇F, s⟩ < 0.
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
    const double bend = bend_along(problem, run.at.curvatures, moves, direction);
    first_step = stride_ > 1 && bend > 0 ? -slope / bend : 1;
    if (bend > -1.5 * slope || norm / unit_ > 0.64 * last_norm_)
      stride_ = std::max<Index>(stride_ / 4, 1);
    last_norm_ = norm / unit_;
    return slope;
  }

  /// Was s found from all curvatures at θ, and not cut short?
  bool is_whole() const { return is_whole_; }

  /// From the step taken along s, 0 if none. True where the next s will foresee more than this.
  /// Far too short or too long a step says that ∇² at θ is not that of the way: the loss is
  /// straight in pieces, and few samples are where it bends. The next curvatures are then means
  /// over scores as far apart as the steps move them.
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
        reach_ = bending_reach(problem, run.scores, run.at.slopes);
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
    double residual;  // relative to ∇F
    double length;    // of s
    double noise;     // the residual that is no more than the rounding of ∇F, or does no harm
  };
  static constexpr double flatness = 1e-14;  // curvature over the preconditioner's: rounding

  template <class Problem>
  void prepare(Problem& problem) {
    if (mean_squares_.size() == 0) mean_squares_ = problem.mean_squares();
  }

  /// Takes the curvatures that a step of this reach meets; those at θ once they are about the same.
  template <class Problem, class Run>
  void widen(const Problem& problem, const Run& run) {
    problem.widen(run.scores, reach_, curvatures_);
    stride_ = 1;
    const double change = problem.sum(
        linear_algebra::sizes_of(linear_algebra::difference(curvatures_, run.at.curvatures)));
    if (!(change > 0.1 * problem.sum(linear_algebra::sum_of(run.at.curvatures)))) reach_ = 0;
  }

  /// Sets the preconditioner and answers the square of ∇F in it.
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

  /// About the length of ∇F's rounding in the metric of the scale.
  double noise_of(const auto& problem, const auto& run) const {
    const double slopes = problem.sum(
        linear_algebra::sizes_of(run.at.slopes) +
        linear_algebra::sizes_of(linear_algebra::product(run.at.curvatures, run.scores)));
    return 16 * std::numeric_limits<double>::epsilon() * slopes *
           std::sqrt(static_cast<double>(scale_.size()) / unit_);
  }

  /// Conjugate gradients from s = 0, within the limits, in the metric of the scale.
  template <class Problem>
  void solve(Problem& problem, const Vector<Real>& gradient, double norm, const Limits& limits) {
    begin(problem, gradient);
    const double bound = limits.length * limits.length;
    const double noise = limits.noise * limits.noise;
    const double enough = std::max(limits.residual * limits.residual * norm, noise);
    double square = 0;   // ‖s‖²
    double product = 0;  // ⟨s, p⟩
    double search_square = norm;
    for (Index round = 0; round < 10 * problem.size() + 50; ++round) {
      problem.find_curvature(search_, curvatures_, used_, products_, image_);
      const double bend = linear_algebra::dot(search_, image_);
      double length = norm / bend;
      if (!(bend > flatness * search_square) || !std::isfinite(length)) {  // or bends downwards
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
    // The products with ∇²F have skipped the samples without curvature.
    if (used_ < problem.samples())
      problem.score(
          direction, moves, [this](Index i) { return curvatures_[i] == 0; },
          problem.samples() - used_);
    curvatures_.resize(0);  // n numbers each, which nothing needs before the next direction
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
  Index used_{0};  // samples of the draw that have curvature
  std::uint32_t turn_{0};
  Vector<Real> mean_squares_{}, scale_{};
  Vector<Real> curvatures_{}, products_{};        // sᵢ/S·ℓ″ of the sample, and X·p
  Vector<Real> search_{}, image_{}, residual_{};  // p, ∇²F·p, −∇F − ∇²F·s
  double unit_{1};                                // mean curvature
  double reach_{0};  // moves of the scores that the curvatures are to foresee; 0: none
  double radius_{std::numeric_limits<double>::infinity()};  // in rms moves, as the scale has them
  double length_{0};                                        // of s, likewise
  bool cut_short_{false}, is_whole_{false};
  bool is_flat_{false};  // does F fall where it has no curvature?
  double last_norm_{std::numeric_limits<double>::infinity()};
};

}  // namespace linea::newton
