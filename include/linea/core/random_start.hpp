// SPDX-License-Identifier: MIT
#pragma once
/// \file Small random start weights, in place of zero.
#include <cmath>  // isfinite
#include <linea/core/extras.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>

namespace linea {

/// Extras whose start, w (d) and b, is drawn uniformly from (−size, size), the same for the same
/// seed. For a fit without offset take `offset` = false: b is then 0.
///
/// A convex objective needs no such start; the perceptron finds another separator from it, and an
/// objective that is not convex may be left at another minimum. Throws std::invalid_argument unless
/// d ≥ 1 and size > 0.
template <Scalar T>
Extras<T> random_start(Index d, std::uint64_t seed, double size = 0.01, bool offset = true) {
  require(d >= 1, "random_start: ", d, " features");
  require(std::isfinite(size) && size > 0, "random_start: size = ", size, " is not positive");
  Random random(seed);
  const auto draw = [&] { return static_cast<T>(size * (2 * random.uniform() - 1)); };
  Extras<T> extras;
  extras.start_weights.resize(d);
  for (T& weight : extras.start_weights) weight = draw();
  if (offset) extras.start_offset = draw();
  return extras;
}

}  // namespace linea
