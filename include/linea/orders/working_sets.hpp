// SPDX-License-Identifier: MIT
#pragma once
/// \file A shuffle that keeps to the cache.
#include <algorithm>  // clamp, max
#include <cmath>      // sqrt
#include <linea/core/order.hpp>
#include <numeric>  // iota
#include <span>

namespace linea {

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

}  // namespace linea
