// SPDX-License-Identifier: MIT
#pragma once
/// \file Coordinate descent for multinomial logistic regression with weights that are exactly 0.
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/optimizers/newton/classes.hpp>
#include <linea/optimizers/newton/softmax_coordinate_method.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/proof/separable_penalty.hpp>
#include <linea/rows/compiled.hpp>
#include <linea/samples/columns.hpp>
#include <linea/samples/frame.hpp>
#include <string_view>

namespace linea {

/// Minimises the F of SoftmaxNewton with L1, ElasticNet or L2 over weights (d × k) and offsets (k)
/// of k classes. Weights that the penalty sets to 0 are exactly 0. In each iteration, each class in
/// turn takes a step of CoordinateDescent while the other classes stay fixed. Then the non-zero
/// weights of all classes take a Newton step. The duality gap proves `converged`. Without a penalty
/// there is no gap: use SoftmaxNewton then.
///
/// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010).
struct SoftmaxCoordinateDescent {
  static constexpr std::string_view name = "SoftmaxCoordinateDescent";

  template <class T>
  using SolutionOf = Solution<T, Matrix<T>, Vector<T>>;

  Index iterations{1000};  ///< limit of iterations
  double tolerance{1e-6};  ///< bound on the gap, relative to F
  bool offset{true};       ///< fit b, or leave it 0

  /// Minimises F. Arguments and errors are those of SoftmaxNewton, but this class reads x by
  /// columns: see CoordinateDescent, also for copies of x. Other memory: seven tables of n × k
  /// doubles, some tables of d × k, and at most 50 MB for joint steps.
  template <LazyPenalty P, Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires ConjugatePenalty<P> SolutionOf<scalar_t<X>> minimize(const P& penalty, const X& x,
                                                                  const Y& y, const E& given = {})
  const {
    const Extras<scalar_t<X>>& extras = extras_of<scalar_t<X>>(given);
    auto of = detail::newton::admit_classes("SoftmaxCoordinateDescent::minimize", penalty, limits(),
                                            x, detail::vector_of(y), extras);
    const detail::samples::Frame<> frame(of.set, offset);
    const auto columns = detail::samples::columns_of(x, of.set);
    const detail::proof::SeparablePenaltyOf<P> separable(penalty);
    return solver::run<detail::newton::SoftmaxCoordinateMethod>(
        name, limits(), extras,
        detail::newton::SoftmaxCoordinateProblem{separable, of.classes, of.count, of.set.weights,
                                                 frame, columns, offset},
        of.start);
  }
  template <class P, class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> minimize(const P&, const X&, const Y&, const E& = {}) const;

 private:
  solver::Limits limits() const { return {tolerance, iterations}; }
};

#define LINEA_COMPILED_SOFTMAX_COORDINATE_DESCENT(how)             \
  LINEA_COMPILED_RUN(how, detail::newton::SoftmaxCoordinateMethod, \
                     const detail::newton::SoftmaxCoordinateProblem&, const solver::ClassPoint&)
#ifdef LINEA_COMPILED
LINEA_COMPILED_SOFTMAX_COORDINATE_DESCENT(extern template)
#endif

}  // namespace linea
