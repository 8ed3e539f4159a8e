// SPDX-License-Identifier: MIT
#pragma once
/// \file Truncated Newton: a few steps of conjugate gradients on ∇²F, each one pass over the
/// samples, give a direction.
#include <algorithm>  // max
#include <cmath>      // isfinite, sqrt
#include <cstdint>
#include <limits>
#include <linea/optimizers/smooth/line_search_run.hpp>
#include <string_view>

namespace linea {

/// Minimises F for a loss with a second derivative, with no penalty or a squared one, in few passes
/// whatever the scale of the features.
///
/// Each iteration solves ∇²F·s = −∇F to a tenth, by conjugate gradients preconditioned with λ +
/// c·mean x²ⱼ, an estimate of the diagonal, and searches the line of s. The scores of s come with
/// them, so that the search costs no pass: a step that is too long is shortened, never thrown away
/// with the products that it cost, and the next s kept within the length that was good. The offset
/// is one more unknown of the same system, not penalised.
///
/// On many samples ∇² is at first that of every eighth, which is enough to start with; ∇F is never
/// sampled. Once the curvature along s is far from what those have told, or ∇F does not fall, more
/// are taken.
///
/// Lin, Weng and Keerthi, JMLR 9 (2008); Hsia, Chiang and Lin, ACML 2018, for the preconditioner;
/// Galli and Lin, IEEE TNNLS 33 (2022), for the line search; Byrd, Chin, Neveitt and Nocedal, SIAM
/// J. Optim. 21 (2011), for the samples.
struct Newton {
  static constexpr std::string_view name = "Newton";

  bool offset{true};  ///< fit b, or leave it 0
  double tolerance{
      1e-6};  ///< of F above its minimum, relative to F: see LineSearchRun; 0: run all iterations
  Index iterations{100};
  Index threads{1};  ///< the same bits with any number

  /// Minimises F over w and b for x (n × d), y (n). O(non-zeros) a pass; `epochs` of the solution
  /// says how many rows were read, in units of n. Memory beside x: 90 bytes a sample and some 100 a
  /// column. Sums are in double for float x too: the objective is that of the weights but for their
  /// rounding. The gap is known where λ > 0 and the loss has a conjugate. With λ = 0 separable
  /// samples may have no minimum, only an infimum: such a run ends with epoch_limit. Throws
  /// std::invalid_argument on input that is not well-formed.
  template <CurvedLoss L, smooth::SquaredPenalty P, Samples X, VectorLike Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Solution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                 const E& given = {}) const {
    return run(objective, x, y, extras_of<scalar_t<X>>(given));
  }

 private:
  template <class L, class P, class X, class Y>
  Solution<scalar_t<X>> run(const Objective<L, P>& objective, const X& x, const Y& y,
                            const Extras<scalar_t<X>>& extras) const {
    using Problem = smooth::SmoothObjective<L, X>;
    constexpr std::string_view function = "Newton::minimize";
    Problem problem(function, objective, x, y, extras.sample_weights, offset, threads);
    smooth::LineSearchRun<scalar_t<X>, Problem> run(function, problem, extras, offset, tolerance,
                                                    iterations);
    run.template start<true>();
    Direction<> next(problem.reads_single_rows() && problem.samples() >= 8192 ? 8 : 1);
    while (run.begin(run.at.curvatures.sum())) {
      const double slope = next.find(problem, run);
      if (run.ends_by(slope)) break;
      const auto line = problem.line(run.theta, next.direction, run.scores, next.moves);
      const auto point = numerics::search_line(
          {0, run.value, slope}, next.first_step, {},
          [&](double t) { return problem.template evaluate<true>(line, t, run.at); });
      run.step(next.direction, point, slope);
      if (run.has_ended()) break;
      next.learn(point.step);
      run.scores += point.step * next.moves;
      problem.find_gradient(run.theta, run.at, run.gradient);
      run.report();
    }
    return run.solution(name);
  }

  /// A template, so that it is compiled where it is used and not where it is included.
  template <class Real = double>
  struct Direction {
    explicit Direction(Index stride) : stride_(stride) {}

    Vector<Real> direction{};  ///< s, (d) or (d + 1)
    Vector<Real> moves{};      ///< of the scores along s, (n)
    double first_step{1};      ///< where F would be least if its curvature along s stayed

    /// The next s and its moves; answers ⟨∇F, s⟩ < 0.
    template <class Problem, class Run>
    double find(Problem& problem, const Run& run) {
      if (mean_squares_.size() == 0) mean_squares_ = problem.mean_squares();
      const double curvature = run.at.curvatures.sum();
      sample(run.at.curvatures, curvature);
      const double unit = curvature > 0 ? curvature : 1;
      scale_ = unit * mean_squares_;
      scale_.head(problem.features()).array() += problem.lambda();
      scale_ = (scale_.array() > 0).select(scale_.cwiseInverse(), 1.0);
      const double norm = run.gradient.dot(scale_.cwiseProduct(run.gradient));
      solve(problem, run.gradient, norm, unit);

      // The products with ∇²F have skipped the samples without curvature.
      if (const Index skipped = (curvatures_.array() == 0).count(); skipped > 0)
        problem.score(
            direction, moves, [this](Index i) { return curvatures_[i] == 0; }, skipped);
      const double slope = run.gradient.dot(direction);
      const double bend = run.at.curvatures.dot(moves.cwiseAbs2()) +
                          problem.lambda() * problem.product(direction, direction);
      first_step = stride_ > 1 && bend > 0 ? -slope / bend : 1;
      if (bend > -1.5 * slope || norm / unit > 0.64 * last_norm_)
        stride_ = std::max<Index>(stride_ / 4, 1);
      last_norm_ = norm / unit;
      return slope;
    }

    /// From the step that was taken along s.
    void learn(double step) {
      if (step < first_step)
        radius_ = step * length_;
      else if (cut_short_)
        radius_ = 4 * step * length_;
    }

   private:
    /// The curvatures of all samples, or of one in `stride_`, drawn by a hash so that no period in
    /// x can meet that of the draw, in their place.
    void sample(const Vector<Real>& all, double curvature) {
      curvatures_ = all;
      if (stride_ == 1) return;
      ++turn_;
      const auto stride = static_cast<std::uint32_t>(stride_);
      for (Index i = 0; i < all.size(); ++i) {
        const auto hash = static_cast<std::uint32_t>(i) * 2654435769U;  // 2³² over the golden ratio
        const auto part = static_cast<std::uint32_t>((std::uint64_t{hash} * stride) >> 32);
        if (part != turn_ % stride) curvatures_[i] = 0;
      }
      if (const double sum = curvatures_.sum(); sum > 0)
        curvatures_ *= curvature / sum;
      else
        curvatures_ = all;
    }

    /// Conjugate gradients from s = 0, until the residual is a tenth of ∇F or s as long as the
    /// radius allows, both in the metric of the scale.
    template <class Problem>
    void solve(Problem& problem, const Vector<Real>& gradient, double norm, double unit) {
      direction.setZero(problem.size());
      moves.setZero(problem.samples());
      products_.setZero(problem.samples());
      used_ = (curvatures_.array() != 0).count();
      residual_ = -gradient;
      search_ = scale_.cwiseProduct(residual_);
      cut_short_ = false;
      const double bound = radius_ * radius_ * unit;
      const double enough = 0.01 * norm;
      double square = 0;   // ‖s‖²
      double product = 0;  // ⟨s, p⟩
      double search_square = norm;
      for (Index round = 0; round < 10 * problem.size() + 50; ++round) {
        problem.find_curvature(search_, curvatures_, used_, products_, image_);
        const double bend = search_.dot(image_);
        double length = norm / bend;
        if (!(bend > 0) || !std::isfinite(length)) {  // F is flat along p, or bends downwards
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
        residual_ -= length * image_;
        image_ = scale_.cwiseProduct(residual_);
        const double next = residual_.dot(image_);
        if (!(next > enough)) break;
        const double ratio = next / norm;
        search_ = image_ + ratio * search_;
        product = ratio * (product + length * search_square);
        search_square = next + ratio * ratio * search_square;
        norm = next;
      }
      length_ = std::sqrt(square / unit);
    }

    Index stride_;
    Index used_{0};  // samples of the draw that have curvature
    std::uint32_t turn_{0};
    Vector<Real> mean_squares_{}, scale_{};
    Vector<Real> curvatures_{}, products_{};        // sᵢ/S·ℓ″ of the sample, and X·p
    Vector<Real> search_{}, image_{}, residual_{};  // p, ∇²F·p, −∇F − ∇²F·s
    double radius_{std::numeric_limits<double>::infinity()};  // in rms moves, as the scale has them
    double length_{0};                                        // of s, likewise
    bool cut_short_{false};
    double last_norm_{std::numeric_limits<double>::infinity()};
  };
};

}  // namespace linea
