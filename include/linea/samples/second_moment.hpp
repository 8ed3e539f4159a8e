// SPDX-License-Identifier: MIT
#pragma once
/// \file The largest eigenvalue of the second moments of the samples.
#include <algorithm>  // max
#include <cmath>      // hypot, log2
#include <linea/core/random.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::samples {

/// The largest eigenvalue of the mean of (x, 1)(x, 1)ᵀ, or of xxᵀ without offset, over the weighted rows,
/// from below: power iteration from a random vector until a round adds less than a thousandth, O(non-zeros)
/// a round. Where the next eigenvalues are close to it, it may end at one of theirs.
template <class Rows>
double largest_second_moment(const TrainingSet<Rows>& set, bool has_offset) {
  using T = typename Rows::Scalar;
  const Index n = set.rows.rows();
  Random random(0);
  Vector<T> direction(set.rows.cols());
  for (T& value : direction) value = static_cast<T>(2 * random.uniform() - 1);
  double constant = has_offset ? 1 : 0;
  // The share of the direction sought starts at about 1/d. Against directions with at most 1/√2 of its
  // eigenvalue it doubles in a round: no stop before it has had the time to show.
  const int least = static_cast<int>(std::log2(static_cast<double>(direction.size()) + 1)) + 1;
  double value = 0;
  for (int round = 0; round < 100; ++round) {
    const double norm = std::hypot(static_cast<double>(direction.stableNorm()), constant);
    if (!(norm > 0)) break;
    direction /= static_cast<T>(norm);
    constant /= norm;
    Vector<T> image = Vector<T>::Zero(direction.size());
    double constant_image = 0;
    double quotient = 0;
    for (Index i = 0; i < n; ++i) {
      const double share =
          (set.weights.size() ? static_cast<double>(set.weights[i]) : 1.0) / static_cast<double>(n);
      const double product = static_cast<double>(set.rows.dot(i, direction)) + constant;
      quotient += share * product * product;
      set.rows.add(i, static_cast<T>(share * product), image);
      if (has_offset) constant_image += share * product;
    }
    const bool settled = round >= least && quotient <= value * 1.001;
    value = std::max(value, quotient);
    if (settled) break;
    direction = image;
    constant = constant_image;
  }
  return value;
}

}  // namespace linea::samples
