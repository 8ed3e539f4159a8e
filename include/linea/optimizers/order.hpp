// SPDX-License-Identifier: MIT
#pragma once
/// \file In which order an epoch visits the samples.
///
/// An order fills `sequence` (n) with the rows to visit. It may use what the last epoch left there.
#include <algorithm>  // clamp, max, min
#include <concepts>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <numeric>  // iota
#include <span>
#include <vector>

namespace linea {

/// Row numbers of an epoch: four bytes each.
using Sequence = std::vector<std::uint32_t>;

template <class O>
concept Order = std::copyable<O> &&
    requires(const O& order, Sequence& sequence, Index row_bytes, Random& random) {
  order.fill(sequence, row_bytes, random);
};

/// 0, 1, …, n − 1: the perceptron's and every "incremental" method's.
struct Cyclic {
  void fill(Sequence& sequence, Index, Random&) const {
    std::iota(sequence.begin(), sequence.end(), 0U);
  }
};

/// n draws, each uniform over all samples: what the theory of SGD and Pegasos assumes.
struct WithReplacement {
  void fill(Sequence& sequence, Index, Random& random) const {
    for (auto& row : sequence) row = static_cast<std::uint32_t>(random.below(sequence.size()));
  }
};

/// A new uniform permutation every epoch.
struct Shuffled {
  void fill(Sequence& sequence, Index, Random& random) const {
    std::iota(sequence.begin(), sequence.end(), 0U);
    random.shuffle(std::span(sequence));
  }
};

/// A shuffle that keeps to the cache: chunks of consecutive rows are drawn at random until they fill
/// a working set, the rows of all its chunks are shuffled together and visited, then come the next
/// chunks. Every row is visited once an epoch. Small chunks mix like a full shuffle even when the
/// rows are sorted by class; data that fit one working set get a full shuffle.
struct WorkingSets {
  Index chunk_bytes{1024};
  Index set_bytes{262144};

  void fill(Sequence& sequence, Index row_bytes, Random& random) const {
    const auto n = static_cast<Index>(sequence.size());
    row_bytes = std::max<Index>(row_bytes, 1);
    const Index set_rows = std::clamp<Index>(set_bytes / row_bytes, 1, n);
    const Index chunk_rows = set_rows == n ? n : std::clamp<Index>(chunk_bytes / row_bytes, 1, n);
    const Index chunks = (n + chunk_rows - 1) / chunk_rows;

    std::vector<std::uint32_t> drawn(static_cast<std::size_t>(chunks));
    std::iota(drawn.begin(), drawn.end(), 0U);
    random.shuffle(std::span(drawn));
    std::size_t filled = 0;
    std::size_t set_start = 0;
    const auto close_set = [&] {
      random.shuffle(std::span(sequence).subspan(set_start, filled - set_start));
      set_start = filled;
    };
    for (const Index chunk : drawn) {
      const Index first = chunk * chunk_rows;
      const Index last = std::min(first + chunk_rows, n);
      for (Index row = first; row < last; ++row)
        sequence[filled++] = static_cast<std::uint32_t>(row);
      if (static_cast<Index>(filled - set_start) >= set_rows) close_set();
    }
    close_set();
  }
};

static_assert(Order<Cyclic> && Order<WithReplacement> && Order<Shuffled> && Order<WorkingSets>);

}  // namespace linea
