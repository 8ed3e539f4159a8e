// SPDX-License-Identifier: MIT
#pragma once
/// \file What all ways of keeping the weights have in common: the offset, and the book-keeping of averages.

namespace linea::loop {

/// What all ways of keeping the weights have in common: the offset and the book-keeping of averages.
template <class T>
struct OffsetAverage {
  T offset{0};
  double sum{0};     // Σ over the averaged iterates of the offset
  double rounds{0};  // how many iterates that is
  bool active{false};

  void count(double weight) {
    if (!active) return;
    sum += weight * static_cast<double>(offset);
    rounds += weight;
  }
  void restart(bool on) {
    sum = rounds = 0;
    active = on;
  }
  T mean() const { return rounds > 0 ? static_cast<T>(sum / rounds) : offset; }
};

}  // namespace linea::loop
