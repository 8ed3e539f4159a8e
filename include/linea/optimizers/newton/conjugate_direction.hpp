// SPDX-License-Identifier: MIT
#pragma once
/// \file Newton's direction for the weights of a support, by conjugate gradients over columns.
#include <algorithm>  // equal
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/newton/support_minimum.hpp>
#include <linea/samples/columns.hpp>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// C = Σᵢ hᵢ(xᵢ − m)(xᵢ − m)ᵀ + diag(l2) (k × k) for the columns of a support, with their means m
/// under h, or m = 0 without an offset. C is never formed. A product with C reads dense columns
/// twice, and a copy of sparse columns by rows once. All constructor arguments must outlive this
/// object.
class SupportCurvature {
 public:
  /// Takes means m (k), diagonal of C (k), curvatures h (n), and strengths of the L2 penalty (k).
  SupportCurvature(const samples::Columns& columns, const std::vector<Index>& support,
                   const Vector<double>& means, const Vector<double>& diagonal,
                   const Vector<double>& h, const Vector<double>& l2)
      : columns_(columns),
        support_(support),
        means_(means),
        diagonal_(diagonal),
        h_(h),
        l2_(l2),
        moved_(columns.is_sparse() ? 0 : h.size()) {
    if (columns.is_sparse()) rows_ = columns.transposed(support);
  }

  const Vector<double>& diagonal() const { return diagonal_; }

  /// Sets product ← C·d.
  void multiply(const Vector<double>& d, Vector<double>& product) {
    const double shift = linear_algebra::dot(d, means_);
    double sum = 0;  // Σᵢ hᵢ⟨d, xᵢ − m⟩
    product = linear_algebra::product(l2_, d);
    if (columns_.is_sparse()) {
      for (Index i = 0; i < h_.size(); ++i) {
        const double moved = h_[i] * (rows_.dot(i, d) - shift);
        rows_.add(i, moved, product);
        sum += moved;
      }
    } else {
      moved_ = detail::filled(h_.size(), -shift);
      for (Index k = 0; k < d.size(); ++k) columns_.add(column(k), d[k], moved_);
      for (Index i = 0; i < h_.size(); ++i) sum += moved_[i] *= h_[i];
      for (Index k = 0; k < d.size(); ++k) product[k] += columns_.dot(column(k), moved_);
    }
    linear_algebra::add(-sum, means_, product);
  }

 private:
  Index column(Index k) const { return support_[static_cast<std::size_t>(k)]; }

  const samples::Columns& columns_;
  const std::vector<Index>& support_;
  const Vector<double>&means_, &diagonal_, &h_, &l2_;
  Vector<double> moved_;
  samples::Columns rows_{};  // of sparse x
};

/// A direction d (k) that decreases ½⟨d, C·d⟩ − ⟨residual, d⟩ and is 0 where the weights are 0, its
/// `change` C·d without the entries of these weights, and the number of products with C so far. C
/// and the weights must outlive this object.
template <class Curvature>
class ConjugateDirection {
 public:
  Vector<double> direction{}, change{};
  Index products{0};

  ConjugateDirection(Curvature& c, const Vector<double>& weights, Vector<double> residual)
      : direction(detail::filled(residual.size(), 0.0)),
        change(direction),
        c_(c),
        weights_(weights),
        residual_(std::move(residual)),
        step_(residual_.size()) {
    clear(residual_);
    for (Index k = 0; k < step_.size(); ++k) {
      step_[k] = residual_[k] / c.diagonal()[k];
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
  /// Sets the entries of v to 0 where the weights are 0.
  void clear(Vector<double>& v) const {
    for (Index k = 0; k < v.size(); ++k)
      if (weights_[k] == 0) v[k] = 0;
  }
  void advance() {
    ++products;
    c_.multiply(step_, product_);
    clear(product_);
    double curvature = 0, flat = 0;
    for (Index k = 0; k < step_.size(); ++k) {
      curvature += step_[k] * product_[k];
      flat += 1e-12 * step_[k] * step_[k] * c_.diagonal()[k];
    }
    is_flat_ = !(curvature > flat);
    const double length = square_ / (is_flat_ ? flat : curvature);
    double next = 0;
    for (Index k = 0; k < step_.size(); ++k) {
      direction[k] += length * step_[k];
      change[k] += length * product_[k];
      residual_[k] -= length * product_[k];
      next += residual_[k] * residual_[k] / c_.diagonal()[k];
    }
    for (Index k = 0; k < step_.size(); ++k)
      step_[k] = residual_[k] / c_.diagonal()[k] + next / square_ * step_[k];
    square_ = next;
  }

  Curvature& c_;
  const Vector<double>& weights_;
  Vector<double> residual_, step_, product_{};
  double square_{0};  // ‖residual‖² in the norm with the weights 1/Cⱼⱼ
  double first_{0};   // the first square_
  bool is_flat_{false};
};

/// Minimises over the weights of the support that are not 0. With `least` > 0 continues until no
/// slope is larger than `least`, or up to `most` products, unless the way to the minimum crosses a
/// zero of some weight. In this case such weights stop at 0, or the step ends at the minimum along
/// this way, whichever is lower. Returns the number of products.
template <class Curvature>
Index step_off_zero(Curvature& curvature, SupportMinimum& minimum, double least, Index most) {
  const Index size = minimum.weights().size();
  Vector<double> residual(size);
  for (Index k = 0; k < size; ++k) residual[k] = -minimum.slope(k);
  ConjugateDirection<Curvature> step(curvature, minimum.weights(), std::move(residual));
  Vector<double> move;
  const auto crosses = [&] {
    move = minimum.stopped(step.direction);
    return !std::equal(move.begin(), move.end(), step.direction.begin());
  };
  step.descend();
  bool is_beyond = crosses();
  if (!is_beyond && least > 0) {
    step.descend(least, most);
    is_beyond = crosses();
  }
  Index products = step.products;
  SupportMinimum along = minimum;
  along.step_along(step.direction, step.change);
  if (is_beyond) {
    Vector<double> change;
    curvature.multiply(move, change);
    ++products;
    minimum.step_by(move, change);
  }
  if (!is_beyond || !(minimum.fall() > along.fall())) minimum = along;
  return products;
}

}  // namespace linea::detail::newton
