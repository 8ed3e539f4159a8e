// SPDX-License-Identifier: MIT
#pragma once
/// \file Blocked Cholesky factorisation with a condition estimate.
#include <algorithm>  // max, min
#include <cmath>
#include <linea/linear_algebra/product.hpp>
#include <linea/linear_algebra/triangle.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <utility>  // move

namespace linea::detail::linear_algebra {

/// Returns a lower bound on ‖A⁻¹‖₁ for a symmetric A (n × n), usually within a factor of three.
/// solve(x) must compute x ← A⁻¹x; it is called about four times, and at most ten (Higham, ACM
/// Transactions on Mathematical Software 14 (1988), algorithm 4.1).
template <class Solve>
double inverse_norm(Index n, Solve&& solve) {
  Vector<double> v = constant(n, 1 / static_cast<double>(n)), sign = constant(n, 0);
  solve(v.data());
  double norm = sizes_of(v);
  if (n == 1) return norm;
  Index largest = -1;
  for (int round = 0; round < 4; ++round) {
    bool changed = false;
    for (Index i = 0; i < n; ++i) {
      const double now = v[i] < 0 ? -1 : 1;
      changed = changed || now != sign[i];
      sign[i] = v[i] = now;
    }
    if (!changed) break;
    solve(v.data());
    Index next = 0;
    for (Index i = 1; i < n; ++i)
      if (std::abs(v[i]) > std::abs(v[next])) next = i;
    if (next == largest) break;
    largest = next;
    for (Index i = 0; i < n; ++i) v[i] = i == largest ? 1 : 0;
    solve(v.data());
    const double found = sizes_of(v);
    if (!(found > norm)) break;
    norm = found;
  }
  for (Index i = 0; i < n; ++i)
    v[i] = (i % 2 == 0 ? 1 : -1) * (1 + static_cast<double>(i) / static_cast<double>(n - 1));
  solve(v.data());
  return std::max(norm, 2 * sizes_of(v) / (3 * static_cast<double>(n)));
}

/// Returns the approximate time to factorise A (n × n), in scalar multiply-adds.
inline double cholesky_cost(Index n) {
  const auto size = static_cast<double>(n);
  return size * size * size / 12;
}

/// The Cholesky factorisation A = L·Lᵀ of a symmetric positive definite A (n × n). Cost: n³/6
/// additions and as many multiplications.
template <class Real = double>
class Cholesky {
  using Columns = detail::ColumnMatrix<Real>;

 public:
  /// Factorises the symmetric matrix whose lower triangle is that of `a`.
  explicit Cholesky(Columns a) : lower_(std::move(a)) {
    norm_ = norm();
    for (Index first = 0; first < size() && is_positive_; first += block) {
      const Index last = std::min(first + block, size());
      factor_corner(first, last);
      if (!is_positive_) return;
      for (Index top = last; top < size(); top += 2 * block)
        for (Index j = first; j < last; ++j)
          solve_column(j, last, top, std::min(top + 2 * block, size()));
      if (last < size()) subtract_product(first, last);
    }
  }

  /// Is A positive definite, up to rounding? If not, call no other member than
  /// reciprocal_condition.
  bool is_positive() const { return is_positive_; }

  /// Returns a view of Lᵀ.
  Triangle triangle() const { return {lower_.data(), size(), size()}; }

  /// Computes x ← A⁻¹x, for x (n).
  void solve(double* x) const {
    triangle().solve_transposed(x);
    triangle().solve(x);
  }

  /// Returns ⟨x, Ax⟩ = ‖Lᵀx‖², for x (n).
  double squared_norm(const double* x) const {
    double sum = 0;
    for (Index i = 0; i < size(); ++i) {
      const double* row = triangle().row(i) + i;
      const double entry = dot(row, x + i, size() - i);
      sum += entry * entry;
    }
    return sum;
  }

  /// Returns an estimate of 1/(‖A‖₁·‖A⁻¹‖₁), or 0 if A is not positive definite.
  double reciprocal_condition() const {
    if (!is_positive_) return 0;
    const double inverse = inverse_norm(size(), [this](double* x) { solve(x); });
    return inverse == 0 ? 0 : (1 / inverse) / norm_;
  }

 private:
  static constexpr Index block = 2 * PackedRows::width;

  Index size() const { return lower_.rows(); }
  double* column(Index j) { return lower_.data() + j * size(); }

  /// Returns ‖A‖₁.
  double norm() const {
    Vector<double> sums = constant(size(), 0);
    for (Index j = 0; j < size(); ++j)
      for (Index i = j; i < size(); ++i) {
        const double entry = std::abs(lower_(i, j));
        sums[j] += entry;
        if (i > j) sums[i] += entry;
      }
    return largest_of(sums.data(), size());
  }

  /// Factorises the diagonal block of rows and columns [first, last), less the products of earlier
  /// columns.
  void factor_corner(Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      const double pivot = lower_(j, j);
      if (!(pivot > 0)) {
        is_positive_ = false;
        return;
      }
      lower_(j, j) = std::sqrt(pivot);
      solve_column(j, last, j + 1, last);
    }
  }

  /// Completes entries [top, bottom) of column j of L, and subtracts their products from columns
  /// j + 1 to last − 1.
  void solve_column(Index j, Index last, Index top, Index bottom) {
    const double pivot = lower_(j, j);
    double* below = column(j) + top;
    for (Index i = 0; i < bottom - top; ++i) below[i] /= pivot;
    for (Index k = j + 1; k < last; ++k) {
      const Index skipped = std::max<Index>(k - top, 0);  // column k of L begins at row k
      if (top + skipped < bottom)
        rows::add(below + skipped, -lower_(k, j), column(k) + top + skipped,
                  bottom - top - skipped);
    }
  }

  /// Subtracts the product of columns [first, last) of L and their transpose from the lower
  /// triangle to their right.
  void subtract_product(Index first, Index last) {
    const Index rest = size() - last;
    PackedRows left(last - first, rest);
    PackedRows right(last - first, rest);
    for (Index k = first; k < last; ++k)
      for (Index i = 0; i < rest; ++i) {
        left(k - first, i) = lower_(last + i, k);
        right(k - first, i) = -lower_(last + i, k);
      }
    run_at(best_vector_level(),
           Product(left, right, last - first, Product::Part::lower, column(last) + last, size()));
  }

  Columns lower_;
  double norm_{0};
  bool is_positive_{true};
};

}  // namespace linea::detail::linear_algebra
