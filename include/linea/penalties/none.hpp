// SPDX-License-Identifier: MIT
#pragma once
/// \file No penalty: the objective is the mean loss.
#include <linea/core/penalty.hpp>
#include <string_view>

namespace linea {

/// The penalty Ω(w) = 0.
struct NoPenalty {
  static constexpr std::string_view name = "none";

  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>&) const {
    return typename W::Scalar(0);
  }

  template <class T>
  constexpr T proximal(T v, T) const {
    return v;
  }

  template <class T>
  constexpr T decay(T) const {
    return T(1);
  }

  template <class T>
  constexpr T conjugate(T v) const {
    return elastic_conjugate(v, T(0), T(0));
  }

  constexpr NoPenalty scaled(double) const { return {}; }
};

}  // namespace linea
