// SPDX-License-Identifier: MIT
#pragma once
/// \file The order in which an epoch visits the samples.
///
/// An order draws chunks of consecutive rows. The epoch divides these rows into working sets, which
/// the optimizer visits one after the other. While the optimizer visits one set, it fetches or
/// copies the rows of the next set into the cache, chunk by chunk.
///
/// | expression                              | meaning                                            |
/// |-----------------------------------------|----------------------------------------------------|
/// | order.draw(epoch, n, row_bytes, random) | sets the chunks of an epoch of n rows              |
/// | order.fitted_to(y, row_bytes)           | optional: a copy with chunks for targets y (n), in |
/// |                                         | the order of the rows of x                         |
/// | order.fitted_to(y, row_bytes, largest,  | optional, with the constants `O::largest_chunk`    |
/// | chunks)                                 | and `O::longest_chunk`: the same, with chunks of   |
/// |                                         | at most `largest` bytes, at least `chunks` a set   |
/// | one == other                            | optional: do both orders draw the same chunks? If  |
/// |                                         | so, several targets can share a pass over x        |
/// | order.each_state(visit)                 | what `fitted_to` has set, for files of learners    |
#include <algorithm>  // max, min
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <linea/core/workers.hpp>
#include <span>
#include <vector>

namespace linea {

/// Row numbers of four bytes each.
using Sequence = std::vector<std::uint32_t>;

/// The default number of bytes of the rows in a working set. The visited set and the set being
/// fetched fit into a second-level cache of 1 MiB. The size is fixed, so that a seed gives the same
/// order of visits on every machine.
inline constexpr Index working_set_bytes = 262144;

/// The rows of one epoch. An order sets the first five members; `deal` returns the rows.
struct Epoch {
  /// Chunk numbers in the order of visits. Chunk c is the rows in
  /// [c·chunk_rows, min((c + 1)·chunk_rows, rows)).
  Sequence chunks;
  Index rows{0};  ///< n
  Index chunk_rows{1};
  bool shuffled{false};  ///< are the rows of a set shuffled?
  Index set_bytes{working_set_bytes};
  /// Row k of this epoch is row among[k] of x, or row k of x if `among` is empty.
  std::span<const std::uint32_t> among{};
  std::size_t chunk{0};  ///< index in `chunks` of the next chunk to deal
  Index taken{0};        ///< number of rows of chunks[chunk] that `deal` has returned

  /// Returns share k of `count` shares of about equal size: consecutive entries of `chunks`. A
  /// single chunk is split: share k has every count-th row from row k on or, if rows are not
  /// shuffled, every count-th stretch of 64 rows. Then no share is only one end of sorted data.
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

  /// Sets the chunks to 0, 1, …, count − 1 in random order.
  void shuffle_chunks(Index count, Random& random) {
    chunks.resize(static_cast<std::size_t>(count));
    number(chunks.data(), count, 0);
    random.shuffle(chunks.data(), chunks.size());
  }

  /// Deals the next `count` rows, or fewer at the end. Sets `arrivals` to these rows in the order
  /// of the chunks, and `visits` so that visit k is to row arrivals[visits[k]].
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
concept Order = detail::Copyable<O> &&
    requires(const O& order, Epoch& epoch, Index rows, Index row_bytes, Random& random) {
  order.draw(epoch, rows, row_bytes, random);
};

}  // namespace linea
