// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples by their score, the highest first, those of the same score together.
#include <algorithm>  // sort
#include <linea/metrics/class_scores.hpp>
#include <linea/metrics/counted.hpp>
#include <numeric>  // iota
#include <string_view>
#include <vector>

namespace linea::metrics {

/// f(positive, negative) for every score that occurs, from the highest to the lowest: the weights
/// of both kinds of samples that have it. scores (m) hold no NaN, weights (m) are above 0. Cost:
/// O(m·log m).
template <class V, class IsPositive, class F>
void for_each_score(const V& scores, const Vector<double>& weights, IsPositive&& is_positive,
                    F&& f) {
  std::vector<Index> order(static_cast<std::size_t>(scores.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return scores[a] > scores[b]; });
  for (std::size_t i = 0; i < order.size();) {
    const double score = scores[order[i]];
    double positive = 0;
    double negative = 0;
    for (; i < order.size() && scores[order[i]] == score; ++i)
      (is_positive(order[i]) ? positive : negative) += weights[order[i]];
    f(positive, negative);
  }
}

/// The weights of both kinds of samples.
struct Sides {
  double positive{0};
  double negative{0};
};
template <class IsPositive>
Sides sides_of(const Vector<double>& weights, IsPositive&& is_positive) {
  Sides sides;
  for (Index i = 0; i < weights.size(); ++i)
    (is_positive(i) ? sides.positive : sides.negative) += weights[i];
  return sides;
}

/// A figure of each class against all others, as their mean, or as the mean in which a class counts
/// by its weight in y. figure(scores, weights, is_positive) is asked for classes that count, after
/// admit(k, sides) of it.
template <class Admit, class Figure>
double one_against_rest(const ClassScores& samples, bool weighted, Admit&& admit, Figure&& figure) {
  double sum = 0;
  double total = 0;
  for (Index k = 0; k < samples.classes(); ++k) {
    const auto is_positive = [&](Index i) { return samples.truth_of(i) == k; };
    const Sides sides = sides_of(samples.weights, is_positive);
    if (weighted && !(sides.positive > 0)) continue;
    admit(k, sides);
    const double weight = weighted ? sides.positive : 1;
    Vector<double> scores(samples.size());
    for (Index i = 0; i < scores.size(); ++i) scores[i] = samples.scores(i, k);
    sum += weight * figure(scores, samples.weights, is_positive);
    total += weight;
  }
  return sum / total;
}

}  // namespace linea::metrics
