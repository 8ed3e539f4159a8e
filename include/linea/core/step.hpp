// SPDX-License-Identifier: MIT
#pragma once
/// \file The vocabulary of the loop: what a rule is told of a sample, and what it answers.
#include <cmath>  // isfinite
#include <concepts>
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

/// A step size: any callable that takes t ≥ 1 to η > 0.
template <class S>
concept StepSize = std::copyable<S> && requires(const S& step_size, Index t) {
  { step_size(t) } -> std::convertible_to<double>;
};

}  // namespace linea
