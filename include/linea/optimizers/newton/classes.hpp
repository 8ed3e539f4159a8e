// SPDX-License-Identifier: MIT
#pragma once
/// \file Validation of the arguments of an optimizer for several classes.
#include <algorithm>  // max
#include <cmath>      // round
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/require.hpp>
#include <linea/optimizers/solver/solve.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>
#include <utility>  // move

namespace linea::newton {

/// Samples in double, and the classes of their rows (n), counted from 0. The class of a row of
/// weight 0 is 0. The run begins at `start`, or if that is empty at the best constant.
template <class Set>
struct ClassProblem {
  Set set;
  Vector<Index> classes{};
  Index count{0};
  solver::ClassPoint start{};
};

/// Sets classes and count. Throws std::invalid_argument for other labels, fewer than two classes,
/// or a class without a sample of weight above 0.
template <class Set, class Y>
void find_classes(std::string_view function, const Y& y, ClassProblem<Set>& problem) {
  constexpr double most = 1 << 20;
  Vector<Index>& classes = problem.classes = Vector<Index>::Zero(y.size());
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
  Vector<double> samples = core::filled(count, 0.0);
  for (Index i = 0; i < y.size(); ++i)
    if (problem.set.weight(i) > 0) samples[classes[i]] += 1;
  for (Index k = 0; k < count; ++k)
    require(samples[k] > 0, function, ": class ", k, " of ", count,
            " has no sample of weight above 0");
}

/// Validates all arguments and returns the problem. Throws std::invalid_argument, naming
/// `function`.
template <class P, class X, class Y, class T>
auto admit_classes(std::string_view function, const P& penalty, const solver::Limits& limits,
                   const X& x, const Y& y, const Extras<T>& extras) {
  core::require_valid_penalty(function, penalty, x.cols());
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
                     core::filled(problem.count, 0.0)};
  return problem;
}

}  // namespace linea::newton
