// SPDX-License-Identifier: MIT
#pragma once
/// \file A step size whose first value is chosen from the data.
#include <algorithm>  // max
#include <cmath>      // sqrt
#include <linea/core/step_size.hpp>

namespace linea {

/// The step η = first/(√(1 + t/horizon) + first·λ·t), where λ is the strong convexity of the
/// penalty. For large t, η falls as 1/(λt), or as 1/√t if λ = 0. With `first` = 0 the optimizer
/// finds `first` from the data and sets the horizon to one epoch.
///
/// Steps of the offset are `offset_scale` times as long: b is treated as the weight of a constant
/// feature whose square is the mean square of all non-zero entries. A learner that gets one sample
/// at a time has no data for trial steps; it uses 1/(curvature · m) as `first`, where m is the
/// largest squared norm so far plus `offset_scale`.
struct AutomaticStep {
  AutomaticStep() = default;
  /// The constructor is explicit, so that a number does not convert to this step size: the user may
  /// mean a constant step, ConstantStep{0.1}.
  explicit AutomaticStep(double first_step) : first(first_step) {}

  /// Statistics of the samples that `observe` has recorded.
  struct Seen {
    double largest_norm{1};  // largest squared norm plus offset_scale, and 1 before any entry
    double squares{0};       // Σ of squared norms
    double entries{0};       // number of non-zero entries

    template <class Visit>
    void each_state(const Visit& visit) {
      visit("largest_norm", largest_norm);
      visit.demand(largest_norm > 0, "a largest norm that is not above 0");
      visit("squares", squares);
      visit("entries", entries);
    }
  };

  double first{0};
  double offset_scale{1};
  double horizon{1000};
  ProblemFacts facts{};
  Seen seen{};

  double operator()(Index t) const {
    const double size = first > 0 ? first : 1 / (facts.curvature * seen.largest_norm);
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

  /// Records the squared norm and the number of non-zero entries of a sample that a learner gets.
  /// Does nothing if `first` is known.
  void observe(double squared_norm, Index entries) {
    if (first > 0) return;
    const double before = seen.squares > 0 ? seen.largest_norm : 0;
    seen.squares += squared_norm;
    seen.entries += static_cast<double>(entries);
    offset_scale = seen.squares > 0 ? seen.squares / seen.entries : 1;
    seen.largest_norm = std::max(before, squared_norm + offset_scale);
  }
  template <class Visit>
  void each_state(const Visit& visit) {
    visit("first", first);
    visit("offset_scale", offset_scale);
    visit("horizon", horizon);
    visit("seen", seen);
  }
};

}  // namespace linea
