// SPDX-License-Identifier: MIT
#pragma once
/// \file The best constant, where a run on a smooth objective starts.
#include <cmath>  // abs
#include <linea/core/types.hpp>
#include <linea/optimizers/numerics/line_search.hpp>

namespace linea::smooth {

/// w = 0 and b, and F there.
struct Constant {
  double offset{0};
  double value{0};
};

/// About the best constant, in the frame of the problem; without offset b is 0. Sets the scores,
/// all b, with the slopes and, where `curved`, the curvatures there. dF/db is at most `flatness` of
/// that at 0. No pass over the samples.
template <bool curved, class Problem>
Constant find_constant(Problem& problem, bool has_offset, Vector<double>& scores,
                       typename Problem::Samplewise& at, double flatness = 1e-3) {
  const Index n = problem.samples();
  scores = Vector<double>::Zero(n);
  at.slopes.resize(n);
  if constexpr (curved) at.curvatures.resize(n);
  Vector<double> moves = Vector<double>::Ones(n);
  const typename Problem::Line line{scores, moves, 0, 0, 0};
  numerics::LinePoint here = problem.template evaluate<curved>(line, 0, at);
  if (!has_offset || !here.is_finite() || here.slope == 0) return {0, here.value};
  const double sign = here.slope > 0 ? -1 : 1;
  moves *= sign;
  here.slope = -std::abs(here.slope);
  double first = 1;
  if constexpr (curved)
    if (const double c = problem.sum(at.curvatures.sum()); c > 0) first = -here.slope / c;
  const auto best = numerics::search_line(here, first, {1e-4, flatness}, [&](double t) {
    return problem.template evaluate<curved>(line, t, at);
  });
  if (best.step == 0) problem.template evaluate<curved>(line, 0, at);
  scores.setConstant(sign * best.step);
  return {sign * best.step, best.value};
}

}  // namespace linea::smooth
