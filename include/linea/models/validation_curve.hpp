// SPDX-License-Identifier: MIT
#pragma once
/// \file Scores of held-out samples, and the λ that they select.
#include <cmath>     // abs, isfinite, isnan, sqrt
#include <concepts>  // convertible_to
#include <limits>
#include <linea/core/lambdas.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <utility>  // move
#include <vector>

namespace linea {

/// The mean of a loss over held-out samples, as a score: MeanLoss{ZeroOne{}} is the error rate for
/// targets ±1.
template <Loss L>
struct MeanLoss {
  L loss{};

  /// Returns the mean loss of scores p (m) for targets y (m) and sample weights (m) or none.
  double operator()(const Vector<double>& scores, const Vector<double>& y,
                    const Vector<double>& sample_weights) const {
    return empirical_risk(loss, scores, y, sample_weights);
  }
};

template <class L>
MeanLoss(L) -> MeanLoss<L>;

namespace detail {
template <class F>
concept WeightedScore = requires(const F& score, const Vector<double>& v) {
  { score(v, v, v) } -> std::convertible_to<double>;
};
}  // namespace detail

/// A function of the scores p = ⟨w, x⟩ + b and the targets of held-out samples, and optionally of
/// their sample weights, an empty vector if there are none. It returns a number; lower is better.
template <class F>
concept HeldOutScore = detail::WeightedScore<F> ||
    requires(const F& score, const Vector<double>& v) {
  { score(v, v) } -> std::convertible_to<double>;
};

namespace detail {

/// Returns the score of samples with p = ⟨w, x⟩ + b (m), targets (m) and sample weights (m) or
/// none. Returns NaN if a p is NaN, as after divergence.
template <HeldOutScore F>
double held_out_score(const F& score, const Vector<double>& p, const Vector<double>& y,
                      const Vector<double>& sample_weights) {
  for (const double one : p)
    if (std::isnan(one)) return one;
  if constexpr (WeightedScore<F>)
    return static_cast<double>(score(p, y, sample_weights));
  else
    return static_cast<double>(score(p, y));
}

}  // namespace detail

/// The scores of m values of λ on k folds; lower is better.
struct [[nodiscard]] ValidationCurve {
  std::vector<double> lambdas{};    ///< (m)
  Matrix<double> fold_scores{};     ///< (k × m)
  Vector<double> mean{};            ///< (m): mean over the folds, weighted by their sample weights
  Vector<double> standard_error{};  ///< (m): of the mean, as if the folds were independent
  /// Index of the λ with the least mean, the largest λ of equal means. Two means count as equal if
  /// rounding may explain their difference: up to (k + 1)·ε times the mean of |score| each.
  Index best{0};
  /// Index of the largest λ whose mean is at most one standard error above the best mean: the
  /// simplest model that is not distinguishably worse. Breiman, Friedman, Olshen and Stone,
  /// Classification and Regression Trees (1984), 3.4.3; Hastie, Tibshirani and Friedman, The
  /// Elements of Statistical Learning (2009), 7.10.
  Index one_standard_error{0};
  /// Whether a λ outside the range of `lambdas` may be better: the best λ is positive, the least or
  /// the largest of several, and every other mean exceeds the best by more than a millionth.
  bool is_at_edge{false};
};

namespace detail {

/// Sets mean and standard error of each column of the scores (k × m), with weights[f] for row f.
/// Returns a bound on the rounding error of each mean: a score, its weight and their product each
/// have one rounding error, and a sum of k numbers has k − 1.
inline Vector<double> average_folds(const Vector<double>& weights, ValidationCurve& curve) {
  const Matrix<double>& scores = curve.fold_scores;
  const auto folds = static_cast<double>(scores.rows());
  double total = 0;
  for (const double weight : weights) total += weight;
  const auto mean_of = [&](Index k, const auto& f) {
    double mean = 0;
    for (Index i = 0; i < scores.rows(); ++i) mean += weights[i] / total * f(scores(i, k));
    return mean;
  };
  curve.mean.resize(scores.cols());
  curve.standard_error.resize(scores.cols());
  Vector<double> roundings(scores.cols());
  for (Index k = 0; k < scores.cols(); ++k) {
    const double mean = mean_of(k, [](double score) { return score; });
    const auto square = [&](double score) { return (score - mean) * (score - mean); };
    curve.mean[k] = mean;
    curve.standard_error[k] = std::sqrt(mean_of(k, square) / (folds - 1));
    roundings[k] = (folds + 1) * std::numeric_limits<double>::epsilon() *
                   mean_of(k, [](double score) { return std::abs(score); });
  }
  return roundings;
}

}  // namespace detail

/// Returns the curve for λ (m), the scores of k ≥ 2 folds (k × m) and the weight > 0 of each fold
/// (k). A mean of NaN is selected only if all means are NaN. Throws std::invalid_argument if sizes
/// differ, m = 0, k < 2, or a weight is not positive and finite.
inline ValidationCurve validation_curve(std::vector<double> lambdas,
                                        const Matrix<double>& fold_scores,
                                        const Vector<double>& fold_weights) {
  const Index folds = fold_scores.rows();
  const Index m = fold_scores.cols();
  require(m > 0 && static_cast<std::size_t>(m) == lambdas.size(),
          "validation_curve: ", lambdas.size(), " lambdas but scores of ", m);
  require(folds >= 2 && fold_weights.size() == folds, "validation_curve: ", folds,
          " folds, at least two are needed, and ", fold_weights.size(), " weights");
  for (const double weight : fold_weights)
    require(weight > 0 && std::isfinite(weight),
            "validation_curve: a fold's weight is not finite and > 0");
  ValidationCurve curve{std::move(lambdas), fold_scores};
  const Vector<double> roundings = detail::average_folds(fold_weights, curve);
  const auto lambda = [&](Index k) { return curve.lambdas[static_cast<std::size_t>(k)]; };
  curve.best = detail::best_lambda(curve.lambdas, curve.mean, roundings);
  curve.is_at_edge = detail::is_at_edge(curve.lambdas, curve.mean, curve.best);
  curve.one_standard_error = curve.best;
  const double bound = curve.mean[curve.best] + curve.standard_error[curve.best];
  for (Index k = 0; k < m; ++k)
    if (curve.mean[k] <= bound && lambda(k) > lambda(curve.one_standard_error))
      curve.one_standard_error = k;
  return curve;
}

}  // namespace linea
