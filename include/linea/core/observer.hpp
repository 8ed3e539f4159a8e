// SPDX-License-Identifier: MIT
#pragma once
/// \file What an observer of a run can ask, once an epoch. The library itself never prints.
#include <concepts>
#include <ctime>  // clock_gettime, since <chrono> takes long to compile
#include <limits>
#include <linea/core/point.hpp>
#include <linea/core/types.hpp>
#include <type_traits>  // invoke_result_t

namespace linea {

/// The run that a Progress asks. What it computes for an observer does not change the run, but a
/// pass that it makes for that may be counted in Solution::epochs.
class ObservedRun {
 public:
  virtual double objective() const = 0;
  virtual double gap() const { return std::numeric_limits<double>::quiet_NaN(); }
  virtual Index iterates() const { return 1; }
  virtual Point<double> iterate(Index k) const = 0;

 protected:
  ~ObservedRun() = default;
};

/// A run at the end of an epoch, as its observer sees it. The functions compute their answers when
/// they are called, which must be before the observer returns; what is not called costs nothing.
struct Progress {
  Index epoch{0};       ///< from 1; an iteration counts as one
  Index updates{0};     ///< moves of the weights so far
  double change{0};     ///< how far the epoch moved (w, b), relative to its norm
  double step_size{0};  ///< η of the last step; 0 where there is none
  Index restarts{0};    ///< times the run was rolled back after diverging
  Index mistakes{0};    ///< samples of this epoch that moved the weights
  const ObservedRun* run{nullptr};

  /// F at the iterate: of methods that keep the best point, at that. May cost a pass over x. Not a
  /// number where there is no run.
  double objective() const {
    return run ? run->objective() : std::numeric_limits<double>::quiet_NaN();
  }
  /// An upper bound on objective() − min F; not a number where none is known. May cost a pass.
  double gap() const { return run ? run->gap() : std::numeric_limits<double>::quiet_NaN(); }
  /// How many points objective() is of: 1; with SoftmaxNewton one a class; 0 where they are not
  /// shown.
  Index iterates() const { return run ? run->iterates() : 0; }
  /// Point k of them: weights (d) and offset for x as it is stored, with objective(). O(d).
  Point<double> iterate(Index k = 0) const { return run->iterate(k); }
};

enum class Control { proceed, stop };

/// One callable per epoch. It may answer with a Control; one that answers nothing never stops a
/// run.
template <class F>
concept Observer = std::invocable<F&, const Progress&> &&
    (std::same_as<std::invoke_result_t<F&, const Progress&>, Control> ||
     std::same_as<std::invoke_result_t<F&, const Progress&>, void>);

/// An observer that stops a run at the end of the first epoch that is over so many seconds after it
/// was made: minimize(objective, x, y, TimeLimit{60}).
struct TimeLimit {
  double seconds;
  double start{now()};

  Control operator()(const Progress&) const {
    return now() - start < seconds ? Control::proceed : Control::stop;
  }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);  // setting the clock does not move it
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
};

}  // namespace linea
