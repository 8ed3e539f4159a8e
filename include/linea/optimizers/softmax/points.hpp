// SPDX-License-Identifier: MIT
#pragma once
/// \file An iterate of multinomial logistic regression as an observer sees it.
#include <linea/core/point.hpp>
#include <linea/optimizers/softmax/objective.hpp>
#include <vector>

namespace linea::softmax {

/// For each class its weights in θ, rounded to T, and its offset for the samples as they are
/// stored, with F = value. The offsets sum to 0.
template <class T, class Rows>
std::vector<Point<double>> points_at(const SoftmaxObjective<Rows>& problem,
                                     const Matrix<core::DoubleFor<Rows>>& theta, double value) {
  std::vector<Point<double>> points;
  double sum = 0;
  for (Index a = 0; a < problem.classes(); ++a) {
    const Vector<double> w =
        theta.col(a).head(problem.features()).template cast<T>().template cast<double>();
    const double at = problem.has_offset() ? theta(problem.features(), a) : 0;
    points.push_back({w, problem.has_offset() ? problem.frame().leave(w, at) : 0, value});
    sum += points.back().offset;
  }
  for (auto& point : points) point.offset -= sum / static_cast<double>(points.size());
  return points;
}

}  // namespace linea::softmax
