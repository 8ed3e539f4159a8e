// SPDX-License-Identifier: MIT
#pragma once
/// \file The mean loss as a function of the scores of all samples, its derivatives, and the dual
/// variables of its slopes.
#include <algorithm>  // max, min
#include <cmath>      // abs, log, log1p
#include <cstdint>
#include <cstring>  // memcpy
#include <linea/core/loss.hpp>
#include <linea/core/solution.hpp>
#include <linea/linear_algebra/vectors.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/samples/all_rows.hpp>

namespace linea::detail::newton {

/// The number of scores in a block.
inline constexpr Index most_scores = 256;

/// Computes result ← exp(−|x|) for `count` ≤ most_scores numbers x, with a relative error of at
/// most 5e-16. For |x| > 708 the result is exp(−708). NaN stays NaN.
inline void exp_of_minus_abs(const double* x, Index count, double* result) {
#if defined(__clang__)  // of g++, core/compiler.hpp refuses the flags that reassociate sums
#pragma clang fp reassociate(off)
#endif
  typedef double Pair __attribute__((vector_size(16)));
  typedef std::int64_t Bits __attribute__((vector_size(16)));
  constexpr double round = 6755399441055744.0;  // 1.5·2⁵²: adding it rounds to an integer
  alignas(16) double in[most_scores];
  for (Index k = 0; k < count; ++k) in[k] = std::max(-std::abs(x[k]), -708.0);
  if (count % 2) in[count] = 0;
  alignas(16) double out[most_scores];
  for (Index k = 0; k < count; k += 2) {
    Pair v;
    std::memcpy(&v, in + k, sizeof v);
    const Pair shifted = v * 1.4426950408889634 + round;  // v = whole·ln 2 + r, |r| ≤ ½·ln 2
    const Pair whole = shifted - round;
    const Pair r = (v - whole * 6.93147180369123816490e-01) - whole * 1.90821492927058770002e-10;
    const Pair r2 = r * r;
    const Pair r4 = r2 * r2;
    const Pair low = (1 + r) + r2 * (0.5 + r * (1.0 / 6));
    const Pair middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    const Pair high = (1.0 / 40320 + r * (1.0 / 362880)) +
                      r2 * (1.0 / 3628800 + r * (1.0 / 39916800)) + r4 * (1.0 / 479001600);
    Bits power;
    std::memcpy(&power, &shifted, sizeof power);
    power = (power + 1023) << 52;  // 2^whole
    Pair scale;
    std::memcpy(&scale, &power, sizeof scale);
    const Pair exponential = (low + r4 * (middle + r4 * high)) * scale;
    std::memcpy(out + k, &exponential, sizeof exponential);
  }
  for (Index k = 0; k < count; ++k) result[k] = out[k] + (x[k] - x[k]);
}

/// Returns Σ ln(1 + small) for numbers in [0, 1]. Takes a single logarithm, of the product of all
/// 1 + small, unless the numbers are so small that 1 + small would lose digits.
inline double sum_of_log1p(const double* small, Index count) {
  double sum = 0;
  double products[4] = {1, 1, 1, 1};  // four independent products, whose computations overlap
  for (Index k = 0; k < count; ++k) {
    sum += small[k];
    products[k % 4] *= 1 + small[k];
  }
  if (sum > 0.01 * static_cast<double>(count))
    return std::log((products[0] * products[1]) * (products[2] * products[3]));
  sum = 0;
  for (Index k = 0; k < count; ++k) sum += std::log1p(small[k]);
  return sum;
}

/// Returns Σ partsᵢ·ℓ(pᵢ, yᵢ), or Σ ℓ(pᵢ, yᵢ) without parts, for `count` ≤ most_scores scores p and
/// targets y. Sets the slopes and, if not null, the curvatures, neither multiplied by the parts.
/// Does not evaluate ℓ for samples with part 0, only its derivatives.
template <DifferentiableLoss L>
double total_loss(const L& loss, const double* p, const double* y, const double* parts, Index count,
                  double* slopes, double* curvatures) {
  double sum = 0;
  for (Index k = 0; k < count; ++k) {
    slopes[k] = static_cast<double>(loss.derivative(p[k], y[k]));
    if constexpr (CurvedLoss<L>)
      if (curvatures) curvatures[k] = static_cast<double>(loss.second_derivative(p[k], y[k]));
    if (!parts)
      sum += static_cast<double>(loss.value(p[k], y[k]));
    else if (parts[k] > 0)
      sum += parts[k] * static_cast<double>(loss.value(p[k], y[k]));
  }
  return sum;
}

/// The excess and the slope of a logistic loss ℓ(p, y) = ln(1 + exp(−|p|)) + excess(p, y).
struct LogisticPart {
  double excess;
  double slope;  ///< ℓ′
};

/// Returns the part for targets −1 and +1. `lesser` and `larger` are the smaller and the larger of
/// σ(p) and σ(−p).
inline LogisticPart logistic_part(const Log&, double p, double y, double lesser, double larger) {
  const double agreement = y * p;
  return {std::max(-agreement, 0.0), -y * (agreement > 0 ? lesser : larger)};
}

/// Returns the part of CrossEntropy after Sigmoid, for targets from 0 to 1.
template <class L>
auto logistic_part(const L& of, double p, double y, double lesser, double)
    -> decltype(LogisticPart{of.loss.excess_after(of.activation, p, y), 0}) {
  return {of.loss.excess_after(of.activation, p, y),
          of.loss.slope_after(of.activation, p, y, lesser)};
}

template <class L>
concept LogisticLoss = DifferentiableLoss<L> && requires(const L& loss, double number) {
  logistic_part(loss, number, number, number, number);
};

/// The overload for logistic losses. Computes one exponential for each score and, without parts,
/// usually one logarithm for each block.
template <LogisticLoss L>
double total_loss(const L& loss, const double* p, const double* y, const double* parts, Index count,
                  double* slopes, double* curvatures) {
  double small[most_scores];
  double excess[most_scores];
  exp_of_minus_abs(p, count, small);
  double sum = 0;
  for (Index k = 0; k < count; ++k) {
    const double larger = 1 / (1 + small[k]);
    const double lesser = small[k] * larger;
    const LogisticPart part = logistic_part(loss, p[k], y[k], lesser, larger);
    excess[k] = part.excess;
    slopes[k] = part.slope;
    if (curvatures) curvatures[k] = lesser * larger;
  }
  if (!parts) {
    for (Index k = 0; k < count; ++k) sum += excess[k];
    return sum_of_log1p(small, count) + sum;
  }
  for (Index k = 0; k < count; ++k)
    if (parts[k] > 0) sum += parts[k] * (std::log1p(small[k]) + excess[k]);
  return sum;
}

/// The overload for losses selected at run time, with one dispatch for the block.
template <ChosenLoss L>
  requires DifferentiableLoss<L>
double total_loss(const L& loss, const double* p, const double* y, const double* parts, Index count,
                  double* slopes, double* curvatures) {
  return loss.visit(
      [&](const auto& one) { return total_loss(one, p, y, parts, count, slopes, curvatures); });
}

/// The risk (1/S) Σᵢ sᵢ·ℓ(pᵢ, yᵢ) for scores p (n). Real is double; it is a template parameter so
/// that the class is compiled only where it is used.
template <DifferentiableLoss L, class Real = double, class All = samples::AllRowsHere>
class RiskOfScores {
 public:
  /// Slopes sᵢ/S·ℓ′ and curvatures sᵢ/S·ℓ″ of the mean loss at some scores, (n) each.
  struct Samplewise {
    Vector<Real> slopes{};
    Vector<Real> curvatures{};
  };

  /// y is (n). The sample weights are (n), of mean 1, or empty. The arguments must outlive this
  /// object.
  RiskOfScores(const L& loss, const Vector<Real>& y, const Vector<Real>& weights)
      : RiskOfScores(loss, y, weights, y.size(), All{}) {}
  /// y and weights are those of one process, and `all` is the number of samples of all processes.
  /// `evaluate` sums over the samples of this process. The balance of the dual variables and `dual`
  /// refer to all samples.
  RiskOfScores(const L& loss, const Vector<Real>& y, const Vector<Real>& weights, Index all,
               const All& all_rows)
      : loss_(loss),
        y_(y),
        weights_(weights),
        part_(1 / static_cast<double>(all)),
        all_(all),
        all_rows_(all_rows),
        parts_(weights) {
    for (Index i = 0; i < parts_.size(); ++i) parts_[i] *= part_;
  }

  Index samples() const { return y_.size(); }
  /// Returns sᵢ/S, (n).
  Vector<Real> parts() const {
    return parts_.size() > 0 ? parts_ : detail::filled(samples(), part_);
  }
  /// Returns sᵢ/S times the numbers (n). Move the numbers in to avoid a copy.
  Vector<Real> in_parts(Vector<Real> numbers) const {
    for (Index i = 0; i < numbers.size(); ++i) numbers[i] *= part(i);
    return numbers;
  }

  /// Returns Σ sᵢ/S·ℓ over the `count` ≤ most_scores samples from `first` on with these scores.
  /// Sets the entries of these samples in `at`: the slopes and, if `curved`, the curvatures. A
  /// sample of weight 0 adds 0, even if its loss is not finite.
  double evaluate(const double* scores, Index first, Index count, Samplewise& at,
                  bool curved) const {
    double* const slopes = at.slopes.data() + first;
    double* const curvatures = curved ? at.curvatures.data() + first : nullptr;
    const double* const parts = parts_.size() > 0 ? parts_.data() + first : nullptr;
    const double sum =
        total_loss(loss_, scores, y_.data() + first, parts, count, slopes, curvatures);
    for (Index k = 0; k < count; ++k) {
      const double part = parts ? parts[k] : part_;
      slopes[k] = part > 0 ? part * slopes[k] : 0;
      if (curvatures) curvatures[k] = part > 0 ? part * curvatures[k] : 0;
    }
    return parts ? sum : part_ * sum;
  }

  /// Returns Σ sᵢ/S·ℓ over the samples of this object at scores + t·moves. Sets `at`.
  double evaluate(const Vector<Real>& scores, Samplewise& at, double t = 0,
                  const Vector<Real>* moves = nullptr) const {
    at.slopes.resize(samples());
    at.curvatures.resize(samples());
    double sum = 0;
    double block[most_scores];
    for (Index first = 0; first < samples(); first += most_scores) {
      const Index count = std::min(most_scores, samples() - first);
      for (Index k = 0; k < count; ++k)
        block[k] = moves ? scores[first + k] + t * (*moves)[first + k] : scores[first + k];
      sum += evaluate(block, first, count, at, CurvedLoss<L>);
    }
    return sum;
  }

  /// Sets curvatures[i] to sᵢ/S times the mean of ℓ″(p, yᵢ) over the p from scores[i] − reach to
  /// scores[i] + reach. Requires reach > 0.
  void widen(const Vector<double>& scores, double reach, Vector<double>& curvatures) const {
    curvatures.resize(samples());
    for (Index i = 0; i < samples(); ++i) {
      const double above = loss_.derivative(scores[i] + reach, y_[i]);
      const double below = loss_.derivative(scores[i] - reach, y_[i]);
      curvatures[i] = part(i) > 0 ? part(i) * ((above - below) / (2 * reach)) : 0;
    }
  }

  /// Returns the dual variables αᵢ = −ℓ′ (n) of these slopes. With an offset, balances them to Σᵢ
  /// sᵢαᵢ = 0.
  Vector<Real> multipliers(const Vector<Real>& slopes,
                           bool has_offset) const requires ConjugateLoss<L> {
    Vector<Real> multipliers(samples());
    for (Index i = 0; i < samples(); ++i)
      multipliers[i] = part(i) > 0 ? dual::within_domain(loss_, -slopes[i] / part(i), y_[i]) : 0.0;
    if (has_offset) dual::balance(multipliers, weights_, all_rows_);
    return multipliers;
  }

  /// Returns the first term of the dual D, which comes from the mean loss, at `scale` times the
  /// dual variables.
  double dual(const Vector<Real>& multipliers, double scale = 1) const requires ConjugateLoss<L> {
    return dual::dual_of_losses(loss_, y_, weights_, multipliers, scale, all_, all_rows_);
  }

 private:
  double part(Index i) const { return parts_.size() > 0 ? parts_[i] : part_; }

  const L& loss_;
  const Vector<Real>& y_;
  const Vector<Real>& weights_;
  double part_;  // 1/n
  Index all_;    // n, over all processes
  All all_rows_;
  Vector<Real> parts_;  // sᵢ/S; empty without weights
};

}  // namespace linea::detail::newton
