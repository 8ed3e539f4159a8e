// SPDX-License-Identifier: MIT
#pragma once
/// \file The direction of Newton's method by conjugate gradients: roughly, or to the last digits.
#include <algorithm>  // clamp, max, min
#include <cmath>      // isfinite, sqrt
#include <cstdint>
#include <limits>
#include <linea/core/types.hpp>
#include <linea/optimizers/smooth/sampled_curvatures.hpp>
#include <linea/optimizers/smooth/step_by_qr.hpp>
#include <linea/samples/all_rows.hpp>
#include <vector>

namespace linea::smooth {

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

  /// s to a tenth, and its moves; answers ⟨∇F, s⟩ < 0.
  template <class Problem, class Run>
  double find(Problem& problem, const Run& run) {
    prepare(problem);
    if (reach_ > 0)
      widen(problem, run);
    else
      sample_curvatures(problem, samples::first_of_all(problem.set().rows), stride_, turn_,
                        run.at.curvatures, curvatures_);
    const double norm = scale(problem, run);
    solve(problem, run.gradient, norm,
          {0.1, radius_ * std::sqrt(unit_), noise_of(problem, run), 0});
    const double slope = run.gradient.dot(direction);
    const double bend = problem.sum(run.at.curvatures.dot(moves.cwiseAbs2())) +
                        problem.lambda() * problem.product(direction, direction);
    first_step = stride_ > 1 && bend > 0 ? -slope / bend : 1;
    if (bend > -1.5 * slope || norm / unit_ > 0.64 * last_norm_)
      stride_ = std::max<Index>(stride_ / 4, 1);
    last_norm_ = norm / unit_;
    return slope;
  }

  /// s to the last digits, from all samples and whatever its length. Answers how far F falls until
  /// then if its curvature stays: infinity where it has none, though F falls.
  template <class Problem, class Run>
  double find_exactly(Problem& problem, const Run& run) {
    prepare(problem);
    curvatures_ = run.at.curvatures;
    stride_ = 1;
    const double norm = scale(problem, run);
    // Where F hardly bends, a residual below rounding may still promise a fall that counts.
    const double harmless = std::sqrt(2 * flatness * run.allowed_excess());
    const double noise = std::min(noise_of(problem, run), harmless);
    solve(problem, run.gradient, norm,
          {1e-12, std::numeric_limits<double>::infinity(), noise, most_kept});
    first_step = 1;
    const bool is_lost = is_flat_ && problem.is_convex;
    const double fall =
        is_lost ? std::numeric_limits<double>::infinity() : -run.gradient.dot(direction) / 2;
    if (!is_lost) reach_ = 0;
    if (!is_lost && fall > run.allowed_excess()) return fall;
    return see_flat(problem, run, fall, direction, moves);
  }

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
      const double mean_move = std::sqrt(problem.sum(moves.squaredNorm())) /
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
    Index kept;       // residuals to which later ones are kept conjugate; 0: s is to be rough
  };
  static constexpr Index most_kept = 200;
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
    const double change = problem.sum((curvatures_ - run.at.curvatures).cwiseAbs().sum());
    if (!(change > 0.1 * problem.sum(run.at.curvatures.sum()))) reach_ = 0;
  }

  /// Sets the preconditioner and answers the square of ∇F in it.
  template <class Problem, class Run>
  double scale(Problem& problem, const Run& run) {
    const double curvature = problem.sum(curvatures_.sum());
    unit_ = curvature > 0 ? curvature : 1;
    scale_ = unit_ * mean_squares_;
    scale_.head(problem.features()).array() += problem.lambda();
    scale_ = (scale_.array() > 0).select(scale_.cwiseInverse(), 1.0);
    return run.gradient.dot(scale_.cwiseProduct(run.gradient));
  }

  /// About the length of ∇F's rounding in the metric of the scale.
  double noise_of(const auto& problem, const auto& run) const {
    const double slopes =
        problem.sum(run.at.slopes.cwiseAbs().sum() + run.at.curvatures.dot(run.scores.cwiseAbs()));
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
      const double bend = search_.dot(image_);
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
      direction += length * search_;
      moves += length * products_;
      square += length * (2 * product + length * search_square);
      if (cut_short_) break;
      const double next = reduce_residual(length, norm, limits);
      if (!(next > enough) || has_settled(length * norm, limits)) break;
      const double ratio = next / norm;
      search_ = image_ + ratio * search_;
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
    direction.setZero(problem.size());
    moves.setZero(problem.samples());
    products_.setZero(problem.samples());
    used_ = (curvatures_.array() != 0).count();
    residual_ = -gradient;
    search_ = scale_.cwiseProduct(residual_);
    cut_short_ = is_flat_ = false;
    kept_.clear();
    falls_.clear();
  }

  /// The residual after a step of this length. Sets the image to the residual times the scale;
  /// answers the product of the two, which was `square`.
  double reduce_residual(double length, double square, const Limits& limits) {
    if (static_cast<Index>(kept_.size()) < limits.kept) kept_.push_back({residual_, square});
    residual_ -= length * image_;
    for (const Kept& one : kept_)
      residual_ -= scale_.cwiseProduct(one.residual).dot(residual_) / one.square * one.residual;
    image_ = scale_.cwiseProduct(residual_);
    return residual_.dot(image_);
  }

  /// Does a solution to the last digits end with this fall? It does when as many rounds as there
  /// are unknowns are done, or the last half of the rounds has brought a hundredth of all.
  bool has_settled(double fall, const Limits& limits) {
    falls_.push_back((falls_.empty() ? 0 : falls_.back()) + fall);
    const auto rounds = static_cast<Index>(falls_.size());
    if (limits.kept == 0) return false;
    if (rounds > direction.size() + 5 && rounds <= limits.kept) return true;
    return rounds >= 100 && falls_[falls_.size() / 2] >= 0.99 * falls_.back();
  }

  struct Kept {
    Vector<Real> residual;
    Real square;  // in the metric of the scale
  };

  Index stride_;
  Index used_{0};  // samples of the draw that have curvature
  std::uint32_t turn_{0};
  Vector<Real> mean_squares_{}, scale_{};
  Vector<Real> curvatures_{}, products_{};        // sᵢ/S·ℓ″ of the sample, and X·p
  Vector<Real> search_{}, image_{}, residual_{};  // p, ∇²F·p, −∇F − ∇²F·s
  std::vector<Kept> kept_{};
  std::vector<double> falls_{};  // of the model after every round, twice
  double unit_{1};               // mean curvature
  double reach_{0};              // moves of the scores that the curvatures are to foresee; 0: none
  double radius_{std::numeric_limits<double>::infinity()};  // in rms moves, as the scale has them
  double length_{0};                                        // of s, likewise
  bool cut_short_{false};
  bool is_flat_{false};  // does F fall where it has no curvature?
  double last_norm_{std::numeric_limits<double>::infinity()};
};

}  // namespace linea::smooth
