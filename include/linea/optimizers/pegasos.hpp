// SPDX-License-Identifier: MIT
#pragma once
/// \file Pegasos: stochastic subgradient descent with step 1/(λt) on a strongly convex objective.
/// Shalev-Shwartz, Singer, Srebro and Cotter, Mathematical Programming 127 (2011).
#include <algorithm>  // max
#include <cmath>      // abs, sqrt
#include <concepts>   // same_as
#include <linea/core/wrong_call.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/descent/many_targets.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <linea/step_sizes/inverse_time.hpp>
#include <string_view>
#include <vector>

namespace linea {

/// Pegasos has no step size to tune, but needs several times R²/λ steps, where R is the norm of the
/// largest row: epochs · n should be well above R²/λ. Standardise columns of different scale. The
/// paper treats the hinge loss; this class supports any differentiable loss. For losses whose slope
/// grows linearly with the score, such as the squared hinge, the first steps are shorter. If the
/// slope grows faster, the run may end as diverged. Without a start, w and b begin at 0. The offset
/// has no penalty and takes steps of at most 1/√t; the paper's proof does not cover an offset.
///
/// In the average the iterate of step t has the factor t (polynomial-decay averaging, Shamir and
/// Zhang, ICML 2013); average_power = 0 gives the paper's plain mean.
///
/// The lectures use η = 1/t: see LecturePegasos. Both step sizes lead to the same minimum; the
/// lectures' step size is slower for λ below ½.
template <StepSize S = InverseLambda, Order O = WorkingSets>
struct BasicPegasos {
  static constexpr std::string_view name = "Pegasos", minimizes = "Pegasos::minimize";
  static constexpr bool chooses_offset = false;

  Index epochs{30};             ///< limit of passes over the samples
  Index max_updates{no_limit};  ///< limit of steps; the run may end within an epoch
  double tolerance{1e-4};  ///< stop when 10 epochs lower F by less than tolerance·|F|; 0: never
  /// Stop when an epoch changes (w, b) by at most this fraction of ‖(w, b)‖; 0: never.
  double change_tolerance{0};
  double target_objective{no_target};  ///< stop when F is at most this
  bool offset{true};                   ///< fit b, or leave it 0
  S step{};                            ///< any callable t ≥ 1 → η > 0
  O order{};               ///< the order of visits in an epoch; the paper's is WithReplacement
  Index batch{1};          ///< number of samples in a step; their subgradients are averaged
  double batch_growth{1};  ///< factor ≥ 1 by which the batch grows every epoch
  /// Let r² = F(0, 0)/λ, which is 1/λ for the hinge. The minimum has ‖w‖ ≤ r. After each step with
  /// a larger ‖w‖, scale w to ‖w‖ = r.
  bool project{false};
  Iterate iterate{Iterate::best};  ///< which weights to return: best, last or average
  Index average_from{2};           ///< for Iterate::average: first epoch of the average, from 1
  /// In the average, the iterate of step t has the factor t^average_power.
  double average_power{1};
  std::uint64_t seed{0};  ///< seed of the order; the same seed gives the same bits
  Index threads{1};       ///< as in BasicSgd

  /// Minimises F as BasicSgd does. Also throws std::invalid_argument if the penalty's λ is 0, or if
  /// `project` is true and the penalty has an L1 part.
  template <DifferentiableLoss L, StronglyConvexPenalty P, Samples X, AnyTargets Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  detail::descent::SolutionOf<X, Y> minimize(const Objective<L, P>& objective, const X& x,
                                             const Y& y, const E& given = {}) const {
    return detail::descent::minimize(*this, objective, x, y, extras_of<scalar_t<X>>(given));
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;
  template <DifferentiableLoss L, StronglyConvexPenalty P, Samples X, TargetMatrix Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  [[nodiscard]] std::vector<DescentSolution<scalar_t<X>>> minimize_each(
      const Objective<L, P>& objective, const X& x, const Y& y, const E& given = {}) const {
    return detail::descent::descend_each(*this, objective, x, y, extras_of<scalar_t<X>>(given));
  }

  /// Returns a learner for d features, to which the caller passes samples. The learner averages all
  /// iterates if `iterate` is Iterate::average. It uses the start in the extras and ignores their
  /// other members. The radius of a projection depends on the targets, so `project` needs a loss
  /// with targets ±1 here. The learner does not know the samples in advance: for a loss whose slope
  /// grows as L·|p| set step.shift to L·R²/λ, where R² is the largest ‖x‖² + 1.
  template <Scalar T, DifferentiableLoss L, StronglyConvexPenalty P>
  [[nodiscard]] auto start(const Objective<L, P>& objective, Index d,
                           const Extras<T>& extras = {}) const {
    constexpr std::string_view function = "Pegasos::start";
    const double lambda = checked_lambda(function, objective.penalty);
    require(!project || !is_valid_target(objective.loss, 0.5), function,
            ": projection needs targets -1 and +1");
    const double at_zero = project ? std::max(static_cast<double>(objective.loss.value(0.0, -1.0)),
                                              static_cast<double>(objective.loss.value(0.0, 1.0)))
                                   : 0;
    return detail::descent::gradient_learner<T>(detail::descent::options_of(*this, function), step,
                                                order, objective, d, extras,
                                                std::sqrt(at_zero / lambda));
  }

 private:
  friend detail::descent::Access;

  template <class L, class P, class Set, class T>
  auto learner(const Objective<L, P>& objective, const Set& set, const Extras<T>& extras) const {
    const double lambda = checked_lambda(minimizes, objective.penalty);
    const Index d = set.rows.cols();
    // By strong duality, at the minimum λ‖w‖² is the mean of −φᵢ*(−αᵢ) less the mean loss. Each
    // −φᵢ*(−αᵢ) = inf over p of φᵢ(p) + αᵢp is at most φᵢ(0), the loss at score 0.
    const double at_zero =
        project ? detail::samples::risk_of(objective.loss, set, detail::filled<T>(d, 0), T(0)) : 0;
    return detail::descent::gradient_learner<T>(detail::descent::options_of(*this),
                                                fitted_step(objective.loss, lambda, set), order,
                                                objective, d, extras, std::sqrt(at_zero / lambda));
  }

  /// Returns the growth L of losses with |ℓ′(p)| ≤ G + L·|p|, or 0 if slopes are bounded or grow
  /// faster than linearly. L is the curvature_bound of the loss or, without curvature_bound, the
  /// growth of the slope far from the targets.
  template <class L, class Rows>
  static double growth_of(const L& loss, const detail::samples::TrainingSet<Rows>& set) {
    double growth = 0;
    for (Index i = 0; i < set.rows.rows(); ++i) {
      if (!(set.weight(i) > 0)) continue;
      const auto y = static_cast<double>(set.y[i]);
      const auto slope = [&](double way) {
        return std::max(std::abs(static_cast<double>(loss.derivative(y + way, y))),
                        std::abs(static_cast<double>(loss.derivative(y - way, y))));
      };
      const double near = slope(1e6);
      const double far = slope(1e12);
      const bool is_linear = far > 1e3 * near && (near == 0 || far < 1e7 * near);
      if (is_linear) growth = std::max(growth, far / 1e12);
    }
    if constexpr (SmoothLoss<L>)
      if (growth > 0) return loss.curvature_bound();
    return growth;
  }

  /// Returns the step size η = 1/(λt + L·R²), where L is the growth of slopes and R² is the largest
  /// sᵢ(‖xᵢ‖² + 1) for sample weights sᵢ of mean 1. For bounded slopes, such as those of the hinge,
  /// this is the paper's η = 1/(λt): ‖w‖ then stays below R/λ times the largest slope. For growing
  /// slopes the paper's first steps would multiply the distance to the minimum by L·R²/λ. Returns
  /// `step` itself if its type is not InverseLambda, or if its `lambda` or `shift` is given.
  template <class L, class Rows>
  S fitted_step(const L& loss, double lambda, const detail::samples::TrainingSet<Rows>& set) const {
    S fitted = step;
    if constexpr (std::same_as<S, InverseLambda>) {
      const double growth = growth_of(loss, set);
      if (growth == 0 || step.lambda > 0 || step.shift > 0) return fitted;
      double largest = 0;
      for (Index i = 0; i < set.rows.rows(); ++i)
        if (const auto s = static_cast<double>(set.weight(i)); s > 0)
          largest = std::max(largest, s * (static_cast<double>(set.rows.squared_norm(i)) + 1));
      fitted.shift = growth * largest / lambda;
    }
    return fitted;
  }

  template <class P>
  double checked_lambda(std::string_view function, const P& penalty) const {
    const double lambda = strong_convexity_of(penalty);
    require(lambda > 0, function, ": lambda = ", lambda,
            " but the step 1/(lambda t) needs lambda > 0: pass L2{lambda}, or take Sgd");
    require(!project || (LazyPenalty<P> && !ThresholdPenalty<P>), function,
            ": projection needs an L2 penalty");
    return lambda;
  }
};

using Pegasos = BasicPegasos<>;

#define LINEA_PEGASOS_OF(how, L, T, R) LINEA_DESCENT_OF(Pegasos, how, L, T, R)
#define LINEA_COMPILED_PEGASOS(how) LINEA_EACH_ROWS_IN_T(LINEA_PEGASOS_OF, how, Hinge)
#ifdef LINEA_COMPILED
LINEA_COMPILED_PEGASOS(extern template)
#endif

/// The algorithm of the lectures: η = 1/t, with samples drawn at random with replacement. If ηλ >
/// 1, the factor 1 − ηλ is 0 here and not negative. From a start at zero this change of the
/// algorithm makes no difference for λ ≤ 2.
using LecturePegasos = BasicPegasos<InverseTime, WithReplacement>;

}  // namespace linea
