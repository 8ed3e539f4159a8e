// SPDX-License-Identifier: MIT
#pragma once
/// \file The step size whose first value is chosen from the data.
#include <algorithm>  // max
#include <cmath>      // sqrt
#include <linea/core/step_size.hpp>

namespace linea {

/// η = first/(√(1 + t/horizon) + first·λ·t). It falls as 1/√t at first and as 1/(λt) in the end.
/// Where `first` is 0, the optimizer finds it from the data, and sets the horizon to one epoch.
///
/// Steps of the offset are `offset_scale` times as long, as if b were the weight of a constant
/// feature whose square is the mean square of all entries that are not 0. A learner that is fed
/// sample by sample has no data to try steps on: there 1/(curvature · the largest squared norm so
/// far) stands for `first`.
struct AutomaticStep {
  AutomaticStep() = default;
  /// Explicit, so that a bare number is not taken for a constant step: that is ConstantStep{0.1}.
  explicit AutomaticStep(double first_step) : first(first_step) {}

  /// What is known of the samples that a learner has been fed so far.
  struct Seen {
    double largest_norm{0};  // squared, plus offset_scale
    double squares{0};       // Σ of squared norms
    double entries{0};       // Σ of entries that are not 0
  };

  double first{0};
  double offset_scale{1};
  double horizon{1000};
  ProblemFacts facts{};
  Seen seen{};

  double operator()(Index t) const {
    const double size =
        first > 0 ? first : 1 / (facts.curvature * std::max(seen.largest_norm, 1e-150));
    const auto steps = static_cast<double>(t);
    return size / (std::sqrt(1 + steps / horizon) + size * facts.strong_convexity * steps);
  }
  double offset_step(Index t) const { return offset_step(t, (*this)(t)); }
  double offset_step(Index, double size) const { return size * offset_scale; }
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

  bool is_fitted() const { return first > 0; }
  void start_at(double first_step) { first = first_step; }
  void scale_to(double steps, double mean_square) {
    horizon = steps;
    offset_scale = mean_square;
  }

  /// Takes note of a sample that a learner is fed: its squared norm and its number of entries that
  /// are not 0.
  void observe(double squared_norm, Index entries) {
    if (first > 0) return;
    seen.squares += squared_norm;
    seen.entries += static_cast<double>(entries);
    offset_scale = seen.squares > 0 ? seen.squares / seen.entries : 1;
    seen.largest_norm = std::max(seen.largest_norm, squared_norm + offset_scale);
  }
};

}  // namespace linea
