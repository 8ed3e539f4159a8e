// SPDX-License-Identifier: MIT
#pragma once
/// \file Truncated Newton: a few steps of conjugate gradients on ∇²F, each one pass over the
/// samples, give a direction.
#include <cmath>  // isfinite
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/smooth/factored_direction.hpp>
#include <linea/optimizers/smooth/line_search_run.hpp>
#include <linea/optimizers/smooth/newton_direction.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <linea/samples/all_rows.hpp>
#include <string_view>
#include <utility>  // move

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
/// are taken. Where no gap tells how near the minimum is, s is found to the last digits before the
/// run ends: for n·d² up to 1e8 also along what is flat to ∇²F, see smooth::StepByQr.
///
/// Where columns are few (d ≤ n/8 and 400), λ > 0, the loss bends everywhere and the gap can be
/// known, a run starts from about the minimum on a sixteenth and a quarter of the rows, and
/// directions come from factors of ∇²F that are kept: see smooth::FactoredDirection.
///
/// Where a loss is straight in pieces and few samples are where it bends, the curvatures are means
/// over scores as far apart as the steps move them. With offset, columns and targets far from 0 are
/// read relative to an origin: see samples::Frame.
///
/// Lin, Weng and Keerthi, JMLR 9 (2008); Hsia, Chiang and Lin, ACML 2018, for the preconditioner;
/// Galli and Lin, IEEE TNNLS 33 (2022), for the line search; Byrd, Chin, Neveitt and Nocedal, SIAM
/// J. Optim. 21 (2011), for the samples.
struct Newton {
  static constexpr std::string_view name = "Newton";

  bool offset{true};  ///< fit b, or leave it 0
  double tolerance{
      1e-6};  ///< of F above its minimum, relative to F: see LineSearchRun; 0: run all iterations
  Index iterations{100};  ///< at most
  Index threads{1};       ///< the same bits with any number

  /// Minimises F over w and b for x (n × d), y (n). O(non-zeros) a pass; `epochs` of the solution
  /// says how many rows were read, in units of n. Memory beside x: 60 bytes a sample and some 100 a
  /// column; for few columns 16·d² bytes, at λ = 0 up to 32·d² for d < 465. Sums are in double for
  /// float x too. The gap is known where λ > 0 and the loss has a conjugate. With λ = 0 separable
  /// samples may have no minimum, only an infimum: such a run ends with epoch_limit. Throws
  /// std::invalid_argument on input that is not well-formed.
  template <CurvedLoss L, smooth::SquaredPenalty P, AnySamples X, VectorLike Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Solution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                 const E& given = {}) const {
    return samples::together(x, extras_of<scalar_t<X>>(given),
                             [&](const Extras<scalar_t<X>>& extras) {
                               auto set = smooth::admit(function, objective, threads, x, y, extras);
                               return run(objective.loss, strong_convexity_of(objective.penalty),
                                          std::move(set), extras);
                             });
  }

 private:
  static constexpr std::string_view function = "Newton::minimize";

  template <class T, class L, class Rows>
  Solution<T> run(const L& loss, double lambda, samples::TrainingSet<Rows> set,
                  const Extras<T>& extras) const;

  /// The next direction and ⟨∇F, direction⟩. Near the minimum, where no bound can tell how near, it
  /// is found to the last digits. May end the run.
  template <class Problem, class Run>
  static double find_direction(Problem& problem, Run& run, smooth::NewtonDirection<>& next) {
    const double slope = next.find(problem, run);
    if (!run.needs_exact_step()) run.ends_by(slope);
    if (!run.needs_exact_step() || !run.seems_near(slope)) return slope;
    const double excess = next.find_exactly(problem, run);
    if (!std::isfinite(excess)) return next.find(problem, run);
    run.ends_by_exact(excess, next.direction, next.moves);
    return run.gradient.dot(next.direction);
  }
};

// Not inline, so that linea::compiled can have it: see rows/compiled.hpp.
template <class T, class L, class Rows>
Solution<T> Newton::run(const L& loss, double lambda, samples::TrainingSet<Rows> set,
                        const Extras<T>& extras) const {
  using Problem = smooth::SmoothObjective<L, Rows>;
  Problem problem(loss, lambda, std::move(set), offset, threads);
  smooth::LineSearchRun<T, Problem> run(function, problem, extras, offset, tolerance, iterations);
  run.template start<true>();
  smooth::NewtonDirection<> next(problem.reads_single_rows() && problem.all_samples() >= 8192 ? 8
                                                                                              : 1);
  smooth::FactoredDirection<> factored(loss, problem, run, extras.start_weights.size() > 0);
  while (run.begin(problem.sum(run.at.curvatures.sum()))) {
    double slope = factored.is_at_work() ? factored.find(loss, problem, run, next) : 0;
    const bool is_factored = factored.is_at_work();
    if (!is_factored) slope = find_direction(problem, run, next);
    if (run.has_ended()) break;
    const auto line = problem.line(run.theta, next.direction, run.scores, next.moves);
    const auto point = numerics::search_line(
        {0, run.value, slope}, next.first_step, {},
        [&](double t) { return problem.template evaluate<true>(line, t, run.at); });
    const bool has_learnt =
        is_factored ? factored.learn(point.step) : next.learn(problem, run, point.step);
    if (point.step == 0) {
      if (!run.template refresh<true>() && !has_learnt) run.end_at_rounding();
      continue;
    }
    run.step(next.direction, point, false);
    run.scores += point.step * next.moves;
    problem.find_gradient(run.theta, run.at, run.gradient);
    run.report();
  }
  return run.solution(name);
}

#define LINEA_NEWTON_OF(how, L, T, R) \
  how Solution<T> Newton::run(const L&, double, samples::TrainingSet<R>, const Extras<T>&) const;
#define LINEA_COMPILED_NEWTON(how)           \
  LINEA_EACH_ROWS(LINEA_NEWTON_OF, how, Log) \
  LINEA_EACH_ROWS(LINEA_NEWTON_OF, how, Squared)
#ifdef LINEA_COMPILED
LINEA_COMPILED_NEWTON(extern template)
#endif

}  // namespace linea
