// SPDX-License-Identifier: MIT
#pragma once
/// \file Small random problems, the same on every platform up to the rounding of log and cos.
#include <algorithm>  // stable_sort
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <numeric>  // iota
#include <vector>

namespace synthetic {

/// Returns a standard normal number, by the method of Box and Muller.
inline double normal(linea::Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(6.283185307179586 * random.uniform());
}

/// Returns x (n × d). An entry is standard normal with probability `density`, and else 0.
template <class T = double>
linea::Matrix<T> features(linea::Index n, linea::Index d, std::uint64_t seed, double density = 1) {
  linea::Random random(seed);
  linea::Matrix<T> x(n, d);
  for (linea::Index i = 0; i < n; ++i)
    for (linea::Index j = 0; j < d; ++j) {
      const bool kept = random.uniform() < density;
      x(i, j) = kept ? static_cast<T>(normal(random)) : T(0);
    }
  return x;
}

/// Returns targets ±1: the signs of ⟨u, x⟩ + ½ plus noise, for a random direction u.
template <class T>
linea::Vector<T> signs(const linea::Matrix<T>& x, std::uint64_t seed, double noise = 0.5) {
  linea::Random random(seed);
  linea::Vector<T> u(x.cols());
  for (T& value : u) value = static_cast<T>(normal(random));
  linea::Vector<T> y(x.rows());
  for (linea::Index i = 0; i < x.rows(); ++i)
    y[i] = static_cast<double>(x.row(i).dot(u)) + 0.5 + noise * normal(random) >= 0 ? T(1) : T(-1);
  return y;
}

/// Returns real targets ⟨u, x⟩ + 2 plus noise, for a random direction u.
template <class T>
linea::Vector<T> numbers(const linea::Matrix<T>& x, std::uint64_t seed, double noise = 0.5) {
  linea::Random random(seed);
  linea::Vector<T> u(x.cols());
  for (T& value : u) value = static_cast<T>(normal(random));
  linea::Vector<T> y = x * u;
  for (T& value : y) value += static_cast<T>(2 + noise * normal(random));
  return y;
}

/// Returns random sample weights from 0.1 to 1.1.
inline linea::Vector<double> weights(linea::Index n, std::uint64_t seed) {
  linea::Random random(seed);
  return linea::Vector<double>::NullaryExpr(n, [&] { return 0.1 + random.uniform(); });
}

/// Returns n numbers: 0, 1, …, period − 1 in turn.
inline linea::Vector<double> in_turn(linea::Index n, linea::Index period) {
  return linea::Vector<double>::NullaryExpr(
      n, [=](linea::Index i) { return static_cast<double>(i % period); });
}

template <class T>
linea::SparseMatrix<T> sparse(const linea::Matrix<T>& x) {
  return x.sparseView();
}

/// Returns x with row i repeated counts[i] times in succession. The second overload does the same
/// for y.
template <class T>
linea::Matrix<T> repeated(const linea::Matrix<T>& x, const Eigen::VectorXi& counts) {
  linea::Matrix<T> result(counts.sum(), x.cols());
  linea::Index row = 0;
  for (linea::Index i = 0; i < x.rows(); ++i)
    for (int k = 0; k < counts[i]; ++k) result.row(row++) = x.row(i);
  return result;
}
template <class T>
linea::Vector<T> repeated(const linea::Vector<T>& y, const Eigen::VectorXi& counts) {
  return repeated<T>(linea::Matrix<T>(y), counts).col(0);
}

template <class T>
struct SortedSamples {
  linea::Matrix<T> x;
  linea::Vector<T> y;
};

/// Returns the same samples, sorted by their targets.
template <class T>
SortedSamples<T> sorted_by_class(const linea::Matrix<T>& x, const linea::Vector<T>& y) {
  std::vector<linea::Index> rows(static_cast<std::size_t>(y.size()));
  std::iota(rows.begin(), rows.end(), linea::Index{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](linea::Index a, linea::Index b) { return y[a] < y[b]; });
  return {x(rows, Eigen::indexing::all), y(rows)};
}

}  // namespace synthetic
