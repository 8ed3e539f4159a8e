// SPDX-License-Identifier: MIT
#pragma once
/// \file A shuffle that visits rows while they are in the cache.
#include <algorithm>  // clamp, max
#include <cmath>      // sqrt
#include <linea/core/order.hpp>

namespace linea {

/// A shuffle that visits each row while it is in the cache. The order draws random chunks of
/// consecutive rows until they fill a working set, shuffles the rows of the set, visits them, and
/// draws the next chunks. Every row is visited once in each epoch. Data that fit into one working
/// set are fully shuffled.
///
/// Large chunks are read at the speed of memory. Small chunks mix nearly as well as a full shuffle,
/// even if the rows are sorted by class. The optimizer chooses the largest chunk, between one row
/// and 32 KiB, whose targets look like targets of random rows. If the features of large data also
/// look random, the search starts with chunks of 128 KiB, at least two in a set.
struct WorkingSets {
  Index chunk_bytes{0};  ///< 0: chosen from the samples
  Index set_bytes{working_set_bytes};

  /// Returns a copy with a chunk size for targets y (n), in the order of the rows of x, or an
  /// unchanged copy if chunk_bytes > 0. The mean of c random targets has the variance of y divided
  /// by c. Chunks of c rows pass if the variance of their means is at most 1.5 times this value,
  /// plus three standard deviations of its estimate. O(n). `largest` is the first size to try, in
  /// bytes. It may exceed 32 KiB if the features look random, or if x is column-major, because a
  /// column-major x is read in stretches of rows. A set holds at least `chunks_a_set` chunks if a
  /// chunk has several rows.
  template <class T>
  WorkingSets fitted_to(const Vector<T>& y, Index row_bytes, Index largest = largest_chunk,
                        Index chunks_a_set = 4) const {
    if (chunk_bytes > 0) return *this;
    const Index n = y.size();
    row_bytes = std::max<Index>(row_bytes, 1);
    const double origin = static_cast<double>(y[0]);
    const double mean = origin + sum_of(y, 0, n, origin) / static_cast<double>(n);
    double variance = 0;
    for (Index i = 0; i < n; ++i) {
      const double deviation = static_cast<double>(y[i]) - mean;
      variance += deviation * deviation;
    }
    variance /= static_cast<double>(n);
    WorkingSets fitted{row_bytes, set_bytes};  // one row, unless a larger chunk passes
    for (Index bytes = largest; bytes >= 2 * row_bytes; bytes /= 2) {
      const Index rows = bytes / row_bytes;
      const Index chunks = n / rows;
      if (chunks < 2) continue;
      double spread = 0;
      for (Index k = 0; k < chunks; ++k) {
        const double deviation = sum_of(y, k * rows, rows, mean) / static_cast<double>(rows);
        spread += deviation * deviation;
      }
      spread *= static_cast<double>(rows) / static_cast<double>(chunks);
      if (spread <= variance * (1.5 + 3 * std::sqrt(2 / static_cast<double>(chunks)))) {
        fitted.chunk_bytes = bytes;
        fitted.set_bytes = std::max(set_bytes, chunks_a_set * bytes);
        break;
      }
    }
    return fitted;
  }

  static constexpr Index largest_chunk = 32768;   ///< default of `largest`, in bytes
  static constexpr Index longest_chunk = 131072;  ///< `largest` for rows in random order, in bytes

  template <class Visit>
  void each_state(const Visit& visit) {
    visit("chunk_bytes", chunk_bytes);
    visit("set_bytes", set_bytes);
  }

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
    epoch.shuffle_chunks((rows + chunk_rows - 1) / chunk_rows, random);
  }

 private:
  /// Returns Σ (yᵢ − origin) over `count` targets, from target `first` on.
  template <class T>
  static double sum_of(const Vector<T>& y, Index first, Index count, double origin) {
    double sum = 0;
    for (Index i = first; i < first + count; ++i) sum += static_cast<double>(y[i]) - origin;
    return sum;
  }

  static constexpr Index smallest_chunk = 256;
};

}  // namespace linea
