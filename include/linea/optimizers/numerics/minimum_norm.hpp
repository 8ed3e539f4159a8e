// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares where columns may depend on each other: the solution of smallest norm.
#include <cmath>  // sqrt
#include <linea/optimizers/numerics/pivoted_qr.hpp>
#include <linea/optimizers/numerics/triangle.hpp>
#include <numeric>  // iota
#include <utility>  // move
#include <vector>

namespace linea::numerics {

/// The complete orthogonal decomposition of A (m × d), which may be short of rank: A = Q₁[R; 0]Pᵀ
/// with pivoting decides on the rank, Rᵀ = Q₂[T; 0]P₂ᵀ of its rows up to there leads to solutions
/// of smallest norm.
template <class Real = double>
class CompleteOrthogonal {
  using Columns = core::ColumnMatrix<Real>;

 public:
  /// From Q₁ and R, with the columns of R in an order of their own (d) in the second factorisation.
  CompleteOrthogonal(PivotedQr<Real>&& first, std::vector<Index> order)
      : first_(std::move(first)), order_(std::move(order)), rank_(first_.rank()) {
    if (rank_ == 0) return;
    Columns rows(cols(), rank_);
    for (Index i = 0; i < rank_; ++i)
      for (Index j = 0; j < cols(); ++j) rows(j, i) = place(j) >= i ? first_.r(i, place(j)) : 0;
    second_ = PivotedQr<Real>(std::move(rows), -1);
    triangle_.resize(rank_, rank_);
    for (Index i = 0; i < rank_; ++i)
      for (Index j = 0; j < rank_; ++j) triangle_(i, j) = j >= i ? second_.r(i, j) : 0;
  }

  Index cols() const { return static_cast<Index>(order_.size()); }
  Index rank() const { return rank_; }
  const PivotedQr<Real>& first() const { return first_; }

  /// The first `rank` entries of P₂ᵀQ₁ᵀb for b (m), into inner. Leaves Q₁ᵀb in b.
  void rotate(double* b, double* inner) const {
    for (Index k = 0; k < rank_; ++k) first_.reflect(k, b);
    for (Index k = 0; k < rank_; ++k) inner[k] = b[second_.origin(k)];
  }
  /// inner ← T⁻ᵀ·inner and T⁻¹·inner, (rank).
  void solve_transposed(double* inner) const { triangle_of(triangle_).solve_transposed(inner); }
  void solve(double* inner) const { triangle_of(triangle_).solve(inner); }

  /// r ← [R, Y] with RᵀR = TTᵀ + λI, for [Tᵀ, right] below [√λ·I, 0], (rank × k) on the right.
  /// Answers with what is left of the rows below, of which only the part under Y is not 0.
  Matrix<Real> shift(double lambda, const Columns& right, Matrix<Real>& r) const {
    r.resize(rank_, rank_ + right.cols());
    Matrix<Real> rows(rank_, rank_ + right.cols());
    for (Index i = 0; i < rank_; ++i) {
      for (Index j = 0; j < rank_; ++j) {
        r(i, j) = i == j ? std::sqrt(lambda) : 0;
        rows(i, j) = triangle_(j, i);
      }
      for (Index k = 0; k < right.cols(); ++k) {
        r(i, rank_ + k) = 0;
        rows(i, rank_ + k) = right(i, k);
      }
    }
    append_rows(r, rows);
    return rows;
  }

  /// Q₂ᵀPᵀx (d) for x (d).
  void inwards(const double* x, double* inner) const {
    for (Index j = 0; j < cols(); ++j) inner[j] = x[first_.origin(place(j))];
    for (Index k = 0; k < rank_; ++k) second_.reflect(k, inner);
  }
  /// x ← P·Q₂·[inner; 0], of the first `rank` entries of inner.
  void outwards(const double* inner, double* x) const {
    Vector<Real> rotated(cols());
    for (Index j = 0; j < cols(); ++j) rotated[j] = j < rank_ ? inner[j] : 0;
    for (Index k = rank_ - 1; k >= 0; --k) second_.reflect(k, rotated.data());
    for (Index j = 0; j < cols(); ++j) x[first_.origin(place(j))] = rotated[j];
  }

 private:
  Index place(Index j) const { return order_[static_cast<std::size_t>(j)]; }

  PivotedQr<Real> first_;
  PivotedQr<Real> second_{};
  std::vector<Index> order_;
  Index rank_;
  Matrix<Real> triangle_{};  // T
};

/// 0, 1, …, count − 1.
inline std::vector<Index> in_order(Index count) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

/// A⁺ of a matrix A (m × d), m ≥ d, that may be short of rank.
template <class Real = double>
class MinimumNorm {
  using Columns = core::ColumnMatrix<Real>;
  using Reals = Vector<Real>;

 public:
  /// Pivots up to `threshold` times the largest count as zero.
  MinimumNorm(Columns a, double threshold)
      : MinimumNorm(PivotedQr<Real>(std::move(a), threshold)) {}

  Index rank() const { return factors_.rank(); }

  /// A⁺b (d) for b (m).
  Reals solve(Reals b) const {
    Reals inner(rank());
    factors_.rotate(b.data(), inner.data());
    factors_.solve_transposed(inner.data());
    return outwards(inner);
  }

  /// (AᵀA + λI)⁻¹ of what of b (d) lies in the row space of A, (d): with λ = 0 (AᵀA)⁺b.
  Reals solve_squared(const Reals& b, double lambda) const {
    Reals inner(factors_.cols());
    factors_.inwards(b.data(), inner.data());
    if (lambda > 0) {
      Matrix<Real> r;
      factors_.shift(lambda, Columns(rank(), 0), r);
      triangle_of(r).solve_transposed(inner.data());
      triangle_of(r).solve(inner.data());
    } else {
      factors_.solve(inner.data());
      factors_.solve_transposed(inner.data());
    }
    return outwards(inner);
  }

 private:
  explicit MinimumNorm(PivotedQr<Real>&& first)
      : factors_(std::move(first), in_order(first.cols())) {}

  Reals outwards(const Reals& inner) const {
    Reals x(factors_.cols());
    factors_.outwards(inner.data(), x.data());
    return x;
  }

  CompleteOrthogonal<Real> factors_;
};

}  // namespace linea::numerics
