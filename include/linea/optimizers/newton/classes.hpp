// SPDX-License-Identifier: MIT
#pragma once
/// \file Optimizers for several classes: validation of the arguments, the best constant, and mixed
/// probabilities for the dual bound.
#include <algorithm>  // max
#include <cmath>      // log, round
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/require.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>
#include <utility>  // move

namespace linea::detail::newton {

/// Samples in double, the classes of their rows (n), counted from 0, and the number of classes. The
/// class of a row of weight 0 is 0. The run begins at `start`, or at the best constant if `start`
/// is empty.
template <class Set>
struct ClassProblem {
  Set set;
  Vector<Index> classes{};
  Index count{0};
  solver::ClassPoint start{};
};

/// Sets `classes` and `count` from the labels y (n). Throws std::invalid_argument for labels that
/// are not integers from 0 to 2²⁰ − 1, for fewer than two classes, and for a class without a sample
/// of weight above 0.
template <class Set, class Y>
void find_classes(std::string_view function, const Y& y, ClassProblem<Set>& problem) {
  constexpr double most = 1 << 20;
  Vector<Index>& classes = problem.classes = detail::filled<Index>(y.size(), 0);
  Index& count = problem.count;
  for (Index i = 0; i < y.size(); ++i) {
    const auto label = static_cast<double>(y.coeff(i));
    require(label >= 0 && label < most && label == std::round(label), function, ": y(", i,
            ") = ", label, " is not one of the classes 0, 1, 2, ...");
    if (!(problem.set.weight(i) > 0)) continue;
    classes[i] = static_cast<Index>(label);
    count = std::max(count, classes[i] + 1);
  }
  require(count >= 2, function,
          ": two classes are needed, but all samples of weight above 0 are of class 0");
  Vector<double> samples = detail::filled(count, 0.0);
  for (Index i = 0; i < y.size(); ++i)
    if (problem.set.weight(i) > 0) samples[classes[i]] += 1;
  for (Index k = 0; k < count; ++k)
    require(samples[k] > 0, function, ": class ", k, " of ", count,
            " has no sample of weight above 0");
}

/// Validates all arguments and returns the problem. Throws std::invalid_argument with a message
/// that names `function`.
template <class P, class X, class Y, class T>
auto admit_classes(std::string_view function, const P& penalty, const solver::Limits& limits,
                   const X& x, const Y& y, const Extras<T>& extras) {
  detail::require_valid_penalty(function, penalty, x.cols());
  limits.require_valid(function);
  auto set = samples::admit_samples_in_double(function, x, y.size(), extras.sample_weights);
  ClassProblem<decltype(set)> problem{std::move(set)};
  find_classes(function, y, problem);
  const auto& start = extras.start_weights;
  require(start.size() == 0 || start.size() == problem.count * x.cols(), function, ": ",
          start.size(), " start weights for ", problem.count, " classes of ", x.cols(),
          " features");
  samples::start_weights(function, extras, start.size(), false);
  if (start.size() > 0)
    problem.start = {start.template cast<double>().reshaped(x.cols(), problem.count),
                     detail::filled(problem.count, 0.0)};
  return problem;
}

/// Returns the best point with w = 0 for the shares π of the classes (k): bₖ is ln πₖ minus the
/// mean of these logarithms. Without an offset pass equal numbers, which give b = 0. Does not set
/// F.
inline solver::ClassPoint best_constant(const Vector<double>& shares, Index features) {
  const Index count = shares.size();
  solver::ClassPoint point{linear_algebra::zeros<Matrix<double>>(features, count),
                           detail::filled(count, 0.0)};
  for (Index k = 0; k < count; ++k) point.offset[k] = std::log(shares[k]);
  const double mean = linear_algebra::sum_of(point.offset) / static_cast<double>(count);
  for (double& offset : point.offset) offset -= mean;
  return point;
}

/// The dual bound with free offsets needs probabilities whose mean is π, the share of each class
/// (k). If the qᵢ have the mean π + δ, Mixture finds μ and t for which the (1 − μ)·qᵢ + μ·t have
/// the mean π.
struct Mixture {
  double mu{0};        ///< the least possible μ, accurate even if far below the rounding of 1
  Vector<double> t{};  ///< t ≥ 0 (k), of sum 1; meaningless if μ is 0

  /// Solves (1 − μ)(π + δ) + μ·t = π for these `shares` π (k) and `balance` δ (≥ k entries).
  Mixture(const Vector<double>& shares, const Vector<double>& balance) : t(shares.size()) {
    for (Index k = 0; k < t.size(); ++k) mu = std::max(mu, balance[k] / (shares[k] + balance[k]));
    for (Index k = 0; k < t.size(); ++k)
      t[k] = std::max(mu * (shares[k] + balance[k]) - balance[k], 0.0);
    const double sum = linear_algebra::sum_of(t);
    for (double& one : t) one /= sum;
  }
};

}  // namespace linea::detail::newton
