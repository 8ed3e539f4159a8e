// SPDX-License-Identifier: MIT
#pragma once
/// \file The scores of all samples: one pass, on several threads.
#include <algorithm>  // max, min
#include <cmath>      // isfinite
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/samples/passes.hpp>
#include <string_view>

namespace linea::samples {

/// ⟨w, xᵢ⟩ + b for all rows, (m), a share of them a thread. Blocks do not depend on the number of
/// threads, so neither do the bits. Throws std::invalid_argument, naming `function`, for less than
/// one thread or more than 1024.
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

/// Refuses row i, called `what`, whose score is not a number: because the row is not finite, or
/// because terms of its score overflow.
template <class Rows, class... What>
[[noreturn]] void refuse_score(std::string_view function, const Rows& rows, Index i,
                               const What&... what) {
  bool is_finite = true;
  rows.for_each(i, [&](Index, auto value) { is_finite = is_finite && std::isfinite(value); });
  require(is_finite, function, ": ", what..., " is not finite");
  refuse(function, ": the score of ", what..., " is not a number, though the row is finite");
}

}  // namespace linea::samples
