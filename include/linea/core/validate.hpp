// SPDX-License-Identifier: MIT
#pragma once
/// \file The checks of numbers, sizes and sample weights that all functions of samples share.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string_view>

namespace linea::detail {

/// Entries of x, targets and sample weights above this magnitude are refused, so that neither their
/// squares nor sums of squares overflow.
inline constexpr double largest_number = 1e150;
/// Numbers below this magnitude may count as 0, because their squares underflow. Targets and sample
/// weights without a larger number are refused, unless all are 0.
inline constexpr double least_number = 1e-150;

/// Throws unless |value| ≤ largest_number. `what` is the name of the value in the message.
template <class... What>
void require_in_range(std::string_view function, double value, const What&... what) {
  if (std::abs(value) <= largest_number) [[likely]]
    return;
  require(std::isfinite(value), function, ": ", what..., " is not finite");
  refuse(function, ": ", what..., " is ", value,
         ", but magnitudes above 1e150 are refused: use a larger unit");
}

/// Throws unless every number of y (n) is in range.
template <class V>
void require_numbers(std::string_view function, const V& y) {
  for (Index i = 0; i < y.size(); ++i)
    require_in_range(function, static_cast<double>(y.coeff(i)), "y(", i, ")");
}

/// Throws unless the largest magnitude of several numbers is 0 or ≥ least_number.
template <class... What>
void require_not_tiny(std::string_view function, double largest, const What&... what) {
  require(largest == 0 || largest >= least_number, function, ": the largest magnitude of ", what...,
          " is ", largest, ", but magnitudes below 1e-150 count as 0: use a smaller unit");
}

/// Throws unless x (n × d) has n targets.
inline void require_targets(std::string_view function, Index n, Index d, Index targets) {
  require(n == targets, function, ": x has ", n, " rows but y has ", targets,
          d == targets ? ": a sample is a row of x, so pass x.transpose()" : "");
}

/// Throws unless a sample weight is in [0, largest_number].
template <class... What>
void require_weight(std::string_view function, double weight, const What&... what) {
  require(std::isfinite(weight) && weight >= 0, function, ": ", what..., " is ", weight);
  require_in_range(function, weight, what...);
}

/// Returns the largest of the sample weights, or 0 if there are none. Throws unless there are n
/// valid weights.
template <class V>
double largest_weight(std::string_view function, Index n, const V& sample_weights) {
  require(sample_weights.size() == n, function, ": ", sample_weights.size(),
          " sample weights but y has ", n);
  double largest = 0;
  for (Index i = 0; i < n; ++i) {
    const auto weight = static_cast<double>(sample_weights[i]);
    require_weight(function, weight, "sample weight ", i);
    largest = std::max(largest, weight);
  }
  return largest;
}

/// Throws if the largest sample weight is 0 or below least_number.
inline void require_any_weight(std::string_view function, double largest) {
  require(largest > 0, function, ": all sample weights are zero");
  require_not_tiny(function, largest, "the sample weights");
}

}  // namespace linea::detail
