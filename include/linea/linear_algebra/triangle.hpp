// SPDX-License-Identifier: MIT
#pragma once
/// \file Triangular systems, and a triangular factor to which rows can be appended.
///
/// This folder has its own factorisations, on plain doubles, because those of Eigen compile slowly.
#include <cmath>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/rows/kernels.hpp>
#include <vector>

namespace linea::detail::linear_algebra {

/// A view of an upper triangular matrix R (size × size), stored row by row; equally, of Rᵀ stored
/// column by column. Row i begins at data + i·stride. No function reads entries below the diagonal.
/// The matrix must outlive the view.
struct Triangle {
  const double* data;
  Index size;
  Index stride;

  const double* row(Index i) const { return data + i * stride; }

  /// Computes x ← R⁻ᵀx, for x (size).
  void solve_transposed(double* x) const {
    for (Index i = 0; i < size; ++i) {
      x[i] /= row(i)[i];
      rows::add(row(i) + i + 1, -x[i], x + i + 1, size - i - 1);
    }
  }

  /// Computes x ← R⁻¹x, for x (size).
  void solve(double* x) const {
    for (Index i = size - 1; i >= 0; --i) {
      const double* rest = row(i) + i + 1;
      x[i] = (x[i] - dot(rest, x + i + 1, size - i - 1)) / row(i)[i];
    }
  }
};

/// Returns a view of the triangle in the first `size` columns of r (size × (size + k)).
inline Triangle triangle_of(const Matrix<double>& r) { return {r.data(), r.rows(), r.cols()}; }

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

}  // namespace linea::detail::linear_algebra
