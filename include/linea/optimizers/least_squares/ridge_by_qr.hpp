// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression by orthogonal transformations of the samples themselves.
#include <algorithm>  // copy, fill, max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/least_squares/ridge_fit.hpp>
#include <linea/optimizers/numerics/minimum_norm.hpp>
#include <utility>  // move

namespace linea::least_squares {

template <class Real>
Matrix<Real> zeros(Index rows, Index cols) {
  Matrix<Real> zeros(rows, cols);
  std::fill(zeros.data(), zeros.data() + zeros.size(), Real(0));
  return zeros;
}

/// [block, values] for values (count × k), given as rows `first` and on of y; in place.
template <class Real>
void put_beside(Matrix<Real>& block, const Columns<Real>& y, Index first) {
  Matrix<Real> both(block.rows(), block.cols() + y.cols());
  for (Index i = 0; i < block.rows(); ++i) {
    for (Index j = 0; j < block.cols(); ++j) both(i, j) = block(i, j);
    for (Index k = 0; k < y.cols(); ++k) both(i, block.cols() + k) = y(first + i, k);
  }
  block.swap(both);
}

/// R (size × size) of the QR decomposition of [Z; √λ·I], and Qᵀy beside it; in the dual form R of
/// Zᵀ alone.
template <class Design, class Real>
Matrix<Real> triangular_factor(const Design& design, const Columns<Real>& y, double lambda,
                               bool dual) {
  const Index size = dual ? design.rows() : design.cols();
  const Index length = dual ? design.cols() : design.rows();
  Matrix<Real> r = zeros<Real>(size, dual ? size : size + y.cols());
  Matrix<Real> block;
  for (Index first = 0; first < length; first += Design::block_rows) {
    design.fill(first, std::min(Design::block_rows, length - first), dual, block);
    if (!dual) put_beside(block, y, first);
    numerics::append_rows(r, block);
  }
  if (lambda > 0 && !dual) {
    block = zeros<Real>(size, r.cols());
    for (Index j = 0; j < size; ++j) block(j, j) = std::sqrt(lambda);
    numerics::append_rows(r, block);
  }
  return r;
}

/// R is all that is kept of the samples. A rank-revealing decomposition of R gives the minimum-norm
/// answer; in the dual form w = Zᵀ(RᵀR + λI)⁻¹y, whose error grows with the condition of Z and not
/// with its square (Demmel and Higham, SIAM J. Matrix Anal. Appl. 14 (1993)). What of y lies beyond
/// the span of Z is left out: over a small λ, rounding of it would be all of w.
template <class Design, class Real>
void ridge_by_qr(const Design& design, const Columns<Real>& y, double lambda, RidgeFit<Real>& fit) {
  const Matrix<Real> r = triangular_factor(design, y, lambda, fit.dual);
  const Index size = r.rows();
  Columns<Real> triangle(size, size);
  for (Index j = 0; j < size; ++j)
    for (Index i = 0; i < size; ++i) triangle(i, j) = r(i, j);
  const auto longest = static_cast<double>(std::max(design.rows(), design.cols()));
  const numerics::MinimumNorm<Real> factor(std::move(triangle),
                                           std::numeric_limits<double>::epsilon() * longest);
  fit.factorization = Factorization::qr;
  fit.rank = factor.rank();
  fit.weights.resize(size, y.cols());
  for (Index k = 0; k < y.cols(); ++k) {
    Vector<Real> right(size);
    for (Index i = 0; i < size; ++i) right[i] = fit.dual ? y(i, k) : r(i, size + k);
    const Vector<Real> w =
        fit.dual ? factor.solve_squared(right, lambda) : factor.solve(std::move(right));
    std::copy(w.data(), w.data() + size, fit.weights.data() + k * size);
  }
  if (fit.dual) fit.weights = design.apply_transposed(fit.weights);
}

}  // namespace linea::least_squares
