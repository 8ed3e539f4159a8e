// SPDX-License-Identifier: MIT
#pragma once
/// \file The interior point method: minimises losses with kinks and returns a duality gap.
#include <algorithm>  // max
#include <cmath>      // isfinite, sqrt
#include <concepts>
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/losses/absolute.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/interior_point/loss_search.hpp>
#include <linea/optimizers/interior_point/row_space.hpp>
#include <linea/optimizers/solver/stored.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/proof/rounded_bound.hpp>
#include <linea/proof/separable_penalty.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <linea/samples/row_blocks.hpp>
#include <string_view>

namespace linea {

/// The penalties of linea that have the form l1·‖w‖₁ + l2/2·‖w‖².
template <class P>
concept ElasticPenalty = std::same_as<P, NoPenalty> || std::same_as<P, L1> || std::same_as<P, L2> ||
    std::same_as<P, ElasticNet>;

/// Minimises F for losses of linear and quadratic pieces with bounded slopes: hinge, absolute,
/// quantile, Huber, … (see BoxLoss). The penalty is none, L1, L2 or both, with λ ≥ 0. Solves the
/// linear or quadratic program by Mehrotra's predictor-corrector method and, if digits are missing,
/// by the equations of the active set. The accuracy does not depend on the scale of the columns or,
/// with an offset, on their origin. With L1, weights that are 0 at the minimum are exactly 0.
///
/// Cost: O(n·r²) in an iteration, for about 10 to 60 iterations, and about 16·n·r bytes beside x.
/// Here r = d with an L1 penalty, else min(n, d). An iteration takes twice as long for
/// ε-insensitive loss. Without L1, d > n costs O(n²·d) more. See Mehrotra, SIAM Journal on
/// Optimization 2 (1992); Portnoy and Koenker, Statistical Science 12 (1997).
struct InteriorPoint {
  static constexpr std::string_view name = "InteriorPoint";

  Index iterations{200};  ///< limit of iterations
  /// A run has converged when the gap is ≤ tolerance·|F|, or ≤ 16·ε times F at the best constant.
  double tolerance{1e-8};
  bool offset{true};  ///< fit b, or leave it 0

  /// Minimises F over w and b for x (n × d), y (n). Computes in double; for float x it rounds the
  /// weights at the end. Ignores a start. Throws std::invalid_argument on invalid input, and for a
  /// loss selected at run time that is not a sum of DualBoxes. Calls an observer after each
  /// iteration and, unless the observer has stopped the run, once at the end. Queries of the
  /// observer cost a few passes and do not change the result.
  ///
  /// The gap includes the rounding errors of its sums. If the gap cannot reach the tolerance, the
  /// status is `precision_limit`. Without a squared penalty the dual has constraints that hold only
  /// up to rounding. With L1, scaled dual variables satisfy the constraints. Without any penalty,
  /// the gap allows for the violation of the constraints, but only for weights whose scores have at
  /// most twice the norm of the scores found. Also without any penalty, a column that depends on
  /// others up to the rounding of its entries gets the weight 0. If the computed sums show that
  /// such a column is independent after all, the lower bound on F* is 0.
  template <BoxLoss L, ElasticPenalty P, Samples X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  DualSolution<scalar_t<X>> minimize(const Objective<L, P>& objective, const X& x, const Y& y,
                                     const E& given = {}) const {
    const auto& extras = extras_of<scalar_t<X>>(given);
    detail::require_valid(function, objective, x.cols());
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": a tolerance of ", tolerance);
    require(iterations > 0, function, ": ", iterations, " iterations");
    require(has_dual_boxes(objective.loss), function, ": the loss ", name_of(objective.loss),
            " is not made of lines and parabolas of bounded slope; Newton takes it");
    auto set =
        detail::samples::admit_in_double(function, objective.loss, x, y, extras.sample_weights);
    auto solution = solve<scalar_t<X>>(objective, set, extras, false);
    if (solution.status != Status::stopped) report_once(extras, solution, solution.iterations + 1);
    return solution;
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  static constexpr std::string_view function = "InteriorPoint::minimize";

  /// Solves the program of validated samples. If the offset is free, centres samples and targets
  /// far from 0. See LossGoal for `exact`.
  template <class T, class L, class P, class Rows>
  DualSolution<T> solve(const Objective<L, P>& objective, detail::samples::TrainingSet<Rows>& set,
                        const Extras<T>& extras, bool exact) const {
    const detail::samples::Frame<> frame(objective.loss, set, offset);
    const detail::samples::LossBlocksOf<L> loss(objective.loss);
    const detail::samples::RowBlocksOf rows(set.rows);
    const detail::proof::SeparablePenaltyOf<P> penalty(objective.penalty);
    const detail::interior_point::RowSpace space(set, offset, penalty.l1(0) > 0);
    return run({loss, penalty, rows, set.y, set.weights, frame, space,
                detail::interior_point::boxes_of(objective.loss, set.y)},
               extras, exact);
  }
  friend struct SvmQuadraticProgram;

  template <class T>
  DualSolution<T> run(const detail::interior_point::LossSamples& samples, const Extras<T>& extras,
                      bool exact) const;

  /// Returns the best w and b for the centred samples. `constant` is the best constant score, and
  /// the floor of the goal is a value of F. Sets the dual variables, the dual and the iterations of
  /// the solution, and the status `stopped` if an observer ended the run.
  template <class T>
  Point<double> search(const detail::interior_point::LossSamples& samples,
                       const detail::samples::RiskOfScores& risk, double constant,
                       detail::interior_point::LossGoal goal, const Extras<T>& extras,
                       DualSolution<T>& solution) const {
    const double l1 = samples.penalty.l1(0);
    const double l2 = samples.penalty.l2(0);
    const auto count = static_cast<double>(samples.y.size());
    Vector<double> weights = samples.weights;
    if (weights.size() == 0) weights = detail::filled(samples.y.size(), 1.0);
    const detail::interior_point::Coordinates& space = samples.space;
    const detail::interior_point::LossProgram<double> program(
        space.coordinates(), samples.boxes, weights, l1, l2, offset, constant, space.is_rotated(),
        space.roundings());
    goal.floor *= count;
    detail::interior_point::LossSearch<double> search(program, goal);
    const auto point_at = [&](const detail::interior_point::BoundedPoint<double>& found,
                              Vector<double>& multipliers) {
      multipliers = program.slopes(found.multipliers, weights);
      detail::linear_algebra::scale(-1, multipliers);
      samples.loss.enter_domain(multipliers.data(), samples.y.data(), multipliers.size());
      Vector<double> parts = multipliers;  // sᵢαᵢ/(n·l2)
      for (Index i = 0; i < parts.size(); ++i)
        parts[i] = l2 > 0 ? weights[i] * multipliers[i] / count / l2 : 0;
      Point<double> point{space.weights(program.unscaled(found.primal), parts), 0, 0};
      if (offset)
        point.offset =
            found.primal[program.rank()] - detail::linear_algebra::dot(space.mean(), point.weights);
      return point;
    };
    const auto stops = [&](const detail::interior_point::BoxPoint<double>& at, Index iteration) {
      if (!extras.observer) return false;
      const auto place = [&](const auto& seen) {
        Vector<double> multipliers;
        const Point<double> point = point_at(seen, multipliers);
        return samples.frame.template leave<T>(point.weights, point.offset, seen.value / count);
      };
      const detail::interior_point::SearchSeen seen(search, at, place, count);
      Progress progress;
      progress.epoch = progress.updates = iteration;
      progress.run = &seen;
      if (extras.observer(progress) != Control::stop) return false;
      search.look(at);  // so that this point may be the result
      return true;
    };
    if (!search.run(stops)) solution.status = Status::stopped;
    solution.iterations = search.iterations();
    Point<double> point = point_at(search.best(), solution.multipliers);
    double scale = 1;
    solution.dual =
        bound(samples, risk, program, search.best().primal, solution.multipliers, scale);
    if (!(solution.dual > 0)) scale = solution.dual = 0;  // F* ≥ 0, as losses are ≥ 0
    detail::linear_algebra::scale(scale, solution.multipliers);
    return point;
  }

  /// Returns a lower bound on F* from the dual variables, and sets the factor `scale` that they
  /// need for it. Returns 0 if they give no bound.
  double bound(const detail::interior_point::LossSamples& samples,
               const detail::samples::RiskOfScores& risk,
               const detail::interior_point::LossProgram<double>& program,
               const Vector<double>& primal, const Vector<double>& multipliers,
               double& scale) const {
    using detail::proof::rounded_bound, detail::proof::rounded_sums;
    if (!program.is_free())
      return rounded_bound(samples.rows, risk, samples.penalty, multipliers, offset, &scale);
    const auto sums = rounded_sums(samples.rows, risk, multipliers, false);
    // Do the dual variables satisfy Σᵢ sᵢαᵢxᵢ = 0? This needs a check if x was rotated, because
    // the rotation may lose tiny columns.
    bool is_met = program.has_bounds();
    for (Index j = 0; j < sums.sums.size() && samples.space.is_rotated(); ++j)
      is_met = is_met && std::abs(sums.sums[j]) <= (1e-6 - sums.unit) * sums.sizes[j];
    if (!is_met) return 0;
    const auto n = static_cast<double>(samples.y.size());
    Vector<double> slopes = risk.in_parts(multipliers);
    detail::linear_algebra::scale(-n, slopes);
    return risk.rounded_dual(multipliers, 1, sums.unit) -
           program.missed(program.slopes_of_rows(slopes), primal) / n;
  }
};

// Not inline, because `extern template` has no effect on inline functions: see rows/compiled.hpp.
template <class T>
DualSolution<T> InteriorPoint::run(const detail::interior_point::LossSamples& samples,
                                   const Extras<T>& extras, bool exact) const {
  const detail::samples::RiskOfScores risk(samples.loss, samples.y, samples.weights);
  const auto objective_at = [&](const Point<double>& at) {
    return risk.value(detail::samples::scores_of(samples.rows, at.weights), at.offset) +
           samples.penalty.value(at.weights);
  };
  Point<double> constant{detail::filled(samples.rows.cols(), 0.0), 0, 0};
  if (offset) constant.offset = detail::samples::best_constant(risk);
  constant.objective = objective_at(constant);
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * constant.objective;

  DualSolution<T> solution;
  const auto enter = [&](const Point<double>& point) {
    const Solution<T> rounded = solver::stored<T>(samples.frame, point);
    solution.weights = rounded.weights;
    solution.offset = rounded.offset;
    solution.objective = objective_at(solver::centred(samples.frame, rounded));
    return solver::is_finite(solution);
  };
  const bool is_finite = enter(search(
      samples, risk, constant.offset,
      {exact ? tolerance / 1000 : tolerance, rounding, iterations, exact}, extras, solution));
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
  solution.epochs = solution.updates = solution.iterations;
  return solution;
}

#define LINEA_INTERIOR_POINT_OF(how, T)                                              \
  how DualSolution<T> InteriorPoint::run(const detail::interior_point::LossSamples&, \
                                         const Extras<T>&, bool) const;
#define LINEA_COMPILED_INTERIOR_POINT(how) \
  LINEA_INTERIOR_POINT_OF(how, double) LINEA_INTERIOR_POINT_OF(how, float)
#ifdef LINEA_COMPILED
LINEA_COMPILED_INTERIOR_POINT(extern template)
#endif

}  // namespace linea
