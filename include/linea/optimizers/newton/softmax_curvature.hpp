// SPDX-License-Identifier: MIT
#pragma once
/// \file The quadratic model of softmax regression for some weights of all classes, over columns.
#include <algorithm>  // copy
#include <cmath>      // abs
#include <cstddef>    // size_t
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/newton/softmax_kernels.hpp>
#include <optional>
#include <utility>  // move
#include <vector>

namespace linea::detail::newton {

/// The weight of a class for a column of x.
struct ClassWeight {
  Index column, of_class;
};

/// A quadratic model of the mean loss near some weights and offsets, as a function of changes d of
/// the m weights of a support: ⟨slopes, d⟩ + ½⟨d, C·d⟩. C includes the second derivative of an L2
/// penalty. The changes of the offsets minimise the model for d, which eliminates them. Only
/// `matrix` forms C. A product with C reads the column of each weight twice. All constructor
/// arguments must outlive this object.
template <class Columns>
class SoftmaxCurvature {
 public:
  using Real = detail::DoubleFor<Columns>;

  /// Takes the slopes qᵢ − e_yᵢ of evaluate_row (n × k), and sᵢ/S as `parts` (n).
  SoftmaxCurvature(const Columns& columns, const Vector<Index>& classes, const Vector<Real>& parts,
                   const Table& slopes, double l2, bool has_offset)
      : columns_(columns),
        classes_(classes),
        parts_(parts),
        slopes_(slopes),
        l2_(l2),
        moves_(at(slopes.cols()), detail::filled(parts.size(), 0.0)),
        products_(moves_) {
    if (has_offset) factorise();
  }

  /// Makes the weights (d × k) that are not 0 the support, except those whose columns are constant
  /// up to rounding.
  void list(const detail::ColumnMatrix<Real>& weights) {
    move({});
    std::vector<Real> slopes, diagonal;
    Vector<Real> h(parts_.size()), slopes_there(parts_.size());
    for (Index k = 0; k < weights.cols(); ++k) {
      for (Index i = 0; i < h.size(); ++i) {
        h[i] = parts_[i] * curvature_of(std::abs(slopes_(i, k)), 1);
        slopes_there[i] = parts_[i] * slopes_(i, k) + products_[at(k)][i];
      }
      const double total = linear_algebra::sum_of(h);
      for (Index j = 0; j < weights.rows(); ++j) {
        if (weights(j, k) == 0) continue;
        const double square = columns_.moments(j, factors_.has_value(), h, total).square;
        if (!(square > 0)) continue;
        support_.push_back({j, k});
        diagonal.push_back(square + l2_);
        slopes.push_back(columns_.dot(j, slopes_there));
      }
    }
    diagonal_.resize(size());
    support_slopes_.resize(size());
    std::copy(diagonal.begin(), diagonal.end(), diagonal_.data());
    std::copy(slopes.begin(), slopes.end(), support_slopes_.data());
  }

  const std::vector<ClassWeight>& support() const { return support_; }
  const Vector<Real>& slopes() const { return support_slopes_; }  ///< of the mean loss (m)
  /// Returns the diagonal that C would have if, for each weight, only the offset of its class were
  /// free (m).
  const Vector<Real>& diagonal() const { return diagonal_; }

  /// Sets product ← C·d.
  void multiply(const Vector<Real>& d, Vector<Real>& product) {
    move(d, false);
    product.resize(size());
    for (Index p = 0; p < size(); ++p) {
      const auto [j, k] = support_[at(p)];
      product[p] = columns_.dot(j, products_[at(k)]) + l2_ * d[p];
    }
  }

  /// Returns C, from m products.
  detail::ColumnMatrix<Real> matrix() {
    detail::ColumnMatrix<Real> matrix(size(), size());
    Vector<Real> unit = detail::filled(size(), 0.0), product;
    for (Index p = 0; p < size(); ++p) {
      unit[p] = 1;
      multiply(unit, product);
      std::copy(product.data(), product.data() + size(), &matrix(0, p));
      unit[p] = 0;
    }
    return matrix;
  }

  /// Sets the changes of scores and offsets for d.
  void move(const Vector<Real>& d) { move(d, true); }
  const Vector<Real>& moves(Index k) const { return moves_[at(k)]; }  ///< changes of scores (n)
  double offset_move(Index k) const { return factors_ ? offset_moves_[k] : 0; }

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }
  Index size() const { return static_cast<Index>(support_.size()); }

  /// Sets moves_ and products_ for d, and the changes of the offsets: those that minimise the model
  /// or, without `has_slopes`, its quadratic term.
  void move(const Vector<Real>& d, bool has_slopes) {
    for (Vector<Real>& one : moves_) one = detail::filled(parts_.size(), 0.0);
    for (Index p = 0; p < d.size(); ++p)
      if (d[p] != 0)
        columns_.add(support_[at(p)].column, d[p], moves_[at(support_[at(p)].of_class)]);
    bend();
    if (!factors_) return;
    for (Index k = 0; k < offset_moves_.size(); ++k) {
      offset_moves_[k] = -linear_algebra::sum_of(products_[at(k)]);
      for (Index i = 0; has_slopes && i < parts_.size(); ++i)
        offset_moves_[k] -= parts_[i] * slopes_(i, k);
    }
    offset_moves_[fixed_] = 0;
    factors_->solve(offset_moves_.data());
    for (Index k = 0; k < offset_moves_.size(); ++k)
      for (Real& move : moves_[at(k)]) move += offset_moves_[k];
    bend();
  }

  /// Sets products_ to the products of the second derivatives of the losses with moves_.
  void bend() {
    Vector<Real> moves(slopes_.cols()), products(slopes_.cols());
    for (Index i = 0; i < slopes_.rows(); ++i) {
      for (Index k = 0; k < moves.size(); ++k) moves[k] = moves_[at(k)][i];
      bend_row(slopes_.data() + i * slopes_.cols(), classes_[i], 1, moves.data(), products.data(),
               products.size());
      for (Index k = 0; k < moves.size(); ++k) products_[at(k)][i] = parts_[i] * products[k];
    }
  }

  /// Factorises the second derivative A for the offsets. A is singular, because a number added to
  /// all offsets changes nothing. So the offset of the class with the largest curvature is fixed.
  /// The diagonal is computed from the other entries, without cancellation.
  void factorise() {
    const Index count = slopes_.cols();
    offset_moves_ = detail::filled(count, 0.0);
    detail::ColumnMatrix<Real> a = detail::ColumnMatrix<Real>::Zero(count, count);
    Vector<Real> q(count);
    for (Index i = 0; i < slopes_.rows(); ++i) {
      for (Index k = 0; k < count; ++k) q[k] = slopes_(i, k);
      q[classes_[i]] += 1;
      for (Index k = 0; k < count; ++k)
        for (Index l = 0; l < k; ++l) {
          const double coupling = parts_[i] * q[k] * q[l];
          a(k, l) -= coupling;
          a(k, k) += coupling;
          a(l, l) += coupling;
        }
    }
    for (Index k = 0; k < count; ++k)
      if (a(k, k) > a(fixed_, fixed_)) fixed_ = k;
    for (Index k = 0; k < count; ++k) {
      a(k, fixed_) = a(fixed_, k) = 0;
      if (!(a(k, k) > 0)) a(k, k) = 1;
    }
    factors_.emplace(std::move(a));
    if (!factors_->is_positive()) factors_.reset();
  }

  const Columns& columns_;
  const Vector<Index>& classes_;
  const Vector<Real>& parts_;
  const Table& slopes_;
  double l2_;
  std::vector<Vector<Real>> moves_, products_;  // for the scores (n) of each class
  std::optional<linear_algebra::Cholesky<Real>> factors_{};
  Index fixed_{0};  // the class whose offset does not change
  Vector<Real> offset_moves_{};
  std::vector<ClassWeight> support_{};
  Vector<Real> support_slopes_{}, diagonal_{};
};

}  // namespace linea::detail::newton
