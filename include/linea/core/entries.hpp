// SPDX-License-Identifier: MIT
#pragma once
/// \file The entries of vectors and matrices one by one, in plain loops: each expression of Eigen
/// is a type of its own, which every source that uses it compiles again.
#include <algorithm>  // fill, merge, min
#include <cmath>      // isfinite
#include <cstddef>    // size_t
#include <linea/core/types.hpp>
#include <vector>

namespace linea::core {

/// n times `value`.
template <class T>
Vector<T> filled(Index n, T value) {
  Vector<T> v(n);
  std::fill(v.data(), v.data() + n, value);
  return v;
}

/// Are all entries finite? V is a vector or a matrix that lies in one piece, or an expression of a
/// vector, which then is computed entry by entry.
template <class V>
bool all_finite(const V& v) {
  for (Index j = 0; j < v.size(); ++j)
    if (!std::isfinite(v.coeff(j))) return false;
  return true;
}

/// std::stable_sort by merging. That of libstdc++ 12 calls a function that C++20 deprecates, of
/// which clang 17 and later warn.
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

}  // namespace linea::core
