// SPDX-License-Identifier: MIT
#pragma once
/// \file The signed distances of samples from the boundary of a linear classifier.
#include <cmath>  // abs, isfinite, isnan
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/counted.hpp>
#include <linea/rows/rows_of.hpp>
#include <string_view>
#include <vector>

namespace linea {

namespace detail {
template <class T, Numbers Y>
Vector<T> agreements(std::string_view metric, const Vector<T>& scores, const Y& y) {
  const Vector<double> targets = doubles_of(y);
  require(scores.size() == targets.size(), metric, ": ", scores.size(), " scores but y has ",
          targets.size());
  Vector<T> result(scores.size());
  for (Index i = 0; i < scores.size(); ++i) {
    require(std::abs(targets[i]) == 1, metric, ": y(", i, ") = ", targets[i],
            " is neither -1 nor +1");
    require(!std::isnan(scores[i]), metric, ": prediction ", i, " is not a number");
    result[i] = static_cast<T>(targets[i]) * scores[i];
  }
  return result;
}
}  // namespace detail

/// Returns zᵢ = yᵢ·pᵢ (n) for scores p (n) and targets y (n) of −1 and +1. zᵢ is positive if the
/// sign of pᵢ is correct. Throws std::invalid_argument for other targets, a score of NaN, and sizes
/// that differ.
template <Numbers P, Numbers Y>
  requires(Scalar<detail::number_t<P>>)
[[nodiscard]] Vector<detail::number_t<P>> agreements(const P& scores, const Y& y) {
  const Vector<detail::number_t<P>> p = detail::vector_of(scores).matrix();
  return detail::agreements("agreements", p, y);
}

/// Positions of samples relative to the decision boundary ⟨w, x⟩ + b = 0 and the margin boundaries
/// ⟨w, x⟩ + b = ±1 on its two sides.
template <Scalar T>
struct Margins {
  Vector<T> agreements;  ///< zᵢ = yᵢ·(⟨w, xᵢ⟩ + b), (n)
  Vector<T> margins;  ///< zᵢ/‖w‖, (n): distance of xᵢ from the boundary, < 0 if misclassified
  T reference;        ///< 1/‖w‖: distance of each margin boundary from the decision boundary
  T smallest;         ///< the smallest of the margins
  std::vector<Index> violating;  ///< indices of samples with z < 1 − tolerance (see `margins`)
  std::vector<Index> touching;   ///< indices of samples with |z − 1| ≤ tolerance
};

/// Returns the margins of x (n × d) and targets y (n) of −1 and +1 for weights (d) and offset.
/// Values z within `tolerance` of 1 count as 1; a sample touches or violates, but never both. With
/// w = 0 there is no boundary: the reference is ∞, and a margin is ±∞, or 0 if the score is 0.
/// Throws std::invalid_argument for other targets, no samples, sizes that differ, a score that is
/// not finite, and a tolerance that is negative or not finite. MIT 6.036, lecture notes of week 2,
/// sections 3.3 and 3.4.
template <Samples X, Numbers Y>
[[nodiscard]] Margins<scalar_t<X>> margins(const Vector<scalar_t<X>>& weights, scalar_t<X> offset,
                                           const X& x, const Y& y, double tolerance = 1e-6) {
  using T = scalar_t<X>;
  require(x.rows() > 0, "margins: x has no rows");
  require(x.cols() == weights.size(), "margins: x has ", x.cols(), " columns but there are ",
          weights.size(), " weights");
  require(tolerance >= 0 && std::isfinite(tolerance), "margins: a tolerance of ", tolerance);
  Vector<T> scores(x.rows());
  detail::rows::valid_rows("margins", x).scores(0, x.rows(), weights, scores.data());
  scores.array() += offset;
  for (Index i = 0; i < scores.size(); ++i)
    require(std::isfinite(scores[i]), "margins: the score of row ", i, " is not finite");

  Margins<T> result;
  result.agreements = detail::agreements("margins", scores, y);
  const double norm = weights.template cast<double>().norm();  // squares of floats may overflow
  result.reference = static_cast<T>(1 / norm);
  result.margins = result.agreements.unaryExpr(
      [&](T z) { return z == T(0) ? T(0) : static_cast<T>(static_cast<double>(z) / norm); });
  result.smallest = result.margins.minCoeff();
  for (Index i = 0; i < x.rows(); ++i) {
    const double missing = 1 - static_cast<double>(result.agreements[i]);
    if (missing > tolerance)
      result.violating.push_back(i);
    else if (missing >= -tolerance)
      result.touching.push_back(i);
  }
  return result;
}

/// Returns the margins for the weights and offset of a solution or model.
template <class S, Samples X, Numbers Y>
  requires requires(const S& solution) {
    solution.weights;
    solution.offset;
  }
[[nodiscard]] Margins<scalar_t<X>> margins(const S& solution, const X& x, const Y& y,
                                           double tolerance = 1e-6) {
  return margins(solution.weights, solution.offset, x, y, tolerance);
}

}  // namespace linea
