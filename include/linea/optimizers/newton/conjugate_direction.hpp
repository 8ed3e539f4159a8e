// SPDX-License-Identifier: MIT
#pragma once
/// \file Newton's direction for the weights of a support, by conjugate gradients over columns.
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// C = Σᵢ hᵢ(xᵢ − m)(xᵢ − m)ᵀ + diag(l2) (k × k) for the columns of a support, with their means m
/// under h, or m = 0 without an offset. C is never formed: a product with C costs two passes over
/// the columns.
template <class Columns, class Real = detail::DoubleFor<Columns>>
struct SupportCurvature {
  const Columns& columns;
  const std::vector<Index>& support;
  const Vector<Real>& means;     ///< m (k)
  const Vector<Real>& diagonal;  ///< diagonal of C (k)
  const Vector<Real>& h;         ///< curvatures h (n)
  const Vector<Real>& l2;        ///< strengths of the L2 penalty (k)

  /// Computes product ← C·d. Uses `moved` as workspace.
  void multiply(const Vector<Real>& d, Vector<Real>& moved, Vector<Real>& product) const {
    moved = Vector<Real>::Zero(h.size());
    double shift = 0, sum = 0;
    for (Index k = 0; k < d.size(); ++k) {
      columns.add(support[static_cast<std::size_t>(k)], d[k], moved);
      shift += d[k] * means[k];
    }
    for (Index i = 0; i < h.size(); ++i) sum += moved[i] = h[i] * (moved[i] - shift);
    product.resize(d.size());
    for (Index k = 0; k < d.size(); ++k)
      product[k] =
          columns.dot(support[static_cast<std::size_t>(k)], moved) - means[k] * sum + l2[k] * d[k];
  }
};

/// A direction d (k) that decreases ½⟨d, C·d⟩ − ⟨residual, d⟩, its `change` C·d, and the number of
/// products with C so far. C must outlive this object.
template <class Columns>
class ConjugateDirection {
 public:
  using Real = detail::DoubleFor<Columns>;

  Vector<Real> direction{}, change{};
  Index products{0};

  ConjugateDirection(const SupportCurvature<Columns>& c, Vector<Real> residual)
      : direction(detail::filled(residual.size(), 0.0)),
        change(direction),
        c_(c),
        residual_(std::move(residual)),
        step_(residual_.size()) {
    for (Index k = 0; k < step_.size(); ++k) {
      step_[k] = residual_[k] / c.diagonal[k];
      square_ += residual_[k] * step_[k];
    }
    first_ = square_;
  }

  /// Runs conjugate gradients until the residual is a thirtieth of the first one, in the norm with
  /// the weights 1/Cⱼⱼ, at most 50 iterations. Where C has no curvature along the search direction,
  /// ends with a long step.
  void descend() {
    while (products < 50 && square_ > 1e-3 * first_ && !is_flat_) advance();
  }
  /// Continues until no entry of the residual is larger than `least`, at most up to the product
  /// number `most`.
  void descend(double least, Index most) {
    while (products < most &&
           linear_algebra::largest_of(residual_.data(), residual_.size()) > least && !is_flat_)
      advance();
  }

 private:
  void advance() {
    ++products;
    c_.multiply(step_, moved_, product_);
    double curvature = 0, flat = 0;
    for (Index k = 0; k < step_.size(); ++k) {
      curvature += step_[k] * product_[k];
      flat += 1e-12 * step_[k] * step_[k] * c_.diagonal[k];
    }
    is_flat_ = !(curvature > flat);
    const double length = square_ / (is_flat_ ? flat : curvature);
    double next = 0;
    for (Index k = 0; k < step_.size(); ++k) {
      direction[k] += length * step_[k];
      change[k] += length * product_[k];
      residual_[k] -= length * product_[k];
      next += residual_[k] * residual_[k] / c_.diagonal[k];
    }
    for (Index k = 0; k < step_.size(); ++k)
      step_[k] = residual_[k] / c_.diagonal[k] + next / square_ * step_[k];
    square_ = next;
  }

  const SupportCurvature<Columns>& c_;
  Vector<Real> residual_, step_, product_{}, moved_{};
  double square_{0};  // ‖residual‖² in the norm with the weights 1/Cⱼⱼ
  double first_{0};   // the first square_
  bool is_flat_{false};
};

}  // namespace linea::detail::newton
