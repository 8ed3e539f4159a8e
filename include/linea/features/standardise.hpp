// SPDX-License-Identifier: MIT
#pragma once
/// \file Standardisation of columns to mean 0 and scale 1, which speeds up gradient methods.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, sqrt
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

/// The map x ↦ (x − mean)/scale by columns, learnt from one set of samples and applied to others. A
/// constant column of dense samples has scale 1 and becomes 0. Computes in double, for entries T.
template <class T>
struct Standardisation {
  Vector<double> mean;   ///< (d); zero for sparse x, whose zeros must stay
  Vector<double> scale;  ///< (d), > 0: the standard deviation; the root mean square for sparse x

  /// Returns a standardised dense copy of x (m × d). Throws std::invalid_argument unless x has d
  /// columns, and for a mean or scale that is not valid.
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

  /// Returns a sparse copy of x (m × d), each column divided by its scale. Throws
  /// std::invalid_argument as for dense x, if a mean is not 0, and for an invalid column.
  template <SparseSamples X>
    requires(std::same_as<scalar_t<X>, T>)
  SparseMatrix<T, typename X::StorageIndex> apply(const X& x)
  const {
    require_columns(x.cols());
    for (Index j = 0; j < mean.size(); ++j)
      require(mean[j] == 0, function, ": x is sparse but column ", j, " has mean ", mean[j],
              ": learn from sparse samples, or apply to dense ones");
    const auto& by_rows = detail::by_rows(x);
    detail::rows::valid_rows(function, by_rows);
    SparseMatrix<T, typename X::StorageIndex> scaled = by_rows;
    for (Index i = 0; i < scaled.outerSize(); ++i)
      for (typename decltype(scaled)::InnerIterator entry(scaled, i); entry; ++entry)
        entry.valueRef() = static_cast<T>(static_cast<double>(entry.value()) / scale[entry.col()]);
    return scaled;
  }

 private:
  static constexpr std::string_view function = "Standardisation::apply";

  void require_columns(Index columns) const {
    require(columns == scale.size(), function, ": x has ", columns,
            " columns, but the number of scales is ", scale.size());
    require(mean.size() == scale.size(), function, ": ", mean.size(), " means, but ", scale.size(),
            " scales");
    for (Index j = 0; j < columns; ++j)
      require(std::isfinite(mean[j]) && scale[j] > 0, function, ": column ", j, " has mean ",
              mean[j], " and scale ", scale[j], ", but the mean must be finite and the scale > 0");
  }
};

namespace detail {

/// Calls visit(i, sᵢ, j, value) for all entries of rows with sᵢ > 0. Without weights, sᵢ = 1.
template <class Rows, class Visit>
void for_each_weighted(const Rows& rows, const Vector<double>& weights, const Visit& visit) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const double s = weights.size() ? weights[i] : 1;
    if (s > 0)
      rows.for_each(i, [&](Index j, auto value) { visit(i, s, j, static_cast<double>(value)); });
  }
}

template <AnySamples X>
Standardisation<scalar_t<X>> learn_scaling(const X& x, const Vector<double>& sample_weights) {
  using T = scalar_t<X>;
  constexpr std::string_view function = "standardise";
  const auto rows = rows_of(x);
  const auto all = samples::all_of(rows);
  const Index d = rows.cols();
  samples::require_shape(function, rows);
  rows::require_distinct(function, rows);
  rows::require_entries(function, rows);
  const Vector<double> weights = samples::admit_weights(function, rows.rows(), sample_weights, all);
  const auto n = static_cast<double>(samples::count_of_all(rows));
  Vector<double> mean = filled(d, 0.0);
  if constexpr (!decltype(rows)::is_sparse) {
    // Sum the differences from the first row of positive weight, so that a constant column is
    // exact.
    const Vector<double> first = samples::find_pivot(rows, weights);
    for_each_weighted(rows, weights, [&](Index, double s, Index j, double value) {
      mean[j] += s * (value - first[j]) / n;
    });
    all.sum_entries(mean);
    for (Index j = 0; j < d; ++j) mean[j] += first[j];
  }
  Vector<double> square = filled(d, 0.0);
  Vector<double> largest = filled(d, 0.0);
  for_each_weighted(rows, weights, [&](Index, double s, Index j, double value) {
    const double deviation = value - mean[j];
    square[j] += s * (deviation * deviation) / n;
    largest[j] = std::max(largest[j], std::abs(value));
  });
  all.sum_entries(square);
  all.largest(largest.data(), d);
  constexpr double rounding = 8 * std::numeric_limits<T>::epsilon();
  Standardisation<T> result{mean, filled(d, 1.0)};
  for (Index j = 0; j < d; ++j) {
    require_not_tiny(function, largest[j], "column ", j, " of x");
    const double scale = std::sqrt(square[j]);
    if (scale > rounding * std::abs(mean[j])) result.scale[j] = scale;
  }
  return result;
}

}  // namespace detail

/// Learns mean and scale from x (n × d) with sample weights (n), all 1 if there are none. A weight
/// k means k repeats; rows of weight 0 are ignored. For divided rows (mpi::divided), all processes
/// get the result for all rows. Throws std::invalid_argument if x is empty, an entry is not finite
/// or above 1e150, a column has only entries below 1e-150 that are not all 0, a sparse row has a
/// column twice or a column outside [0, d), or the weights are not valid.
template <AnySamples X>
[[nodiscard]] Standardisation<scalar_t<X>> standardise(const X& x,
                                                       const Vector<double>& sample_weights = {}) {
  return detail::samples::together(x, [&] { return detail::learn_scaling(x, sample_weights); });
}

}  // namespace linea
