// SPDX-License-Identifier: MIT
#pragma once
/// \file Triangular systems.
///
/// This folder has its own factorisations, on plain doubles, because those of Eigen compile slowly.
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/rows/kernels.hpp>

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

}  // namespace linea::detail::linear_algebra
