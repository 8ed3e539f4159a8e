// SPDX-License-Identifier: MIT
#pragma once
/// \file Sums over rows, with the sizes of what was added and a bound on their rounding.
#include <algorithm>  // min
#include <cmath>      // abs
#include <limits>
#include <linea/core/entries.hpp>

namespace linea::linear_algebra {

/// Sums of `count` terms from each of n rows, added up in blocks of rows: each is off by no more
/// than unit(n) times the sizes of its terms (Higham, Accuracy and Stability of Numerical
/// Algorithms, section 4.2), where a term is off by a few roundings itself.
struct BlockSums {
  static constexpr Index rows = 256;

  explicit BlockSums(Index count) : sums(core::filled(count, 0.0)), sizes(sums), block(sums) {}

  static double unit(Index n) {
    const Index roundings = std::min(n, rows) + n / rows + 8;
    return static_cast<double>(roundings) * std::numeric_limits<double>::epsilon() / 2;
  }
  void add(Index j, double term) {
    block[j] += term;
    sizes[j] += std::abs(term);
  }
  /// To be called after row i, counted from 0, and after the last.
  void end_row(Index i, Index n) {
    if ((i + 1) % rows != 0 && i + 1 != n) return;
    for (Index j = 0; j < sums.size(); ++j) {
      sums[j] += block[j];
      block[j] = 0;
    }
  }

  Vector<double> sums, sizes, block;
};

}  // namespace linea::linear_algebra
