// SPDX-License-Identifier: MIT
#pragma once
/// \file In which order an epoch visits the samples.
///
/// An order draws chunks of consecutive rows; the epoch deals their rows out, a working set at a time. While one
/// set is visited the next is fetched into the cache, in the order in which it lies in memory.
#include <algorithm>  // clamp, max, min
#include <cmath>      // sqrt
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

/// Bytes of rows in a working set: two sets, the one visited and the one fetched, fit a second-level cache
/// of 1 MiB. Not asked of the machine, so that a seed means the same visits everywhere.
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

  /// The k-th of `count` shares, about equal in rows: some of the chunks, or, where there is only one, every
  /// count-th row of it, 64 rows at a time if they are not to be shuffled. So no share is one end of sorted data.
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

  /// The next `count` rows, fewer at the end, in the order in which the chunks have them, and the order in which
  /// to visit them: visit k is of arrivals[turns[k]].
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

/// 0, 1, …, n − 1: the perceptron's and every "incremental" method's.
struct Cyclic {
  void draw(Epoch& epoch, Index rows, Index, Random&) const {
    epoch = {.chunks = {0}, .rows = rows, .chunk_rows = rows};
  }
};

/// n draws, each uniform over all samples: what the theory of SGD and Pegasos assumes.
struct WithReplacement {
  void draw(Epoch& epoch, Index rows, Index, Random& random) const {
    epoch = {.chunks = Sequence(static_cast<std::size_t>(rows)), .rows = rows};
    for (auto& row : epoch.chunks)
      row = static_cast<std::uint32_t>(random.below(epoch.chunks.size()));
  }
};

/// A new uniform permutation every epoch.
struct Shuffled {
  void draw(Epoch& epoch, Index rows, Index, Random& random) const {
    epoch = {.chunks = Sequence(static_cast<std::size_t>(rows)), .rows = rows};
    std::iota(epoch.chunks.begin(), epoch.chunks.end(), 0U);
    random.shuffle(std::span(epoch.chunks));
  }
};

/// A shuffle that keeps to the cache: chunks of consecutive rows are drawn at random until they fill
/// a working set, the rows of all its chunks are shuffled together and visited, then come the next
/// chunks. Every row is visited once an epoch. Data that fit one working set get a full shuffle.
///
/// Large chunks are read at the speed of memory, small ones mix like a full shuffle even when the rows are
/// sorted by class. The optimizer takes the largest, from a row to 32 KiB, of whose size the targets know nothing.
struct WorkingSets {
  Index chunk_bytes{0};  ///< 0: chosen from the targets, once they are seen
  Index set_bytes{working_set_bytes};

  /// With chunks for targets y (n) in the order in which their rows lie in memory. Chunks of c rows pass
  /// when the means of their targets vary as those of c random rows would, the variance of y over c, or
  /// up to one and a half times that; three standard deviations of the estimate are allowed for. O(n).
  /// `largest` is the size to begin with: more than 32 KiB for columns, whose entries are read in short stretches.
  template <class T>
  WorkingSets fitted_to(const Vector<T>& y, Index row_bytes, Index largest = largest_chunk) const {
    if (chunk_bytes > 0) return *this;
    const Index n = y.size();
    row_bytes = std::max<Index>(row_bytes, 1);
    const Eigen::VectorXd centred =
        y.template cast<double>().array() - y.template cast<double>().mean();
    const double variance = centred.squaredNorm() / static_cast<double>(n);
    WorkingSets fitted{row_bytes, set_bytes};  // a row, should no more do
    for (Index bytes = largest; bytes >= 2 * row_bytes; bytes /= 2) {
      const Index rows = bytes / row_bytes;
      const Index chunks = n / rows;
      if (chunks < 2) continue;
      double spread = 0;
      for (Index k = 0; k < chunks; ++k) {
        const double mean = centred.segment(k * rows, rows).mean();
        spread += mean * mean;
      }
      spread *= static_cast<double>(rows) / static_cast<double>(chunks);
      if (spread <= variance * (1.5 + 3 * std::sqrt(2 / static_cast<double>(chunks)))) {
        fitted.chunk_bytes = bytes;
        fitted.set_bytes = std::max(set_bytes, 4 * bytes);
        break;
      }
    }
    return fitted;
  }

  static constexpr Index largest_chunk = 32768;

  friend bool operator==(const WorkingSets&, const WorkingSets&) = default;

  void draw(Epoch& epoch, Index rows, Index row_bytes, Random& random) const {
    row_bytes = std::max<Index>(row_bytes, 1);
    const Index bytes = chunk_bytes > 0 ? chunk_bytes : smallest_chunk;
    const Index chunk_rows =
        set_bytes / row_bytes >= rows ? rows : std::clamp<Index>(bytes / row_bytes, 1, rows);
    epoch = {.chunks = {},
             .rows = rows,
             .chunk_rows = chunk_rows,
             .shuffled = true,
             .set_bytes = set_bytes};
    epoch.chunks.resize(static_cast<std::size_t>((rows + chunk_rows - 1) / chunk_rows));
    std::iota(epoch.chunks.begin(), epoch.chunks.end(), 0U);
    random.shuffle(std::span(epoch.chunks));
  }

 private:
  static constexpr Index smallest_chunk = 256;
};

static_assert(Order<Cyclic> && Order<WithReplacement> && Order<Shuffled> && Order<WorkingSets>);

}  // namespace linea
