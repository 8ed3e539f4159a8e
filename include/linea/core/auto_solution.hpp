// SPDX-License-Identifier: MIT
#pragma once
/// \file What an optimizer answers with that asks another one, chosen by the facts.
#include <linea/core/extras.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>
#include <stdexcept>  // invalid_argument
#include <string>

namespace linea {

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
  /// Is this a start that is worth what it costs? Not if it is weights alone, from an optimizer
  /// that was asked because λ = 0 has no dual: another λ has one, and is to be free of this start.
  bool is_start{true};

  /// Makes this the start of a run on the same samples for another λ: weights and offset, and the
  /// multipliers where there are any, for Auto takes of them what its next choice has a use for.
  void hand_on(Extras<T>& next) const {
    if (is_start) {
      Solution<T>::hand_on(next);
    } else {
      next.start_weights.resize(0);
      next.start_offset = 0;
    }
    next.start_multipliers = multipliers;
  }
};

}  // namespace linea
