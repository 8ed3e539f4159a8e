// SPDX-License-Identifier: MIT
#pragma once
/// \file The largest eigenvalue of the second-moment matrix of the samples.
#include <algorithm>  // max
#include <cmath>      // log2
#include <linea/core/random.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::detail::samples {

/// Returns an approximation, from below, of the largest eigenvalue of the weighted mean of zzᵀ,
/// with z = (x, 1), or z = x without offset. The power iteration starts at a random vector. It ends
/// when an iteration after the first log₂ d raises the value by at most a thousandth, or after 100
/// iterations. The result may be near another eigenvalue that is close to the largest one.
template <class Rows>
double largest_second_moment(const TrainingSet<Rows>& set, bool has_offset) {
  using T = typename Rows::Scalar;
  const Index d = set.rows.cols();
  Random random(0);
  Vector<T> direction(d + has_offset);
  for (Index j = 0; j < d; ++j) direction[j] = static_cast<T>(2 * random.uniform() - 1);
  if (has_offset) direction[d] = 1;
  Vector<T> image(direction.size());
  // The squared component along the sought eigenvector starts at about 1/d, and doubles in every
  // iteration relative to those of eigenvalues that are at most 1/√2 of the largest.
  const int least = static_cast<int>(std::log2(static_cast<double>(d) + 1)) + 1;
  double value = 0;
  for (int round = 0; round < 100; ++round) {
    const auto norm = static_cast<double>(direction.stableNorm());
    if (!(norm > 0)) break;
    direction /= static_cast<T>(norm);
    double quotient = 0;
    image.setZero();
    for_each_block(set.rows, [&](Index first, Index count) {
      alignas(64) T numbers[most_block];
      set.rows.scores(first, count, direction, numbers);
      for (Index k = 0; k < count; ++k) {
        const T score = has_offset ? numbers[k] + direction[d] : numbers[k];
        const auto product = static_cast<double>(score);
        const auto weight = static_cast<double>(set.weight(first + k));
        const double share = weight / static_cast<double>(set.all_rows());
        numbers[k] = 0;
        if (weight == 0) continue;  // skip this row: its product may not be finite
        quotient += share * product * product;
        numbers[k] = static_cast<T>(share * product);
        if (has_offset) image[d] += numbers[k];
      }
      set.rows.add_up(first, count, numbers, image);
    });
    set.all().sum_entries(image);
    quotient = set.all().sum(quotient);
    const bool settled = round >= least && quotient <= value * 1.001;
    value = std::max(value, quotient);
    if (settled) break;
    direction.swap(image);
  }
  return value;
}

}  // namespace linea::detail::samples
