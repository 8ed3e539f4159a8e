// SPDX-License-Identifier: MIT
#pragma once
/// \file The offset b and its average: what all ways of keeping the weights have in common.
#include <linea/core/compiler.hpp>

namespace linea::descent {

/// The offset b, and its mean over iterates of which each may count more or less.
template <class T>
struct OffsetAverage {
  T offset{0};
  double sum{0};       // Σ weight·offset over the averaged iterates
  double rounds{0};    // Σ weight
  bool active{false};  // is an average kept?

  /// Adds the current offset to the average.
  void count(double weight) {
    if (!active) return;
    sum += weight * static_cast<double>(offset);
    rounds += weight;
  }
  /// Forgets the iterates so far; those to come are averaged if `on`.
  void restart(bool on) {
    sum = rounds = 0;
    active = on;
  }
  /// The mean, or the offset itself while nothing has been counted.
  T mean() const { return rounds > 0 ? static_cast<T>(sum / rounds) : offset; }
};

}  // namespace linea::descent
