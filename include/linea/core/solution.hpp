// SPDX-License-Identifier: MIT
#pragma once
/// \file What an optimizer answers with. Numerical trouble is data here, not an exception.
#include <cmath>     // abs, isfinite
#include <concepts>  // same_as
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/point.hpp>
#include <linea/core/types.hpp>
#include <optional>
#include <string_view>

namespace linea {

/// How the optimizer ended, from the best end to the worst.
enum class Status {
  converged,        ///< the criterion of the optimizer was met: a proof, or what its page says
  settled,          ///< the objective or the weights hardly move; the minimum need not be near
  epoch_limit,      ///< the epochs, or the updates that were allowed, ran out first
  precision_limit,  ///< rounding ends the progress before the criterion is met
  stopped,          ///< the observer asked for it
  diverged,         ///< the objective is not finite, or ten times its start, or retries are used up
};

/// Which of the iterates w₁, w₂, … the weights are.
enum class Iterate {
  best,     ///< lowest objective of those that a run computes at the end of epochs
  last,     ///< the last one
  average,  ///< a mean of the iterates from a chosen epoch on
};

constexpr std::string_view name_of(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::settled:
      return "settled";
    case Status::epoch_limit:
      return "epoch-limit";
    case Status::precision_limit:
      return "precision-limit";
    case Status::stopped:
      return "stopped";
    case Status::diverged:
      return "diverged";
  }
  return "unknown";
}

constexpr std::string_view name_of(Iterate iterate) {
  switch (iterate) {
    case Iterate::best:
      return "best";
    case Iterate::last:
      return "last";
    case Iterate::average:
      return "average";
  }
  return "unknown";
}

/// Weights w (d) and offset b, and how they came about: what the results of all optimizers have in
/// common. With many targets at once, W is (d × k) and Offset a vector (k).
template <class T, class W = Vector<T>, class Offset = T>
struct [[nodiscard]] Solution {
  W weights{};
  Offset offset{};
  Status status{Status::epoch_limit};
  Iterate iterate{Iterate::last};
  Index epochs{0};   ///< passes over the samples
  Index updates{0};  ///< moves of the weights: visits of the loop, mini-batches, or iterations
  double objective{std::numeric_limits<double>::quiet_NaN()};  ///< F(weights, offset)
  std::optional<double>
      gap{};            ///< an upper bound on F(weights, offset) − min F, where one is known
  Index iterations{0};  ///< rounds of a method that goes by rounds, not by epochs
  std::string_view optimizer{};  ///< who found it, for people: "Sgd", "Newton", …

  /// What F is nowhere below, where that is known: objective − gap.
  std::optional<double> bound() const {
    if (!gap) return std::nullopt;
    return objective - *gap;
  }

  /// Is F at most tolerance·|F| above its minimum? Only a finite gap proves that. Where no gap is
  /// known the answer is false, though `gap <= bound` of the empty optional is true.
  bool is_proven(double tolerance) const {
    return gap && std::isfinite(*gap) && std::isfinite(objective) &&
           *gap <= tolerance * std::abs(objective);
  }

  /// Makes this the start of a run on the same samples for another λ: weights and offset.
  void hand_on(Extras<T>& next) const requires std::same_as<W, Vector<T>> {
    next.start_weights = weights;
    next.start_offset = offset;
  }
};

/// Copies how a solution came about: all but weights, offset and the optimizer's name.
template <class From, class To>
void copy_account(const From& from, To& to) {
  to.status = from.status;
  to.iterate = from.iterate;
  to.epochs = from.epochs;
  to.updates = from.updates;
  to.objective = from.objective;
  to.gap = from.gap;
  to.iterations = from.iterations;
}

}  // namespace linea
