// SPDX-License-Identifier: MIT
#pragma once
/// \file Observers: functions that a run calls once in each epoch. The library itself never prints.
#include <concepts>
#include <ctime>  // clock_gettime, since <chrono> takes long to compile
#include <limits>
#include <linea/core/types.hpp>
#include <type_traits>  // invoke_result_t

namespace linea {

/// A point of a run: weights w (d), offset b, and F(w, b).
template <class T>
struct Point {
  Vector<T> weights{};
  T offset{0};
  double objective{std::numeric_limits<double>::quiet_NaN()};
};

/// Converts a point to the scalar U.
template <class U, class T>
Point<U> point_as(const Point<T>& point) {
  return {point.weights.template cast<U>(), static_cast<U>(point.offset), point.objective};
}

/// The run behind a Progress. Its functions do not change the iterates, but Solution::epochs may
/// count the passes over x that they make.
class ObservedRun {
 public:
  virtual double objective() const = 0;
  virtual double gap() const { return std::numeric_limits<double>::quiet_NaN(); }
  virtual Index iterates() const { return 1; }
  virtual Point<double> iterate(Index k) const = 0;

 protected:
  ~ObservedRun() = default;
};

/// A run at the end of an epoch, as its observer sees it. The functions compute their values when
/// the observer calls them. Do not call them after the observer has returned.
struct Progress {
  Index epoch{0};       ///< number of this epoch or iteration, from 1
  Index updates{0};     ///< number of steps so far
  double change{0};     ///< norm of the epoch's change of (w, b), relative to ‖(w, b)‖
  double step_size{0};  ///< η of the last step; 0 if there is none
  Index restarts{0};    ///< number of times the run diverged and was rolled back
  Index mistakes{0};    ///< visits of this epoch that changed the weights
  const ObservedRun* run{nullptr};

  /// Returns F at the current iterate, or at the best point so far if the method stores this point.
  /// Returns NaN if `run` is null. May cost a pass over x.
  double objective() const {
    return run ? run->objective() : std::numeric_limits<double>::quiet_NaN();
  }
  /// Returns an upper bound on objective() − min F; NaN if no bound is known. May cost a pass over
  /// x.
  double gap() const { return run ? run->gap() : std::numeric_limits<double>::quiet_NaN(); }
  /// Returns the number of points that `iterate` can return: usually 1, for softmax the number of
  /// classes, and 0 if the run gives no points.
  Index iterates() const { return run ? run->iterates() : 0; }
  /// Returns point k: weights (d) and offset for x as stored, and objective(). Requires k <
  /// iterates(). O(d).
  Point<double> iterate(Index k = 0) const { return run->iterate(k); }
};

enum class Control { proceed, stop };

/// A callable that a run calls once in each epoch. It returns void or a Control.
template <class F>
concept Observer = std::invocable<F&, const Progress&> &&
    (std::same_as<std::invoke_result_t<F&, const Progress&>, Control> ||
     std::same_as<std::invoke_result_t<F&, const Progress&>, void>);

/// An observer that stops a run at the end of an epoch once `seconds` have passed since the
/// construction of the observer: minimize(objective, x, y, TimeLimit{60}).
struct TimeLimit {
  double seconds;
  double start{now()};

  Control operator()(const Progress&) const {
    return now() - start < seconds ? Control::proceed : Control::stop;
  }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);  // setting the system time does not change this clock
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
};

}  // namespace linea
