// SPDX-License-Identifier: MIT
#pragma once
/// \file The scores of all samples, and the validation of a single sample.
#include <algorithm>  // max, min
#include <cmath>      // isfinite
#include <linea/core/objective.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/blocks.hpp>
#include <linea/samples/training_set.hpp>
#include <string_view>

namespace linea::detail::samples {

/// Returns ⟨w, xᵢ⟩ + b for all rows (m), in one pass. The blocks, and so the bits of the result, do
/// not depend on the number of threads. Throws unless 1 ≤ threads ≤ 1024.
template <class Rows, class T>
Vector<T> scores_of_rows(std::string_view function, const Rows& rows, const Vector<T>& weights,
                         T offset, Index threads) {
  require_threads(function, threads);
  constexpr Index block = 4096;
  const Index blocks = (rows.rows() + block - 1) / block;
  Vector<T> scores(rows.rows());
  Workers workers(std::max<Index>(std::min(threads, blocks), 1));
  for_each_part(&workers, blocks, [&](Index part) {
    const Index first = part * block;
    const Index count = std::min(block, rows.rows() - first);
    rows.scores(first, count, weights, scores.data() + first);
    for (Index i = first; i < first + count; ++i) scores[i] += offset;
  });
  return scores;
}

/// Throws the error for row i, whose score is NaN; terms of the score of a finite row may overflow.
/// `what` is the name of the row in the message.
template <class Rows, class... What>
[[noreturn]] void refuse_score(std::string_view function, const Rows& rows, Index i,
                               const What&... what) {
  bool is_finite = true;
  rows.for_each(i, [&](Index, auto value) { is_finite = is_finite && std::isfinite(value); });
  require(is_finite, function, ": ", what..., " is not finite");
  refuse(function, ": the score of ", what..., " is not a number, though the row is finite");
}

/// Throws unless `row` is one sample of d features. O(1).
template <class Row>
void require_one_sample(std::string_view function, const Row& row, Index d) {
  require(row.rows() == 1, function, ": a sample is one row, but x has ", row.rows());
  require(row.cols() == d, function, ": a sample of ", row.cols(), " numbers, but the model has ",
          d, " weights");
}

/// Throws unless `row` is one sample of d finite features, `target` is valid for the loss, and
/// `weight` is finite and ≥ 0. O(non-zeros).
template <class L, class Row, class T>
void require_sample(std::string_view function, const L& loss, const Row& row, Index d, T target,
                    T weight) {
  require_one_sample(function, row, d);
  rows::require_distinct(function, row);
  rows::require_entries(function, row);
  require_target<T>(function, loss, static_cast<double>(target), "y");
  require_weight(function, static_cast<double>(weight), "the sample weight");
}

}  // namespace linea::detail::samples
