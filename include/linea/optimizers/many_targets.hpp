// SPDX-License-Identifier: MIT
#pragma once
/// \file Targets that are vectors: y (n × k), a linear function for each column.
#include <algorithm>  // max
#include <linea/core/objective.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/solution.hpp>
#include <string_view>

namespace linea {

/// Targets in columns: a dense expression that is not a vector when it is compiled.
template <class Y>
concept TargetMatrix = DenseExpression<Y> && !bool(Y::IsVectorAtCompileTime) &&
                       std::is_arithmetic_v<typename Y::Scalar>;

/// The solutions for the columns of y (n × k), one after the other: weights (d × k), offset (k). The
/// objective is the sum over the columns, so are the updates; epochs are those of the longest run, and the
/// status is the worst of them. The extras serve every column alike, and an observer's stop ends the run
/// of one column. Throws std::invalid_argument, naming `function`, when y has other than n rows or no columns, or a target that the loss does not take.
template <class Optimizer, class L, class P, Samples X, TargetMatrix Y>
Solution<scalar_t<X>, Matrix<scalar_t<X>>, Vector<scalar_t<X>>> minimize_each(
    std::string_view function, const Optimizer& optimizer, const Objective<L, P>& objective,
    const X& x, const Y& y, const Extras<scalar_t<X>>& extras) {
  using T = scalar_t<X>;
  require(x.rows() == y.rows(), function, ": x has ", x.rows(), " rows but y has ", y.rows());
  require(y.cols() > 0, function, ": y has no columns");
  const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> targets = y.derived().template cast<T>();
  for (Index k = 0; k < targets.cols(); ++k)
    for (Index i = 0; i < targets.rows(); ++i)
      require(is_valid_target(objective.loss, targets(i, k)), function, ": y(", i, ", ", k,
              ") = ", targets(i, k), " is no target of ", name_of(objective.loss), ", which takes ",
              targets_of(objective.loss));

  const auto severity = [](Status status) {
    switch (status) {
      case Status::converged:
        return 0;
      case Status::epoch_limit:
        return 1;
      case Status::stopped:
        return 2;
      case Status::diverged:
        return 3;
    }
    return 3;
  };
  Solution<T, Matrix<T>, Vector<T>> all;
  all.weights.resize(x.cols(), targets.cols());
  all.offset.resize(targets.cols());
  all.status = Status::converged;
  all.objective = 0;
  for (Index k = 0; k < targets.cols(); ++k) {
    const auto one = optimizer.minimize(objective, x, targets.col(k), extras);
    all.weights.col(k) = one.weights;
    all.offset[k] = one.offset;
    all.objective += one.objective;
    all.updates += one.updates;
    all.epochs = std::max(all.epochs, one.epochs);
    if (severity(one.status) > severity(all.status)) all.status = one.status;
    if (k == 0 || one.iterate != Iterate::best) all.iterate = one.iterate;
  }
  return all;
}

}  // namespace linea
