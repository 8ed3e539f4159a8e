// SPDX-License-Identifier: MIT
#pragma once
/// \file The squared penalty of ridge regression and support vector machines.
#include <algorithm>  // max
#include <cmath>      // isfinite
#include <linea/core/parameters.hpp>
#include <linea/core/penalty.hpp>
#include <string>
#include <string_view>

namespace linea {

/// The penalty Ω(w) = λ/2·‖w‖₂². lambda_from_c converts the C of other libraries to λ.
struct L2 {
  double lambda{0};  ///< λ ≥ 0

  static constexpr std::string_view name = "l2";
  static constexpr std::string_view domain = "finite and >= 0";

  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    using T = typename W::Scalar;
    return squared_penalty(T(lambda), w.squaredNorm());
  }

  template <class T>
  constexpr T proximal(T v, T step) const {
    return v / (T(1) + step * T(lambda));
  }

  constexpr double strong_convexity() const { return lambda; }

  /// Returns 1 − step·λ, or 0 if a step of this length would change the sign of a weight.
  template <class T>
  constexpr T decay(T step) const {
    return std::max(T(1) - step * T(lambda), T(0));
  }

  template <class T>
  constexpr T conjugate(T v) const {
    return elastic_conjugate(v, T(0), T(lambda));
  }

  constexpr L2 scaled(double factor) const { return {factor * lambda}; }
  bool is_valid() const { return std::isfinite(lambda) && lambda >= 0; }
  std::string parameters() const { return detail::parameter_text("lambda", lambda); }
};

}  // namespace linea
