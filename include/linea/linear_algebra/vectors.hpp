// SPDX-License-Identifier: MIT
#pragma once
/// \file Operations on vectors and matrices of doubles, built on rows/kernels.hpp.
#include <algorithm>  // copy, fill, max, min
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

/// Returns column k of a.
inline Vector<double> column_of(const detail::ColumnMatrix<double>& a, Index k) {
  Vector<double> column(a.rows());
  std::copy(a.data() + k * a.rows(), a.data() + (k + 1) * a.rows(), column.data());
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

/// Sets sums (4) to ⟨row, v⟩ for four adjacent rows of d entries. Reads v only once.
inline void four_dots(const double* row, const double* v, Index d, double* sums) {
  using P = rows::Pack<double>;
  typename P::Type first{}, second{}, third{}, fourth{};
  Index j = 0;
  for (; j + P::lanes <= d; j += P::lanes) {
    const auto pack = P::load(v + j);
    first += pack * P::load(row + j);
    second += pack * P::load(row + d + j);
    third += pack * P::load(row + 2 * d + j);
    fourth += pack * P::load(row + 3 * d + j);
  }
  sums[0] = rows::sum_of<double>(first);
  sums[1] = rows::sum_of<double>(second);
  sums[2] = rows::sum_of<double>(third);
  sums[3] = rows::sum_of<double>(fourth);
  for (; j < d; ++j)
    for (Index k = 0; k < 4; ++k) sums[k] += row[k * d + j] * v[j];
}

/// Returns A·v (n) for A (n × d) and v (d).
inline Vector<double> times(const Matrix<double>& a, const Vector<double>& v) {
  constexpr Index few = 16;
  const Index d = a.cols();
  Vector<double> product(a.rows());
  Index i = 0;
  for (; d <= few && i + 4 <= a.rows(); i += 4)
    four_dots(a.data() + i * d, v.data(), d, product.data() + i);
  for (; i < a.rows(); ++i) {
    const double* row = a.data() + i * d;
    product[i] = rows::dot<double>(row, v.data(), d, a.data() + std::min(i + 1, a.rows() - 1) * d);
  }
  return product;
}

/// Returns Aᵀ·v (d) for A (n × d) and v (n). Loads and stores each sum once for four rows.
inline Vector<double> transposed_times(const Matrix<double>& a, const Vector<double>& v) {
  const Index d = a.cols();
  Vector<double> product = constant(d, 0);
  double* const sums = product.data();
  Index i = 0;
  for (; i + 4 <= a.rows(); i += 4) {
    const double* const row = a.data() + i * d;
    const double* const part = v.data() + i;
    const double first = part[0], second = part[1], third = part[2], fourth = part[3];
    if (first == 0 && second == 0 && third == 0 && fourth == 0) continue;
    for (Index j = 0; j < d; ++j)
      sums[j] += (first * row[j] + second * row[d + j]) +
                 (third * row[2 * d + j] + fourth * row[3 * d + j]);
  }
  for (; i < a.rows(); ++i)
    if (v[i] != 0) rows::add(a.data() + i * d, v[i], sums, d);
  return product;
}

}  // namespace linea::detail::linear_algebra
