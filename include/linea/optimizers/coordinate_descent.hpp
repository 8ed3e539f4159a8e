// SPDX-License-Identifier: MIT
#pragma once
/// \file Coordinate descent for penalties with kinks. The duality gap bounds the distance of F from
/// its minimum.
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/newton/coordinate_method.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/proof/separable_penalty.hpp>
#include <linea/rows/compiled.hpp>
#include <linea/samples/columns.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <string_view>

namespace linea {

/// Minimises F for smooth losses with a conjugate, and penalties that are a sum over the weights:
/// L1, ElasticNet, L2, NoPenalty, NonNegative, PenaltyFactors and your own with `proximal` and
/// `conjugate`. Weights that the penalty sets to 0 are exactly 0. For squared loss this is plain
/// coordinate descent. For other losses it is Newton's method: coordinate descent minimises each
/// quadratic model, and a line search without a pass over x shortens the step. Sweeps visit a
/// working set of columns: those of non-zero weights, and those of zero weights that most violate
/// the optimality conditions. The latter are at least as many as the former, and at least 50, if
/// so many columns violate the conditions. If there is no gap, all columns that violate the
/// conditions belong to the set. The offset is exact and not penalised.
///
/// If sweeps converge slowly, as with correlated columns, Newton steps with fixed signs change all
/// non-zero weights together. A step uses a Cholesky factorisation. If that is too expensive, as
/// always for more than 1024 weights, the step uses conjugate gradients. These steps need a penalty
/// of the form l1·|w| + l2/2·w², at least on one side of 0, with the member `threshold` if l1 > 0
/// and `strong_convexity` if l2 > 0.
///
/// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010); Yuan, Ho and Lin,
/// JMLR 13 (2012); Massias, Gramfort and Salmon, ICML 2018.
struct CoordinateDescent {
  static constexpr std::string_view name = "CoordinateDescent";

  Index iterations{1000};  ///< limit of iterations; each minimises one quadratic model
  /// A run has converged when the gap is ≤ tolerance·|F|, or ≤ the rounding of F at the best
  /// constant.
  double tolerance{1e-6};
  bool offset{true};  ///< fit b, or leave it 0

  /// Minimises F over w and b for x (n × d), y (n). Reads a dense, column-major x of doubles in
  /// place. Copies any other x: 8·n·d bytes, or 12 bytes for each stored entry of a sparse x. Also
  /// copies x if some sample weights are 0, or if there is an offset and the mean of a column
  /// exceeds ten standard deviations. A joint step takes about 24·q² bytes for q ≤ 1024 weights, or
  /// 12 bytes for each stored entry of their columns.
  ///
  /// Computes in double. For float x it rounds the weights at the end; gap and status refer to the
  /// rounded weights. If rounding prevents convergence, the status is precision_limit. `gap` is the
  /// duality gap at the dual variables of the run; certify, which knows only the weights, may find
  /// a larger gap. There is no gap if the penalty is 0 for some weight: the run then ends as
  /// settled when its models predict a negligible decrease of F. `epochs` is the number of columns
  /// read, divided by d; `updates` is the number of iterations. Starts at the start weights of the
  /// extras, if given. Throws std::invalid_argument on invalid input.
  template <class L, ConjugatePenalty P, Samples X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires CurvedLoss<L> && SmoothLoss<L> && ConjugateLoss<L> Solution<scalar_t<X>> minimize(
        const Objective<L, P>& objective, const X& x, const Y& y, const E& given = {})
  const { return descend(objective, x, y, extras_of<scalar_t<X>>(given)); }
  template <class F, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  template <class L, class P, class X, class Y>
  Solution<scalar_t<X>> descend(const Objective<L, P>& objective, const X& x, const Y& y,
                                const Extras<scalar_t<X>>& extras) const {
    constexpr std::string_view function = "CoordinateDescent::minimize";
    auto set = solver::validate(function, objective, limits(), x, y, extras);
    const detail::samples::Frame<> frame(objective.loss, set, offset);
    Vector<double> start;
    frame.enter(detail::samples::start_weights(function, extras, x.cols(), offset),
                extras.start_offset, offset, start);
    const auto columns = detail::samples::columns_of(x, set);
    const detail::samples::LossBlocksOf<L> loss(objective.loss);
    const detail::proof::SeparablePenaltyOf<P> penalty(objective.penalty);
    return solver::run<detail::newton::CoordinateMethod>(
        name, limits(), extras,
        detail::newton::CoordinateProblem{loss, penalty, set.y, set.weights, frame, columns,
                                          offset},
        start);
  }

  solver::Limits limits() const { return {tolerance, iterations}; }
};

#define LINEA_COMPILED_COORDINATE_DESCENT(how)              \
  LINEA_COMPILED_RUN(how, detail::newton::CoordinateMethod, \
                     const detail::newton::CoordinateProblem&, const Vector<double>&)
#ifdef LINEA_COMPILED
LINEA_COMPILED_COORDINATE_DESCENT(extern template)
#endif

}  // namespace linea
