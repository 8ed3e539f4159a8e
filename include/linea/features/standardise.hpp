// SPDX-License-Identifier: MIT
#pragma once
/// \file Columns brought to one scale, as stochastic gradient descent needs them to converge fast.
#include <algorithm>  // max
#include <cmath>      // abs, ilogb, ldexp, sqrt
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/rows_of.hpp>

namespace linea {

/// x ↦ (x − mean)/scale, column by column, learnt from one set and applied to others. A constant
/// column has scale 1 and becomes 0. Entries of x are of T; all is computed in double.
template <class T>
struct Standardisation {
  Vector<double> mean;   ///< (d); zero for sparse x, whose zeros must stay
  Vector<double> scale;  ///< (d), > 0: the standard deviation, or for sparse x the root mean square

  /// A dense copy of x (m × d), standardised. Throws std::invalid_argument for another d.
  template <DenseSamples X>
    requires(std::same_as<scalar_t<X>, T>)
  Matrix<T> apply(const X& x)
  const {
    require_columns(x.cols());
    const auto centred = x.matrix().template cast<double>().rowwise() - mean.transpose();
    return (centred.array().rowwise() / scale.transpose().array()).template cast<T>();
  }

  /// A sparse copy of x (m × d), each column divided by its scale. Throws std::invalid_argument for
  /// another d, and when a mean is not 0, as one learnt from dense samples.
  template <SparseSamples X>
    requires(std::same_as<scalar_t<X>, T>)
  SparseMatrix<T, typename X::StorageIndex> apply(const X& x)
  const {
    require_columns(x.cols());
    for (Index j = 0; j < mean.size(); ++j)
      require(mean[j] == 0, "Standardisation::apply: x is sparse but column ", j, " has mean ",
              mean[j], ": learn from sparse samples, or apply to dense ones");
    SparseMatrix<T, typename X::StorageIndex> scaled = x;
    for (Index i = 0; i < scaled.outerSize(); ++i)
      for (typename decltype(scaled)::InnerIterator entry(scaled, i); entry; ++entry)
        entry.valueRef() = static_cast<T>(static_cast<double>(entry.value()) / scale[entry.col()]);
    return scaled;
  }

 private:
  void require_columns(Index columns) const {
    require(columns == scale.size(), "Standardisation::apply: x has ", columns,
            " columns but the scales are of ", scale.size());
  }
};

/// Learns mean and scale from x (n × d). Throws std::invalid_argument when x is empty or not
/// finite, or a sparse row names a column twice or one that x does not have.
template <SampleMatrix X>
Standardisation<scalar_t<X>> standardise(const X& x) {
  using T = scalar_t<X>;
  require(x.rows() > 0 && x.cols() > 0, "standardise: x is empty (", x.rows(), " x ", x.cols(),
          ")");
  const auto rows = rows_of(x);
  rows::require_distinct("standardise", rows);
  rows::require_finite("standardise", rows);
  const auto n = static_cast<double>(x.rows());
  // Sums are of entries over a power of two, about the largest of their column: no square is too
  // large, or too small, for double.
  Vector<double> largest = Vector<double>::Zero(x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    rows.for_each(i, [&](Index j, T value) {
      largest[j] = std::max(largest[j], std::abs(static_cast<double>(value)));
    });
  const Vector<double> unit = largest.unaryExpr([](double most) {
    return most > 0 ? std::ldexp(1.0, std::max(std::ilogb(most), -1022)) : 1.0;
  });
  const Vector<double> inverse = unit.cwiseInverse();
  const auto scaled = [&](Index j, T value) { return static_cast<double>(value) * inverse[j]; };
  Vector<double> mean = Vector<double>::Zero(x.cols());
  if constexpr (DenseSamples<X>) {
    // Sums of differences from the first row: the mean of a constant column is then exact.
    Vector<double> first(x.cols());
    rows.for_each(0, [&](Index j, T value) { first[j] = scaled(j, value); });
    for (Index i = 1; i < x.rows(); ++i)
      rows.for_each(i, [&](Index j, T value) { mean[j] += (scaled(j, value) - first[j]) / n; });
    mean += first;
  }
  Vector<double> square = Vector<double>::Zero(x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    rows.for_each(i, [&](Index j, T value) {
      const double deviation = scaled(j, value) - mean[j];
      square[j] += deviation * deviation / n;
    });
  constexpr double rounding = 8 * std::numeric_limits<T>::epsilon();
  Standardisation<T> result{mean, Vector<double>::Ones(x.cols())};
  for (Index j = 0; j < x.cols(); ++j) {
    const double scale = std::sqrt(square[j]);
    result.mean[j] = mean[j] * unit[j];
    if (scale > rounding * std::abs(mean[j])) result.scale[j] = scale * unit[j];
  }
  return result;
}

}  // namespace linea
