// SPDX-License-Identifier: MIT
#pragma once
/// \file The absolute penalty of the lasso, which makes some weights exactly 0.
#include <cmath>  // isfinite
#include <linea/core/parameters.hpp>
#include <linea/core/penalty.hpp>
#include <string>
#include <string_view>

namespace linea {

/// The penalty Ω(w) = λ·‖w‖₁. Tibshirani, Journal of the Royal Statistical Society B 58 (1996).
struct L1 {
  double lambda{0};  ///< λ ≥ 0

  static constexpr std::string_view name = "l1";
  static constexpr std::string_view domain = "finite and >= 0";

  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    return static_cast<typename W::Scalar>(lambda) * w.cwiseAbs().sum();
  }

  template <class T>
  constexpr T proximal(T v, T step) const {
    return soft_threshold(v, threshold(step));
  }

  /// Returns 1, because there is no squared part.
  template <class T>
  constexpr T decay(T) const {
    return T(1);
  }

  template <class T>
  constexpr T threshold(T step) const {
    return step * T(lambda);
  }

  template <class T>
  constexpr T conjugate(T v) const {
    return elastic_conjugate(v, T(lambda), T(0));
  }

  constexpr L1 scaled(double factor) const { return {factor * lambda}; }
  bool is_valid() const { return std::isfinite(lambda) && lambda >= 0; }
  std::string parameters() const { return detail::parameter_text("lambda", lambda); }
};

}  // namespace linea
