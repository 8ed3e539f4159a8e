// SPDX-License-Identifier: MIT
#pragma once
/// \file Sums over rows, with sums of absolute values and a bound on the rounding errors.
#include <algorithm>  // min
#include <cmath>      // abs
#include <limits>
#include <linea/core/entries.hpp>

namespace linea::detail::linear_algebra {

/// `count` sums over n rows. Each block of `rows` rows has its own sum, which limits rounding
/// errors: the error of sums[j] is at most unit(n)·sizes[j], where sizes[j] is the sum of the
/// absolute values of its terms. Each term may itself carry a few rounding errors (Higham, Accuracy
/// and Stability of Numerical Algorithms, section 4.2).
struct BlockSums {
  static constexpr Index rows = 256;

  explicit BlockSums(Index count) : sums(detail::filled(count, 0.0)), sizes(sums), block(sums) {}

  static double unit(Index n) {
    const Index roundings = std::min(n, rows) + n / rows + 8;
    return static_cast<double>(roundings) * std::numeric_limits<double>::epsilon() / 2;
  }
  void add(Index j, double term) {
    block[j] += term;
    sizes[j] += std::abs(term);
  }
  /// Ends row i. Call it for each i from 0 to n − 1, after adding the terms of row i.
  void end_row(Index i, Index n) {
    if ((i + 1) % rows != 0 && i + 1 != n) return;
    for (Index j = 0; j < sums.size(); ++j) {
      sums[j] += block[j];
      block[j] = 0;
    }
  }

  Vector<double> sums, sizes, block;
};

}  // namespace linea::detail::linear_algebra
