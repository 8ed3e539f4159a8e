// SPDX-License-Identifier: MIT
#pragma once
/// \file Other curvatures than those of all samples at their scores: of some samples, or of scores
/// further away.
#include <cstdint>
#include <linea/core/types.hpp>

namespace linea::smooth {

/// Takes one in `stride` of all curvatures (n), drawn by a hash so that no period in x can meet
/// that of the draw, and multiplies them so that their sum stays. `first` is the number of the
/// first of them among all, of which the parts draw together what one would draw. `turn`
/// counts the draws. Where those drawn are all 0, all stay as they are.
template <class Problem, class Real>
void sample_curvatures(const Problem& problem, Index first, Index stride, std::uint32_t& turn,
                       const Vector<Real>& all, Vector<Real>& curvatures) {
  curvatures = all;
  if (stride == 1) return;
  const double curvature = problem.sum(curvatures.sum());
  ++turn;
  const auto every = static_cast<std::uint32_t>(stride);
  for (Index i = 0; i < all.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(first + i);
    const std::uint32_t hash = number * 2654435769U;  // 2³² over the golden ratio
    const auto part = static_cast<std::uint32_t>((std::uint64_t{hash} * every) >> 32);
    if (part != turn % every) curvatures[i] = 0;
  }
  if (const double sum = problem.sum(curvatures.sum()); sum > 0)
    curvatures *= curvature / sum;
  else
    curvatures = all;
}

/// The least power of 2 by which scores have to move on both sides of these for a tenth of the
/// slopes to be lost; 0 if there is none.
template <class Problem, class Real>
double bending_reach(const Problem& problem, const Vector<Real>& scores,
                     const Vector<Real>& slopes) {
  Vector<Real> curvatures;
  const double enough = 0.1 * problem.sum(slopes.cwiseAbs().sum());
  const auto bends = [&](double reach) {
    problem.widen(scores, reach, curvatures);
    return reach * problem.sum(curvatures.sum()) > enough;
  };
  double reach = 1;
  while (reach > 1e-30 && bends(reach)) reach /= 2;
  while (reach < 1e30 && !bends(reach)) reach *= 2;
  return reach < 1e30 ? reach : 0;
}

}  // namespace linea::smooth
