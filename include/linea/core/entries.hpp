// SPDX-License-Identifier: MIT
#pragma once
/// \file Functions of the entries of vectors and matrices, and a stable sort, as plain loops. Loops
/// compile faster than Eigen expressions, each of which is a type of its own.
#include <algorithm>  // fill, merge, min
#include <cmath>      // isfinite
#include <cstddef>    // size_t
#include <linea/core/types.hpp>
#include <vector>

namespace linea::detail {

/// Returns a vector of n entries that are all `value`.
template <class T>
Vector<T> filled(Index n, T value) {
  Vector<T> v(n);
  std::fill(v.data(), v.data() + n, value);
  return v;
}

/// Returns whether all entries are finite. V is a contiguous vector or matrix, or a vector
/// expression, which is evaluated entry by entry.
template <class V>
bool all_finite(const V& v) {
  for (Index j = 0; j < v.size(); ++j)
    if (!std::isfinite(v.coeff(j))) return false;
  return true;
}

/// Sorts by merging, with a copy of the elements, and keeps the order of equal elements.
/// (std::stable_sort of libstdc++ 12 calls a deprecated function, so that clang 17 and later warn.)
template <class T, class Before>
void stable_sort(std::vector<T>& sorted, const Before& before) {
  std::vector<T> merged(sorted.size());
  for (std::size_t width = 1; width < sorted.size(); width *= 2) {
    for (std::size_t first = 0; first < sorted.size(); first += 2 * width) {
      const T* const left = sorted.data() + first;
      const T* const right = left + std::min(width, sorted.size() - first);
      const T* const end = left + std::min(2 * width, sorted.size() - first);
      std::merge(left, right, right, end, merged.data() + first, before);
    }
    sorted.swap(merged);
  }
}

}  // namespace linea::detail
