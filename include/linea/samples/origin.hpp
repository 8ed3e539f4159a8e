// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples relative to an origin near their means, for columns that are far from 0, such as
/// years, times and coordinates.
///
/// If the offset is free, F(w, b) equals F(w, b + ⟨w, o⟩) of the samples xᵢ − o, with the same
/// penalty. A column whose mean is k standard deviations makes the condition number of F about k²
/// times as large; an origin near the mean avoids this (LeCun, Bottou, Orr and Müller, Efficient
/// BackProp, 1998, section 4.3).
#include <algorithm>  // max
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/samples/training_set.hpp>
#include <memory>   // make_shared
#include <utility>  // move
#include <vector>

namespace linea::detail::samples {

/// A column is far from 0 if the absolute value of its mean exceeds this many standard deviations.
inline constexpr double far_in_deviations = 10;

/// Returns the first row of positive weight of all parts (d).
template <class Rows, class S>
Vector<double> find_pivot(const Rows& rows, const Vector<S>& weights) {
  Vector<double> pivot = detail::filled(rows.cols(), 0.0);
  Index row = 0;
  while (row < rows.rows() && weights.size() > 0 && !(weights[row] > 0)) ++row;
  if (all_of(rows).is_first(row < rows.rows()))
    rows.for_each(row, [&](Index j, auto entry) { pivot[j] = static_cast<double>(entry); });
  all_of(rows).sum_entries(pivot);
  return pivot;
}

/// Returns the indices of at most `most` evenly spaced rows of positive weight.
template <class Rows>
std::vector<Index> some_rows(const TrainingSet<Rows>& set, Index most) {
  const Index stride = std::max<Index>(set.rows.rows() - 1, 0) / most + 1;
  std::vector<Index> some;
  Index skipped = stride - 1;
  for (Index i = 0; i < set.rows.rows(); ++i) {
    if (set.weight(i) == 0 || ++skipped < stride) continue;
    some.push_back(i);
    skipped = 0;
  }
  return some;
}

/// Sets v[j] to 0 for each column j that some row of `asked`, of any part, does not store. Stops as
/// soon as the rows read so far have no stored column in common, as after a few rows of text data.
template <class Rows, class T>
void keep_full_columns(const TrainingSet<Rows>& set, const std::vector<Index>& asked,
                       Vector<T>& v) {
  Vector<double> stored = detail::filled(v.size(), 0.0);
  double seen = 0;  // number of rows so far; all of them store a column with this count
  for (const Index i : asked) {
    bool is_any_left = false;
    set.rows.for_each(i, [&](Index j, auto) {
      if (stored[j] != seen) return;
      stored[j] += 1;
      is_any_left = true;
    });
    seen += 1;
    if (!is_any_left) break;
  }
  set.all().sum_entries(stored);
  seen = set.all().sum(seen);
  for (Index j = 0; j < v.size(); ++j)
    if (stored[j] < seen) v[j] = 0;
}

/// Returns the means of the columns that are far from 0, and 0 for the other columns (d). Reads at
/// most 1024 evenly spaced rows of positive weight of each part; a column that one of them does not
/// store counts as near 0. Any origin gives the same minimum, so the means need not be those of all
/// rows.
template <class Rows>
auto far_means(const TrainingSet<Rows>& set) {
  using T = typename Rows::Scalar;
  const std::vector<Index> asked = some_rows(set, 1024);
  Vector<T> means = detail::filled<T>(set.rows.cols(), 1);
  if constexpr (Rows::is_sparse) {
    keep_full_columns(set, asked, means);
    if (means.isZero(0)) return means;
  }
  const Vector<double> pivot = find_pivot(set.rows, set.weights);
  Vector<double> sum = detail::filled(means.size(), 0.0);     // of xᵢⱼ − pivotⱼ
  Vector<double> square = detail::filled(means.size(), 0.0);  // of (xᵢⱼ − pivotⱼ)²
  for (const Index i : asked)
    set.rows.for_each(i, [&](Index j, auto entry) {
      const double deviation = static_cast<double>(entry) - pivot[j];
      sum[j] += deviation;
      square[j] += deviation * deviation;
    });
  set.all().sum_entries(sum);
  set.all().sum_entries(square);
  const auto rows = set.all().sum(static_cast<double>(asked.size()));
  for (Index j = 0; j < means.size(); ++j) {
    const double shift = sum[j] / rows;
    const double mean = pivot[j] + shift;
    const double variance = std::max(square[j] / rows - shift * shift, 0.0);
    const bool is_far = mean * mean > far_in_deviations * far_in_deviations * variance;
    means[j] = is_far && means[j] != 0 ? static_cast<T>(mean) : T(0);
  }
  return means;
}

/// Makes the rows of the set relative to an origin, if the offset is free and a column is far from
/// 0. Only rows of matrices can be relative to an origin; other rows do not change. The origin is 0
/// for each column that some row does not store: the zeros of the column stay zero.
template <class Rows>
void choose_origin(TrainingSet<Rows>& set, bool offset_is_free) {
  if constexpr (requires { set.rows.relative_to(nullptr); }) {
    if (!offset_is_free) return;
    auto means = far_means(set);
    if constexpr (Rows::is_sparse)
      if (!means.isZero(0))
        keep_full_columns(set, some_rows(set, std::numeric_limits<Index>::max()), means);
    if (means.isZero(0)) return;
    set.origin = std::make_shared<const Vector<typename Rows::Scalar>>(std::move(means));
    set.rows = set.rows.relative_to(set.origin->data());
  }
}

/// Returns the rows without origin.
template <class Rows>
Rows stored_rows(const TrainingSet<Rows>& set) {
  if constexpr (requires { set.rows.relative_to(nullptr); }) return set.rows.relative_to(nullptr);
  return set.rows;
}

}  // namespace linea::detail::samples
