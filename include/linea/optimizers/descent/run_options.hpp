// SPDX-License-Identifier: MIT
#pragma once
/// \file What a training run is told before it begins, and what it leaves beside its solution.
#include <limits>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>

namespace linea::descent {

/// When to stop, what to return, how often to try again.
struct RunOptions {
  Index epochs{100};
  double tolerance{1e-4};  ///< of the objective, relative, over `patience` epochs; 0: never
  Iterate iterate{Iterate::best};
  Index average_from{2};  ///< the first epoch, from 1, whose iterates are averaged
  Index retries{0};       ///< how often a diverging run is rolled back; 0: never
  /// The run ends there, within an epoch if need be.
  Index max_updates{std::numeric_limits<Index>::max()};
  double target_objective{-std::numeric_limits<double>::infinity()};  ///< F that is low enough
  double change_tolerance{0};  ///< of the move of (w, b) in an epoch, relative; 0: never
  bool until_no_mistakes{false};
  bool bounded{true};  ///< an objective ten times that of the start counts as diverged
  static constexpr Index patience = 10;
};

/// What a run leaves beside its solution.
template <class T>
struct RunRecord {
  Index restarts{0};
  Index mistakes{0};
  Point<T> current{};  ///< where the run stood at its end: the last iterate, or the average
};

}  // namespace linea::descent
