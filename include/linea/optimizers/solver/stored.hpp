// SPDX-License-Identifier: MIT
#pragma once
/// \file Converts between the centred points of a run and solutions for x as it is stored.
#include <linea/core/entries.hpp>
#include <linea/core/solution.hpp>
#include <linea/samples/frame.hpp>

namespace linea::solver {

/// Weights w (d × k) and offsets b (k) of k classes, and F.
struct ClassPoint {
  Matrix<double> weights{};
  Vector<double> offset{};
  double objective{std::numeric_limits<double>::quiet_NaN()};
};

inline Index count_of(const Point<double>&) { return 1; }
inline Index count_of(const ClassPoint& point) { return point.weights.cols(); }

/// Returns the point rounded to T, for x as it is stored.
template <class T>
Solution<T> stored(const detail::samples::Frame<>& frame, const Point<double>& point) {
  Solution<T> solution;
  solution.weights = point.weights.template cast<T>();
  solution.offset =
      static_cast<T>(frame.leave(solution.weights.template cast<double>(), point.offset));
  solution.weights = frame.all_of(std::move(solution.weights));
  return solution;
}

/// Returns the point of k classes rounded to T, for x as it is stored. The offsets sum to 0 up to
/// rounding: F does not change when the same number is added to all offsets.
template <class T>
Solution<T, Matrix<T>, Vector<T>> stored(const detail::samples::Frame<>& frame,
                                         const ClassPoint& point) {
  Solution<T, Matrix<T>, Vector<T>> solution;
  const Index k = count_of(point);
  solution.weights = point.weights.template cast<T>();
  Vector<double> offset(k);
  double sum = 0;
  for (Index a = 0; a < k; ++a)
    sum += offset[a] =
        frame.leave(solution.weights.col(a).template cast<double>(), point.offset[a]);
  solution.offset.resize(k);
  for (Index a = 0; a < k; ++a)
    solution.offset[a] = static_cast<T>(offset[a] - sum / static_cast<double>(k));
  return solution;
}

template <class T>
Point<double> centred(const detail::samples::Frame<>& frame, const Solution<T>& solution) {
  Vector<double> weights = frame.kept_of(solution.weights).template cast<double>();
  const double offset = frame.enter(weights, static_cast<double>(solution.offset));
  return {std::move(weights), offset};
}

template <class T>
ClassPoint centred(const detail::samples::Frame<>& frame,
                   const Solution<T, Matrix<T>, Vector<T>>& solution) {
  ClassPoint point{solution.weights.template cast<double>(),
                   solution.offset.template cast<double>()};
  for (Index a = 0; a < count_of(point); ++a)
    point.offset[a] = frame.enter(point.weights.col(a), point.offset[a]);
  return point;
}

/// Returns w and b of class k, or the only w and b of a solution without classes, in double.
template <class T>
Point<double> shown(const Solution<T>& solution, Index) {
  return {solution.weights.template cast<double>(), static_cast<double>(solution.offset)};
}
template <class T>
Point<double> shown(const Solution<T, Matrix<T>, Vector<T>>& solution, Index k) {
  return {solution.weights.col(k).template cast<double>(), static_cast<double>(solution.offset[k])};
}

template <class T>
bool is_finite(const Solution<T>& solution) {
  return detail::all_finite(solution.weights) && std::isfinite(solution.offset) &&
         std::isfinite(solution.objective);
}
template <class T>
bool is_finite(const Solution<T, Matrix<T>, Vector<T>>& solution) {
  return detail::all_finite(solution.weights) && detail::all_finite(solution.offset) &&
         std::isfinite(solution.objective);
}

}  // namespace linea::solver
