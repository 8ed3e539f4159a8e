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

  /// Makes this the start of a run on the same samples for another λ: weights and offset, and the
  /// multipliers where there are any.
  void hand_on(Extras<T>& next) const {
    Solution<T>::hand_on(next);
    next.start_multipliers = multipliers;
  }
};

}  // namespace linea
