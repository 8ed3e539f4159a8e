// SPDX-License-Identifier: MIT
#pragma once
/// \file The support vector machine as a quadratic program: the minimum itself, with a proof.
#include <algorithm>  // max
#include <cmath>
#include <linea/core/entries.hpp>
#include <linea/core/solution.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/programs/hinge_bound.hpp>
#include <linea/optimizers/programs/hinge_primal.hpp>
#include <linea/optimizers/programs/hinge_program.hpp>
#include <linea/optimizers/programs/row_space.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>
#include <type_traits>  // common_type, is_same
#include <utility>      // move
#include <vector>

namespace linea {

/// The smallest F, and multipliers that prove it: no w and b have an F below `dual`. `objective` is
/// the primal, F(weights, offset), and `gap` = primal − dual ≥ 0. What rounding may have added to
/// the dual is taken from it. `epochs` counts iterations.
template <class T>
struct [[nodiscard]] SvmSolution : Solution<T> {
  Eigen::VectorXd multipliers;  ///< αᵢ (n) in [0, sᵢ/S], w = Σᵢ αᵢyᵢxᵢ/λ; with offset Σᵢ αᵢyᵢ = 0
  Eigen::VectorXd slacks;  ///< ξᵢ (n), variables of the program: at its solution the hinge losses
  std::vector<Index> support;  ///< samples with αᵢ above 0 by more than rounding, in order
  double dual{0};  ///< Σᵢ αᵢ − ‖Σᵢ αᵢyᵢxᵢ‖²/(2λ), less the rounding of the sums
};

/// Minimises (1/S) Σᵢ sᵢ·ξᵢ + λ/2·‖w‖² subject to yᵢ(⟨w, xᵢ⟩ + b) ≥ 1 − ξᵢ and ξᵢ ≥ 0: the mean
/// hinge loss with an L2 penalty of λ > 0. An interior point comes near, the equations of the
/// active set that it suggests give the digits that are left, and of all that was found the
/// smallest gap decides.
///
/// Where the best offset is an interval, b lies in it; with one class only w = 0 and b is its
/// target. Cost: O(n·r²) an iteration, r = min(n, d), for some 15 to 60 of them, and n·r doubles
/// beside x; for d > n O(n²·d) more. 6.036 notes of week 2,
/// section 3.5, equation (10).
struct SvmQuadraticProgram {
  static constexpr std::string_view name = "SvmQuadraticProgram";

  bool offset{true};       ///< fit b, or leave it 0
  double tolerance{1e-9};  ///< converged: gap ≤ tolerance·objective
  Index iterations{200};   ///< at most

  /// x (n × d), y (n) of −1 and +1. Computed in double: for float x the weights are rounded in the
  /// end, at a price that the gap includes: precision_limit, should it then be above the tolerance,
  /// as 1e-9 is for floats. A sample of weight 0 has α = 0 and its hinge loss for ξ. Of the extras
  /// the sample weights count, and an observer is told once, at the end; a start is not needed and
  /// makes no difference. Throws std::invalid_argument on input that is not well-formed, and when λ
  /// is 0.
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  SvmSolution<scalar_t<X>> minimize(const Objective<Hinge, L2>& objective, const X& x, const Y& y,
                                    const E& given = {}) const {
    return run(objective, x, y, extras_of<scalar_t<X>>(given));
  }

 private:
  template <class X, class Y, class T = scalar_t<X>>
  SvmSolution<T> run(const Objective<Hinge, L2>& objective, const X& x, const Y& y,
                     const Extras<T>& extras) const {
    using Real = std::common_type_t<T, double>;
    constexpr std::string_view function = "SvmQuadraticProgram::minimize";
    require_options(function, objective);
    const double lambda = objective.penalty.lambda;
    const auto set =
        samples::admit_in_double(function, objective.loss, x, y, extras.sample_weights);

    const Vector<Real> shares =
        shares_of<Real>(x.rows(), extras.sample_weights.template cast<Real>());
    const programs::RowSpace space(set, offset);
    programs::HingeProgram<Real> program(space.coordinates(), set.y, shares, lambda, offset);
    programs::HingeDual<Real> dual = program.solve(tolerance, iterations);
    Vector<Real> terms = dual.multipliers;  // αᵢyᵢ/λ
    for (Index i = 0; i < terms.size(); ++i) terms[i] *= set.y[i] / lambda;
    Vector<Real> from_multipliers = space.sum(terms);
    dual.weights = space.weights(dual.weights, terms);
    dual.offset -= numerics::dot(space.mean(), dual.weights);
    if (!std::isfinite(lambda / 2 * numerics::squares_of(from_multipliers)) ||
        !core::all_finite(dual.weights) || !std::isfinite(dual.offset)) {
      // λ is too small for numbers as large as w, or a mean of x overflows: w = 0 alone is known.
      dual = {numerics::constant(x.cols(), 0), 0,  numerics::constant(x.rows(), 0),
              numerics::constant(x.rows(), 1), {}, dual.iterations};
      from_multipliers = dual.weights;
    }

    const auto reached = [&](auto scalar) {
      return programs::hinge_primal<decltype(scalar)>(set.rows, set.y, shares, dual,
                                                      from_multipliers, lambda, offset);
    };
    const auto exact = reached(Real{});
    const auto best = std::is_same_v<T, double> ? exact : reached(T{});
    for (Index i = 0; i < shares.size(); ++i)
      if (!(shares[i] > 0)) dual.slacks[i] = best.losses[i];
    SvmSolution<T> solution = solution_of<T>(best, std::move(dual));
    solution.dual = programs::hinge_bound(set, solution.multipliers, space.mean(), lambda, offset);
    solution.gap = std::max(best.gap, solution.objective - solution.dual);
    solution.status = *solution.gap <= tolerance * best.objective ? Status::converged
                      : exact.gap <= tolerance * exact.objective  ? Status::precision_limit
                      : std::isfinite(best.gap)                   ? Status::epoch_limit
                                                                  : Status::diverged;
    report_once(extras, solution);
    return solution;
  }

  void require_options(std::string_view function, const Objective<Hinge, L2>& objective) const {
    core::require_valid(function, objective);
    const double lambda = objective.penalty.lambda;
    require(lambda > 0, function, ": lambda = ", lambda,
            " leaves the weights without a limit; what they tend to as lambda falls to 0, when the "
            "classes are separable, is what MaximumMargin finds");
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": a tolerance of ", tolerance);
    require(iterations > 0, function, ": ", iterations, " iterations");
  }

  template <class T, class Real>
  static SvmSolution<T> solution_of(const programs::HingePrimal<Real>& primal,
                                    programs::HingeDual<Real> dual) {
    SvmSolution<T> solution;
    solution.weights = primal.weights.template cast<T>();
    solution.offset = static_cast<T>(primal.offset);
    solution.objective = primal.objective;
    solution.gap = primal.gap;
    solution.slacks = std::move(dual.slacks);
    solution.multipliers = std::move(dual.multipliers);
    solution.support = std::move(dual.support);
    solution.optimizer = name;
    solution.epochs = solution.iterations = dual.iterations;
    return solution;
  }

  /// sᵢ/S (n), where no weights are all 1. Divided by the largest first, lest S overflows.
  template <class Real>
  static Vector<Real> shares_of(Index n, Vector<Real> weights) {
    if (weights.size() == 0) weights = numerics::constant(n, 1);
    double largest = 0;
    for (Index i = 0; i < n; ++i) largest = std::max(largest, weights[i]);
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += weights[i] /= largest;
    for (Index i = 0; i < n; ++i) weights[i] /= sum;
    return weights;
  }
};

}  // namespace linea
