// SPDX-License-Identifier: MIT
#pragma once
/// \file The product LᵀR of two blocks of rows, with the widest vectors that the machine has.
#include <algorithm>  // min
#include <linea/optimizers/numerics/symmetric_product.hpp>

namespace linea::numerics {

/// C = LᵀR (columns of L × columns of R) for the first `count` rows of both. Each entry is the sum over the
/// rows in their order.
class WideProduct {
 public:
  WideProduct(const PackedRows& left, const PackedRows& right, Index count,
              Eigen::Ref<Eigen::MatrixXd> c)
      : left_(left), right_(right), count_(count), c_(c.data()), stride_(c.outerStride()) {}

  template <int Width>
  [[gnu::always_inline]] inline void run() const {
    for (Index j = 0; j < right_.columns(); j += columns<Width>)
      for (Index i = 0; i < left_.columns(); i += 3 * Width) tile<Width>(i, j);
  }

 private:
  template <int Width>
  static constexpr Index columns = Width == 8 ? 8 : 4;

  /// The entries of C from (i, j) on, 3·Width × columns, as far as there are any.
  template <int Width>
  [[gnu::always_inline]] inline void tile(Index i, Index j) const {
    using Pack = typename PackOf<Width>::type;
    constexpr Index height = 3 * Width;
    constexpr Index step = PackedRows::width;
    const double* left = left_.panel(i / step) + i % step;
    const double* right = right_.panel(j / step) + j % step;
    Pack sum[columns<Width>][3] = {};
    for (Index k = 0; k < count_; ++k, left += step, right += step)
#pragma GCC unroll 8
      for (Index column = 0; column < columns<Width>; ++column)
#pragma GCC unroll 3
        for (int v = 0; v < 3; ++v)
          sum[column][v] += *reinterpret_cast<const Pack*>(left + v * Width) * right[column];

    double entries[columns<Width> * height];
#pragma GCC unroll 8
    for (Index column = 0; column < columns<Width>; ++column)
#pragma GCC unroll 3
      for (int v = 0; v < 3; ++v)
        *reinterpret_cast<Pack*>(entries + column * height + v * Width) = sum[column][v];
    const Index rows = std::min(height, left_.columns() - i);
    for (Index column = 0; column < std::min(columns<Width>, right_.columns() - j); ++column)
      for (Index k = 0; k < rows; ++k)
        c_[(j + column) * stride_ + i + k] = entries[column * height + k];
  }

  const PackedRows& left_;
  const PackedRows& right_;
  Index count_;
  double* c_;
  Index stride_;
};

/// The rows of a (count × columns), packed.
template <class A>
PackedRows packed(const A& a) {
  PackedRows rows(a.rows(), a.cols());
  if constexpr (bool(A::IsRowMajor)) {
    for (Index i = 0; i < a.rows(); ++i)
      for (Index j = 0; j < a.cols(); ++j) rows(i, j) = a(i, j);
  } else {
    for (Index j = 0; j < a.cols(); ++j)
      for (Index i = 0; i < a.rows(); ++i) rows(i, j) = a(i, j);
  }
  return rows;
}

/// LᵀR for `count` rows of both.
inline Eigen::MatrixXd wide_product(const PackedRows& left, const PackedRows& right, Index count) {
  Eigen::MatrixXd product(left.columns(), right.columns());
  run_at(best_vector_level(), WideProduct(left, right, count, product));
  return product;
}

}  // namespace linea::numerics
