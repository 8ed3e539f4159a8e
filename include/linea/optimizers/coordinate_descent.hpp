// SPDX-License-Identifier: MIT
#pragma once
/// \file Coordinate descent: penalties with kinks, one weight after the other, and a proof of how
/// near the minimum is.
#include <cmath>  // isfinite
#include <linea/core/slip.hpp>
#include <linea/core/solution.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/newton/coordinate_method.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/compiled.hpp>
#include <linea/samples/columns.hpp>
#include <linea/samples/frame.hpp>
#include <string_view>

namespace linea {

/// Minimises F for smooth losses and penalties that are a sum over the weights: L1, ElasticNet, L2,
/// NoPenalty and your own with `proximal` and `conjugate`. Weights that the penalty holds at 0 are
/// exactly 0. Squared loss by plain coordinate descent; others by Newton's method, its quadratic
/// models brought down by coordinate descent and their steps shortened by a line search that costs
/// no pass. Between two proofs a working set of columns is visited: those of non-zero weights, and
/// as many again of those whose slope the penalty does not hold. The offset is exact and not
/// penalised.
///
/// Where the sweeps are slow, as on columns that depend on each other, the weights that are not 0
/// go to the minimum of the model together, by Newton steps with fixed signs: up to 1024 by factors
/// of their curvature, others by conjugate gradients. A penalty of your own takes part if it has
/// `decay`.
///
/// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010); Yuan, Ho and Lin,
/// JMLR 13 (2012); Massias, Gramfort and Salmon, ICML 2018.
struct CoordinateDescent {
  static constexpr std::string_view name = "CoordinateDescent";

  bool offset{true};  ///< fit b, or leave it 0
  /// Converged: gap ≤ tolerance·|F|, or the rounding of F at the best constant.
  double tolerance{1e-6};
  Index iterations{1000};  ///< at most: models, each brought down by many visits to columns

  /// x (n × d), y (n). x is read by columns: in place where it is column-major and of doubles,
  /// else from a copy in double of 8·n·d bytes, or of 12 bytes a stored entry of sparse x; a copy
  /// too where weights are 0 or a column's mean is more than ten standard deviations. Beside
  /// that, 8·q² bytes for q weights that go together by factors. Computed in double; for float x
  /// the weights are rounded in the end, which gap and status include: where rounding prevents
  /// convergence the status is precision_limit. `gap` is the duality gap. With a penalty of
  /// strength 0 there is none: a run whose steps promise next to nothing of tolerance·|F| ends as
  /// settled. `epochs` of the solution counts columns read over d, `updates` iterations. The
  /// extras' start is a warm start. Throws std::invalid_argument on input that is not
  /// well-formed.
  template <class L, ConjugatePenalty P, Samples X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires CurvedLoss<L> && SmoothLoss<L> && ConjugateLoss<L> Solution<scalar_t<X>> minimize(
        const Objective<L, P>& objective, const X& x, const Y& y, const E& given = {})
  const { return descend(objective, x, y, extras_of<scalar_t<X>>(given)); }
  template <class F, class X, class Y, class E = Extras<double>>
  core::Slip<X, Y, E, F> minimize(const F&, const X&, const Y&, const E& = {}) const;

 private:
  template <class L, class P, class X, class Y>
  Solution<scalar_t<X>> descend(const Objective<L, P>& objective, const X& x, const Y& y,
                                const Extras<scalar_t<X>>& extras) const {
    constexpr std::string_view function = "CoordinateDescent::minimize";
    auto set = solver::validate(function, objective, limits(), x, y, extras);
    const samples::Frame<> frame(objective.loss, set, offset);
    Vector<double> start;
    frame.enter(samples::start_weights(function, extras, x.cols(), offset), extras.start_offset,
                offset, start);
    const auto columns = samples::columns_of(x, set);
    return run(objective, set.y, set.weights, frame, columns, start, extras);
  }

  solver::Limits limits() const { return {tolerance, iterations}; }

  template <class T, class L, class P, class Columns>
  Solution<T> run(const Objective<L, P>& objective, const Vector<double>& y,
                  const Vector<double>& weights, const samples::Frame<>& frame,
                  const Columns& columns, const Vector<double>& start,
                  const Extras<T>& extras) const;
};

// Not inline, so that linea::compiled can have it: see rows/compiled.hpp.
template <class T, class L, class P, class Columns>
Solution<T> CoordinateDescent::run(const Objective<L, P>& objective, const Vector<double>& y,
                                   const Vector<double>& weights, const samples::Frame<>& frame,
                                   const Columns& columns, const Vector<double>& start,
                                   const Extras<T>& extras) const {
  newton::CoordinateMethod method(objective, y, weights, frame, columns, offset, start);
  return solver::solve(name, method, limits(), extras);
}

struct L1;
struct ElasticNet;

// clang-format off
#define LINEA_COORDINATE_DESCENT_OF(how, L, P, Columns)                                          \
  how Solution<double> CoordinateDescent::run(                                                   \
      const Objective<L, P>&, const Vector<double>&, const Vector<double>&,                      \
      const samples::Frame<>&, const Columns&, const Vector<double>&, const Extras<double>&) const;
#define LINEA_COMPILED_COORDINATE_DESCENT(how)                                     \
  LINEA_COORDINATE_DESCENT_OF(how, Squared, L1, samples::DenseColumns<>)           \
  LINEA_COORDINATE_DESCENT_OF(how, Squared, L1, samples::SparseColumns)            \
  LINEA_COORDINATE_DESCENT_OF(how, Squared, ElasticNet, samples::DenseColumns<>)   \
  LINEA_COORDINATE_DESCENT_OF(how, Log, L1, samples::DenseColumns<>)
// clang-format on
#ifdef LINEA_COMPILED
LINEA_COMPILED_COORDINATE_DESCENT(extern template)
#endif

}  // namespace linea
