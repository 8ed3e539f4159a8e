// SPDX-License-Identifier: MIT
#pragma once
/// \file What optimizers answer with. Numerical trouble is data here, not an exception.
#include <cmath>     // abs, isfinite
#include <concepts>  // same_as
#include <limits>
#include <linea/core/certificate.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/point.hpp>
#include <linea/core/types.hpp>
#include <optional>
#include <stdexcept>  // invalid_argument
#include <string>
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
  constexpr std::string_view names[] = {"converged",       "settled", "epoch-limit",
                                        "precision-limit", "stopped", "diverged"};
  return names[static_cast<int>(status)];
}

constexpr std::string_view name_of(Iterate iterate) {
  constexpr std::string_view names[] = {"best", "last", "average"};
  return names[static_cast<int>(iterate)];
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
  [[nodiscard]] std::optional<double> bound() const {
    if (!gap) return std::nullopt;
    return objective - *gap;
  }

  /// Is F at most tolerance·|F| above its minimum? Only a finite gap proves that. Where no gap is
  /// known the answer is false, though `gap <= bound` of the empty optional is true.
  [[nodiscard]] bool is_proven(double tolerance) const {
    return gap && std::isfinite(*gap) && std::isfinite(objective) &&
           *gap <= tolerance * std::abs(objective);
  }

  /// Makes this the start of a run on the same samples for another λ: weights and offset.
  void hand_on(Extras<T>& next) const requires std::same_as<W, Vector<T>> {
    next.start_weights = weights;
    next.start_offset = offset;
  }
};

/// A solution with the multipliers that prove how good it is: no w and b have an F below `dual`,
/// and `gap` = objective − dual ≥ 0.
template <class T>
struct [[nodiscard]] DualSolution : Solution<T> {
  /// αᵢ (n), −αᵢ being a slope of the loss of sample i. With λ/2·‖w‖² for a penalty w = Σᵢ
  /// sᵢαᵢxᵢ/(λS) at the minimum, and with offset Σᵢ sᵢαᵢ = 0. A start of DualCoordinateAscent for
  /// other λ and weights.
  Vector<double> multipliers{};
  double dual{-std::numeric_limits<double>::infinity()};

  Certificate certificate() const { return {this->objective, dual}; }

  /// Makes this the start of a run on the same samples for another λ: the multipliers.
  void hand_on(Extras<T>& next) const { next.start_multipliers = multipliers; }
};

/// What ProvenAuto throws for an objective of which no optimizer proves a minimum; Sgd may take it.
struct NoProof : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A solution, who found it (`optimizer`), and why that one was asked.
template <class T>
struct [[nodiscard]] AutoSolution : Solution<T> {
  std::string reason{};  ///< the facts that decided, for people
  /// αᵢ (n) as in DualSolution, where the optimizer has found them; else empty.
  Vector<double> multipliers{};

  /// Makes this the start of a run on the same samples for another λ: weights and offset, and the
  /// multipliers where there are any.
  void hand_on(Extras<T>& next) const {
    Solution<T>::hand_on(next);
    next.start_multipliers = multipliers;
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
