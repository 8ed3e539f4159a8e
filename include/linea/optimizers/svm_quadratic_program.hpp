// SPDX-License-Identifier: MIT
#pragma once
/// \file The support vector machine as a quadratic program: the minimum itself, with a proof.
#include <algorithm>  // max
#include <linea/core/slip.hpp>
#include <linea/core/solution.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>
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
/// hinge loss with an L2 penalty of λ > 0. InteriorPoint for this objective, with the equations of
/// the active set solved in the end, so that multipliers which are 0 or at their bounds at the
/// minimum are so exactly.
///
/// Cost: O(n·r²) an iteration, r = min(n, d), for some 15 to 60 of them, and n·r doubles beside x;
/// for d > n O(n²·d) more. 6.036 notes of week 2, section 3.5, equation (10).
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
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  SvmSolution<scalar_t<X>> minimize(const Objective<Hinge, L2>& objective, const X& x, const Y& y,
                                    const E& given = {}) const {
    using T = scalar_t<X>;
    const Extras<T>& extras = extras_of<T>(given);
    constexpr std::string_view function = "SvmQuadraticProgram::minimize";
    core::require_valid(function, objective);
    const double lambda = objective.penalty.lambda;
    require(lambda > 0, function, ": lambda = ", lambda,
            " leaves the weights without a limit; what they tend to as lambda falls to 0, when the "
            "classes are separable, is what MaximumMargin finds");
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": a tolerance of ", tolerance);
    require(iterations > 0, function, ": ", iterations, " iterations");
    const auto stored =
        samples::admit_in_double(function, objective.loss, x, y, extras.sample_weights);
    auto set = stored;
    const auto found =
        InteriorPoint{.offset = offset, .tolerance = tolerance, .iterations = iterations}.run<T>(
            objective, set, {}, true);
    SvmSolution<T> solution;
    static_cast<Solution<T>&>(solution) = found;
    solution.iterate = Iterate::last;
    solution.optimizer = name;
    solution.dual = found.dual;
    const Index n = x.rows();
    solution.multipliers.resize(n);
    solution.slacks.resize(n);
    const Vector<double> weights = solution.weights.template cast<double>();
    stored.rows.scores(0, n, weights, solution.slacks.data());
    for (Index i = 0; i < n; ++i) {
      const double share = stored.weight(i) / static_cast<double>(n);
      const double score = solution.slacks[i] + static_cast<double>(solution.offset);
      solution.slacks[i] = std::max(1 - stored.y[i] * score, 0.0);
      solution.multipliers[i] = share * std::max(found.multipliers[i] * stored.y[i], 0.0);
      if (solution.multipliers[i] > 1e-9 * share) solution.support.push_back(i);
    }
    report_once(extras, solution);
    return solution;
  }
  template <class F, class X, class Y, class E = Extras<double>>
  core::Slip<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;
};

}  // namespace linea
