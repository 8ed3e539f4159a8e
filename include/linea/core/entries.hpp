// SPDX-License-Identifier: MIT
#pragma once
/// \file The entries of vectors and matrices one by one, in plain loops: each expression of Eigen
/// is a type of its own, which every source that uses it compiles again.
#include <algorithm>  // fill
#include <cmath>      // isfinite
#include <linea/core/types.hpp>

namespace linea::core {

/// n times `value`.
template <class T>
Vector<T> filled(Index n, T value) {
  Vector<T> v(n);
  std::fill(v.data(), v.data() + n, value);
  return v;
}

/// Are all entries finite? V is a vector or a matrix that lies in one piece, or an expression of
/// one, which then is computed entry by entry.
template <class V>
bool all_finite(const V& v) {
  if constexpr (!requires { v.data(); }) {
    for (Index j = 0; j < v.size(); ++j)
      if (!std::isfinite(v.coeff(j))) return false;
    return true;
  } else {
    for (const auto *at = v.data(), *end = at + v.size(); at != end; ++at)
      if (!std::isfinite(*at)) return false;
    return true;
  }
}

}  // namespace linea::core
