// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares where columns may depend on each other: the solution of smallest norm.
#include <algorithm>  // max, min, swap_ranges
#include <cmath>
#include <limits>
#include <linea/optimizers/numerics/triangle.hpp>
#include <numeric>  // iota
#include <utility>  // move, swap
#include <vector>

namespace linea::numerics {

/// A·P = Q·R for A (m × d) by reflections of Householder, the longest column that is left first
/// (Golub and Van Loan, Matrix Computations, section 5.4.2; norms are updated as in LAPACK Working
/// Note 176).
template <class Real = double>
class PivotedQr {
  using Columns = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  PivotedQr() = default;

  /// Ends where what is left is no longer than `threshold` times the first pivot; below 0, at the
  /// end.
  PivotedQr(Columns a, double threshold)
      : qr_(std::move(a)),
        order_(static_cast<std::size_t>(qr_.cols())),
        norms_(order_.size()),
        exact_norms_(order_.size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    for (Index j = 0; j < qr_.cols(); ++j) measure(j, 0);
    for (Index k = 0; k < std::min(qr_.rows(), qr_.cols()); ++k) {
      exchange(k);
      if (!reflect_column(k, threshold)) return;
      for (Index j = k + 1; j < qr_.cols(); ++j) {
        reflect(k, qr_.data() + j * qr_.rows());
        shorten(j, k);
      }
      ++rank_;
    }
  }

  Index rank() const { return rank_; }
  /// Rᵢⱼ for i ≤ j, i < rank.
  double r(Index i, Index j) const { return qr_(i, j); }
  /// Column k of A·P is this column of A.
  Index origin(Index k) const { return order_[static_cast<std::size_t>(k)]; }

  /// Reflection number k < rank, one of those that Q is the product of, on v (m). It is its own
  /// inverse.
  void reflect(Index k, double* v) const {
    const Index rest = qr_.rows() - k - 1;
    const double* tail = qr_.data() + k * qr_.rows() + k + 1;
    const double along = coefficients_[static_cast<std::size_t>(k)] *
                         (v[k] + rows::dot<double>(tail, v + k + 1, rest, tail));
    v[k] -= along;
    rows::add(tail, -along, v + k + 1, rest);
  }

 private:
  double& norm(Index j) { return norms_[static_cast<std::size_t>(j)]; }
  double& exact_norm(Index j) { return exact_norms_[static_cast<std::size_t>(j)]; }

  /// The length of what is left of column j from row `first` on.
  void measure(Index j, Index first) {
    const double* entries = qr_.data() + j * qr_.rows() + first;
    norm(j) = exact_norm(j) =
        std::sqrt(rows::dot<double>(entries, entries, qr_.rows() - first, entries));
  }

  /// After row k of column j has become final.
  void shorten(Index j, Index k) {
    if (norm(j) == 0) return;
    const double ratio = std::abs(qr_(k, j)) / norm(j);
    const double left = std::max(0.0, (1 + ratio) * (1 - ratio));
    const double change = norm(j) / exact_norm(j);
    if (left * change * change <= std::sqrt(std::numeric_limits<double>::epsilon()))
      measure(j, k + 1);
    else
      norm(j) *= std::sqrt(left);
  }

  void exchange(Index k) {
    Index longest = k;
    for (Index j = k + 1; j < qr_.cols(); ++j)
      if (norm(j) > norm(longest)) longest = j;
    if (longest == k) return;
    double* const column = qr_.data() + k * qr_.rows();
    std::swap_ranges(column, column + qr_.rows(), qr_.data() + longest * qr_.rows());
    std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(longest)]);
    std::swap(norm(k), norm(longest));
    std::swap(exact_norm(k), exact_norm(longest));
  }

  bool reflect_column(Index k, double threshold) {
    double* const column = qr_.data() + k * qr_.rows() + k;
    const Index rest = qr_.rows() - k - 1;
    const double below = rows::dot<double>(column + 1, column + 1, rest, column + 1);
    const double length = std::sqrt(column[0] * column[0] + below);
    const double longest = k == 0 ? 0 : std::abs(qr_(0, 0));
    if (threshold >= 0 && !(length > threshold * longest)) return false;
    if (below <= std::numeric_limits<double>::min()) {
      for (Index i = 1; i <= rest; ++i) column[i] = 0;
      coefficients_.push_back(0);
      return true;
    }
    const double reflected = column[0] >= 0 ? -length : length;
    for (Index i = 1; i <= rest; ++i) column[i] /= column[0] - reflected;
    coefficients_.push_back((reflected - column[0]) / reflected);
    column[0] = reflected;
    return true;
  }

  Columns qr_;  // R, and below it the reflections' directions; the first entry of each is 1
  std::vector<double> coefficients_{};
  std::vector<Index> order_{};
  std::vector<double> norms_{};
  std::vector<double> exact_norms_{};
  Index rank_{0};
};

/// A⁺ of a matrix A (m × d), m ≥ d, that may be short of rank: A = Q₁[R; 0]Pᵀ with pivoting decides
/// on the rank, Rᵀ = Q₂[T; 0]P₂ᵀ of its rows up to there leads to the solution of smallest norm.
template <class Real = double>
class MinimumNorm {
  using Columns = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Reals = Vector<Real>;

 public:
  /// Pivots up to `threshold` times the largest count as zero.
  MinimumNorm(Columns a, double threshold)
      : cols_(a.cols()), first_(std::move(a), threshold), rank_(first_.rank()) {
    if (rank_ == 0) return;
    Columns kept(cols_, rank_);
    for (Index i = 0; i < rank_; ++i)
      for (Index j = 0; j < cols_; ++j) kept(j, i) = j >= i ? first_.r(i, j) : 0;
    second_ = PivotedQr<Real>(std::move(kept), -1);
    triangle_.resize(rank_, rank_);
    for (Index i = 0; i < rank_; ++i)
      for (Index j = 0; j < rank_; ++j) triangle_(i, j) = j >= i ? second_.r(i, j) : 0;
  }

  Index rank() const { return rank_; }

  /// A⁺b (d) for b (m).
  Reals solve(Reals b) const {
    for (Index k = 0; k < rank_; ++k) first_.reflect(k, b.data());
    Reals inner(rank_);
    for (Index k = 0; k < rank_; ++k) inner[k] = b[second_.origin(k)];
    triangle_of(triangle_).solve_transposed(inner.data());
    return outwards(inner);
  }

  /// (AᵀA + λI)⁻¹ of what of b (d) lies in the row space of A, (d): with λ = 0 (AᵀA)⁺b.
  Reals solve_squared(const Reals& b, double lambda) const {
    Reals inner(cols_);
    for (Index k = 0; k < cols_; ++k) inner[k] = b[first_.origin(k)];
    for (Index k = 0; k < rank_; ++k) second_.reflect(k, inner.data());
    if (lambda > 0) {
      Matrix<Real> r(rank_, rank_);  // becomes R with RᵀR = TTᵀ + λI
      Matrix<Real> rows(rank_, rank_);
      for (Index i = 0; i < rank_; ++i)
        for (Index j = 0; j < rank_; ++j) {
          r(i, j) = i == j ? std::sqrt(lambda) : 0;
          rows(i, j) = triangle_(j, i);
        }
      append_rows(r, rows);
      triangle_of(r).solve_transposed(inner.data());
      triangle_of(r).solve(inner.data());
    } else {
      triangle_of(triangle_).solve(inner.data());
      triangle_of(triangle_).solve_transposed(inner.data());
    }
    return outwards(inner);
  }

 private:
  /// P·Q₂·[inner; 0], of the first `rank` entries of inner.
  Reals outwards(const Reals& inner) const {
    Reals rotated(cols_);
    for (Index k = 0; k < cols_; ++k) rotated[k] = k < rank_ ? inner[k] : 0;
    for (Index k = rank_ - 1; k >= 0; --k) second_.reflect(k, rotated.data());
    Reals x(cols_);
    for (Index k = 0; k < cols_; ++k) x[first_.origin(k)] = rotated[k];
    return x;
  }

  Index cols_;
  PivotedQr<Real> first_;
  PivotedQr<Real> second_{};
  Index rank_;
  Matrix<Real> triangle_{};  // T
};

}  // namespace linea::numerics
