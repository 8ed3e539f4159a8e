// SPDX-License-Identifier: MIT
#pragma once
/// \file Coordinate descent for multinomial logistic regression with weights that are exactly 0.
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/solution.hpp>
#include <linea/optimizers/newton/classes.hpp>
#include <linea/optimizers/newton/softmax_coordinate_method.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/samples/columns.hpp>
#include <linea/samples/frame.hpp>
#include <string_view>

namespace linea {

/// Minimises F of SoftmaxNewton for L1, ElasticNet and L2: weights (d × k) and offset (k) of k
/// classes, of which weights that the penalty holds at 0 are exactly 0. One class after the other
/// takes a step of CoordinateDescent against the others. `converged` is proven by the duality gap;
/// without a penalty there is none, and SoftmaxNewton is to be taken.
///
/// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010).
struct SoftmaxCoordinateDescent {
  static constexpr std::string_view name = "SoftmaxCoordinateDescent";

  bool offset{true};       ///< fit b, or leave it 0
  double tolerance{1e-6};  ///< of the gap, relative to F
  Index iterations{1000};  ///< at most: a step for each class

  /// As SoftmaxNewton has it, but x is read by columns: see CoordinateDescent. Memory beside that:
  /// two tables of n × k doubles, and some of d × k.
  template <LazyPenalty P, Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires ConjugatePenalty<P> Solution<scalar_t<X>, Matrix<scalar_t<X>>, Vector<scalar_t<X>>>
    minimize(const P& penalty, const X& x, const Y& y, const E& given = {})
  const {
    const Extras<scalar_t<X>>& extras = extras_of<scalar_t<X>>(given);
    const solver::Limits limits{tolerance, iterations};
    auto of = newton::admit_classes("SoftmaxCoordinateDescent::minimize", penalty, limits, x,
                                    core::vector_of(y), extras);
    const samples::Frame<> frame(of.set, offset);
    const auto columns = samples::columns_of(x, of.set);
    newton::SoftmaxCoordinateMethod method(penalty, of.classes, of.count, of.set.weights, frame,
                                           columns, offset, of.start);
    return solver::solve(name, method, limits, extras);
  }
};

}  // namespace linea
