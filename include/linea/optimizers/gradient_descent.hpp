// SPDX-License-Identifier: MIT
#pragma once
/// \file Batch (sub)gradient descent: one step in each epoch, along the gradient of F.
#include <concepts>  // same_as
#include <linea/core/wrong_call.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/descent/many_targets.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/safe.hpp>
#include <string_view>
#include <vector>

namespace linea {

/// Iterates w ← w − η·∇F(w), for any differentiable loss and any penalty. A penalty without a
/// gradient takes a proximal step instead. With the default, SafeStep, and a loss with a curvature
/// bound, F falls at every step. Convergence is slow for features of very different scale. If the
/// loss has no curvature bound, no step is safe: AutomaticStep then replaces SafeStep, finds the
/// first step by trial and shortens later steps. Some of these steps may increase F, but the
/// solution is the best iterate, unless `iterate` selects another.
///
/// Apart from the defaults this is Sgd with batch = all_samples and the order Cyclic. Cauchy, 1847.
template <StepSize S = SafeStep>
struct BasicGradientDescent {
  static constexpr std::string_view name = "GradientDescent",
                                    minimizes = "GradientDescent::minimize";
  static constexpr bool chooses_offset = true;

  Index epochs{1000};      ///< limit of epochs, of one step each
  double tolerance{1e-6};  ///< stop when 10 epochs lower F by less than tolerance·|F|; 0: never
  /// Stop when an epoch changes (w, b) by at most this fraction of ‖(w, b)‖; 0: never.
  double change_tolerance{0};
  double target_objective{no_target};  ///< stop when F is at most this
  bool offset{true};                   ///< fit b, or leave it 0
  S step{};                            ///< any callable t ≥ 1 → η > 0
  Iterate iterate{Iterate::best};      ///< which weights to return: best, last or average
  /// How often a diverging run may go back to its best weights and continue with smaller steps; 0:
  /// never.
  Index retries{10};

  /// Minimises F over w and b for x (n × d), y (n). An epoch takes one pass over x, or two if n ≤
  /// 1024 or n ≤ d. After some epochs, such as every tenth, another pass evaluates F. Before the
  /// first epoch, SafeStep takes at most 100 passes unless its size is given. Throws
  /// std::invalid_argument on invalid input.
  ///
  /// For y (n × k) the solution has weights (d × k), offset (k), and F summed over the columns.
  template <DifferentiableLoss L, Penalty P, AnySamples X, AnyTargets Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  detail::descent::SolutionOf<X, Y> minimize(const Objective<L, P>& objective, const X& x,
                                             const Y& y, const E& given = {}) const {
    return detail::descent::minimize(*this, objective, x, y, extras_of<scalar_t<X>>(given));
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

  /// Returns the solution for each column of y (n × k), bit-identical to the solution for this
  /// column alone. The columns share the pass that evaluates F, but not the passes of the steps.
  template <DifferentiableLoss L, Penalty P, Samples X, TargetMatrix Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  [[nodiscard]] std::vector<DescentSolution<scalar_t<X>>> minimize_each(
      const Objective<L, P>& objective, const X& x, const Y& y, const E& given = {}) const {
    return detail::descent::descend_each(*this, objective, x, y, extras_of<scalar_t<X>>(given));
  }

 private:
  friend detail::descent::Access;

  template <class L, class P, class Set, class T>
  auto learner(const Objective<L, P>& objective, const Set& set, const Extras<T>& extras) const {
    const auto with = [&](const auto& chosen) {
      return detail::descent::gradient_learner<T>(detail::descent::options_of(*this), chosen,
                                                  Cyclic{}, objective, set.rows.cols(), extras);
    };
    if constexpr (std::same_as<S, SafeStep> && !SmoothLoss<L>)
      return with(AutomaticStep(step.size));
    else
      return with(step);
  }
};

using GradientDescent = BasicGradientDescent<>;

#define LINEA_GRADIENT_DESCENT_OF(how, L, T, R) LINEA_DESCENT_OF(GradientDescent, how, L, T, R)
#define LINEA_COMPILED_GRADIENT_DESCENT(how)                \
  LINEA_EACH_ROWS_IN_T(LINEA_GRADIENT_DESCENT_OF, how, Log) \
  LINEA_EACH_ROWS_IN_T(LINEA_GRADIENT_DESCENT_OF, how, Squared)
#ifdef LINEA_COMPILED
LINEA_COMPILED_GRADIENT_DESCENT(extern template)
#endif

}  // namespace linea
