// SPDX-License-Identifier: MIT
#pragma once
/// \file The empirical risks of many linear functions in one pass over the rows.
#include <algorithm>  // clamp, min
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <vector>

namespace linea {

/// A linear function, w (d) and b, with the targets y (n) that it is to meet.
template <class T>
struct Candidate {
  const Vector<T>* weights;
  T offset;
  const Vector<T>* y;
};

/// What risk_of_rows says of each candidate, bit for bit. Rows are scored by all while they are in the cache.
template <Loss L, class Rows, class T>
std::vector<double> risks_of_rows(const L& loss, const Rows& rows, const Vector<T>& sample_weights,
                                  const std::vector<Candidate<T>>& candidates) {
  // Sums of stretches of rows make up those of blocks, as in risk_of_rows.
  constexpr Index block = 4096;
  constexpr Index stretch = Rows::is_packed ? 256 : block;
  constexpr Index cached_bytes = 65536;
  const Index piece =
      Rows::is_packed
          ? std::clamp<Index>(cached_bytes / std::max<Index>(rows.row_bytes(), 1), 1, stretch)
          : 256;
  const auto weight = [&](Index i) {
    return sample_weights.size() ? static_cast<double>(sample_weights[i]) : 1.0;
  };
  const auto each = [&](auto&& f) {
    for (std::size_t c = 0; c < candidates.size(); ++c) f(c);
  };
  const std::vector<double> zeros(candidates.size());
  auto losses = zeros;
  double weights = 0;
  Vector<T> scores(piece);
  for (Index begin = 0; begin < rows.rows(); begin += block) {
    const Index end = std::min(begin + block, rows.rows());
    auto block_losses = zeros;
    double block_weights = 0;
    for (Index first = begin; first < end; first += stretch) {
      const Index last = std::min(first + stretch, end);
      auto part_losses = zeros;
      double part_weights = 0;
      for (Index i = first; i < last; ++i) part_weights += weight(i);
      for (Index from = first; from < last; from += piece) {
        const Index count = std::min(piece, last - from);
        each([&](std::size_t c) {
          const auto& candidate = candidates[c];
          rows.scores(from, count, *candidate.weights, scores);
          double sum = part_losses[c];
          for (Index k = 0; k < count; ++k)
            sum += weight(from + k) * static_cast<double>(loss.value(scores[k] + candidate.offset,
                                                                     (*candidate.y)[from + k]));
          part_losses[c] = sum;
        });
      }
      each([&](std::size_t c) { block_losses[c] += part_losses[c]; });
      block_weights += part_weights;
    }
    each([&](std::size_t c) { losses[c] += block_losses[c]; });
    weights += block_weights;
  }
  for (auto& sum : losses) sum /= weights;
  return losses;
}

}  // namespace linea
