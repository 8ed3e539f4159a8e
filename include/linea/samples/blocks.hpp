// SPDX-License-Identifier: MIT
#pragma once
/// \file Blocks of rows, and sums over them.
#include <algorithm>  // clamp, max, min
#include <cstdint>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <linea/samples/all_rows.hpp>

namespace linea::detail::samples {

/// Returns the fractional part of i over the golden ratio, a multiple of 2⁻³². These numbers spread
/// evenly over [0, 1), also for the i of any period: they draw a part of the rows.
inline double golden_fraction(Index i) {
  return static_cast<double>(static_cast<std::uint32_t>(i) * 2654435769U) * 0x1p-32;
}

/// The largest number of rows of a block.
inline constexpr Index most_block = 256;

/// Returns the number of rows of a block, which stay in the cache while a pass reads them twice.
inline Index block_of(Index row_bytes, bool is_packed) {
  return is_packed ? std::clamp<Index>(32768 / std::max<Index>(row_bytes, 1), 16, most_block)
                   : std::clamp<Index>(524288 / std::max<Index>(row_bytes, 1), 64, most_block);
}
template <class Rows>
Index block_of(const Rows& rows) {
  return block_of(rows.row_bytes(), Rows::is_packed);
}

/// Calls f(first, count) for all rows, block by block.
template <class Rows, class F>
void for_each_block(const Rows& rows, F&& f) {
  const Index block = block_of(rows);
  for (Index first = 0; first < rows.rows(); first += block)
    f(first, std::min(block, rows.rows() - first));
}

/// Calls task(part) for all parts. Each worker takes consecutive parts; without workers the calling
/// thread takes all.
template <class Task>
void for_each_part(Workers* workers, Index parts, Task&& task) {
  const auto take = [&](Index k, Index count) {
    const auto [first, last] = share_of(parts, k, count);
    for (Index part = first; part < last; ++part) task(part);
  };
  if (workers)
    workers->run([&](Index k) { take(k, workers->count()); });
  else
    take(0, 1);
}

}  // namespace linea::detail::samples
