// SPDX-License-Identifier: MIT
#pragma once
/// \file In which order an epoch visits the samples.
///
/// An order draws chunks of consecutive rows; the epoch deals their rows out, a working set at a
/// time. While one set is visited the next is fetched into the cache, in the order in which it lies
/// in memory.
///
/// | expression                              | meaning                                            |
/// |-----------------------------------------|----------------------------------------------------|
/// | order.draw(epoch, n, row_bytes, random) | sets the chunks of an epoch of n rows              |
/// | order.fitted_to(y, row_bytes)           | optional: a copy for targets y as x has them       |
/// | order.fitted_to(y, row_bytes, largest)  | the same, for chunks of at most that many bytes;   |
/// |                                         | with it goes `O::largest_chunk`, for rows that lie |
/// |                                         | side by side                                       |
/// | one == other                            | optional: do both draw the same? Then many targets |
/// |                                         | share a pass over x                                |
#include <algorithm>  // min
#include <concepts>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <numeric>  // iota
#include <span>
#include <vector>

namespace linea {

/// Row numbers: four bytes each.
using Sequence = std::vector<std::uint32_t>;

/// Bytes of rows in a working set: two sets, the one visited and the one fetched, fit a
/// second-level cache of 1 MiB. Not asked of the machine, so that a seed means the same visits
/// everywhere.
inline constexpr Index working_set_bytes = 262144;

/// The rows of one epoch. An order fills the first five members; `deal` hands the rows out.
struct Epoch {
  Sequence
      chunks;  ///< chunk c is the rows [c·chunk_rows, (c + 1)·chunk_rows), at most up to `rows`
  Index rows{0};  ///< n
  Index chunk_rows{1};
  bool shuffled{false};  ///< are the rows of a set shuffled?
  Index set_bytes{working_set_bytes};
  std::span<const std::uint32_t> among{};  ///< row k of all this is row among[k] of x; empty: row k
  std::size_t chunk{0};                    ///< where dealing has got to: the chunk,
  Index taken{0};                          ///< and how many of its rows are dealt

  /// The k-th of `count` shares, about equal in rows: some of the chunks, or, where there is only
  /// one, every count-th row of it, 64 rows at a time if they are not to be shuffled. So no share
  /// is one end of sorted data.
  Epoch share(Index k, Index count) const {
    Epoch part{{}, rows, chunk_rows, shuffled, set_bytes, among};
    if (chunks.size() == 1) {
      part.chunk_rows = shuffled ? 1 : 64;
      for (Index c = k; c * part.chunk_rows < rows; c += count)
        part.chunks.push_back(static_cast<std::uint32_t>(c));
    } else {
      const auto [first, last] = share_of(static_cast<Index>(chunks.size()), k, count);
      part.chunks.assign(chunks.begin() + first, chunks.begin() + last);
    }
    return part;
  }

  /// The next `count` rows, fewer at the end, in the order in which the chunks have them, and the
  /// order in which to visit them: visit k is of arrivals[turns[k]].
  void deal(Index count, Random& random, Sequence& arrivals, Sequence& turns) {
    arrivals.resize(static_cast<std::size_t>(count));
    auto place = arrivals.begin();
    while (chunk < chunks.size() && place != arrivals.end()) {
      const Index begin = static_cast<Index>(chunks[chunk]) * chunk_rows;
      const Index end = std::min(begin + chunk_rows, rows);
      const Index dealt = std::min(end - begin - taken, arrivals.end() - place);
      std::iota(place, place + dealt, static_cast<std::uint32_t>(begin + taken));
      place += dealt;
      taken += dealt;
      if (begin + taken < end) break;
      taken = 0;
      ++chunk;
    }
    arrivals.erase(place, arrivals.end());
    if (!among.empty())
      for (auto& row : arrivals) row = among[row];
    turns.resize(arrivals.size());
    std::iota(turns.begin(), turns.end(), 0U);
    if (shuffled) random.shuffle(std::span(turns));
  }
};

template <class O>
concept Order = std::copyable<O> &&
    requires(const O& order, Epoch& epoch, Index rows, Index row_bytes, Random& random) {
  order.draw(epoch, rows, row_bytes, random);
};

}  // namespace linea
