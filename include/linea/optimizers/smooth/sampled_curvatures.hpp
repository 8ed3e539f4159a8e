// SPDX-License-Identifier: MIT
#pragma once
/// \file Curvatures of some samples in place of those of all.
#include <cstdint>
#include <linea/core/types.hpp>

namespace linea::smooth {

/// Leaves one in `stride` of the curvatures (n), drawn by a hash so that no period in x can meet
/// that of the draw, and multiplies them so that their sum stays. `turn` counts the draws. Where
/// those drawn are all 0, all stay as they are.
template <class Problem, class Real>
void sample_curvatures(const Problem& problem, Index stride, std::uint32_t& turn,
                       Vector<Real>& curvatures) {
  if (stride == 1) return;
  const double curvature = problem.sum(curvatures.sum());
  ++turn;
  const auto every = static_cast<std::uint32_t>(stride);
  const Vector<Real> all = curvatures;
  for (Index i = 0; i < all.size(); ++i) {
    const auto hash = static_cast<std::uint32_t>(i) * 2654435769U;  // 2³² over the golden ratio
    const auto part = static_cast<std::uint32_t>((std::uint64_t{hash} * every) >> 32);
    if (part != turn % every) curvatures[i] = 0;
  }
  if (const double sum = problem.sum(curvatures.sum()); sum > 0)
    curvatures *= curvature / sum;
  else
    curvatures = all;
}

}  // namespace linea::smooth
