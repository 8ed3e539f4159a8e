// SPDX-License-Identifier: MIT
#pragma once
/// \file News of a training run, once an epoch. The library itself never prints.
#include <concepts>
#include <functional>
#include <limits>
#include <linea/core/types.hpp>

namespace linea {

/// What an observer is told at the end of an epoch.
struct Progress {
  Index epoch{0};            ///< from 1
  Index updates{0};          ///< steps of the loop so far
  double objective{0};       ///< F at the candidate iterate: the current one, or the average
  double best_objective{0};  ///< the lowest F so far
  double change{0};          ///< how far the epoch moved (w, b), relative to its norm
  double step_size{0};       ///< η of the last step; 0 where there is none
  Index restarts{0};         ///< times the run was rolled back after diverging
  Index mistakes{0};         ///< samples of this epoch that moved the weights
  double gap{
      std::numeric_limits<double>::quiet_NaN()};  ///< best_objective − min F at most, where known
};

enum class Control { proceed, stop };

/// One callable per epoch. It may answer with a Control; one that answers nothing never stops a run.
template <class F>
concept Observer = std::invocable<F&, const Progress&> &&
    (std::same_as<std::invoke_result_t<F&, const Progress&>, Control> ||
     std::same_as<std::invoke_result_t<F&, const Progress&>, void>);

/// What a fit may be given beside x and y; each may be left out.
template <class T>
struct Extras {
  Vector<T> sample_weights{};                          ///< (n), ≥ 0, not all 0; empty: all 1
  std::function<Control(const Progress&)> observer{};  ///< called at the end of every epoch
  Vector<T> start_weights{};                           ///< (d) warm start; empty: zero
  T start_offset{0};                                   ///< used with start_weights
  Vector<double> start_multipliers{};  ///< (n) where DualCoordinateAscent starts; empty: zero
};

/// Extras with nothing but this observer.
template <class T, Observer F>
Extras<T> observed_by(F&& observer) {
  Extras<T> extras;
  if constexpr (std::same_as<std::invoke_result_t<F&, const Progress&>, Control>)
    extras.observer = std::forward<F>(observer);
  else
    extras.observer = [observer = std::forward<F>(observer)](const Progress& progress) mutable {
      observer(progress);
      return Control::proceed;
    };
  return extras;
}

}  // namespace linea
