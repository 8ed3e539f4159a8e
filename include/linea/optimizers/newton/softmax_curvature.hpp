// SPDX-License-Identifier: MIT
#pragma once
/// \file The quadratic model of softmax regression for some weights of all classes, over columns.
#include <algorithm>  // copy
#include <cmath>      // abs
#include <cstddef>    // size_t
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/vector_level.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/optimizers/newton/softmax_kernels.hpp>
#include <linea/samples/columns.hpp>
#include <linea/samples/row_block.hpp>
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
class SoftmaxCurvature {
 public:
  /// Takes the slopes qᵢ − e_yᵢ (n × k), and sᵢ/S as `parts` (n).
  SoftmaxCurvature(const samples::Columns& columns, const Vector<Index>& classes,
                   const Vector<double>& parts, const Table& slopes, double l2, bool has_offset)
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
  void list(const detail::ColumnMatrix<double>& weights) {
    move({});
    std::vector<double> slopes, diagonal;
    Vector<double> h(parts_.size()), slopes_there(parts_.size());
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
  const Vector<double>& slopes() const { return support_slopes_; }  ///< of the mean loss (m)
  /// Returns the diagonal that C would have if, for each weight, only the offset of its class were
  /// free (m).
  const Vector<double>& diagonal() const { return diagonal_; }

  /// Sets product ← C·d.
  void multiply(const Vector<double>& d, Vector<double>& product) {
    move(d, false);
    product.resize(size());
    for (Index p = 0; p < size(); ++p) {
      const auto [j, k] = support_[at(p)];
      product[p] = columns_.dot(j, products_[at(k)]) + l2_ * d[p];
    }
  }

  /// Returns C, from m products.
  detail::ColumnMatrix<double> matrix() {
    detail::ColumnMatrix<double> matrix(size(), size());
    Vector<double> unit = detail::filled(size(), 0.0), product;
    for (Index p = 0; p < size(); ++p) {
      unit[p] = 1;
      multiply(unit, product);
      std::copy(product.data(), product.data() + size(), &matrix(0, p));
      unit[p] = 0;
    }
    return matrix;
  }

  /// Sets the changes of scores and offsets for d.
  void move(const Vector<double>& d) { move(d, true); }
  const Vector<double>& moves(Index k) const { return moves_[at(k)]; }  ///< changes of scores (n)
  double offset_move(Index k) const { return factors_ ? offset_moves_[k] : 0; }

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }
  Index size() const { return static_cast<Index>(support_.size()); }

  /// Sets moves_ and products_ for d, and the changes of the offsets: those that minimise the model
  /// or, without `has_slopes`, its quadratic term.
  void move(const Vector<double>& d, bool has_slopes) {
    for (Vector<double>& one : moves_) one = detail::filled(parts_.size(), 0.0);
    for (Index p = 0; p < d.size(); ++p)
      if (d[p] != 0)
        columns_.add(support_[at(p)].column, d[p], moves_[at(support_[at(p)].of_class)]);
    find_products();
    if (!factors_) return;
    for (Index k = 0; k < offset_moves_.size(); ++k) {
      offset_moves_[k] = -linear_algebra::sum_of(products_[at(k)]);
      for (Index i = 0; has_slopes && i < parts_.size(); ++i)
        offset_moves_[k] -= parts_[i] * slopes_(i, k);
    }
    offset_moves_[fixed_] = 0;
    factors_->solve(offset_moves_.data());
    for (Index k = 0; k < offset_moves_.size(); ++k)
      for (double& move : moves_[at(k)]) move += offset_moves_[k];
    find_products();
  }

  /// Sets products_ to the products of the second derivatives of the losses with moves_.
  void find_products() {
    const Index count = slopes_.cols(), stride = samples::stride_of(count);
    Vector<double> slopes = detail::filled(stride, 0.0), moves = slopes, products = slopes;
    const auto level = samples::level_for(stride);
    const double share = 1;
    for (Index i = 0; i < slopes_.rows(); ++i) {
      for (Index k = 0; k < count; ++k) slopes[k] = slopes_(i, k);
      for (Index k = 0; k < count; ++k) moves[k] = moves_[at(k)][i];
      linear_algebra::run_at(level, CurvatureRows({0, 1, count, stride, &classes_[i], &share},
                                                  slopes.data(), moves.data(), products.data()));
      for (Index k = 0; k < count; ++k) products_[at(k)][i] = parts_[i] * products[k];
    }
  }

  /// Factorises the second derivative A for the offsets. A is singular, because a number added to
  /// all offsets changes nothing. So the offset of the class with the largest curvature is fixed.
  /// The diagonal is computed from the other entries, without cancellation.
  void factorise() {
    const Index count = slopes_.cols();
    offset_moves_ = detail::filled(count, 0.0);
    auto a = linear_algebra::zeros<detail::ColumnMatrix<double>>(count, count);
    Vector<double> q(count);
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

  const samples::Columns& columns_;
  const Vector<Index>& classes_;
  const Vector<double>& parts_;
  const Table& slopes_;
  double l2_;
  std::vector<Vector<double>> moves_, products_;  // for the scores (n) of each class
  std::optional<linear_algebra::Cholesky<double>> factors_{};
  Index fixed_{0};  // the class whose offset does not change
  Vector<double> offset_moves_{};
  std::vector<ClassWeight> support_{};
  Vector<double> support_slopes_{}, diagonal_{};
};

}  // namespace linea::detail::newton
