// SPDX-License-Identifier: MIT
#pragma once
/// \file News of a training run, once an epoch. The library itself never prints.
#include <concepts>
#include <functional>
#include <limits>
#include <linea/core/point.hpp>
#include <linea/core/types.hpp>
#include <type_traits>  // invoke_result_t
#include <vector>

namespace linea {

/// What an observer is told at the end of an epoch.
struct Progress {
  Index epoch{0};            ///< from 1
  Index updates{0};          ///< steps of the loop so far
  double objective{0};       ///< F at the candidate iterate: the current one, or the average
  double best_objective{0};  ///< the lowest F so far, of all that were told
  double change{0};          ///< how far the epoch moved (w, b), relative to its norm
  double step_size{0};       ///< η of the last step; 0 where there is none
  Index restarts{0};         ///< times the run was rolled back after diverging
  Index mistakes{0};         ///< samples of this epoch that moved the weights
  double gap{
      std::numeric_limits<double>::quiet_NaN()};  ///< best_objective − min F at most, where known
  /// Answers with the weights (d) and offset that `objective` is of, for x as it is stored: O(d) a
  /// call, and no cost uncalled. To be called before the observer returns. Empty where there is no
  /// such iterate: `if (progress.iterate)`.
  std::function<Point<double>()> iterate{};
  /// The same of SoftmaxNewton, which has no one iterate: a point for each class, all with the F of
  /// them together.
  std::function<std::vector<Point<double>>()> iterates{};
};

enum class Control { proceed, stop };

/// One callable per epoch. It may answer with a Control; one that answers nothing never stops a
/// run.
template <class F>
concept Observer = std::invocable<F&, const Progress&> &&
    (std::same_as<std::invoke_result_t<F&, const Progress&>, Control> ||
     std::same_as<std::invoke_result_t<F&, const Progress&>, void>);

}  // namespace linea
