// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares with columns that differ by orders of magnitude, each known to some noise.
#include <algorithm>  // max, min, sort
#include <cmath>
#include <linea/optimizers/numerics/minimum_norm.hpp>
#include <linea/optimizers/numerics/pivoted_qr.hpp>
#include <utility>  // move
#include <vector>

namespace linea::numerics {

/// Minimises ‖Ax − b‖² + λ‖x‖² for A (m × d) and each column of b (m × k); of all minima at λ = 0
/// the shortest. What A·P = QR leaves of column j when it is no longer than noise[j] counts as 0:
/// the rank is decided on column by column, whatever their lengths.
///
/// The longest column comes first in Q, so that the rows of R fall in size, and the longest row of
/// Rᵀ comes first in the second factorisation: Householder's reflections then are stable row by row
/// (Cox and Higham, in Numerical Analysis 1997, Longman (1998)), and the error in column j is
/// rounding of column j alone.
template <class Real = double>
class GradedLeastSquares {
  using Columns = core::ColumnMatrix<Real>;

 public:
  /// The minima (d × k), and the sum over b of what ‖Ax − b‖² + λ‖x‖² is there.
  struct Minimum {
    Columns x;
    double value{0};
  };

  /// The rank of A is known to be no more than `most`.
  GradedLeastSquares(Columns a, const Columns& b, Vector<Real> noise, Index most)
      : GradedLeastSquares(PivotedQr<Real>(std::move(a), std::move(noise), most), b) {}

  Index rank() const { return factors_.rank(); }
  /// Did noise make part of a column count as 0?
  bool has_cleared() const { return factors_.first().has_cleared(); }

  Minimum minimum(double lambda) const {
    Minimum minimum{Columns(factors_.cols(), right_.cols()), beyond_};
    Columns inner = right_;
    if (lambda > 0 && rank() > 0)
      shrink(lambda, inner, minimum.value);
    else if (rank() > 0)
      for (Index k = 0; k < inner.cols(); ++k) factors_.solve_transposed(inner.data() + k * rank());
    for (Index k = 0; k < inner.cols(); ++k)
      factors_.outwards(inner.data() + k * rank(), minimum.x.data() + k * factors_.cols());
    return minimum;
  }

 private:
  GradedLeastSquares(PivotedQr<Real>&& first, const Columns& b)
      : GradedLeastSquares(by_size(first), std::move(first), b) {}
  GradedLeastSquares(std::vector<Index> order, PivotedQr<Real>&& first, const Columns& b)
      : factors_(std::move(first), std::move(order)), right_(rank(), b.cols()) {
    for (Index k = 0; k < b.cols(); ++k) take_right(b, k);
  }

  /// The columns of R, the one with the largest entry first.
  static std::vector<Index> by_size(const PivotedQr<Real>& first) {
    auto order = in_order(first.cols());
    std::vector<double> largest(order.size(), 0.0);
    for (Index j = 0; j < first.cols(); ++j)
      for (Index i = 0; i < std::min(j + 1, first.rank()); ++i) {
        double& entry = largest[static_cast<std::size_t>(j)];
        entry = std::max(entry, std::abs(first.r(i, j)));
      }
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
      const double of_a = largest[static_cast<std::size_t>(a)];
      const double of_b = largest[static_cast<std::size_t>(b)];
      return of_a > of_b || (of_a == of_b && a < b);
    });
    return order;
  }

  /// Column k of b: what of it lies in the span of A, and how long the rest is.
  void take_right(const Columns& b, Index k) {
    Vector<Real> rotated(b.rows());
    for (Index i = 0; i < b.rows(); ++i) rotated[i] = b(i, k);
    factors_.rotate(rotated.data(), right_.data() + k * rank());
    for (Index i = rank(); i < b.rows(); ++i) beyond_ += rotated[i] * rotated[i];
  }

  /// inner ← the minimum of ‖Tᵀv − inner‖² + λ‖v‖², for each of its columns; `value` grows by it.
  void shrink(double lambda, Columns& inner, double& value) const {
    Matrix<Real> r;
    const Matrix<Real> left = factors_.shift(lambda, inner, r);
    for (Index k = 0; k < inner.cols(); ++k) {
      for (Index i = 0; i < rank(); ++i) {
        value += left(i, rank() + k) * left(i, rank() + k);
        inner(i, k) = r(i, rank() + k);
      }
      triangle_of(r).solve(inner.data() + k * rank());
    }
  }

  CompleteOrthogonal<Real> factors_;
  Columns right_;
  double beyond_{0};
};

}  // namespace linea::numerics
