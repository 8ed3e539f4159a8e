// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares by orthogonal transformations: a triangular factor that rows are added to, and the
/// solution of smallest norm. Where Eigen has both, its blocked forms take seconds to compile.
#include <Eigen/QR>
#include <cmath>
#include <linea/core/types.hpp>
#include <utility>  // move

namespace linea::numerics {

/// Turns [R; A] into [R′; 0] by reflections of Householder, hence R′ᵀR′ = RᵀR + AᵀA, for R (size × (size + k))
/// with its first columns upper triangular and A (count × (size + k)), which is used up. The other k columns
/// are right-hand sides. Cost: 2·count·size·(size + 2k) additions and as many multiplications
/// (LAPACK's tpqrt2 with a rectangle below the triangle).
template <class A>
void append_rows(A& r, A& a) {
  using Real = typename A::Scalar;
  Vector<Real> direction(a.rows());
  Eigen::Matrix<Real, 1, Eigen::Dynamic> along;
  for (Index j = 0; j < r.rows(); ++j) {
    direction = a.col(j);
    const double below = direction.squaredNorm();
    if (below == 0) continue;
    const double diagonal = r(j, j);
    const double length = std::sqrt(diagonal * diagonal + below);
    const double reflected = diagonal > 0 ? -length : length;
    direction /= diagonal - reflected;
    r(j, j) = reflected;
    const Index rest = r.cols() - j - 1;
    along = r.row(j).tail(rest);
    along.noalias() += direction.transpose() * a.rightCols(rest);
    along *= (reflected - diagonal) / reflected;
    r.row(j).tail(rest) -= along;
    a.rightCols(rest).noalias() -= direction * along;
  }
}

/// A⁺ of a matrix A (m × d), m ≥ d, that may be short of rank: A = Q₁[R; 0]Pᵀ with pivoting decides on the
/// rank, Rᵀ = Q₂[T; 0]P₂ᵀ of its rows up to there leads to the solution of smallest norm.
template <class A>
class MinimumNorm {
  using Qr = Eigen::ColPivHouseholderQR<A>;
  using Reals = Vector<typename A::Scalar>;

 public:
  /// Pivots up to `threshold` times the largest count as zero.
  MinimumNorm(const A& a, double threshold) {
    first_.setThreshold(threshold);
    first_.compute(a);
    rank_ = first_.rank();
    if (rank_ == 0) return;
    const A kept = first_.matrixQR().topRows(rank_).template triangularView<Eigen::Upper>();
    second_.compute(kept.transpose());
    triangle_ = second_.matrixQR().topRows(rank_);
  }

  Index rank() const { return rank_; }

  /// A⁺b (d) for b (m).
  Reals solve(Reals b) const {
    if (rank_ == 0) return Reals::Zero(first_.cols());
    for (Index k = 0; k < first_.cols(); ++k) reflect(first_, k, b);
    Reals inner = second_.colsPermutation().transpose() * b.head(rank_);
    triangle_.transpose().template triangularView<Eigen::Lower>().solveInPlace(inner);
    return outwards(std::move(inner));
  }

  /// (AᵀA + λI)⁻¹ of what of b (d) lies in the row space of A, (d): with λ = 0 (AᵀA)⁺b.
  Reals solve_squared(const Reals& b, double lambda) const {
    if (rank_ == 0) return Reals::Zero(first_.cols());
    Reals rotated = first_.colsPermutation().transpose() * b;
    for (Index k = 0; k < rank_; ++k) reflect(second_, k, rotated);
    Reals inner = rotated.head(rank_);
    if (lambda > 0) {
      A r = std::sqrt(lambda) * A::Identity(rank_, rank_);  // becomes R with RᵀR = TTᵀ + λI
      A rows = triangle_.template triangularView<Eigen::Upper>().transpose();
      append_rows(r, rows);
      r.transpose().template triangularView<Eigen::Lower>().solveInPlace(inner);
      r.template triangularView<Eigen::Upper>().solveInPlace(inner);
    } else {
      triangle_.template triangularView<Eigen::Upper>().solveInPlace(inner);
      triangle_.transpose().template triangularView<Eigen::Lower>().solveInPlace(inner);
    }
    return outwards(std::move(inner));
  }

 private:
  /// P·Q₂·[inner; 0].
  Reals outwards(Reals inner) const {
    inner.conservativeResizeLike(Reals::Zero(first_.cols()));
    for (Index k = rank_ - 1; k >= 0; --k) reflect(second_, k, inner);
    return first_.colsPermutation() * inner;
  }

  /// The reflection number k of Q, which is its own inverse.
  static void reflect(const Qr& qr, Index k, Reals& v) {
    const Index rest = qr.rows() - k - 1;
    const auto tail = qr.matrixQR().col(k).tail(rest);
    const double along = qr.hCoeffs()[k] * (v[k] + tail.dot(v.tail(rest)));
    v[k] -= along;
    v.tail(rest) -= along * tail;
  }

  Qr first_;
  Qr second_;
  A triangle_;  // T
  Index rank_{0};
};

}  // namespace linea::numerics
