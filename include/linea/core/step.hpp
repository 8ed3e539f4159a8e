// SPDX-License-Identifier: MIT
#pragma once
/// \file The vocabulary of the loop: what a rule is told of a sample, and what it answers.
#include <linea/core/types.hpp>

namespace linea {

/// What the loop does with sample i:  w ← shrink·w + coefficient·xᵢ,  b ← b + offset, and then the
/// part of the penalty that `shrink` does not express, with step size `size`.
template <class T>
struct Step {
  double shrink{1};  // in double: 1 − ηλ is often nearer to 1 than a float can be
  T coefficient{0};
  T offset{0};
  double size{0};
};

/// What of step t is known before any score: it depends on t alone.
struct Pace {
  double shrink{1};       // that of the step
  double size{0};         // η of the weights
  double offset_size{0};  // η of the offset
};

}  // namespace linea
