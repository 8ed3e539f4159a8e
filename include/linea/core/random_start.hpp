// SPDX-License-Identifier: MIT
#pragma once
/// \file Small random start weights.
#include <cmath>  // isfinite
#include <linea/core/extras.hpp>
#include <linea/core/random.hpp>
#include <linea/core/require.hpp>

namespace linea {

/// Returns Extras with a start w (d) and b, drawn uniformly from [−size, size). The same seed gives
/// the same start. With `offset` = false, for a fit without offset, b is 0.
///
/// A convex objective does not need a random start. The start decides which separator the
/// perceptron finds, and at which local minimum of a non-convex objective an optimizer ends. Throws
/// std::invalid_argument unless d ≥ 1 and size is positive and finite.
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
