// SPDX-License-Identifier: MIT
#pragma once
/// \file Losses of lines and parabolas in a common form, and the state of a sample of such a loss.
#include <algorithm>  // clamp, max
#include <cmath>      // abs
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>  // soft_threshold

namespace linea::detail::dual {

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

/// The state of a sample of weight s > 0.
struct BandSample {
  double part;    ///< s/n
  Joint box;      ///< the loss
  double anchor;  ///< u₀, the proximal centre of u
  double slope;   ///< the slope u = −α of the loss
  double score;   ///< the score p
  double move;    ///< change of p for a step of length 1 along Newton's direction

  /// Returns u at a score p: the u in [low, high] that maximises u·(p − at) − c/2·u² − flat·|u| −
  /// ρ/2·(u − u₀)².
  double slope_at(double p, double rho) const {
    double u = free_slope_at(p, rho);
    if (box.flat > 0) u = soft_threshold(u, box.flat / (rho + box.curvature));
    return std::clamp(u, box.low, box.high);
  }
  /// Returns the u that maximises the function of slope_at without bounds, with −flat·|u| replaced
  /// by −flat·u if u₀ > 0, else by flat·u.
  double open_slope_at(double p, double rho) const {
    const double less = box.flat / (rho + box.curvature);
    return free_slope_at(p, rho) - (anchor > 0 ? less : -less);
  }
  /// Is u strictly between its bounds and, if there is a flat piece, not 0?
  bool is_free(double u) const { return u > box.low && u < box.high && (u != 0 || box.flat == 0); }
  bool is_free() const { return is_free(slope); }
  /// Returns the distance of p from the nearest kink.
  double distance() const { return std::abs(std::abs(score - box.at) - box.flat); }
  /// Is p farther than `width` from the kinks, and is u the slope of the loss at p? Returns false
  /// if p is on a parabola.
  bool is_settled(double width) const {
    const double p = score - box.at;
    const double there = p > box.flat ? box.high : p < -box.flat ? box.low : 0;
    return distance() > width && slope == there;
  }
  /// Returns the Fenchel gap of u at p: ℓ(p) − u·(p − at) + c/2·u² + flat·|u| ≥ 0.
  double excess() const {
    const double p = score - box.at;
    if (const double c = box.curvature; c > 0) {
      const double best = std::clamp(p / c, box.low, box.high);
      return (best - slope) * (p - c / 2 * (best + slope));
    }
    const double loss = std::max(box.low * (p + box.flat), box.high * (p - box.flat));
    return std::max(loss, 0.0) - slope * p + box.flat * std::abs(slope);
  }

 private:
  double free_slope_at(double p, double rho) const {
    return anchor + (p - box.at - box.curvature * anchor) / (rho + box.curvature);
  }
};

}  // namespace linea::detail::dual
