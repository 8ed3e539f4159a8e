// SPDX-License-Identifier: MIT
#pragma once
/// \file Optional arguments of a fit: sample weights, an observer, a start.
#include <cmath>  // isfinite
#include <concepts>
#include <functional>
#include <limits>
#include <linea/core/numbers.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <type_traits>  // invoke_result_t, is_arithmetic, is_void, remove_cvref
#include <utility>      // forward, move

namespace linea {

/// An observer of a run, or none. A run calls the observer at the end of every epoch. An observer
/// that returns void never stops a run.
class ObserverFunction : public std::function<Control(const Progress&)> {
 public:
  using std::function<Control(const Progress&)>::function;
  ObserverFunction(std::function<Control(const Progress&)> observer)
      : function(std::move(observer)) {}

  template <Observer F>
    requires(std::is_void_v<std::invoke_result_t<F&, const Progress&>>)
  ObserverFunction(F observer)
      : function([call = std::move(observer)](const Progress& progress) mutable {
          call(progress);
          return Control::proceed;
        }) {}

  /// Calls the observer, or returns Control::proceed if there is no observer. (An empty
  /// std::function would throw.)
  Control operator()(const Progress& progress) const {
    return *this ? function::operator()(progress) : Control::proceed;
  }
};

/// Optional arguments of a fit. Weights are numbers of any kind, in an Eigen vector or a list.
template <class T>
struct Extras {
  detail::VectorFrom<T> sample_weights{};  ///< (n), ≥ 0, not all 0; empty: all 1
  ObserverFunction observer{};             ///< called at the end of every epoch
  detail::VectorFrom<T> start_weights{};   ///< (d) warm start; empty: zero
  T start_offset{0};                       ///< must be 0 without start_weights
  Vector<double> start_multipliers{};      ///< (n) start of dual variables; empty: zero
};

/// Returns Extras with only this observer.
template <class T, Observer F>
Extras<T> observed_by(F&& observer) {
  Extras<T> extras;
  extras.observer = std::forward<F>(observer);
  return extras;
}

/// Returns Extras with a start w (d) and b, drawn uniformly from [−size, size). The same seed gives
/// the same start. With `offset` = false, for a fit without offset, b is 0.
///
/// A convex objective does not need a random start. The start decides which separator the
/// perceptron finds, and at which local minimum of a non-convex objective an optimizer ends. Throws
/// std::invalid_argument unless d ≥ 1 and size is positive and finite.
template <Scalar T>
Extras<T> random_start(Index d, std::uint64_t seed, double size = 0.01, bool offset = true) {
  require(d >= 1, "random_start: ", d, " features");
  require(std::isfinite(size) && size > 0, "random_start: size = ", size, " is not positive");
  Random random(seed);
  const auto draw = [&] { return static_cast<T>(size * (2 * random.uniform() - 1)); };
  Extras<T> extras;
  extras.start_weights.resize(d);
  for (T& weight : extras.start_weights) weight = draw();
  if (offset) extras.start_offset = draw();
  return extras;
}

/// The type of the last argument of every optimizer and recipe, for samples of scalar T. The
/// argument is one of
///
///     Extras<T>{.sample_weights = s, …}  or {.sample_weights = s}: Extras<T> is the default type
///     an observer                        means Extras with only this observer
///     a vector or std::vector (n)        means Extras with only these sample weights
template <class E, class T>
concept ExtrasFor = std::derived_from<E, Extras<T>> || Numbers<E> ||
    (detail::CopyConstructible<E>&& Observer<E>);  // if E cannot be copied, pass std::ref(observer)

/// Returns `given` itself if it is an Extras, else new Extras with only this observer or only these
/// sample weights.
template <class T, ExtrasFor<T> E>
decltype(auto) extras_of(const E& given) {
  if constexpr (std::derived_from<E, Extras<T>>)
    return static_cast<const Extras<T>&>(given);
  else if constexpr (Observer<E>)
    return observed_by<T>(E(given));
  else
    return Extras<T>{.sample_weights = given};
}

/// The run behind the Progress of a finished solution. It has an iterate unless the solution is of
/// several targets or classes.
template <class S>
class SolutionSeen final : public ObservedRun {
 public:
  explicit SolutionSeen(const S& solution) : solution_(solution) {}
  double objective() const override { return solution_.objective; }
  double gap() const override {
    return solution_.gap ? *solution_.gap : std::numeric_limits<double>::quiet_NaN();
  }
  Index iterates() const override { return is_one ? 1 : 0; }
  Point<double> iterate(Index) const override {
    if constexpr (is_one)
      return {solution_.weights.template cast<double>(), static_cast<double>(solution_.offset),
              solution_.objective};
    else
      return {};
  }

 private:
  static constexpr bool is_one =
      std::is_arithmetic_v<std::remove_cvref_t<decltype(std::declval<const S&>().offset)>>;
  const S& solution_;
};

/// Calls the observer, if there is one, with a finished solution. Ignores the return value of the
/// observer.
template <class T, class S>
void report_once(const Extras<T>& extras, const S& solution, Index epoch = 1) {
  if (!extras.observer) return;
  const SolutionSeen<S> seen(solution);
  Progress progress;
  progress.epoch = epoch;
  progress.run = &seen;
  extras.observer(progress);
}

}  // namespace linea
