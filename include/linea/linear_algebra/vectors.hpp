// SPDX-License-Identifier: MIT
#pragma once
/// \file Operations on vectors and matrices of doubles, built on rows/kernels.hpp.
#include <algorithm>  // copy, fill, max
#include <cmath>      // abs
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/rows/kernels.hpp>

namespace linea::detail::linear_algebra {

/// Returns a vector of n entries equal to `value`.
inline Vector<double> constant(Index n, double value) { return detail::filled(n, value); }

/// Returns a matrix of zeros. M is Matrix<double> or ColumnMatrix<double>.
template <class M>
M zeros(Index rows, Index cols) {
  M m(rows, cols);
  std::fill(m.data(), m.data() + m.size(), 0.0);
  return m;
}

/// Returns entries [first, first + count) of v.
inline Vector<double> part_of(const Vector<double>& v, Index first, Index count) {
  Vector<double> part(count);
  std::copy(v.data() + first, v.data() + first + count, part.data());
  return part;
}

/// Returns column k of a matrix.
template <class M>
Vector<double> column_of(const M& a, Index k) {
  Vector<double> column(a.rows());
  for (Index i = 0; i < a.rows(); ++i) column[i] = a(i, k);
  return column;
}

/// Returns ⟨a, b⟩ for a and b of n entries each.
inline double dot(const double* a, const double* b, Index n) {
  return rows::dot<double>(a, b, n, a);
}
inline double dot(const Vector<double>& a, const Vector<double>& b) {
  return dot(a.data(), b.data(), a.size());
}

/// Returns ‖a‖² of a vector, or the sum of squares of a matrix.
template <class A>
double squares_of(const A& a) {
  return dot(a.data(), a.data(), a.size());
}

/// Sets v ← v + a·x, for vectors or matrices of the same shape.
template <class V>
void add(double a, const V& x, V& v) {
  rows::add(x.data(), a, v.data(), v.size());
}

/// Sets v ← a·v.
inline void scale(double a, Vector<double>& v) {
  for (double& entry : v) entry *= a;
}

/// Returns a·v.
inline Vector<double> scaled(double a, Vector<double> v) {
  scale(a, v);
  return v;
}

/// Returns a − b.
inline Vector<double> difference(Vector<double> a, const Vector<double>& b) {
  for (Index i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

/// Returns a∘b, the product entry by entry.
inline Vector<double> product(Vector<double> a, const Vector<double>& b) {
  for (Index i = 0; i < a.size(); ++i) a[i] *= b[i];
  return a;
}

/// Returns Σ vᵢ.
inline double sum_of(const Vector<double>& v) {
  double sum = 0;
  for (const double entry : v) sum += entry;
  return sum;
}

/// Returns Σ |vᵢ|.
inline double sizes_of(const Vector<double>& v) {
  double sum = 0;
  for (const double entry : v) sum += std::abs(entry);
  return sum;
}

/// Returns the largest absolute value of n entries.
inline double largest_of(const double* v, Index n) {
  double largest = 0;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(v[i]));
  return largest;
}

/// Are all n entries 0?
inline bool is_zero(const double* v, Index n) {
  for (Index i = 0; i < n; ++i)
    if (v[i] != 0) return false;
  return true;
}

}  // namespace linea::detail::linear_algebra
