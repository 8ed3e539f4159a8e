// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples for the binary format, and functions to read and change the bytes of a file.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>

namespace linea::test {

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes `bytes` to a new file. The old file is removed first, because some file systems wait for
/// the disk when a file is truncated.
inline void spill(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Returns `text` with the first occurrence of `what` replaced. `what` must occur.
inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  return text.replace(text.find(what), what.size(), by);
}

/// Returns random x (n × d). Rows 0, 3, 6, … are empty, and every fifth entry is a stored 0; the
/// first of them is −0.
template <class T, class I>
SparseMatrix<T, I> sparse_samples(Index n, Index d) {
  Random random(3);
  SparseMatrix<T, I> x(n, d);
  Index k = 0;
  for (Index i = 0; i < n; ++i)
    for (auto j = static_cast<Index>(random.below(3)); i % 3 && j < d;
         j += 1 + static_cast<Index>(random.below(4)))
      x.insert(i, j) = k++ % 5 ? static_cast<T>(random.uniform() - 0.5) : k == 1 ? -T(0) : T(0);
  return x;
}

template <class T>
Matrix<T> dense_samples(Index n, Index d) {
  Random random(4);
  Matrix<T> x(n, d);
  for (T& value : x.reshaped()) value = static_cast<T>(random.uniform() - 0.5);
  x(0, 0) = -T(0);
  x(n - 1, d - 1) = std::numeric_limits<T>::denorm_min();
  return x;
}

template <class X>
X samples_of(Index n, Index d) {
  if constexpr (SparseSamples<X>)
    return sparse_samples<typename X::Scalar, typename X::StorageIndex>(n, d);
  else
    return dense_samples<typename X::Scalar>(n, d);
}

template <class T>
Vector<T> targets(Index n) {
  Vector<T> y(n);
  for (Index i = 0; i < n; ++i) y[i] = i % 2 ? T(1) / static_cast<T>(i) : -T(i);
  return y;
}

using Float = SparseMatrix<float>;
using Double = SparseMatrix<double>;
// Types with 64-bit indices, or 32-bit ones where sizes have 32 bits, as on i386: Eigen 3.4 has no
// sparse matrices with indices wider than its sizes.
using WideFloat = SparseMatrix<float, Index>;
using WideDouble = SparseMatrix<double, Index>;

}  // namespace linea::test
