// SPDX-License-Identifier: MIT
#pragma once
/// \file The interior point method: the minimum of losses with kinks, with a proof.
#include <cmath>  // isfinite, isinf, sqrt
#include <concepts>
#include <limits>
#include <linea/core/dual_solution.hpp>
#include <linea/core/entries.hpp>
#include <linea/core/loss.hpp>
#include <linea/losses/absolute.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/optimizers/dual/stored_point.hpp>
#include <linea/optimizers/programs/loss_boxes.hpp>
#include <linea/optimizers/programs/loss_point.hpp>
#include <linea/optimizers/programs/loss_proof.hpp>
#include <linea/optimizers/programs/loss_search.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/rows/compiled.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/unseen_columns.hpp>
#include <string_view>
#include <utility>  // move

namespace linea {

/// The penalties l1·‖w‖₁ + l2/2·‖w‖² of linea.
template <class P>
concept ElasticPenalty = std::same_as<P, NoPenalty> || std::same_as<P, L1> || std::same_as<P, L2> ||
    std::same_as<P, ElasticNet>;

/// Minimises F for losses that are made of lines and parabolas: hinge, absolute, quantile, Huber, …
/// (see BoxLoss), with no penalty, L1, L2 or both, each λ ≥ 0. Linear programs and quadratic ones
/// alike, by Mehrotra's predictor-corrector method, and by the equations of the active set that it
/// suggests for the digits that are left. The answer does not depend on the scale or the origin of
/// the columns. Under L1 weights that are 0 at the minimum are 0.
///
/// Cost: O(n·r²) an iteration for some 10 to 60 of them, and 8·n·r bytes beside x; r = min(n, d),
/// but d with an absolute penalty; twice as much for ε-insensitive loss. For d > n without one
/// O(n²·d) more. Mehrotra, SIAM Journal on Optimization 2 (1992);
/// Portnoy and Koenker, Statistical Science 12 (1997).
struct InteriorPoint {
  static constexpr std::string_view name = "InteriorPoint";

  bool offset{true};  ///< fit b, or leave it 0
  /// Converged: gap ≤ tolerance·|F|, or 4e-15 of F at w = 0 and the best b, which is its rounding.
  double tolerance{1e-8};
  Index iterations{200};  ///< at most

  /// x (n × d), y (n). Computed in double; for float x the weights are rounded in the end. A start
  /// makes no difference. Throws std::invalid_argument on wrong input.
  /// The status is `precision_limit` where the digits of double or float run out before the gap is
  /// down to the tolerance; the gap is true then, too. Without a squared penalty the bound rests on
  /// equations that hold up to rounding. The gap then counts what they miss: with an absolute
  /// penalty at the weights found, without any at all weights whose scores are of that size. There
  /// a column that others make up, but for the rounding of its numbers, has the weight 0, and the
  /// bound counts it where sums can tell that it is more than rounding.
  /// After each iteration, and once more at the end, an observer is told of the best weights and
  /// bound so far, for a few passes; no bit depends on it.
  template <BoxLoss L, ElasticPenalty P, Samples X, VectorLike Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  DualSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                     const E& given = {}) const {
    return admit(objective, x, y, extras_of<scalar_t<X>>(given));
  }

 private:
  static constexpr std::string_view function = "InteriorPoint::minimize";
  template <class L, class P, class X, class Y, class T = scalar_t<X>>
  DualSolution<T> admit(const Objective<L, P>& objective, const X& x, const Y& y,
                        const Extras<T>& extras) const {
    core::require_valid(function, objective);
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": a tolerance of ", tolerance);
    require(iterations > 0, function, ": ", iterations, " iterations");
    auto set = samples::admit_in_double(function, objective.loss, x, y, extras.sample_weights);
    double best = std::numeric_limits<double>::infinity();
    DualSolution<T> solution = run<T>(objective, set, with_best(extras, best));
    if (solution.status != Status::stopped)
      report_once(extras, solution, solution.iterations + 1, best);
    return solution;
  }

  /// Where the offset is free, samples and targets that lie far from 0 are moved there.
  template <class T, class L, class P, class Rows>
  DualSolution<T> run(const Objective<L, P>& objective, samples::TrainingSet<Rows>& set,
                      const Extras<T>& extras) const;

  /// The best w and b in the frame, for a gap that may be as large as `rounding`. Sets the
  /// multipliers, the dual and the iterations of the solution, and `stopped` where it was.
  template <class T, class L, class P, class Rows>
  Point<double> search(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
                       double constant, double rounding, const samples::Frame<>& frame,
                       const Extras<T>& extras, DualSolution<T>& solution) const {
    const auto [l1, l2] = programs::parts_of(objective.penalty);
    const programs::RowSpace space(set, offset, l1 > 0);
    Vector<double> weights = set.weights;
    if (weights.size() == 0) weights = numerics::constant(set.rows.rows(), 1);
    const programs::LossProgram<double> program(
        space.coordinates(), programs::boxes_of(objective.loss, set.y), weights, l1, l2, offset,
        constant, space.is_rotated(), programs::roundings_of(space, set));
    const auto count = static_cast<double>(set.rows.rows());
    programs::LossSearch<double> search(program, rounding * count);
    // The coordinates are made of sums of squares.
    const bool is_blind =
        space.is_rotated() && l2 < 1e-290 && samples::has_unseen_columns(set, offset);
    if (is_blind) search.prove_nothing();
    Vector<double> dual_sum;
    const auto point_at = [&, strength = l2](const Vector<double>& q, const Vector<double>& slopes,
                                             Vector<double>& multipliers) {
      multipliers = program.slopes(slopes, weights);
      for (Index i = 0; i < multipliers.size(); ++i)
        multipliers[i] = dual::within_domain(objective.loss, -multipliers[i], set.y[i]);
      return programs::point_of(space, program, q, programs::weighted_parts(set, multipliers),
                                strength, dual_sum);
    };
    const auto iterate = [&] {
      Vector<double> multipliers;
      Point<double> point = point_at(search.seen_primal(), search.seen_multipliers(), multipliers);
      if (offset) point.offset -= numerics::dot(space.mean(), point.weights);
      return frame.leave<T>(point.weights, point.offset, search.seen_value() / count);
    };
    if (!watch(search, count, iterate, extras)) solution.status = Status::stopped;
    solution.iterations = search.iterations();
    Point<double> point = point_at(search.primal(), search.multipliers(), solution.multipliers);
    programs::ProofTerms terms{std::move(dual_sum), programs::scales_of(space, program), offset,
                               program.is_free(), 0};
    if (terms.is_free)
      terms.missed =
          program.missed(program.slopes_of_rows(solution.multipliers, weights), search.primal()) /
          count;
    else if (offset)
      terms.side = programs::heavier_side(space, set, solution.multipliers);
    prove(objective, set, terms, point, solution);
    if (is_blind || !(solution.dual >= 0)) forget_proof(solution);
    if (offset) point.offset -= numerics::dot(space.mean(), point.weights);
    return point;
  }

  /// Runs the search and tells the observer. False: the observer has ended it.
  template <class T, class Iterate>
  bool watch(programs::LossSearch<double>& search, double count, const Iterate& iterate,
             const Extras<T>& extras) const {
    const auto stops = [&](const programs::BoxPoint<double>& point, Index iteration) {
      if (!extras.observer) return false;
      search.look(point);
      Progress progress = programs::progress_of(search, iteration, count);
      progress.iterate = iterate;
      return extras.observer(progress) == Control::stop;
    };
    return search.run(tolerance, iterations, stops);
  }

  /// The dual of F at the multipliers, which are scaled towards 0 where they only prove something
  /// then. `point` is one to measure rounding by.
  template <class T, class L, class P, class Rows>
  static void prove(const Objective<L, P>& objective, const samples::TrainingSet<Rows>& set,
                    const programs::ProofTerms& terms, const Point<double>& point,
                    DualSolution<T>& solution) {
    const programs::ProofCost cost(terms, set, solution.multipliers,
                                   programs::parts_of(objective.penalty), point);
    const auto cost_at = [&, has_side = terms.side.sum.size() > 0](double scale) {
      const Vector<double>& side = terms.side.multipliers;
      return cost(scale, has_side ? dual::dual_of_losses(objective.loss, set, side, scale) : 0);
    };
    const double scale =
        std::isinf(cost_at(1)) ? dual::largest_scale(objective.penalty, cost.widened()) : 1;
    for (double& multiplier : solution.multipliers) multiplier *= scale;
    solution.dual =
        dual::dual_of_losses(objective.loss, set, solution.multipliers) - cost_at(scale);
  }

  /// No loss is below 0: that is all that is known.
  template <class T>
  static void forget_proof(DualSolution<T>& solution) {
    solution.dual = 0;
    for (double& multiplier : solution.multipliers) multiplier = 0;
  }
};

// Not inline, so that linea::compiled can have it: see rows/compiled.hpp.
template <class T, class L, class P, class Rows>
DualSolution<T> InteriorPoint::run(const Objective<L, P>& objective,
                                   samples::TrainingSet<Rows>& set, const Extras<T>& extras) const {
  const samples::Frame<> frame(objective.loss, set, offset);
  const Point<double> constant = samples::constant_point(objective.loss, set, offset);
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * constant.objective;

  DualSolution<T> solution;
  const auto enter = [&](const Point<double>& point) {
    const auto value = [&](const Point<double>& at) {
      return samples::risk_of(objective.loss, set, at.weights, at.offset) +
             objective.penalty.value(at.weights);
    };
    dual::enter_stored(frame, point, value, solution);
    return core::all_finite(solution.weights) && std::isfinite(solution.objective);
  };
  const bool is_finite =
      enter(search(objective, set, constant.offset, rounding, frame, extras, solution));
  if (!(solution.objective <= constant.objective)) enter(constant);
  const Certificate certificate = solution.certificate();
  solution.gap = certificate.gap();
  const bool is_stopped = solution.status == Status::stopped;
  solution.status = !is_finite                                ? Status::diverged
                    : is_stopped                              ? Status::stopped
                    : certificate.proves(tolerance, rounding) ? Status::converged
                    : solution.iterations >= iterations       ? Status::epoch_limit
                                                              : Status::precision_limit;
  solution.iterate = Iterate::best;
  solution.optimizer = name;
  solution.epochs = solution.iterations;
  return solution;
}

#define LINEA_INTERIOR_POINT_OF(how, L, T, R)                                               \
  how DualSolution<T> InteriorPoint::run(const Objective<L, L2>&, samples::TrainingSet<R>&, \
                                         const Extras<T>&) const;
#define LINEA_COMPILED_INTERIOR_POINT(how) LINEA_EACH_ROWS(LINEA_INTERIOR_POINT_OF, how, Hinge)
#ifdef LINEA_COMPILED
LINEA_COMPILED_INTERIOR_POINT(extern template)
#endif

}  // namespace linea
