// SPDX-License-Identifier: MIT
#pragma once
/// \file What a fit may be given beside x and y: sample weights, an observer, a start.
#include <concepts>
#include <functional>
#include <limits>
#include <linea/core/numbers.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string_view>
#include <type_traits>  // invoke_result_t, remove_cvref
#include <utility>      // forward, move

namespace linea {

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

/// The last argument of every optimizer and recipe, for samples of T. It may be
///
///     Extras<T>{.sample_weights = s, …}  or, that being the default type, {.sample_weights = s}
///     an observer                        the same as Extras with nothing but that observer
///     a vector (n) of numbers            the same as Extras with nothing but these weights;
///                                        a std::vector or the like will do
template <class E, class T>
concept ExtrasFor = std::derived_from<E, Extras<T>> || Numbers<E> ||
    (Observer<E>&& std::copy_constructible<E>);  // pass one that cannot be copied by std::ref

/// The Extras that `given` stands for: `given` itself where it is that, else a new one.
template <class T, ExtrasFor<T> E>
decltype(auto) extras_of(const E& given) {
  if constexpr (std::derived_from<E, Extras<T>>)
    return static_cast<const Extras<T>&>(given);
  else if constexpr (Observer<E>)
    return observed_by<T>(E(given));
  else
    return Extras<T>{.sample_weights = core::vector_of(given).template cast<T>()};
}

/// The extras, with the best objective that the observer is told of kept in `best`.
template <class T>
Extras<T> with_best(Extras<T> extras, double& best) {
  if (extras.observer)
    extras.observer = [&best, tell = std::move(extras.observer)](const Progress& progress) {
      best = progress.best_objective;
      return tell(progress);
    };
  return extras;
}

/// Tells the observer, if there is one, of an answer that nothing can stop any more: its epoch, its
/// objective, which may be above the `best` of epochs before, its gap where that is known, and
/// itself where it is of one target.
template <class T, class S>
void report_once(const Extras<T>& extras, const S& solution, Index epoch = 1,
                 double best = std::numeric_limits<double>::infinity()) {
  if (!extras.observer) return;
  Progress progress;
  progress.epoch = epoch;
  progress.objective = solution.objective;
  progress.best_objective = solution.objective < best ? solution.objective : best;
  if (solution.gap) progress.gap = *solution.gap;
  if constexpr (std::same_as<std::remove_cvref_t<decltype(solution.offset)>, T>)
    progress.iterate = [&solution] {
      return point_as<double>(Point<T>{solution.weights, solution.offset, solution.objective});
    };
  extras.observer(progress);
}

}  // namespace linea
