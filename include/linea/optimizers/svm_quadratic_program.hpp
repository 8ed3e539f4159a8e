// SPDX-License-Identifier: MIT
#pragma once
/// \file The support vector machine as a quadratic program, solved exactly, with a duality gap.
#include <algorithm>  // max
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>
#include <vector>

namespace linea {

/// The minimum, and dual variables that give the lower bound `dual` on F. `objective` is the
/// primal, F(weights, offset), and `gap` = primal − dual ≥ 0. `epochs` is the number of iterations.
template <class T>
struct [[nodiscard]] SvmSolution : Solution<T> {
  Eigen::VectorXd multipliers;  ///< αᵢ (n) in [0, sᵢ/S], w = Σᵢ αᵢyᵢxᵢ/λ; with offset Σᵢ αᵢyᵢ = 0
  Eigen::VectorXd slacks;      ///< ξᵢ (n): the hinge losses of the samples at the weights
  std::vector<Index> support;  ///< samples with αᵢ > 1e-9·sᵢ/S, in order
  double dual{0};  ///< Σᵢ αᵢ − ‖Σᵢ αᵢyᵢxᵢ‖²/(2λ), less a bound on the rounding of these sums
};

/// Minimises (1/S) Σᵢ sᵢ·ξᵢ + λ/2·‖w‖² subject to yᵢ(⟨w, xᵢ⟩ + b) ≥ 1 − ξᵢ and ξᵢ ≥ 0: the mean
/// hinge loss, with sample weights sᵢ of sum S, and an L2 penalty of λ > 0. Runs InteriorPoint and
/// solves the equations of the active set at the end, so that dual variables at 0 or at their
/// bounds are exactly there.
///
/// Cost: O(n·r²) in an iteration, r = min(n, d), for about 15 to 60 iterations, and about 2·n·r
/// doubles beside x. For d > n the cost is O(n²·d) higher. See MIT 6.036, lecture notes of week 2,
/// section 3.5, equation (10).
struct SvmQuadraticProgram {
  static constexpr std::string_view name = "SvmQuadraticProgram";

  Index iterations{200};   ///< limit of iterations
  double tolerance{1e-9};  ///< converged: gap ≤ tolerance·objective
  bool offset{true};       ///< fit b, or leave it 0

  /// Minimises F over w and b for x (n × d), y (n) of −1 and +1. Computes in double; for float x it
  /// rounds the weights at the end. The gap is that of the rounded weights. If this gap exceeds the
  /// tolerance, as with float x and the default, the status is precision_limit. A sample of weight
  /// 0 has α = 0, and its ξ is its hinge loss. Uses the sample weights of the extras, calls an
  /// observer once, at the end, and ignores a start. Throws std::invalid_argument on invalid input,
  /// and if λ is 0.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  SvmSolution<scalar_t<X>> minimize(const Objective<Hinge, L2>& objective, const X& x, const Y& y,
                                    const E& given = {}) const {
    using T = scalar_t<X>;
    const Extras<T>& extras = extras_of<T>(given);
    constexpr std::string_view function = "SvmQuadraticProgram::minimize";
    detail::require_valid(function, objective, x.cols());
    const double lambda = objective.penalty.lambda;
    require(
        lambda > 0, function, ": lambda = ", lambda,
        ", but must be > 0; MaximumMargin finds the limit of the weights as lambda falls to 0, if "
        "the classes are separable");
    require(tolerance >= 0 && std::isfinite(tolerance), function, ": a tolerance of ", tolerance);
    require(iterations > 0, function, ": ", iterations, " iterations");
    const auto stored =
        detail::samples::admit_in_double(function, objective.loss, x, y, extras.sample_weights);
    auto set = stored;
    const auto found =
        InteriorPoint{.iterations = iterations, .tolerance = tolerance, .offset = offset}.solve<T>(
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
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;
};

}  // namespace linea
