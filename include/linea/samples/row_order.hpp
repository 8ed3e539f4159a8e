// SPDX-License-Identifier: MIT
#pragma once
/// \file A test of whether the rows of x are in random order.
#include <algorithm>  // min
#include <array>
#include <cstddef>
#include <cstdint>
#include <linea/core/types.hpp>

namespace linea::detail::samples {

/// Returns whether rows of one chunk of `chunk_rows` consecutive rows differ as much as rows of
/// different chunks. Takes 8 rows from each of at most 64 chunks, for a one-way analysis of
/// variance of five numbers: ‖x‖² and four sums of the entries with random signs. In random order,
/// the variance of chunk means is 1/8 of the variance within chunks. Returns whether 8 times the
/// ratio, averaged over the five numbers, is at most 1.4 (in random order, with 64 chunks, its
/// standard deviation is 0.08). This detects differences of chunks that make up a twentieth of the
/// variance. Returns false if there are fewer than 16 chunks, or fewer than 8 rows in a chunk.
template <class Rows>
bool lie_at_random(const Rows& rows, Index chunk_rows) {
  constexpr Index most_chunks = 64, fewest_chunks = 16, asked = 8;
  constexpr std::size_t kinds = 5;
  using Values = std::array<double, kinds>;
  const Index all_chunks = chunk_rows > 0 ? rows.rows() / chunk_rows : 0;
  const Index chunks = std::min(all_chunks, most_chunks);
  if (chunk_rows < asked || chunks < fewest_chunks) return false;

  const auto values_of = [&](Index row) {
    Values values{};
    rows.for_each(row, [&](Index j, auto entry) {
      std::uint64_t signs = (static_cast<std::uint64_t>(j) + 1) * 0x9e3779b97f4a7c15U;
      signs = (signs ^ (signs >> 32)) * 0xd6e8feb86659fd93U;
      const auto x = static_cast<double>(entry);
      for (std::size_t k = 0; k + 1 < kinds; ++k) values[k] += (signs >> (60 + k)) & 1 ? x : -x;
      values[kinds - 1] += x * x;
    });
    return values;
  };
  Values means[most_chunks];
  Values mean{}, within{}, between{};
  for (Index c = 0; c < chunks; ++c) {
    const Index first = c * all_chunks / chunks * chunk_rows;
    std::array<Values, asked> values;
    Values sum{};
    for (std::size_t r = 0; r < asked; ++r) {
      values[r] = values_of(first + static_cast<Index>(r) * chunk_rows / asked);
      for (std::size_t k = 0; k < kinds; ++k) sum[k] += values[r][k];
    }
    for (std::size_t k = 0; k < kinds; ++k) {
      sum[k] /= asked;
      mean[k] += sum[k] / static_cast<double>(chunks);
      for (const Values& one : values) within[k] += (one[k] - sum[k]) * (one[k] - sum[k]);
    }
    means[c] = sum;
  }
  double ratios = 0;
  for (std::size_t k = 0; k < kinds; ++k) {
    for (Index c = 0; c < chunks; ++c)
      between[k] += (means[c][k] - mean[k]) * (means[c][k] - mean[k]);
    const double of_means = asked * between[k] / static_cast<double>(chunks - 1);
    const double of_rows = within[k] / static_cast<double>(chunks * (asked - 1));
    ratios += of_means > 0 ? of_means / of_rows : 1;  // equal means count as random order
  }
  return ratios <= 1.4 * kinds;
}

}  // namespace linea::detail::samples
