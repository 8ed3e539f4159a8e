// SPDX-License-Identifier: MIT
#pragma once
/// \file Losses of lines and parabolas in a common form.
#include <limits>
#include <linea/core/loss.hpp>

namespace linea::detail {

/// A loss that may have the form of a Joint (see joint_of): two or three lines (hinge, absolute,
/// quantile, ε-insensitive, …), or one DualBox with a parabola (Huber, smooth and squared hinge).
template <class L>
concept BandLoss = OpenBoxLoss<L> || BoxLoss<L>;

/// A loss of the score p for one target: the maximum over u in [low, high] of u·(p − at) − c/2·u² −
/// flat·|u|, where c is the curvature. A flat piece between two sloped ones has the length 2·flat.
struct Joint : DualBox {
  double flat{0};
};

/// Returns the loss for target y as a Joint. `at` is NaN if the loss does not have this form.
template <BandLoss L>
Joint joint_of(const L& loss, double y) {
  Joint joint{{0, 0, std::numeric_limits<double>::quiet_NaN()}};
  if constexpr (OpenBoxLoss<L>)
    if (has_open_box(loss)) return {loss.open_box(y)};
  if constexpr (BoxLoss<L>) {
    const auto boxes = loss.dual_boxes(y);
    if (boxes.size() == 0) return joint;  // a loss chosen at run time
    const DualBox &first = boxes[0], &last = boxes[boxes.size() - 1];
    const double flat = (last.at - first.at) / 2;
    const bool is_straight = first.curvature == 0 && last.curvature == 0;
    const bool are_two = boxes.size() == 2 && first.high == 0 && last.low == 0 && flat >= 0;
    if (boxes.size() == 1 || (is_straight && are_two))
      joint = {{first.low, last.high, first.at + flat, first.curvature}, flat};
  }
  return joint;
}

}  // namespace linea::detail
