// SPDX-License-Identifier: MIT
#pragma once
/// \file Slopes and curvatures of the loss of all samples at a solution.
#include <concepts>  // same_as
#include <linea/activations/exponential.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/cross_entropy.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/losses/squared.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::models {

/// Is L minus the logarithm of a likelihood, up to a constant, with nothing left to estimate?
template <class L>
inline constexpr bool is_likelihood = false;
template <>
inline constexpr bool is_likelihood<Log> = true;
template <>
inline constexpr bool is_likelihood<Composed<CrossEntropy, Sigmoid>> = true;
template <>
inline constexpr bool is_likelihood<Composed<Poisson, Exponential>> = true;

template <class L>
concept LossWithErrors = std::same_as<L, Squared> || is_likelihood<L>;
template <class P>
concept PenaltyWithErrors = std::same_as<P, L2> || std::same_as<P, NoPenalty>;

/// Which way the score of a sample may go without its loss rising: 1 up, −1 down, 0 neither.
inline double way_of(const Log&, double target) { return target; }
inline double way_of(const Composed<CrossEntropy, Sigmoid>&, double target) {
  return target == 1 ? 1 : target == 0 ? -1 : 0;
}
inline double way_of(const Composed<Poisson, Exponential>&, double target) {
  return target == 0 ? -1 : 0;
}
inline double way_of(const Squared&, double) { return 0; }

/// The loss of samples at a solution, as far as standard errors need it.
struct AtSolution {
  Vector<double> slopes;      ///< sᵢℓ′ (n)
  Vector<double> curvatures;  ///< sᵢℓ″ (n)
  Vector<double> ways;        ///< as in way_of (n)
  double squares{0};          ///< Σ sᵢ(pᵢ − yᵢ)², for Squared
  double target_squares{0};   ///< Σ sᵢyᵢ²
  double curvature{0};        ///< Σ sᵢℓ″
  Index present{0};           ///< samples of a weight above 0
  bool separates{false};      ///< two classes: is every score on the side of its target?

  /// Leaves out sample i, whose weight is above 0.
  void leave_out(Index i) {
    slopes[i] = curvatures[i] = 0;
    --present;
  }
};

template <class L, class Rows>
AtSolution at_solution(const L& loss, const samples::TrainingSet<Rows>& set,
                       const Vector<double>& weights, double offset) {
  using Real = core::DoubleFor<Rows>;
  const Index n = set.rows.rows();
  AtSolution at{Vector<Real>::Zero(n), Vector<Real>::Zero(n), Vector<Real>::Zero(n)};
  at.separates = std::same_as<L, Log> || std::same_as<L, Composed<CrossEntropy, Sigmoid>>;
  Vector<Real> scores(n);
  set.rows.scores(0, n, weights, scores.data());
  for (Index i = 0; i < n; ++i) {
    const double weight = set.weights.size() > 0 ? set.weights[i] : 1.0;
    if (!(weight > 0)) continue;
    const double score = scores[i] + offset;
    at.slopes[i] = weight * loss.derivative(score, set.y[i]);
    at.curvatures[i] = weight * loss.second_derivative(score, set.y[i]);
    at.curvature += at.curvatures[i];
    at.squares += weight * (score - set.y[i]) * (score - set.y[i]);
    at.target_squares += weight * set.y[i] * set.y[i];
    at.ways[i] = way_of(loss, set.y[i]);
    at.separates = at.separates && score * at.ways[i] > 0;
    ++at.present;
  }
  return at;
}

/// Σ gᵢ(xᵢ − x̄), (d).
template <class Rows>
Vector<double> centred_sum(const Rows& rows, const Vector<double>& slopes,
                           const Vector<double>& means) {
  using Real = core::DoubleFor<Rows>;
  const Vector<Real>& g = slopes;
  const Vector<Real>& mean = means;
  Vector<Real> sum = Vector<Real>::Zero(rows.cols());
  Vector<Real> stored = sum;
  double total = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (g[i] == 0) continue;
    total += g[i];
    rows.for_each(i, [&](Index j, double value) {
      sum[j] += g[i] * (value - mean[j]);
      stored[j] += g[i];
    });
  }
  return sum - mean.cwiseProduct((total - stored.array()).matrix());
}

}  // namespace linea::models
