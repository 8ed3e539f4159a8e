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
/// | order.fitted_to(y, row_bytes, largest,  | the same, for chunks of at most that many bytes,   |
/// | chunks)                                 | and so many of them together; with it go           |
/// |                                         | `O::largest_chunk`, for rows that lie side by      |
/// |                                         | side, and `O::longest_chunk`, where they also look |
/// |                                         | like rows in random order                          |
/// | one == other                            | optional: do both draw the same? Then many targets |
/// |                                         | share a pass over x                                |
#include <algorithm>  // max, min
#include <concepts>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
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
  /// In the order of their visits. Chunk c is the rows [c·chunk_rows, (c + 1)·chunk_rows), those of
  /// them that are below `rows`.
  Sequence chunks;
  Index rows{0};  ///< n
  Index chunk_rows{1};
  bool shuffled{false};  ///< are the rows of a set shuffled?
  Index set_bytes{working_set_bytes};
  /// among[k] is the row of x that this epoch calls row k. Empty: every row, under its own number.
  std::span<const std::uint32_t> among{};
  std::size_t chunk{0};  ///< the index in `chunks` of the next chunk to deal,
  Index taken{0};        ///< and how many of its rows are dealt already

  /// The k-th of `count` shares, about equal in rows. It has some of the chunks. Where there is
  /// only one chunk, it has every count-th row of that, or, if rows are not to be shuffled, every
  /// count-th stretch of 64 rows. So no share is one end of sorted data.
  Epoch share(Index k, Index count) const {
    Epoch part{{}, rows, chunk_rows, shuffled, set_bytes, among};
    if (chunks.size() == 1) {
      part.chunk_rows = shuffled ? 1 : 64;
      const Index stretches = (rows + part.chunk_rows - 1) / part.chunk_rows;
      part.chunks.resize(
          static_cast<std::size_t>(std::max<Index>(stretches - k + count - 1, 0) / count));
      for (auto& stretch : part.chunks) {
        stretch = static_cast<std::uint32_t>(k);
        k += count;
      }
    } else {
      const auto [first, last] = share_of(static_cast<Index>(chunks.size()), k, count);
      part.chunks.resize(static_cast<std::size_t>(last - first));
      for (Index c = first; c < last; ++c)
        part.chunks[static_cast<std::size_t>(c - first)] = chunks[static_cast<std::size_t>(c)];
    }
    return part;
  }

  /// Sets `count` numbers to first, first + 1, …
  static void number(std::uint32_t* numbers, Index count, Index first) {
    for (Index k = 0; k < count; ++k) numbers[k] = static_cast<std::uint32_t>(first + k);
  }

  /// Sets the chunks to all there are, 0, 1, …, `count` of them, in random order.
  void shuffle_chunks(Index count, Random& random) {
    chunks.resize(static_cast<std::size_t>(count));
    number(chunks.data(), count, 0);
    random.shuffle(chunks.data(), chunks.size());
  }

  /// Deals the next `count` rows, fewer at the end: sets `arrivals` to them, in the order in which
  /// the chunks have them, and `visits` to the order of their visits: visit k is of
  /// arrivals[visits[k]].
  void deal(Index count, Random& random, Sequence& arrivals, Sequence& visits) {
    arrivals.resize(static_cast<std::size_t>(count));
    Index dealt = 0;
    while (chunk < chunks.size() && dealt < count) {
      const Index begin = static_cast<Index>(chunks[chunk]) * chunk_rows;
      const Index end = std::min(begin + chunk_rows, rows);
      const Index next = std::min(end - begin - taken, count - dealt);
      number(arrivals.data() + dealt, next, begin + taken);
      dealt += next;
      taken += next;
      if (begin + taken < end) break;
      taken = 0;
      ++chunk;
    }
    arrivals.resize(static_cast<std::size_t>(dealt));
    if (!among.empty())
      for (auto& row : arrivals) row = among[row];
    visits.resize(arrivals.size());
    number(visits.data(), dealt, 0);
    if (shuffled) random.shuffle(visits.data(), visits.size());
  }
};

template <class O>
concept Order = std::copyable<O> &&
    requires(const O& order, Epoch& epoch, Index rows, Index row_bytes, Random& random) {
  order.draw(epoch, rows, row_bytes, random);
};

}  // namespace linea
