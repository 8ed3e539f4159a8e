// SPDX-License-Identifier: MIT
#pragma once
/// \file The matrix ∇²F of few columns, factored once and kept for several directions.
#include <algorithm>  // fill
#include <cmath>      // sqrt
#include <linea/core/entries.hpp>
#include <linea/optimizers/numerics/cholesky.hpp>
#include <linea/optimizers/numerics/product.hpp>
#include <optional>

namespace linea::smooth {

/// λI + Σₖ cₖ·(xₖ, 1)(xₖ, 1)ᵀ, or without the 1 and its row and column where there is no offset, in
/// the factors of Cholesky. The offset has no λ.
template <class Real = double>
class KeptCurvature {
 public:
  bool is_known() const { return cholesky_.has_value(); }
  void forget() {
    cholesky_.reset();
    matrix_.resize(0, 0);
  }

  /// Of `count` rows: curvature(k) is cₖ ≥ 0, entries(k, f) calls f(j, entry) for the entries of
  /// xₖ, about `in_row` of them. False, and nothing is known, if rounding does not let the matrix
  /// be positive.
  template <class Curvature, class Entries>
  bool take(Index d, bool has_offset, double lambda, Index count, double in_row,
            Curvature&& curvature, Entries&& entries) {
    const Index size = d + (has_offset ? 1 : 0);
    matrix_.resize(size, size);
    std::fill(matrix_.data(), matrix_.data() + matrix_.size(), 0.0);
    for (Index j = 0; j < d; ++j) matrix_(j, j) = lambda;
    numerics::add_gram(matrix_, count, in_row, [&](Index k, auto&& put) {
      const double root = std::sqrt(curvature(k));
      entries(k, [&](Index j, auto entry) { put(j, root * static_cast<double>(entry)); });
      if (has_offset) put(d, root);
    });
    return factor();
  }

  /// s ← ∇²F⁻¹·s.
  void solve(Vector<Real>& s) const { cholesky_->solve(s.data()); }

 private:
  bool factor() {
    cholesky_.emplace(matrix_);
    if (cholesky_->is_positive() && core::all_finite(matrix_)) return true;
    forget();
    return false;
  }

  core::ColumnMatrix<Real> matrix_{};
  std::optional<numerics::Cholesky<Real>> cholesky_{};
};

}  // namespace linea::smooth
