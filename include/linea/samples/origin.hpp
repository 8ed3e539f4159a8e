// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples relative to an origin near their means, for columns that are far from 0, such as
/// years, times and coordinates.
///
/// If the offset is free, F(w, b) equals F(w, b + ⟨w, o⟩) of the samples xᵢ − o, with the same
/// penalty. A column whose mean is k standard deviations makes the condition number of F about k²
/// times as large; an origin near the mean avoids this (LeCun, Bottou, Orr and Müller, Efficient
/// BackProp, 1998, section 4.3).
#include <algorithm>  // max, min
#include <cstddef>
#include <cstdint>
#include <linea/core/entries.hpp>
#include <linea/samples/training_set.hpp>
#include <memory>   // make_shared
#include <utility>  // move
#include <vector>

namespace linea::detail::samples {

/// A column is far from 0 if the absolute value of its mean exceeds this many standard deviations.
inline constexpr double far_in_deviations = 10;

/// Sets `pivot` (k), which must be all zeros, to k entries of the first row of positive weight,
/// from column `from` on.
template <class Rows, class S>
void find_pivot(const Rows& rows, const Vector<S>& weights, Index from, Vector<double>& pivot) {
  Index row = 0;
  while (row < rows.rows() && weights.size() > 0 && !(weights[row] > 0)) ++row;
  if (all_of(rows).is_first(row < rows.rows()))
    rows.for_each_between(row, from, from + pivot.size(), [&](Index j, auto entry) {
      pivot[j - from] = static_cast<double>(entry);
    });
  all_of(rows).sum_entries(pivot);
}

/// Returns whether [first, last) contains a column that all rows of `asked` store. Stops as soon as
/// the rows read so far have no stored column in common, as after a few rows of text data.
template <class Rows>
bool have_one_in_common(const Rows& rows, Index first, Index last,
                        const std::vector<Index>& asked) {
  std::vector<std::uint32_t> stored(static_cast<std::size_t>(last - first), 0);
  std::uint32_t seen = 0;  // number of rows so far; all of them store a column with this count
  for (const Index i : asked) {
    bool is_any_left = false;
    rows.for_each_between(i, first, last, [&](Index column, auto) {
      auto& count = stored[static_cast<std::size_t>(column - first)];
      if (count != seen) return;
      ++count;
      is_any_left = true;
    });
    if (!is_any_left) return false;
    ++seen;
  }
  return true;
}

/// Writes to `means` the mean of each column in [first, last) that is far from 0 and that all rows
/// of `asked` store. Before the first write, an empty `means` becomes a vector of zeros (d). Reads
/// the rows of `asked`, and the first row of positive weight.
template <class Rows, class T>
void add_far_means(const TrainingSet<Rows>& set, Index first, Index last,
                   const std::vector<Index>& asked, Vector<T>& means) {
  if constexpr (Rows::is_sparse) {
    const bool may_be_full = have_one_in_common(set.rows, first, last, asked);
    if (set.all().any(!may_be_full)) return;
  }
  Vector<double> pivot = detail::filled(last - first, 0.0);
  find_pivot(set.rows, set.weights, first, pivot);
  Vector<double> sums = detail::filled(3 * (last - first), 0.0);
  auto sum = sums.head(last - first);  // sums of xᵢⱼ − pivotⱼ
  auto square = sums.segment(last - first, last - first);
  auto count = sums.tail(last - first);
  for (const Index i : asked) {
    set.rows.for_each_between(i, first, last, [&](Index column, auto entry) {
      const Index j = column - first;
      const double deviation = static_cast<double>(entry) - pivot[j];
      sum[j] += deviation;
      square[j] += deviation * deviation;
      count[j] += 1;
    });
  }
  set.all().sum_entries(sums);
  const auto rows = set.all().sum(static_cast<double>(asked.size()));
  for (Index j = 0; j < last - first; ++j) {
    const double shift = sum[j] / rows;
    const double mean = pivot[j] + shift;
    const double variance = std::max(square[j] / rows - shift * shift, 0.0);
    if (count[j] < rows || !(mean * mean > far_in_deviations * far_in_deviations * variance))
      continue;
    if (means.size() == 0) means = detail::filled<T>(set.rows.cols(), 0);
    means[first + j] = static_cast<T>(mean);
  }
}

/// Returns the indices of at most 1024 evenly spaced rows of positive weight.
template <class Rows>
std::vector<Index> some_rows(const TrainingSet<Rows>& set) {
  const Index stride = std::max<Index>((set.rows.rows() + 1023) / 1024, 1);
  std::vector<Index> some;
  Index skipped = stride - 1;
  for (Index i = 0; i < set.rows.rows(); ++i) {
    if (set.weight(i) == 0 || ++skipped < stride) continue;
    some.push_back(i);
    skipped = 0;
  }
  return some;
}

/// Returns the means of the columns that are far from 0, and 0 for the other columns (d), or an
/// empty vector if no column is far from 0. Reads at most 1024 evenly spaced rows of positive
/// weight of each part, and takes memory for 65536 columns at a time. Any origin gives the same
/// minimum, so the means need not be those of all rows.
template <class Rows>
Vector<typename Rows::Scalar> far_means(const TrainingSet<Rows>& set) {
  constexpr Index width = 65536;
  const std::vector<Index> asked = some_rows(set);
  Vector<typename Rows::Scalar> means;
  for (Index first = 0; first < set.rows.cols(); first += width)
    add_far_means(set, first, std::min(first + width, set.rows.cols()), asked, means);
  return means;
}

/// Sets `origin` to 0 for each column that some row of positive weight does not store: any other
/// origin would make the zeros of the column non-zero.
template <class Rows>
void keep_full_columns(const TrainingSet<Rows>& set, Vector<typename Rows::Scalar>& origin) {
  Vector<double> count = detail::filled(set.rows.cols(), 0.0);
  double counted = 0;
  for (Index i = 0; i < set.rows.rows(); ++i) {
    if (set.weight(i) == 0) continue;
    counted += 1;
    set.rows.for_each(i, [&](Index j, auto) { count[j] += 1; });
  }
  set.all().sum_entries(count);
  counted = set.all().sum(counted);
  for (Index j = 0; j < set.rows.cols(); ++j)
    if (count[j] < counted) origin[j] = 0;
}

/// Makes the rows of the set relative to an origin, if the offset is free and a column is far from
/// 0. Only rows of matrices can be relative to an origin; other rows do not change.
template <class Rows>
void choose_origin(TrainingSet<Rows>& set, bool offset_is_free) {
  if constexpr (requires { set.rows.relative_to(nullptr); }) {
    if (!offset_is_free) return;
    auto means = far_means(set);
    if constexpr (Rows::is_sparse)
      if (means.size() > 0) keep_full_columns(set, means);
    if (means.size() == 0 || means.isZero(0)) return;
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
