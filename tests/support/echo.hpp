// SPDX-License-Identifier: MIT
#pragma once
/// \file Two processes of which one is imagined.
#include <linea/core/types.hpp>

namespace linea::test {

/// One of two processes that have the same samples: a sum is twice what it says itself, and the
/// largest its own.
struct Echo {
  int sums{0};
  Index rank() const { return 0; }
  Index size() const { return 2; }
  void sum(double* numbers, Index count) {
    ++sums;
    for (Index k = 0; k < count; ++k) numbers[k] *= 2;
  }
  void largest(double*, Index) {}
  void broadcast(char*, Index, Index) {}
  void barrier() {}
};

}  // namespace linea::test
