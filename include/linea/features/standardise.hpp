// SPDX-License-Identifier: MIT
#pragma once
/// \file Columns brought to one scale, as stochastic gradient descent needs them to converge fast.
#include <algorithm>  // max
#include <cmath>      // abs, ilogb, ldexp, sqrt
#include <limits>
#include <linea/core/by_rows.hpp>
#include <linea/core/entries.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/all_rows.hpp>
#include <linea/samples/origin.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>

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
    Matrix<T> scaled(x.rows(), x.cols());
    for (Index i = 0; i < x.rows(); ++i)
      for (Index j = 0; j < x.cols(); ++j)
        scaled(i, j) = static_cast<T>((static_cast<double>(x(i, j)) - mean[j]) / scale[j]);
    return scaled;
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
    SparseMatrix<T, typename X::StorageIndex> scaled = core::by_rows(x);
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

namespace features {

/// Calls visit(i, sᵢ, j, value) for all entries of the rows that weigh something; no weights: all
/// weigh 1.
template <class Rows, class Visit>
void for_each_weighted(const Rows& rows, const Vector<double>& weights, const Visit& visit) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const double s = weights.size() ? weights[i] : 1;
    if (s > 0)
      rows.for_each(i, [&](Index j, auto value) { visit(i, s, j, static_cast<double>(value)); });
  }
}

/// A power of two about the largest entry of each column. Sums are of entries over it: no square is
/// too large, or too small, for double.
template <class Rows>
Vector<double> units_of(const Rows& rows, const Vector<double>& weights) {
  Vector<double> largest = core::filled(rows.cols(), 0.0);
  for_each_weighted(rows, weights, [&](Index, double, Index j, double value) {
    largest[j] = std::max(largest[j], std::abs(value));
  });
  samples::all_of(rows).largest(largest.data(), largest.size());
  for (double& most : largest)
    most = most > 0 ? std::ldexp(1.0, std::max(std::ilogb(most), -1022)) : 1.0;
  return largest;
}

template <AnySamples X>
Standardisation<scalar_t<X>> learn_scaling(const X& x, const Vector<double>& sample_weights) {
  using T = scalar_t<X>;
  constexpr std::string_view function = "standardise";
  const auto rows = rows_of(x);
  const auto all = samples::all_of(rows);
  const Index d = rows.cols();
  samples::require_shape(function, rows);
  require(sample_weights.size() == 0 || sample_weights.size() == rows.rows(), "standardise: x has ",
          rows.rows(), " rows but there are ", sample_weights.size(), " sample weights");
  rows::require_distinct(function, rows);
  rows::require_finite(function, rows);
  const Vector<double> weights = samples::admit_weights(function, rows.rows(), sample_weights, all);
  const auto n = static_cast<double>(samples::count_of_all(rows));
  const Vector<double> unit = units_of(rows, weights);
  Vector<double> inverse = unit;
  for (double& one : inverse) one = 1 / one;
  Vector<double> mean = core::filled(d, 0.0);
  if constexpr (!decltype(rows)::is_sparse) {
    // Sums of differences from the first row: the mean of a constant column is then exact.
    Vector<double> first = core::filled(d, 0.0);
    samples::find_pivot(rows, weights, 0, first);
    for (Index j = 0; j < d; ++j) first[j] *= inverse[j];
    for_each_weighted(rows, weights, [&](Index, double s, Index j, double value) {
      mean[j] += s * (value * inverse[j] - first[j]) / n;
    });
    all.sum_entries(mean);
    for (Index j = 0; j < d; ++j) mean[j] += first[j];
  }
  Vector<double> square = core::filled(d, 0.0);
  for_each_weighted(rows, weights, [&](Index, double s, Index j, double value) {
    const double deviation = value * inverse[j] - mean[j];
    square[j] += s * (deviation * deviation) / n;
  });
  all.sum_entries(square);
  constexpr double rounding = 8 * std::numeric_limits<T>::epsilon();
  Standardisation<T> result{mean, core::filled(d, 1.0)};
  for (Index j = 0; j < d; ++j) {
    const double scale = std::sqrt(square[j]);
    result.mean[j] = mean[j] * unit[j];
    if (scale > rounding * std::abs(mean[j])) result.scale[j] = scale * unit[j];
  }
  return result;
}

}  // namespace features

/// Learns mean and scale from x (n × d), the samples weighted by `sample_weights` (n), all 1 if
/// there are none: a weight of k counts as k repeats, and a sample of weight 0 is not felt. Of rows
/// that are divided (mpi::divided) all processes get those of all rows. Throws
/// std::invalid_argument when x is empty or not finite, a sparse row names a column twice or one
/// that x does not have, or weights are of another number than n, negative, not finite, or all 0.
template <AnySamples X>
[[nodiscard]] Standardisation<scalar_t<X>> standardise(const X& x,
                                                       const Vector<double>& sample_weights = {}) {
  return samples::together(x, [&] { return features::learn_scaling(x, sample_weights); });
}

}  // namespace linea
