// SPDX-License-Identifier: MIT
#pragma once
/// \file In which order an epoch visits the samples.
///
/// An order fills `sequence` (n) with the rows to visit. It may use what the last epoch left there.
#include <algorithm>  // clamp, max, min
#include <cmath>      // sqrt
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
/// chunks. Every row is visited once an epoch. Data that fit one working set get a full shuffle.
///
/// Large chunks are read at the speed of memory, small ones mix like a full shuffle even when the rows are
/// sorted by class. The optimizer takes the largest, from ¼ to 32 KiB, of whose size the targets know nothing.
struct WorkingSets {
  Index chunk_bytes{0};  ///< 0: chosen from the targets, once they are seen
  Index set_bytes{262144};

  /// With chunks for targets y (n) in the order in which their rows lie in memory. Chunks of c rows pass
  /// when the means of their targets vary as those of c random rows would, the variance of y over c, or
  /// up to one and a half times that; three standard deviations of the estimate are allowed for. O(n).
  template <class T>
  WorkingSets fitted_to(const Vector<T>& y, Index row_bytes) const {
    if (chunk_bytes > 0) return *this;
    const Index n = y.size();
    row_bytes = std::max<Index>(row_bytes, 1);
    const Eigen::VectorXd centred =
        y.template cast<double>().array() - y.template cast<double>().mean();
    const double variance = centred.squaredNorm() / static_cast<double>(n);
    WorkingSets fitted{smallest_chunk, set_bytes};
    for (Index bytes = largest_chunk; bytes > smallest_chunk; bytes /= 2) {
      const Index rows = std::max<Index>(bytes / row_bytes, 1);
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
        break;
      }
    }
    return fitted;
  }

  void fill(Sequence& sequence, Index row_bytes, Random& random) const {
    const auto n = static_cast<Index>(sequence.size());
    row_bytes = std::max<Index>(row_bytes, 1);
    const Index set_rows = std::clamp<Index>(set_bytes / row_bytes, 1, n);
    const Index chunk_rows =
        set_rows == n
            ? n
            : std::clamp<Index>((chunk_bytes > 0 ? chunk_bytes : smallest_chunk) / row_bytes, 1, n);
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

 private:
  static constexpr Index smallest_chunk = 256;
  static constexpr Index largest_chunk = 32768;
};

static_assert(Order<Cyclic> && Order<WithReplacement> && Order<Shuffled> && Order<WorkingSets>);

}  // namespace linea
