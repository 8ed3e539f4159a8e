// SPDX-License-Identifier: MIT
#pragma once
/// \file What samples say of the weights of a linear model, and how it spreads them.
///
/// With curvatures cᵢ ≥ 0 of the loss, C = Σcᵢ and x̄ = Σcᵢxᵢ/C (0 where the offset is fixed), let
/// M = (1/C) Σ cᵢ(xᵢ − x̄)(xᵢ − x̄)ᵀ and A = M + λ′I. The weights vary as A⁻¹MA⁻¹/C; independently
/// of them the score at x̄, b + ⟨w, x̄⟩, varies as 1/C.
#include <algorithm>  // max, min
#include <cmath>      // hypot, sqrt
#include <limits>
#include <linea/optimizers/least_squares/centred_design.hpp>
#include <linea/optimizers/numerics/qr.hpp>
#include <linea/optimizers/numerics/triangle.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // move
#include <vector>

namespace linea::models {

/// R (d × d), upper triangular, with RᵀR = ZᵀZ for the rows Z of a design: by orthogonal
/// transformations, so nothing is squared. O(n·d²).
template <class Rows>
Matrix<double> triangle_of_design(const least_squares::CentredDesign<Rows>& design) {
  Matrix<double> r(design.cols(), design.cols());
  std::fill(r.data(), r.data() + r.size(), 0.0);
  Matrix<double> block;
  constexpr Index most = least_squares::CentredDesign<Rows>::block_rows;
  for (Index first = 0; first < design.rows(); first += most) {
    design.fill(first, std::min(most, design.rows() - first), false, block);
    numerics::append_rows(r, block);
  }
  return r;
}

/// M = RᵀR and A = M + λ′I, for λ′ ≥ 0.
template <class Real = double>
class Information {
 public:
  /// From R (d × d) and how exactly its columns are known, noise (d). Of rank `most` at most.
  Information(Matrix<Real> r, const Vector<Real>& noise, Index most, double lambda)
      : r_(std::move(r)), lambda_(lambda), scale_(Vector<Real>::Ones(r_.cols())) {
    for (Index j = 0; j < scale_.size(); ++j)
      if (const double norm = r_.col(j).norm(); norm > 0) scale_[j] = 1 / norm;
    core::ColumnMatrix<Real> scaled = r_ * scale_.asDiagonal();
    numerics::PivotedQr<Real> qr(std::move(scaled), noise.cwiseProduct(scale_), most);
    rank_ = qr.rank();
    if (lambda > 0)
      regularise();
    else
      invert(std::move(qr));
  }

  Index rank() const { return rank_; }

  /// A factor K (k × d) of A⁻¹MA⁻¹ = KᵀK; with λ′ = 0 of M⁺.
  const Matrix<Real>& factor() const { return factor_; }

  /// Is ⟨v, w⟩ decided by the samples, for v (d)? Always with λ′ > 0.
  bool decides(const Vector<Real>& v) const {
    if (lambda_ > 0) return true;
    for (Index j = 0; j < v.size(); ++j)
      if (v[j] != 0 && r_.col(j).isZero(0)) return false;  // has no scale to compare it by
    const Vector<Real> scaled = scale_.cwiseProduct(v);
    const double all = scaled.squaredNorm();
    return all == 0 || (basis_ * scaled).squaredNorm() >= (1 - tolerance()) * all;
  }

  /// What of v, a direction of the weights (d), the samples do not decide, with λ′ = 0.
  Vector<Real> undecided(const Vector<Real>& v) const {
    const Vector<Real> scaled = v.cwiseQuotient(scale_);
    return scale_.cwiseProduct(scaled - basis_.transpose() * (basis_ * scaled));
  }

  /// A⁻¹g for g (d); M⁺g, up to what is not decided, with λ′ = 0.
  Vector<Real> solve(Vector<Real> g) const {
    if (!(lambda_ > 0)) return factor_.transpose() * (factor_ * g);
    numerics::triangle_of(regular_).solve_transposed(g.data());
    numerics::triangle_of(regular_).solve(g.data());
    return g;
  }

  /// tr(2H − H²) of H = Z·A⁻¹·Zᵀ, which maps targets to predictions: the degrees of freedom that
  /// the weights take (Hastie and Tibshirani, Generalized Additive Models, 1990, section 3.5).
  double freedom() const { return freedom_; }

  /// Does λ′ keep its digits beside M? If not, what is spread along dependent columns is rounding.
  bool is_resolved() const {
    return !(lambda_ > 0) || rank_ == r_.cols() ||
           lambda_ > 1e-10 * r_.colwise().squaredNorm().maxCoeff();
  }

 private:
  static double tolerance() { return 1e-9; }

  /// λ′ = 0. In units of the columns, so that their scales do not decide.
  void invert(numerics::PivotedQr<Real>&& qr) {
    const Index d = r_.cols();
    freedom_ = static_cast<double>(rank_);
    factor_.setZero(rank_, d);
    basis_.setZero(rank_, d);
    if (rank_ == 0) return;
    const numerics::CompleteOrthogonal<Real> factors(std::move(qr));
    Vector<Real> inner(d);
    for (Index j = 0; j < d; ++j) {
      const Vector<Real> unit = Vector<Real>::Unit(d, j);
      factors.inwards(unit.data(), inner.data());
      basis_.col(j) = inner.head(rank_);
      factors.solve(inner.data());
      factor_.col(j) = scale_[j] * inner.head(rank_);
    }
  }

  /// λ′ > 0.
  void regularise() {
    const Index d = r_.cols();
    regular_ = r_;
    Matrix<Real> rows = Matrix<Real>::Zero(d, d);
    rows.diagonal().setConstant(std::sqrt(lambda_));
    numerics::append_rows(regular_, rows);
    const auto triangle = numerics::triangle_of(regular_);
    factor_ = r_;
    Matrix<Real> hat(d, d);  // rows of R·(regular)⁻¹: H is its product with its transpose
    for (Index i = 0; i < d; ++i) {
      double* const row = factor_.data() + i * d;
      triangle.solve_transposed(row);
      hat.row(i) = factor_.row(i);
      triangle.solve(row);
    }
    freedom_ = 2 * hat.squaredNorm() - (hat.transpose() * hat).squaredNorm();
  }

  Matrix<Real> r_;
  double lambda_;
  Vector<Real> scale_;  // one over the lengths of the columns
  Index rank_{0};
  double freedom_{0};
  Matrix<Real> factor_{};
  Matrix<Real> basis_{};    // of what the samples decide, in units of the columns
  Matrix<Real> regular_{};  // the triangle of A
};

/// How exactly the columns of a design are known, (d): rounding of what is stored, as in the exact
/// solvers of least squares.
template <class Rows>
Vector<double> noise_of(const least_squares::CentredDesign<Rows>& design, const Matrix<double>& r) {
  const auto longest = static_cast<double>(std::max(design.rows(), design.cols()));
  const double unit = (8 + 2 * std::sqrt(longest)) * std::numeric_limits<double>::epsilon();
  Vector<double> noise(design.cols());
  for (Index j = 0; j < noise.size(); ++j) {
    double length = 0;
    for (Index i = 0; i < r.rows(); ++i) length = std::hypot(length, r(i, j));
    noise[j] = unit * std::hypot(design.mean()[j], length);
  }
  return noise;
}

}  // namespace linea::models
