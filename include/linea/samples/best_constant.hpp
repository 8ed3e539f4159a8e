// SPDX-License-Identifier: MIT
#pragma once
/// \file The best constant model.
#include <algorithm>  // max, min
#include <cmath>      // abs
#include <linea/core/loss.hpp>
#include <linea/core/solution.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::detail::samples {

/// Returns the zero of the increasing function f between `low` and `high`, by at most 60
/// bisections.
template <class F>
double bisect(const F& f, double low, double high) {
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    const double value = f(middle);
    if (value == 0) return middle;
    (value < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Targets with the total weight of their samples and with known scores, not sorted. `add` merges
/// equal entries only among the first eight; other entries may occur more than once.
struct WeightedTargets {
  std::vector<double> targets{}, weights{}, scores{};

  void add(double target, double weight, double score) {
    constexpr std::size_t compared = 8;  // enough for classes; other targets rarely repeat
    for (std::size_t k = 0; k < std::min(targets.size(), compared); ++k)
      if (targets[k] == target && scores[k] == score) {
        weights[k] += weight;
        return;
      }
    targets.push_back(target);
    weights.push_back(weight);
    scores.push_back(score);
  }
};

/// The derivative of a loss, which must outlive this object, behind a pointer.
struct SlopeOfLoss {
  const void* loss;
  double (*slope)(const void*, double, double);
  bool is_of_residual;  ///< is the loss a function of p − y?

  double operator()(double score, double target) const { return slope(loss, score, target); }
};
template <DifferentiableLoss L>
SlopeOfLoss slope_of(const L& loss) {
  return {&loss,
          [](const void* of, double score, double target) {
            return static_cast<double>(static_cast<const L*>(of)->derivative(score, target));
          },
          is_of_residual(loss)};
}

/// Returns the offset that minimises the risk of the constant model w = 0 on at most `most` evenly
/// spaced samples of positive weight: the mean for squared loss, the log-odds for log loss. Bisects
/// the derivative, which increases with b for a convex loss. The bracket is [−h, h] with h =
/// maxᵢ |yᵢ|, but h ≥ 1 unless the loss is a function of p − y alone; h is doubled at most six
/// times. Returns 0 if the bracket contains no minimum, as for log loss with samples of one class.
/// Scores `known` (n) replace those of w = 0, and h is then at least maxᵢ |knownᵢ| + |yᵢ|. The
/// weights are (n), or empty.
template <class T, class All>
double best_constant(const SlopeOfLoss& loss, const Vector<T>& y, const Vector<T>& weights,
                     const All& all, Index most, const Vector<T>& known) {
  const auto score = [&](Index i) { return known.size() > 0 ? static_cast<double>(known[i]) : 0; };
  const auto weight = [&](Index i) {
    return weights.size() > 0 ? static_cast<double>(weights[i]) : 1.0;
  };
  Index present = 0;  // number of samples of positive weight
  double high = loss.is_of_residual ? 0 : 1;
  for (Index i = 0; i < y.size(); ++i) {
    if (weight(i) == 0) continue;
    ++present;
    high = std::max(high, std::abs(static_cast<double>(y[i])) + std::abs(score(i)));
  }
  high = all.largest(high);
  const Index stride =
      (static_cast<Index>(all.sum(static_cast<double>(present))) + most - 1) / most;
  WeightedTargets asked;
  Index passed_over = stride - 1;
  for (Index i = 0; i < y.size(); ++i) {
    if (weight(i) == 0 || ++passed_over < stride) continue;
    passed_over = 0;
    asked.add(static_cast<double>(y[i]), weight(i), score(i));
  }
  const auto slope = [&](double offset) {
    double sum = 0;
    for (std::size_t k = 0; k < asked.targets.size(); ++k)
      sum += asked.weights[k] * loss(asked.scores[k] + offset, asked.targets[k]);
    return all.sum(sum);
  };
  const auto holds_minimum = [&](double far) { return slope(-far) <= 0 && slope(far) >= 0; };
  bool is_bracketed = holds_minimum(high);
  for (int doubling = 0; doubling < 6 && !is_bracketed; ++doubling) {
    high *= 2;
    is_bracketed = holds_minimum(high);
  }
  return is_bracketed ? bisect(slope, -high, high) : 0;
}
template <DifferentiableLoss L, class Rows>
auto best_constant(const L& loss, const TrainingSet<Rows>& set, Index most = 4096,
                   const Vector<typename Rows::Scalar>& known = {}) {
  return static_cast<typename Rows::Scalar>(
      best_constant(slope_of(loss), set.y, set.weights, set.all(), most, known));
}

/// Returns the scores ⟨w, xᵢ⟩ (n) of weights w (d), or none if w = 0.
template <class Rows, class T>
Vector<T> known_scores(const TrainingSet<Rows>& set, const Vector<T>& w) {
  Vector<T> scores(w.isZero(0) ? 0 : set.rows.rows());
  if (scores.size() > 0) set.rows.scores(0, scores.size(), w, scores.data());
  return scores;
}

/// Returns the best constant as a point: w = 0 (d) or the fixed weights w, b (0 without offset) and
/// the risk as F. Does not read x if w = 0.
template <DifferentiableLoss L, class Rows>
auto constant_point(const L& loss, const TrainingSet<Rows>& set, bool has_offset,
                    const Vector<typename Rows::Scalar>& w) {
  using T = typename Rows::Scalar;
  const Vector<T> known = known_scores(set, w);
  Point<T> point{w, has_offset ? best_constant(loss, set, 4096, known) : T(0)};
  const RowsAtZero<Rows> rows{set.rows, known.size() > 0 ? known.data() : nullptr};
  point.objective = risk_of_rows(loss, rows, set.y, set.weights, point.weights, point.offset);
  return point;
}
template <DifferentiableLoss L, class Rows>
auto constant_point(const L& loss, const TrainingSet<Rows>& set, bool has_offset) {
  using T = typename Rows::Scalar;
  return constant_point(loss, set, has_offset, Vector<T>::Zero(set.rows.cols()).eval());
}

}  // namespace linea::detail::samples
