// SPDX-License-Identifier: MIT
#pragma once
/// \file The state of a sample of a loss of lines and parabolas: see losses/joint.hpp.
#include <algorithm>               // clamp, max
#include <cmath>                   // abs
#include <linea/core/penalty.hpp>  // soft_threshold
#include <linea/losses/joint.hpp>

namespace linea::detail::dual {

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
