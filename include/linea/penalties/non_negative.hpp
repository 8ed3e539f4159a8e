// SPDX-License-Identifier: MIT
#pragma once
/// \file Weights that must not be negative.
#include <algorithm>  // max
#include <limits>
#include <linea/core/parameters.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>

namespace linea {

/// The penalty Ω(w) = Ω₁(w) if all weights are ≥ 0, else ∞. NonNegative{NoPenalty{}} with squared
/// loss is non-negative least squares. CoordinateDescent proves the minimum if Ω₁ is L1, L2 or
/// ElasticNet with a strength above 0. For a different strength in each column, write
/// PenaltyFactors{NonNegative{L1{0.1}}, factors}.
template <Penalty P>
  requires(!ColumnPenalty<P>)
struct NonNegative {
  P penalty{};  ///< Ω₁, a sum over the weights with Ω₁(−w) = Ω₁(w)

  static constexpr std::string_view name = "non-negative";

  template <class W>
  typename W::Scalar value(const Eigen::MatrixBase<W>& w) const {
    if ((w.array() < 0).any()) return std::numeric_limits<typename W::Scalar>::infinity();
    return penalty.value(w);
  }

  template <class T>
  constexpr T proximal(T v, T step) const {
    return std::max(static_cast<T>(penalty.proximal(v, step)), T(0));
  }

  constexpr double strong_convexity() const { return strong_convexity_of(penalty); }

  /// Returns the threshold for weights above 0.
  template <class T>
  constexpr T threshold(T step) const requires ThresholdPenalty<P> {
    return penalty.threshold(step);
  }

  template <class T>
  constexpr T conjugate(T v) const requires ConjugatePenalty<P> {
    return penalty.conjugate(std::max(v, T(0)));
  }

  constexpr NonNegative scaled(double factor) const requires ScalablePenalty<P> {
    return {penalty.scaled(factor)};
  }

  void validate(std::string_view function, Index d) const {
    detail::require_valid_penalty(function, penalty, d);
  }
  std::string parameters() const { return detail::described(penalty); }
};

template <Penalty P>
NonNegative(P) -> NonNegative<P>;

}  // namespace linea
