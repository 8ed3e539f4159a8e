// SPDX-License-Identifier: MIT
#pragma once
/// \file Generates samples: dense and uniform, with random targets, so that an epoch never
/// converges and always has the same cost.
#include <algorithm>  // max
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>

namespace bench {

using linea::Index;

/// Returns x (n × d) with entries in [−½, ½).
template <class T>
linea::Matrix<T> random_rows(Index n, Index d) {
  linea::Random random(1);
  linea::Matrix<T> x(n, d);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(random.uniform() - 0.5);
  return x;
}

/// Returns y (n) of −1 and +1, each with probability ½.
template <class T>
linea::Vector<T> random_targets(Index n) {
  linea::Random random(2);
  linea::Vector<T> y(n);
  for (T& target : y) target = random.below(2) ? T(1) : T(-1);
  return y;
}

/// Returns the number of rows of d numbers that have a total of `megabytes`.
template <class T>
Index rows_of_megabytes(double megabytes, Index d) {
  return std::max<Index>(
      static_cast<Index>(megabytes * 1e6 /
                         static_cast<double>(sizeof(T) * static_cast<std::size_t>(d))),
      2);
}

/// Returns the sum of `size` numbers in memory, computed in a plain loop.
template <class T>
T plain_read(const T* data, Index size) {
  return Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>(data, size).sum();
}

/// Returns the same sum, with several partial sums to hide the latency of additions, and with
/// prefetching.
template <class T>
T fastest_read(const T* data, Index size) {
  using Sums = Eigen::Array<T, 128 / sizeof(T), 1>;
  Sums sums = Sums::Zero();
  for (Index i = 0; i + sums.size() <= size; i += sums.size()) {
    const auto* ahead = reinterpret_cast<const char*>(data + i) + 2048;
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + 64);
    sums += Eigen::Map<const Sums>(data + i);
  }
  return sums.sum();
}

}  // namespace bench
