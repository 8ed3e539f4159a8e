// SPDX-License-Identifier: MIT
#pragma once
/// \file The results of optimizers. A status reports numerical failure; optimizers do not throw in
/// this case.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <concepts>   // same_as
#include <cstddef>    // size_t
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/types.hpp>
#include <optional>
#include <stdexcept>  // invalid_argument
#include <string>
#include <string_view>
#include <vector>

namespace linea {

/// The reason why the optimizer ended, from the best to the worst.
enum class Status {
  converged,        ///< the optimizer's criterion is met, such as a small duality gap
  settled,          ///< F or the weights hardly change; the minimum may be far away
  epoch_limit,      ///< the epochs, iterations or updates reached their limit
  precision_limit,  ///< rounding errors prevent further progress
  stopped,          ///< the observer stopped the run
  diverged,         ///< F is not finite, or ended above ten times its initial value
};

/// The kind of iterate that the solution is.
enum class Iterate {
  best,     ///< the iterate of lowest F among those evaluated at the end of epochs
  last,     ///< the last iterate
  average,  ///< a mean of the iterates, starting at a chosen epoch
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

/// The members that all results share: weights w (d), offset b, and information about the run. With
/// k targets, W is a matrix type (d × k) and Offset a vector type (k).
template <class T, class W = Vector<T>, class Offset = T>
struct [[nodiscard]] Solution {
  W weights{};
  Offset offset{};
  Status status{Status::epoch_limit};
  Iterate iterate{Iterate::last};
  Index epochs{0};   ///< passes over the samples
  Index updates{0};  ///< number of steps: visits of the loop, mini-batches or iterations
  double objective{std::numeric_limits<double>::quiet_NaN()};  ///< F(weights, offset)
  std::optional<double> gap{};  ///< an upper bound on F(weights, offset) − min F, if one is known
  Index iterations{0};          ///< iterations of a method that does not count epochs
  std::string_view optimizer{};  ///< name of the optimizer: "Sgd", "Newton", …

  /// Returns a lower bound on F, objective − gap, if the gap is known.
  [[nodiscard]] std::optional<double> bound() const {
    if (!gap) return std::nullopt;
    return objective - *gap;
  }

  /// Returns whether the gap proves that F is at most tolerance·|F| above its minimum.
  [[nodiscard]] bool is_proven(double tolerance) const {
    return gap && std::isfinite(*gap) && std::isfinite(objective) &&
           *gap <= tolerance * std::abs(objective);
  }

  /// Sets the start of `next` to the weights and the offset, for a fit to the same samples with
  /// another λ.
  void hand_on(Extras<T>& next) const requires std::same_as<W, Vector<T>> {
    next.start_weights = weights;
    next.start_offset = offset;
  }
};

/// F at some w and b, and a lower bound on F.
struct [[nodiscard]] Certificate {
  double primal;  ///< F(w, b)
  double dual;    ///< F(w′, b′) ≥ dual for all w′ and b′

  /// Returns max(primal − dual, 0). Returns NaN if `primal` is not finite, or if `dual` is +∞ or
  /// NaN: then gap() ≤ tolerance is false for every tolerance.
  double gap() const {
    if (!std::isfinite(primal) || !(dual < std::numeric_limits<double>::infinity()))
      return std::numeric_limits<double>::quiet_NaN();
    return std::max(primal - dual, 0.0);
  }
  /// Returns gap/|primal|; 0 if the gap is 0, NaN if the gap is NaN.
  double relative_gap() const { return gap() == 0 ? 0 : gap() / std::abs(primal); }
  /// Returns whether gap() ≤ max(tolerance·|primal|, rounding). If so, `primal` is at most this
  /// maximum above min F.
  bool proves(double tolerance, double rounding = 0) const {
    return gap() <= std::max(tolerance * std::abs(primal), rounding);
  }
};

/// A solution with dual variables. The dual variables prove F(w, b) ≥ `dual` for all w and b; `gap`
/// is objective − dual ≥ 0.
template <class T>
struct [[nodiscard]] DualSolution : Solution<T> {
  /// Dual variables αᵢ (n): −αᵢ is a slope of the loss of sample i. At the minimum with penalty
  /// λ/2·‖w‖², w = Σᵢ sᵢαᵢxᵢ/(λS), and Σᵢ sᵢαᵢ = 0 if there is an offset; sᵢ are the sample weights
  /// and S = Σᵢ sᵢ. DualCoordinateAscent can start from these variables for another λ and other
  /// sample weights.
  Vector<double> multipliers{};
  double dual{-std::numeric_limits<double>::infinity()};

  Certificate certificate() const { return {this->objective, dual}; }

  /// Sets the start of `next` to the dual variables, for a fit to the same samples with another λ.
  void hand_on(Extras<T>& next) const { next.start_multipliers = multipliers; }
};

/// The exception that Auto and ProvenAuto throw if they cannot select an optimizer, as for hinge
/// loss with L2 and λ = 0, or if the samples are too large for InteriorPoint. ProvenAuto also
/// throws it for an objective that only Sgd could minimise. The message names an optimizer to call
/// instead.
struct NoProof : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A solution of the optimizer that `Auto` selected, with the reason for the choice.
template <class T>
struct [[nodiscard]] AutoSolution : Solution<T> {
  std::string reason{};  ///< why `Auto` selected this optimizer, in words
  /// Dual variables αᵢ (n) as in DualSolution; empty if the optimizer computes none.
  Vector<double> multipliers{};

  /// Sets the start of `next` to the weights, the offset and the dual variables, if any, for a fit
  /// to the same samples with another λ.
  void hand_on(Extras<T>& next) const {
    Solution<T>::hand_on(next);
    next.start_multipliers = multipliers;
  }
};

namespace detail {

/// Returns the solutions for k ≥ 1 targets as one: weights (d × k), offset (k), sums of objectives,
/// gaps and updates, the epochs of the longest run, and the worst status.
template <class T, class S>
Solution<T, Matrix<T>, Vector<T>> joined(const std::vector<S>& solutions) {
  Solution<T, Matrix<T>, Vector<T>> all;
  const auto count = static_cast<Index>(solutions.size());
  all.weights.resize(solutions.front().weights.size(), count);
  all.offset.resize(count);
  all.status = Status::converged;
  all.iterate = Iterate::best;
  all.optimizer = solutions.front().optimizer;
  all.objective = 0;
  all.gap = 0;
  for (Index k = 0; k < count; ++k) {
    const S& one = solutions[static_cast<std::size_t>(k)];
    all.weights.col(k) = one.weights;
    all.offset[k] = one.offset;
    all.objective += one.objective;
    all.gap = all.gap && one.gap ? std::optional(*all.gap + *one.gap) : std::nullopt;
    all.updates += one.updates;
    all.epochs = std::max(all.epochs, one.epochs);
    all.iterations = std::max(all.iterations, one.iterations);
    all.status = std::max(all.status, one.status);
    if (one.iterate != Iterate::best) all.iterate = one.iterate;
  }
  return all;
}

}  // namespace detail

/// Copies the members of Solution except weights, offset and the optimizer's name.
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
