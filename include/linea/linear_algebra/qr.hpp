// SPDX-License-Identifier: MIT
#pragma once
/// \file QR decompositions: rank-revealing ones with least-squares solutions of smallest norm, and
/// triangular factors to which rows can be appended.
#include <algorithm>  // max, min, swap_ranges
#include <cmath>
#include <limits>
#include <linea/linear_algebra/triangle.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/rows/kernels.hpp>
#include <utility>  // move, swap
#include <vector>

namespace linea::detail::linear_algebra {

/// Applies Householder reflections that turn the first `size` columns of [R; A] into [R′; 0], so
/// that R′ᵀR′ = RᵀR + AᵀA in these columns. R (size × (size + k)) is upper triangular in its first
/// `size` columns; A is (count × (size + k)). The last k columns are right-hand sides, and become
/// the residuals in A. The other columns of A become unspecified. Cost: count·size·(size + 2k)
/// additions and as many multiplications (LAPACK's tpqrt2 with a rectangle below the triangle).
inline void append_rows(Matrix<double>& r, Matrix<double>& a) {
  const Index count = a.rows();
  const Index width = r.cols();
  std::vector<double> direction(static_cast<std::size_t>(count));
  std::vector<double> along(static_cast<std::size_t>(width));
  for (Index j = 0; j < r.rows(); ++j) {
    double below = 0;
    for (Index i = 0; i < count; ++i) {
      const double entry = a.data()[i * width + j];
      direction[static_cast<std::size_t>(i)] = entry;
      below += entry * entry;
    }
    if (below == 0) continue;
    double* row = r.data() + j * width;
    const double diagonal = row[j];
    const double length = std::sqrt(diagonal * diagonal + below);
    const double reflected = diagonal > 0 ? -length : length;
    row[j] = reflected;
    const Index rest = width - j - 1;
    row += j + 1;
    for (Index k = 0; k < rest; ++k) along[static_cast<std::size_t>(k)] = row[k];
    const auto below_row = [&](Index i) { return a.data() + i * width + j + 1; };
    for (Index i = 0; i < count; ++i) {
      double& part = direction[static_cast<std::size_t>(i)];
      part /= diagonal - reflected;
      if (part != 0) rows::add(below_row(i), part, along.data(), rest);
    }
    for (Index k = 0; k < rest; ++k) {
      along[static_cast<std::size_t>(k)] *= (reflected - diagonal) / reflected;
      row[k] -= along[static_cast<std::size_t>(k)];
    }
    for (Index i = 0; i < count; ++i)
      if (const double part = direction[static_cast<std::size_t>(i)]; part != 0)
        rows::add(along.data(), -part, below_row(i), rest);
  }
}

/// Returns R of the QR decomposition of [√λ·I; A], and beside it Qᵀ[0; b], for A (size × size) and
/// right-hand sides b (size × k). `rows` holds A and b, and is overwritten as by append_rows.
inline Matrix<double> append_to_diagonal(double lambda, Matrix<double>& rows) {
  auto r = zeros<Matrix<double>>(rows.rows(), rows.cols());
  for (Index i = 0; i < r.rows(); ++i) r(i, i) = std::sqrt(lambda);
  append_rows(r, rows);
  return r;
}

/// Removes column j from the triangular factor r (size × size) of a QR decomposition. The later
/// columns become those of the decomposition without column j. Row and column j become those of the
/// unit matrix.
inline void drop_column(Matrix<double>& r, Index j) {
  Matrix<double> rest(1, r.cols());  // row j: later columns along the remainder of column j
  for (Index k = 0; k < r.cols(); ++k) {
    rest(0, k) = k > j ? r(j, k) : 0;
    r(j, k) = r(k, j) = 0;
  }
  r(j, j) = 1;
  append_rows(r, rest);
}

/// The decomposition A·P = Q·R of A (m × d) by Householder reflections with column pivoting (Golub
/// and Van Loan, Matrix Computations, section 5.4.2). Updates column norms as in LAPACK Working
/// Note 176.
template <class Real = double>
class PivotedQr {
  using Columns = detail::ColumnMatrix<Real>;

 public:
  PivotedQr() = default;

  /// Decomposes a, whose column j has an error of norm up to noise[j], (d). The remainder of a
  /// column, its part orthogonal to the pivot columns so far, counts as 0 if it is no longer than
  /// its error (see noise_of). Ends after `most` columns, or when all remainders are 0.
  PivotedQr(Columns a, Vector<Real> noise, Index most)
      : PivotedQr(std::move(a), std::move(noise), most, 0) {}

  /// Decomposes a, whose columns have errors of up to `threshold` times the norm of the longest.
  PivotedQr(Columns a, double threshold)
      : PivotedQr(std::move(a), {}, std::numeric_limits<Index>::max(), threshold) {}

  Index rows() const { return qr_.rows(); }
  Index cols() const { return qr_.cols(); }
  Index rank() const { return rank_; }
  /// Returns Rᵢⱼ for i ≤ j, i < rank.
  double r(Index i, Index j) const { return qr_(i, j); }
  /// Returns the index of the column of A that is column k of A·P.
  Index origin(Index k) const { return order_[static_cast<std::size_t>(k)]; }

  /// Applies reflection k < rank to v (m). Each reflection is its own inverse, and their product is
  /// Q.
  void reflect(Index k, double* v) const {
    const Index rest = rows() - k - 1;
    const double* tail = column(k) + k + 1;
    const double along = coefficients_[k] * (v[k] + dot(tail, v + k + 1, rest));
    v[k] -= along;
    rows::add(tail, -along, v + k + 1, rest);
  }

 private:
  PivotedQr(Columns a, Vector<Real> noise, Index most, double threshold)
      : qr_(std::move(a)),
        noise_(std::move(noise)),
        order_(static_cast<std::size_t>(cols())),
        coefficients_(constant(cols(), 0)),
        norms_(coefficients_),
        exact_norms_(coefficients_) {
    for (Index j = 0; j < cols(); ++j) {
      order_[static_cast<std::size_t>(j)] = j;
      measure(j, 0);
    }
    if (cols() > 0 && noise_.size() == 0)
      noise_ = constant(cols(), threshold * norms_[longest_from(0)]);
    for (const double one : noise_) has_noise_ = has_noise_ || one > 0;
    for (Index k = 0; k < std::min({rows(), cols(), most}) && exchange(k); ++k) {
      make_reflection(k);
      for (Index j = k + 1; j < cols(); ++j) {
        reflect(k, column(j));
        shorten(j, k);
      }
      ++rank_;
    }
  }

  double* column(Index j) { return qr_.data() + j * rows(); }
  const double* column(Index j) const { return qr_.data() + j * rows(); }

  /// Computes the norm of column j from row `first` on, which is the norm of its remainder.
  void measure(Index j, Index first) {
    const double* entries = column(j) + first;
    norms_[j] = exact_norms_[j] = std::sqrt(dot(entries, entries, rows() - first));
  }

  /// Updates the norm of the remainder of column j once row k of the column is final, or recomputes
  /// it where cancellation would make the update inaccurate.
  void shorten(Index j, Index k) {
    if (norms_[j] == 0) return;
    const double ratio = std::abs(qr_(k, j)) / norms_[j];
    const double left = std::max(0.0, (1 + ratio) * (1 - ratio));
    const double change = norms_[j] / exact_norms_[j];
    if (left * change * change <= std::sqrt(std::numeric_limits<double>::epsilon()))
      measure(j, k + 1);
    else
      norms_[j] *= std::sqrt(left);
  }

  Index longest_from(Index k) const {
    Index longest = k;
    for (Index j = k + 1; j < cols(); ++j)
      if (norms_[j] > norms_[longest]) longest = j;
    return longest;
  }

  /// Sets remainders that are only noise to 0, and swaps the column with the longest remainder to
  /// place k. Returns false if all remainders are 0.
  bool exchange(Index k) {
    // The noise of a long column may exceed the remainders of short columns: also clear remainders
    // that are not the longest.
    for (Index j = k; j < cols(); ++j)
      if (norms_[j] <= 1e3 * noise_[origin(j)] && norms_[j] <= noise_of(j, k)) clear(j, k);
    Index longest = longest_from(k);
    while (norms_[longest] > 0 && norms_[longest] <= noise_of(longest, k)) {
      clear(longest, k);
      longest = longest_from(k);
    }
    if (norms_[longest] == 0) return false;
    if (longest == k) return true;
    std::swap_ranges(column(k), column(k) + rows(), column(longest));
    std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(longest)]);
    std::swap(norms_[k], norms_[longest]);
    std::swap(exact_norms_[k], exact_norms_[longest]);
    return true;
  }

  /// Returns the error norm of the remainder of column j after k steps, √(νⱼ² + Σᵢ cᵢ²νᵢ²), i < k,
  /// for the noise ν of the columns of A·P, and the coefficients c of the projection of column j on
  /// the first k of these columns.
  double noise_of(Index j, Index k) const {
    if (!has_noise_) return 0;
    Vector<double> part(k);
    for (Index i = 0; i < k; ++i) part[i] = qr_(i, j);
    double square = noise_[origin(j)] * noise_[origin(j)];
    for (Index i = k - 1; i >= 0; --i) {
      part[i] /= qr_(i, i);
      rows::add(column(i), -part[i], part.data(), i);
      square += part[i] * part[i] * noise_[origin(i)] * noise_[origin(i)];
    }
    return std::sqrt(square);
  }

  /// Sets the remainder of column j, which is its part from row `first` on, to 0.
  void clear(Index j, Index first) {
    for (Index i = first; i < rows(); ++i) qr_(i, j) = 0;
    norms_[j] = 0;
  }

  void make_reflection(Index k) {
    double* const entries = column(k) + k;
    const Index rest = rows() - k - 1;
    const double below = dot(entries + 1, entries + 1, rest);
    const double length = std::sqrt(entries[0] * entries[0] + below);
    const bool is_done = below <= std::numeric_limits<double>::min();
    const double reflected = is_done ? entries[0] : entries[0] >= 0 ? -length : length;
    for (Index i = 1; i <= rest; ++i)
      entries[i] = is_done ? 0 : entries[i] / (entries[0] - reflected);
    coefficients_[k] = is_done ? 0 : (reflected - entries[0]) / reflected;
    entries[0] = reflected;
  }

  Columns qr_{};  // R, and below R the reflection vectors without their first entry, which is 1
  Vector<Real> noise_{};
  std::vector<Index> order_{};
  Vector<Real> coefficients_{};
  Vector<Real> norms_{};
  Vector<Real> exact_norms_{};
  Index rank_{0};
  bool has_noise_{false};
};

/// The complete orthogonal decomposition of A (m × d), which may be rank-deficient. A first pivoted
/// decomposition, A = Q₁[R; 0]Pᵀ, determines the rank, the number of rows of R. A second one,
/// Rᵀ = Q₂[T; 0]P₂ᵀ, yields the solutions of smallest norm.
template <class Real = double>
class CompleteOrthogonal {
  using Columns = detail::ColumnMatrix<Real>;

 public:
  explicit CompleteOrthogonal(PivotedQr<Real> first) : first_(std::move(first)) {
    Columns rows(cols(), rank());
    for (Index i = 0; i < rank(); ++i)
      for (Index j = 0; j < cols(); ++j) rows(j, i) = j >= i ? first_.r(i, j) : 0;
    second_ = PivotedQr<Real>(std::move(rows), 0);
    triangle_.resize(rank(), rank());
    for (Index i = 0; i < rank(); ++i)
      for (Index j = 0; j < rank(); ++j) triangle_(i, j) = j >= i ? second_.r(i, j) : 0;
  }

  Index cols() const { return first_.cols(); }
  Index rank() const { return first_.rank(); }

  /// Returns A⁺b (d) for b (m) if λ = 0, and (AᵀA + λI)⁻¹Aᵀb if λ > 0. Adds the squared norm of the
  /// part of b outside the range of A to `beyond`.
  Vector<Real> solve(Vector<Real> b, double lambda, double& beyond) const {
    for (Index k = 0; k < rank(); ++k) first_.reflect(k, b.data());
    for (Index i = rank(); i < b.size(); ++i) beyond += b[i] * b[i];
    Vector<Real> inner(rank());
    for (Index k = 0; k < rank(); ++k) inner[k] = b[second_.origin(k)];
    if (lambda > 0)
      solve_shifted(lambda, inner);
    else
      triangle_of(triangle_).solve_transposed(inner.data());
    return outwards(inner);
  }

  /// Returns A⁺ᵀx (m), the shortest vector a with Aᵀa = x, for x (d) in the row space of A.
  Vector<Real> solve_transposed(const Vector<Real>& x) const {
    Vector<Real> inner(cols());
    inwards(x.data(), inner.data());
    solve(inner.data());
    Vector<Real> a = constant(first_.rows(), 0);
    for (Index k = 0; k < rank(); ++k) a[second_.origin(k)] = inner[k];
    for (Index k = rank() - 1; k >= 0; --k) first_.reflect(k, a.data());
    return a;
  }

  /// Computes inner ← Q₂ᵀPᵀx (d) for x (d). For x in the row space of A, the entries of `inner`
  /// after the first `rank` are 0.
  void inwards(const double* x, double* inner) const {
    for (Index j = 0; j < cols(); ++j) inner[j] = x[first_.origin(j)];
    for (Index k = 0; k < rank(); ++k) second_.reflect(k, inner);
  }
  /// Computes inner ← T⁻¹·inner for the first `rank` entries of `inner`.
  void solve(double* inner) const { triangle_of(triangle_).solve(inner); }

 private:
  /// Returns P·Q₂·[inner; 0] (d) for `inner` (rank).
  Vector<Real> outwards(const Vector<Real>& inner) const {
    Vector<Real> rotated = constant(cols(), 0);
    Vector<Real> x(cols());
    for (Index k = 0; k < rank(); ++k) rotated[k] = inner[k];
    for (Index k = rank() - 1; k >= 0; --k) second_.reflect(k, rotated.data());
    for (Index j = 0; j < cols(); ++j) x[first_.origin(j)] = rotated[j];
    return x;
  }

  /// Sets inner (rank) to the minimiser v of ‖Tᵀv − inner‖² + λ‖v‖².
  void solve_shifted(double lambda, Vector<Real>& inner) const {
    Matrix<Real> rows(rank(), rank() + 1);
    for (Index i = 0; i < rank(); ++i) {
      for (Index j = 0; j < rank(); ++j) rows(i, j) = triangle_(j, i);
      rows(i, rank()) = inner[i];
    }
    const Matrix<Real> r = append_to_diagonal(lambda, rows);
    for (Index i = 0; i < rank(); ++i) inner[i] = r(i, rank());
    triangle_of(r).solve(inner.data());
  }

  PivotedQr<Real> first_;
  PivotedQr<Real> second_{};
  Matrix<Real> triangle_{};  // T
};

}  // namespace linea::detail::linear_algebra
