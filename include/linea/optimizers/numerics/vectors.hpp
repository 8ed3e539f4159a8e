// SPDX-License-Identifier: MIT
#pragma once
/// \file What algorithms in double ask of vectors and matrices, over the kernels of rows.
#include <algorithm>  // copy, min
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/kernels.hpp>

namespace linea::numerics {

/// n times `value`.
inline Vector<double> constant(Index n, double value) { return core::filled(n, value); }

/// Entries [first, first + count) of v.
inline Vector<double> part_of(const Vector<double>& v, Index first, Index count) {
  Vector<double> part(count);
  std::copy(v.data() + first, v.data() + first + count, part.data());
  return part;
}

/// ⟨a, b⟩ of n entries each.
inline double dot(const double* a, const double* b, Index n) {
  return rows::dot<double>(a, b, n, a);
}
inline double dot(const Vector<double>& a, const Vector<double>& b) {
  return dot(a.data(), b.data(), a.size());
}

/// ‖a‖² of a vector or a whole matrix.
template <class A>
double squares_of(const A& a) {
  return dot(a.data(), a.data(), a.size());
}

/// v ← v + a·x.
inline void add(double a, const Vector<double>& x, Vector<double>& v) {
  rows::add(x.data(), a, v.data(), v.size());
}

/// A·v for A (n × d) and v (d): (n).
inline Vector<double> times(const Matrix<double>& a, const Vector<double>& v) {
  Vector<double> product(a.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    const double* row = a.data() + i * a.cols();
    const double* next = a.data() + std::min(i + 1, a.rows() - 1) * a.cols();
    product[i] = rows::dot<double>(row, v.data(), a.cols(), next);
  }
  return product;
}

/// Aᵀ·v for A (n × d) and v (n): (d).
inline Vector<double> transposed_times(const Matrix<double>& a, const Vector<double>& v) {
  Vector<double> product = constant(a.cols(), 0);
  for (Index i = 0; i < a.rows(); ++i)
    if (v[i] != 0) rows::add(a.data() + i * a.cols(), v[i], product.data(), a.cols());
  return product;
}

}  // namespace linea::numerics
