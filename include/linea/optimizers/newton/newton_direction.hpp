// SPDX-License-Identifier: MIT
#pragma once
/// \file The direction of Newton's method by conjugate gradients.
#include <algorithm>  // clamp, max
#include <cmath>      // sqrt
#include <cstdint>
#include <limits>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/conjugate_gradients.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/newton/objective.hpp>
#include <linea/optimizers/newton/smooth_method.hpp>
#include <linea/samples/blocks.hpp>

namespace linea::detail::newton {

/// Sets `curvatures` (n) to about one in `stride` of the entries of `all`, scaled to keep their
/// sum, and to 0 elsewhere. A hash of the index selects the entries, so that the selection does not
/// follow periods in x. `first` is the index of the first sample of this process among the samples
/// of all processes, so that all processes together select what one process would. `turn` counts
/// the selections. If the selected curvatures are all 0, keeps all.
inline void sample_curvatures(const samples::Parts& parts, Index first, Index stride,
                              std::uint32_t& turn, const Vector<double>& all,
                              Vector<double>& curvatures) {
  curvatures = all;
  if (stride == 1) return;
  const double curvature = parts.sum(linear_algebra::sum_of(curvatures));
  ++turn;
  const Index chosen = static_cast<Index>(turn) % stride;
  for (Index i = 0; i < all.size(); ++i) {
    const double place = samples::golden_fraction(first + i) * static_cast<double>(stride);
    if (static_cast<Index>(place) != chosen) curvatures[i] = 0;
  }
  if (const double sum = parts.sum(linear_algebra::sum_of(curvatures)); sum > 0)
    linear_algebra::scale(curvature / sum, curvatures);
  else
    curvatures = all;
}

/// Returns the least power of 2 for which a change of the scores by this number, up or down,
/// changes the slopes by a tenth on average. Returns 0 if there is none.
inline double averaging_reach(const samples::RiskOfScores& risk, const Vector<double>& scores,
                              const Vector<double>& slopes) {
  Vector<double> curvatures;
  const double enough = 0.1 * risk.sum(linear_algebra::sizes_of(slopes));
  const auto is_enough = [&](double reach) {
    risk.widen(scores, reach, curvatures);
    return reach * risk.sum(linear_algebra::sum_of(curvatures)) > enough;
  };
  double reach = 1;
  while (reach > 1e-30 && is_enough(reach)) reach /= 2;
  while (reach < 1e30 && !is_enough(reach)) reach *= 2;
  return reach < 1e30 ? reach : 0;
}

/// Returns ⟨s, ∇²F·s⟩ for a direction s, from the curvatures and the changes of the scores along s.
inline double curvature_along(const SmoothObjective& problem, const Vector<double>& curvatures,
                              const Vector<double>& moves, const Vector<double>& direction) {
  double curvature = 0;
  for (Index i = 0; i < moves.size(); ++i) curvature += curvatures[i] * moves[i] * moves[i];
  return problem.sum(curvature) + problem.lambda() * problem.product(direction, direction);
}

/// Solves ∇²F·s = −∇F by conjugate gradients, with one pass over the samples for each iteration.
/// The preconditioner λ + c·mean x²ⱼ estimates the diagonal, where c is the mean of ℓ″.
class NewtonDirection {
 public:
  /// The first directions use the curvatures of one sample in `stride`.
  NewtonDirection(SmoothObjective& problem, Index stride) : problem_(problem), stride_(stride) {}

  Vector<double> direction{};  ///< s, (d) or (d + 1)
  Vector<double> moves{};      ///< changes of the scores along s, (n)
  double first_step{1};        ///< first trial step of the line search

  /// Computes s and the moves. The residual is at most `enough` times ∇F, unless s is truncated.
  /// Returns ⟨∇F, s⟩.
  double find(const SmoothMethod<SmoothObjective>& run, double enough) {
    if (reach_ > 0)
      widen(run);
    else
      sample_curvatures(problem_.set().rows, problem_.set().rows.first_row(), stride_, turn_,
                        run.at.curvatures, curvatures_);
    find_scale();
    solve(run, enough);
    is_whole_ = stride_ == 1 && reach_ == 0 && !solver_.is_cut_short && !solver_.is_flat;
    const double slope = linear_algebra::dot(run.gradient, direction);
    const double curvature = curvature_along(problem_, run.at.curvatures, moves, direction);
    first_step = stride_ > 1 && curvature > 0 ? -slope / curvature : 1;
    const double norm = solver_.first_norm / unit_;
    if (curvature > -1.5 * slope || norm > 0.64 * last_norm_)
      stride_ = std::max<Index>(stride_ / 4, 1);
    last_norm_ = norm;
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
  bool learn(const SmoothMethod<SmoothObjective>& run, double step) {
    if (step < first_step)
      radius_ = step * length_;
    else if (solver_.is_cut_short)
      radius_ = 4 * step * length_;
    if (problem_.is_of_bounded_curvature()) {
      const bool is_good = !solver_.is_flat && step >= 0.1 * first_step && step <= 10 * first_step;
      if (is_good && reach_ == 0) return false;
      radius_ = std::numeric_limits<double>::infinity();
      if (reach_ == 0) {
        reach_ = averaging_reach(problem_.risk(), run.scores, run.at.slopes);
        return reach_ > 0;
      }
      const double mean_move = std::sqrt(problem_.sum(linear_algebra::squares_of(moves))) /
                               std::sqrt(static_cast<double>(problem_.all_samples()));
      reach_ = std::clamp(2 * step * mean_move, reach_ / 8, reach_ * 8);
    }
    return false;
  }

 private:
  /// Averages the curvatures over `reach_`. If the averages are close to the curvatures at θ, later
  /// directions use the curvatures at θ again.
  void widen(const SmoothMethod<SmoothObjective>& run) {
    problem_.risk().widen(run.scores, reach_, curvatures_);
    stride_ = 1;
    const double change = problem_.sum(
        linear_algebra::sizes_of(linear_algebra::difference(curvatures_, run.at.curvatures)));
    if (!(change > 0.1 * problem_.sum(linear_algebra::sum_of(run.at.curvatures)))) reach_ = 0;
  }

  /// Sets the preconditioner.
  void find_scale() {
    const double curvature = problem_.sum(linear_algebra::sum_of(curvatures_));
    unit_ = curvature > 0 ? curvature : 1;
    scale_ = problem_.mean_squares();
    for (Index j = 0; j < scale_.size(); ++j) {
      const double entry = unit_ * scale_[j] + problem_.lambda_of(j);
      scale_[j] = entry > 0 ? 1 / entry : 1;
    }
  }

  /// Returns the approximate norm of the rounding error of ∇F in the metric of the preconditioner.
  double noise_of(const SmoothMethod<SmoothObjective>& run) const {
    const double slopes = problem_.sum(
        linear_algebra::sizes_of(run.at.slopes) +
        linear_algebra::sizes_of(linear_algebra::product(run.at.curvatures, run.scores)));
    return 16 * std::numeric_limits<double>::epsilon() * slopes *
           std::sqrt(static_cast<double>(scale_.size()) / unit_);
  }

  /// Computes s and the moves from the curvatures.
  void solve(const SmoothMethod<SmoothObjective>& run, double enough) {
    moves = linear_algebra::constant(problem_.samples(), 0);
    Vector<double> products = moves;  // X·p
    Index used = 0;                   // number of selected samples with curvature
    for (const double curvature : curvatures_) used += curvature != 0;
    solver_.solve(
        run.gradient,
        {enough, noise_of(run), 1e-14, 10 * problem_.size() + 50, radius_ * std::sqrt(unit_)},
        [&](const Vector<double>& p, Vector<double>& image) {
          problem_.find_curvature(p, curvatures_, used, products, image);
        },
        [&](const Vector<double>& residual, Vector<double>& image) {
          double square = 0;
          for (Index j = 0; j < image.size(); ++j) {
            image[j] = scale_[j] * residual[j];
            square += residual[j] * image[j];
          }
          return square;
        },
        [&](double length) { linear_algebra::add(length, products, moves); }, direction);
    length_ = std::sqrt(solver_.square / unit_);
    // The products with ∇²F skipped the samples without curvature: compute their moves.
    if (used < problem_.samples()) {
      for (double& curvature : curvatures_) curvature = curvature == 0 ? 1 : 0;
      problem_.score(direction, moves, curvatures_.data(), problem_.samples() - used);
    }
    curvatures_.resize(0);  // free the memory until the next direction
  }

  SmoothObjective& problem_;
  Index stride_;
  std::uint32_t turn_{0};
  linear_algebra::ConjugateGradients<Vector<double>> solver_{};
  Vector<double> scale_{};       // the preconditioner
  Vector<double> curvatures_{};  // sᵢ/S·ℓ″, selected
  double unit_{1};               // mean of ℓ″, or 1 if the mean is 0
  double reach_{0};  // curvatures are averaged over scores up to reach_ away; 0: not averaged
  double radius_{std::numeric_limits<double>::infinity()};  // limit of length_
  double length_{0};  // ‖s‖ in the norm of the preconditioner, over √unit_: about the rms change of
                      // the scores
  bool is_whole_{false};
  double last_norm_{std::numeric_limits<double>::infinity()};
};

}  // namespace linea::detail::newton
