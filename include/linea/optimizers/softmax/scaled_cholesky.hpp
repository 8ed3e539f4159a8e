// SPDX-License-Identifier: MIT
#pragma once
/// \file Equations with a matrix of second derivatives, whatever the units of its unknowns.
#include <cmath>  // sqrt
#include <linea/optimizers/numerics/cholesky.hpp>
#include <optional>

namespace linea::softmax {

/// Cholesky's factorisation of a symmetric matrix that is scaled to a diagonal of ones. Where that
/// is singular to rounding, a little is added to the ones.
class ScaledCholesky {
 public:
  /// Of a (m × m) the lower triangle is read.
  explicit ScaledCholesky(core::ColumnMatrix<double> a) : scale_(a.rows()) {
    for (Index i = 0; i < a.rows(); ++i) scale_[i] = a(i, i) > 0 ? 1 / std::sqrt(a(i, i)) : 1;
    for (Index j = 0; j < a.rows(); ++j)
      for (Index i = j; i < a.rows(); ++i) a(i, j) *= scale_[i] * scale_[j];
    for (; added_<1; added_ = added_> 0 ? 100 * added_ : 1e-14) {
      for (Index i = 0; i < a.rows(); ++i) a(i, i) = 1 + added_;
      factor_.emplace(a);
      if (factor_->reciprocal_condition() > (added_ > 0 ? 0 : 1e-13)) return;
    }
    factor_.reset();
  }

  /// How much was added to the ones.
  double added() const { return added_; }

  /// x ← A⁻¹x, for x (m), where A has a factor; else x is divided by the diagonal of A.
  void solve(double* x) const {
    for (Index i = 0; i < scale_.size(); ++i) x[i] *= scale_[i];
    if (factor_) factor_->solve(x);
    for (Index i = 0; i < scale_.size(); ++i) x[i] *= scale_[i];
  }

 private:
  Vector<double> scale_;
  double added_{0};
  std::optional<numerics::Cholesky<>> factor_{};
};

}  // namespace linea::softmax
