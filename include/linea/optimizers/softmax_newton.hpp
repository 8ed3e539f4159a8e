// SPDX-License-Identifier: MIT
#pragma once
/// \file Newton's method for multinomial logistic regression: all classes in one model.
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/workers.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/optimizers/newton/classes.hpp>
#include <linea/optimizers/newton/softmax_method.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <string_view>

namespace linea {

/// Minimises, over weights w (d × k) and offset b (k) of k classes,
///
///     F(w, b) = (1/S) Σᵢ sᵢ·(ln Σₖ exp(pᵢₖ) − pᵢ,yᵢ) + λ/2·‖w‖²,   pᵢₖ = ⟨wₖ, xᵢ⟩ + bₖ,
///
/// with sample weights sᵢ of sum S. The first term is the negative mean log-likelihood of classes
/// with the probabilities exp(pᵢₖ)/Σₗ exp(pᵢₗ). The penalty is squared, or none (λ = 0). Every
/// class has weights and an offset. The offsets are not penalised. They sum to 0: F does not change
/// when the same number is added to all offsets. This is the model of scikit-learn's
/// `LogisticRegression` with C = 1/(λn).
///
/// Newton's method finds its directions by conjugate gradients on products with ∇²F, which cost one
/// pass each. The preconditioner approximates the block of ∇²F of each class if d ≤ min(n, 1200)
/// and k·d² ≤ 2²⁴, where d counts an offset as a column, once products have cost as much as a
/// block; else it estimates the diagonal of ∇²F.
/// Scores are linear along a direction, so that the line search costs no pass. After each step the
/// method minimises F over free offsets, for the current weights.
///
/// Columns may differ in scale. But if rare and large entries could separate a few samples, and λ
/// is nearly 0, steps are short and the run may reach the limit of iterations.
///
/// With λ > 0 the duality gap proves `converged`. With λ = 0 there is no gap: the run ends as
/// settled once half of the squared Newton decrement is at most tolerance·|F|. With λ = 0 and
/// separable samples F has no minimum, and the run ends with epoch_limit or precision_limit. If the
/// offset is free, the run centres columns far from 0: see samples::Frame.
///
/// See Böhning, Annals of the Institute of Statistical Mathematics 44 (1992), for F and ∇²F; Lin,
/// Weng and Keerthi, JMLR 9 (2008), for the truncated Newton method.
struct SoftmaxNewton {
  /// A solution with weights (d × k) and offset (k).
  template <class T>
  using SolutionOf = Solution<T, Matrix<T>, Vector<T>>;

  static constexpr std::string_view name = "SoftmaxNewton";

  Index iterations{100};   ///< limit of iterations
  double tolerance{1e-6};  ///< bound on the gap, or half the squared Newton decrement, over |F|
  bool offset{true};       ///< fit b, or leave it 0
  Index threads{1};        ///< any number gives the same bits

  /// Minimises F for x (n × d) and y (n) of classes 0, 1, … k − 1, k ≥ 2, each with a sample of
  /// weight above 0. Memory beside x: three tables of n × k doubles, with k rounded up to 2,
  /// 4 or a multiple of 8, some tables of d × k, and at most 128 MiB for the preconditioner. Sums
  /// are in double for float x too. Throws std::invalid_argument on invalid input.
  ///
  /// Start weights in the extras are those of all classes (d·k), class after class:
  /// {.start_weights = solution.weights.reshaped()}. The offsets start at their best values for
  /// these weights.
  template <SquaredPenalty P, Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  SolutionOf<scalar_t<X>> minimize(const P& penalty, const X& x, const Y& y,
                                   const E& given = {}) const {
    const Extras<scalar_t<X>>& extras = extras_of<scalar_t<X>>(given);
    require_threads(function, threads);
    auto of =
        detail::newton::admit_classes(function, penalty, limits(), x, detail::vector_of(y), extras);
    const detail::samples::Frame<> frame(of.set, offset);
    const detail::samples::RowBlocksOf rows(of.set.rows);
    return solver::run<detail::newton::SoftmaxMethod>(
        name, limits(), extras, of.start,
        detail::newton::SoftmaxSamples{rows, of.set.weights, frame, of.classes, of.count},
        double{strong_convexity_of(penalty)}, offset, threads);
  }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  static constexpr std::string_view function = "SoftmaxNewton::minimize";

  solver::Limits limits() const { return {tolerance, iterations}; }
};

#define LINEA_COMPILED_SOFTMAX(how)                                                     \
  LINEA_COMPILED_RUN(how, detail::newton::SoftmaxMethod, const solver::ClassPoint&,     \
                     const detail::newton::SoftmaxSamples&, const double&, const bool&, \
                     const Index&)
#ifdef LINEA_COMPILED
LINEA_COMPILED_SOFTMAX(extern template)
#endif

}  // namespace linea
