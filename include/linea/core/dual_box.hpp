// SPDX-License-Identifier: MIT
#pragma once
/// \file Losses that are made of lines and parabolas, told by their conjugates: what interior point
/// methods ask for.
#include <concepts>
#include <linea/core/loss.hpp>

namespace linea {

/// A function of the score p, max over u in [low, high] of u·(p − at) − curvature/2·u². Its
/// conjugate is at·u + curvature/2·u² for u in [low, high]. With curvature 0 it is low·(p − at)
/// below `at` and high·(p − at) above; a curvature makes a parabola of the kink.
struct DualBox {
  double low;           ///< the least slope, ≤ 0 and finite
  double high;          ///< the largest slope, ≥ 0 and finite
  double at;            ///< where the function is 0
  double curvature{0};  ///< ≥ 0
};

/// A loss that is a sum of a few such functions: loss.dual_boxes(y) is a std::array of them for
/// target y. Squared and squared hinge loss are not: their slopes have no bounds.
template <class L>
concept BoxLoss = DifferentiableLoss<L> && ConjugateLoss<L> && requires(const L& loss, double y) {
  { loss.dual_boxes(y)[0] } -> std::convertible_to<DualBox>;
  loss.dual_boxes(y).size();
};

/// A loss that is one such function with a curvature above 0, and on one side a parabola without
/// end: loss.open_box(y) for target y, of which `low` or `high` may be infinite.
template <class L>
concept OpenBoxLoss = DifferentiableLoss<L> && ConjugateLoss<L> &&
    requires(const L& loss, double y) {
  { loss.open_box(y) } -> std::convertible_to<DualBox>;
};

}  // namespace linea
