// SPDX-License-Identifier: MIT
#pragma once
/// \file The elastic net, the sum of an absolute and a squared penalty.
#include <algorithm>  // max
#include <cmath>      // isfinite
#include <linea/core/parameters.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/require.hpp>
#include <string>
#include <string_view>

namespace linea {

/// The penalty Ω(w) = l1·‖w‖₁ + l2/2·‖w‖₂². With l1 > 0 it makes some weights exactly 0, as L1
/// does. With l2 > 0 it is strongly convex, as L2 is, so that correlated features share their
/// weight. Zou and Hastie, Journal of the Royal Statistical Society B 67 (2005).
struct ElasticNet {
  double l1{0};  ///< ≥ 0
  double l2{0};  ///< ≥ 0

  static constexpr std::string_view name = "elastic-net";
  static constexpr std::string_view domain = "finite and >= 0";

  /// Returns λ·(r·‖w‖₁ + (1 − r)/2·‖w‖²) with r = l1_ratio. Throws std::invalid_argument, with
  /// `function` in the message, unless 0 ≤ r ≤ 1.
  static ElasticNet mixed(std::string_view function, double lambda, double l1_ratio) {
    require(l1_ratio >= 0 && l1_ratio <= 1, function, ": l1_ratio = ", l1_ratio,
            ", but must be from 0 to 1");
    return {.l1 = lambda * l1_ratio, .l2 = lambda * (1 - l1_ratio)};
  }

  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    using T = typename W::Scalar;
    return T(l1) * w.cwiseAbs().sum() + squared_penalty(T(l2), w.squaredNorm());
  }

  template <class T>
  constexpr T proximal(T v, T step) const {
    return soft_threshold(v, threshold(step)) / (T(1) + step * T(l2));
  }

  constexpr double strong_convexity() const { return l2; }

  /// Returns 1 − step·l2, or 0 if a step of this length would change the sign of a weight.
  template <class T>
  constexpr T decay(T step) const {
    return std::max(T(1) - step * T(l2), T(0));
  }

  template <class T>
  constexpr T threshold(T step) const {
    return step * T(l1);
  }

  template <class T>
  constexpr T conjugate(T v) const {
    return elastic_conjugate(v, T(l1), T(l2));
  }

  constexpr ElasticNet scaled(double factor) const { return {factor * l1, factor * l2}; }
  bool is_valid() const { return std::isfinite(l1) && l1 >= 0 && std::isfinite(l2) && l2 >= 0; }
  std::string parameters() const { return detail::parameter_text("l1", l1, "l2", l2); }
};

}  // namespace linea
