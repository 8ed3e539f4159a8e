// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares with a linear term, from rows and not from their squares.
#include <cmath>
#include <linea/optimizers/numerics/qr.hpp>
#include <linea/optimizers/numerics/triangle.hpp>
#include <utility>  // move

namespace linea::numerics {

/// The point s where ½‖As − b‖² + ⟨g, s⟩ is least, for A (m × d). Directions along which A is 1e-14
/// of what it is along others are seen, where AᵀA has lost them at 1e-8.
template <class Real = double>
class TiltedLeastSquares {
 public:
  /// For the triangle r (d × (d + 1)) that append_rows has made of [A, b]. Column j of A is known
  /// to noise[j], and gⱼ to noise_of_tilt[j]: what is left of a column when it is no more than
  /// noise has no part in s. Sums are off by `unit` of their terms. Cost: 4d³/3.
  TiltedLeastSquares(const Matrix<Real>& r, const Vector<Real>& g, const Vector<Real>& noise,
                     const Vector<Real>& noise_of_tilt, double unit)
      : d_(r.rows()), scale_(d_) {
    Vector<Real> right(d_);
    const PivotedQr<Real> qr = scaled(r, noise, right);
    const Index rank = qr.rank();
    has_cleared_ = qr.has_cleared();
    for (Index k = 0; k < rank; ++k) qr.reflect(k, right.data());
    Matrix<Real> triangle = Matrix<Real>::Zero(rank, rank);
    Vector<Real> tilt(rank);
    for (Index i = 0; i < rank; ++i) {
      for (Index j = i; j < rank; ++j) triangle(i, j) = qr.r(i, j);
      tilt[i] = g[qr.origin(i)] * scale_[qr.origin(i)];
    }
    triangle_of(triangle).solve_transposed(tilt.data());
    for (Index k = rank; k < d_; ++k) look_along(qr, k, tilt, g, noise_of_tilt, unit);
    for (Index i = 0; i < rank; ++i) tilt[i] = right[i] - tilt[i];
    triangle_of(triangle).solve(tilt.data());
    point_.setZero(d_);
    for (Index i = 0; i < rank; ++i) point_[qr.origin(i)] = tilt[i] * scale_[qr.origin(i)];
  }

  const Vector<Real>& point() const { return point_; }
  /// Is there no least: does g lead along a direction of which A knows nothing?
  bool is_endless() const { return is_endless_; }
  /// Did noise make part of a column count as 0?
  bool has_cleared() const { return has_cleared_; }

 private:
  PivotedQr<Real> scaled(const Matrix<Real>& r, const Vector<Real>& noise, Vector<Real>& right) {
    core::ColumnMatrix<Real> a = core::ColumnMatrix<Real>::Zero(d_, d_);
    Vector<Real> known(d_);
    for (Index j = 0; j < d_; ++j) {
      double square = 0;
      for (Index i = 0; i <= j; ++i) square += r(i, j) * r(i, j);
      scale_[j] = square > 0 ? 1 / std::sqrt(square) : 1;
      known[j] = noise[j] * scale_[j];
      for (Index i = 0; i <= j; ++i) a(i, j) = r(i, j) * scale_[j];
      right[j] = r(j, d_);
    }
    return {std::move(a), std::move(known), d_};
  }

  /// Is gₖ more than what the columns with a part in s make of it?
  void look_along(const PivotedQr<Real>& qr, Index k, const Vector<Real>& tilt,
                  const Vector<Real>& g, const Vector<Real>& noise_of_tilt, double unit) {
    const Index j = qr.origin(k);
    double rest = g[j] * scale_[j];
    double size = std::abs(rest);
    for (Index i = 0; i < tilt.size(); ++i) {
      rest -= qr.r(i, k) * tilt[i];
      size += std::abs(qr.r(i, k) * tilt[i]);
    }
    if (std::abs(rest) > noise_of_tilt[j] * scale_[j] + unit * size) is_endless_ = true;
  }

  Index d_;
  Vector<Real> scale_;
  Vector<Real> point_{};
  bool is_endless_{false};
  bool has_cleared_{false};
};

}  // namespace linea::numerics
