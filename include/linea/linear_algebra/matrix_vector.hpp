// SPDX-License-Identifier: MIT
#pragma once
/// \file Products of a dense matrix and a vector.
#include <algorithm>  // min
#include <linea/core/types.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/rows/kernels.hpp>

namespace linea::detail::linear_algebra {

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
