// SPDX-License-Identifier: MIT
#pragma once
/// \file The step size whose first value is chosen from the data.
#include <algorithm>  // max
#include <cmath>      // sqrt
#include <linea/core/step_size.hpp>

namespace linea {

/// η = first/(√(1 + t/horizon) + first·λ·t): falling as 1/√t at first, as 1/(λt) in the end. `first`
/// is found by the optimizer from the data when it is 0, and the horizon is then one epoch.
///
/// The offset's steps are `offset_scale` times as long, as if it were the weight of a constant feature
/// as large as features are (their mean square where they are not 0). Fed samples one by one, before
/// any could be looked at as a whole, it starts from 1/(curvature · the largest squared norm so far).
struct AutomaticStep {
  AutomaticStep() = default;
  /// Explicit, so that a bare number is not taken for a constant step: that is ConstantStep{0.1}.
  explicit AutomaticStep(double first_step) : first(first_step) {}

  /// What is known of the samples that came so far.
  struct Seen {
    double largest_norm{0};  // squared, the offset's share included
    double squares{0};
    double entries{0};
  };

  double first{0};
  double offset_scale{1};
  double horizon{1000};
  ProblemFacts facts{};
  Seen seen{};

  double operator()(Index t) const {
    const double size =
        first > 0 ? first : 1 / (facts.curvature * std::max(seen.largest_norm, 1e-300));
    const auto steps = static_cast<double>(t);
    return size / (std::sqrt(1 + steps / horizon) + size * facts.strong_convexity * steps);
  }
  double offset_step(Index t) const { return (*this)(t)*offset_scale; }
  constexpr bool sum_diverges() const { return true; }
  constexpr bool sum_of_squares_converges() const { return facts.strong_convexity > 0; }

  AutomaticStep shortened(double factor, Index) const {
    AutomaticStep shorter = *this;
    shorter.first *= factor;
    return shorter;
  }
  AutomaticStep bound_to(const ProblemFacts& problem) const {
    AutomaticStep bound = *this;
    bound.facts = problem;
    return bound;
  }

  /// Takes note of a sample that comes online: its squared norm and number of entries.
  void observe(double squared_norm, Index entries) {
    if (first > 0) return;
    seen.squares += squared_norm;
    seen.entries += static_cast<double>(entries);
    offset_scale = seen.squares > 0 ? seen.squares / seen.entries : 1;
    seen.largest_norm = std::max(seen.largest_norm, squared_norm + offset_scale);
  }
};

}  // namespace linea
