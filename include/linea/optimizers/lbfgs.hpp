// SPDX-License-Identifier: MIT
#pragma once
/// \file L-BFGS: directions from the last few changes of the gradient, one pass over the samples an
/// iteration.
#include <cmath>  // isfinite
#include <cstdint>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/smooth/line_search_run.hpp>
#include <linea/optimizers/smooth/newton_direction.hpp>
#include <linea/optimizers/smooth/remembered_changes.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/samples/all_rows.hpp>
#include <string_view>
#include <type_traits>  // common_type
#include <utility>      // move
#include <vector>

namespace linea {

/// Minimises F for any loss with a continuous derivative, with no penalty or a squared one.
///
/// The step 1 is tried first, with value and gradient in one pass; any other step of the line
/// search needs none, for scores move linearly, and one more pass for the gradient at its end. The
/// first guess of the inverse of ∇²F is the diagonal 1/(λ + c·mean x²ⱼ), so that the scale of the
/// features hardly matters. Where no gap tells how near the minimum is, the last direction of
/// losses with a second derivative is that of Newton's method. With offset, columns and targets far
/// from 0 are read relative to an origin: see samples::Frame. Liu and Nocedal, Mathematical
/// Programming 45 (1989).
struct Lbfgs {
  static constexpr std::string_view name = "Lbfgs";

  bool offset{true};  ///< fit b, or leave it 0
  Index memory{10};   ///< changes of w and ∇F that are kept: 16·d bytes each
  double tolerance{
      1e-6};  ///< of F above its minimum, relative to F (see LineSearchRun); 0: run all iterations
  Index iterations{1000};  ///< at most
  Index threads{1};        ///< the same bits with any number

  /// Minimises F over w and b for x (n × d), y (n). O(non-zeros) a pass, of which `epochs` of the
  /// solution says how many were made. Sums are in double for float x too. The gap is known where λ
  /// > 0 and the loss has a conjugate. Where rounding ends the way to the minimum, the status is
  /// precision_limit, and the answer no worse than the best constant; nor is it where `iterations`
  /// are used up, unless a start is given. Throws std::invalid_argument on input that is not
  /// well-formed.
  template <KinklessLoss L, smooth::SquaredPenalty P, AnySamples X, VectorLike Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Solution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                 const E& given = {}) const {
    return samples::together(x, extras_of<scalar_t<X>>(given),
                             [&](const Extras<scalar_t<X>>& extras) {
                               require(memory >= 1, function, ": a memory of ", memory, " changes");
                               auto set = smooth::admit(function, objective, threads, x, y, extras);
                               return run(objective.loss, strong_convexity_of(objective.penalty),
                                          std::move(set), extras);
                             });
  }

 private:
  static constexpr std::string_view function = "Lbfgs::minimize";

  template <class T, class L, class Rows>
  Solution<T> run(const L& loss, double lambda, samples::TrainingSet<Rows> set,
                  const Extras<T>& extras) const;

  /// A step of Newton's method in place of `direction`, found to the last digits: no bound tells
  /// how near the minimum is. Ends the run if it is near; answers ⟨∇F, direction⟩.
  template <class Problem, class Run, class Real>
  static double find_exactly(Problem& problem, Run& run, Vector<Real>& direction) {
    run.template evaluate<true>();
    smooth::NewtonDirection<Real> newton(1);
    const double excess = newton.find_exactly(problem, run);
    run.ends_by_exact(excess, newton.direction, newton.moves);
    const double slope = run.gradient.dot(newton.direction);
    if (slope < 0 && std::isfinite(excess)) direction = newton.direction;
    return run.gradient.dot(direction);
  }

  /// Moves along the direction. The first step is 1, with F, its gradient and the scores all from
  /// one pass; any other costs none but that for the gradient at its end, as scores move linearly.
  /// False if there is no lower point.
  template <class Problem, class Run, class Real>
  static bool advance(Problem& problem, Run& run, const Vector<Real>& direction, double slope) {
    Vector<Real> scores(problem.samples()), moves(problem.samples()), gradient;
    const auto line = problem.line(run.theta, direction, run.scores, moves);
    const Vector<Real> theta = run.theta + direction;
    Index trials = 0;
    const auto point =
        numerics::search_line({0, run.value, slope}, 1, {}, [&](double t) -> numerics::LinePoint {
          if (++trials == 1) {
            const double value = problem.evaluate_with_gradient(theta, scores, run.at, gradient);
            return {t, value, gradient.dot(direction)};
          }
          if (trials == 2) {
            moves = scores - run.scores;
            // Where little is left of large scores it has lost its digits.
            if (!(problem.sum(moves.squaredNorm()) > 1e-6 * problem.sum(scores.squaredNorm())))
              problem.score(direction, moves);
          }
          return problem.template evaluate<false>(line, t, run.at);
        });
    if (point.step == 0) return false;
    run.step(direction, point, true);
    if (trials == 1) {
      run.scores.swap(scores);
      run.gradient.swap(gradient);
    } else {
      run.value = problem.evaluate_with_gradient(run.theta, run.scores, run.at, run.gradient);
    }
    return true;
  }

  /// The inverse of each entry of ∇²F's diagonal, with `curvature` for that of the mean loss; 1
  /// where it is 0.
  template <class Problem>
  static auto scale_of(Problem& problem, double curvature) {
    auto scale = problem.mean_squares();
    scale *= curvature;
    scale.head(problem.features()).array() += problem.lambda();
    scale = (scale.array() > 0).select(scale.cwiseInverse(), 1.0).eval();
    return scale;
  }

  // Templates, so that they are compiled where they are used and not where they are included.

  template <class Real>
  struct Memory {
    explicit Memory(Index most) : changes_(most) {}

    void add(Vector<Real> step, Vector<Real> bend) {
      const double product = step.dot(bend);
      const double curved = bend.dot(scale.cwiseProduct(bend));
      if (changes_.add(std::move(step), std::move(bend))) factor_ = product / curved;
    }
    bool is_empty() const { return changes_.is_empty(); }
    void clear() {
      changes_.clear();
      factor_ = 1;
    }

    /// A direction along which F falls: what is remembered is forgotten where it gives none.
    double find_descent(const Vector<Real>& gradient, Vector<Real>& direction) {
      const double slope = find_direction(gradient, direction);
      if (slope < 0) return slope;
      clear();
      return find_direction(gradient, direction);
    }

    Vector<Real> scale{};

   private:
    double find_direction(const Vector<Real>& gradient, Vector<Real>& direction) {
      return changes_.find_direction(
          gradient, direction, [this](Vector<Real>& v) { v = factor_ * scale.cwiseProduct(v); });
    }

    double factor_{1};
    smooth::RememberedChanges<Real> changes_;
  };
};

template <class T, class L, class Rows>
Solution<T> Lbfgs::run(const L& loss, double lambda, samples::TrainingSet<Rows> set,
                       const Extras<T>& extras) const {
  using Real = std::common_type_t<T, double>;
  using Problem = smooth::SmoothObjective<L, Rows>;
  Problem problem(loss, lambda, std::move(set), offset, threads);
  smooth::LineSearchRun<T, Problem> run(function, problem, extras, offset, tolerance, iterations);
  run.template start<CurvedLoss<L>>();
  double curvature = 1;
  if constexpr (CurvedLoss<L>) curvature = problem.sum(run.at.curvatures.sum());
  if (!(curvature > 0)) curvature = 1;
  Memory<Real> changes(memory);
  Vector<Real> direction;
  while (run.begin(0)) {
    if (changes.scale.size() == 0) changes.scale = scale_of(problem, curvature);
    double slope = changes.find_descent(run.gradient, direction);
    if (CurvedLoss<L> && run.needs_exact_step()) {
      if constexpr (CurvedLoss<L>)
        if (run.seems_near(slope)) slope = find_exactly(problem, run, direction);
    } else {
      run.ends_by(slope);
    }
    if (run.has_ended()) break;
    const Vector<Real> theta = run.theta;
    const Vector<Real> gradient = run.gradient;
    if (advance(problem, run, direction, slope)) {
      changes.add(run.theta - theta, run.gradient - gradient);
      run.report();
    } else if (changes.is_empty()) {
      run.end_at_rounding();
    } else {
      changes.clear();
    }
  }
  return run.solution(name);
}

}  // namespace linea
