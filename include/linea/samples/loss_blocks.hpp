// SPDX-License-Identifier: MIT
#pragma once
/// \file A loss behind virtual functions, one call for each block of scores: the code that needs it
/// is compiled once for all losses.
#include <algorithm>  // max, min
#include <cmath>      // abs, log, log1p
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/exponential.hpp>
#include <linea/losses/joint.hpp>
#include <linea/losses/log.hpp>
#include <linea/samples/best_constant.hpp>

namespace linea::detail::samples {

/// The number of scores in a block.
inline constexpr Index most_scores = 256;

/// Computes result ← exp(−|x|) for `count` ≤ most_scores numbers x, with a relative error of at
/// most 5e-16. For |x| > 708 the result is exp(−708). NaN stays NaN.
inline void exp_of_minus_abs(const double* x, Index count, double* result) {
  alignas(16) double in[most_scores];
  for (Index k = 0; k < count; ++k)
    in[k] = std::max(-std::abs(x[k]), linear_algebra::least_exponent);
  if (count % 2) in[count] = 0;
  for (Index k = 0; k < count; k += 2) {
    linear_algebra::exponentiate<2>(in + k);
  }
  for (Index k = 0; k < count; ++k) result[k] = in[k] + (x[k] - x[k]);
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

/// Returns the dual variable α = `multiplier`. If rounding has made ℓ*(−α, y) infinite, first
/// scales α towards 0 until ℓ*(−α, y) is finite, as it is at 0.
template <ConjugateLoss L>
double within_domain(const L& loss, double multiplier, double target) {
  for (double less = 2 * std::numeric_limits<double>::epsilon(); less < 1; less *= 2) {
    if (std::isfinite(loss.conjugate(-multiplier, target))) return multiplier;
    multiplier -= less * multiplier;
  }
  return 0;
}

/// A loss ℓ, evaluated for blocks of scores p with their targets y.
class LossBlocks {
 public:
  /// What the types of losses state: see core/loss.hpp.
  struct Traits {
    bool is_convex, has_dual;
    bool is_curved;  ///< has it a second derivative?
    bool is_kinkless, has_dual_boxes;
    bool has_joints;         ///< is it a BandLoss?
    bool is_open_box;        ///< is it an OpenBoxLoss?
    bool has_proximal;       ///< has it a proximal step?
    double curvature_bound;  ///< sup ℓ″, or ∞ if the loss states no bound
  };

  LossBlocks(const Traits& traits, const SlopeOfLoss& slope) : traits_(traits), slope_(slope) {}
  LossBlocks(const LossBlocks&) = delete;
  virtual ~LossBlocks() = default;

  const Traits& traits() const { return traits_; }
  const SlopeOfLoss& slope() const { return slope_; }

  /// Returns Σ partsₖ·ℓ(pₖ, yₖ) as `total_loss` does, for at most most_scores scores. Sets the
  /// slopes and, if not null, the curvatures. These are 0 for a loss without a second derivative.
  virtual double evaluate(const double* p, const double* y, const double* parts, Index count,
                          double* slopes, double* curvatures) const = 0;
  /// Makes the conjugates ℓ*(−αₖ, yₖ) finite: see within_domain.
  virtual void enter_domain(double* multipliers, const double* y, Index count) const = 0;
  /// Returns Σ sₖ·ℓ*(−scale·αₖ, yₖ) over any number of samples with sₖ > 0, where s is 1 if
  /// `weights` is null. Sets terms[k], unless `terms` is null, to the term of sample k or 0.
  /// Requires has_dual.
  virtual double conjugates(const double* multipliers, double scale, const double* y,
                            const double* weights, Index count, double* terms) const = 0;
  /// Replaces each score pₖ by the minimiser of ℓ(z, yₖ) + (z − pₖ)²/(2·step) over z. Requires
  /// has_proximal.
  virtual void proximal(double* p, const double* y, double step, Index count) const = 0;
  /// Returns the loss for target y as a Joint: see joint_of. Requires has_joints.
  virtual Joint joint(double y) const = 0;

 private:
  Traits traits_;
  SlopeOfLoss slope_;
};

/// The blocks of a loss, which must outlive this object.
template <DifferentiableLoss L>
class LossBlocksOf final : public LossBlocks {
 public:
  explicit LossBlocksOf(const L& loss)
      : LossBlocks({is_convex_loss<L>, ConjugateLoss<L>, CurvedLoss<L>, KinklessLoss<L>,
                    linea::has_dual_boxes(loss), BandLoss<L>, OpenBoxLoss<L>, ProximalLoss<L>,
                    curvature_bound(loss)},
                   slope_of(loss)),
        loss_(loss) {}

  double evaluate(const double* p, const double* y, const double* parts, Index count,
                  double* slopes, double* curvatures) const override {
    return total_loss(loss_, p, y, parts, count, slopes, curvatures);
  }
  void enter_domain(double* multipliers, const double* y, Index count) const override {
    if constexpr (ConjugateLoss<L>)
      for (Index k = 0; k < count; ++k) multipliers[k] = within_domain(loss_, multipliers[k], y[k]);
  }
  double conjugates(const double* multipliers, double scale, const double* y, const double* weights,
                    Index count, double* terms) const override {
    double sum = 0;
    if constexpr (ConjugateLoss<L>)
      for (Index k = 0; k < count; ++k) {
        const double weight = weights ? weights[k] : 1.0;
        double term = 0;
        if (weight > 0) term = weight * loss_.conjugate(-scale * multipliers[k], y[k]);
        if (terms) terms[k] = term;
        sum += term;
      }
    return sum;
  }
  void proximal(double* p, const double* y, double step, Index count) const override {
    if constexpr (ProximalLoss<L>)
      for (Index k = 0; k < count; ++k) p[k] = loss_.proximal(p[k], y[k], step);
  }
  Joint joint([[maybe_unused]] double y) const override {
    if constexpr (BandLoss<L>)
      return joint_of(loss_, y);
    else
      return {};
  }

 private:
  static double curvature_bound(const L& loss) {
    if constexpr (SmoothLoss<L>)
      return loss.curvature_bound();
    else
      return std::numeric_limits<double>::infinity();
  }

  const L& loss_;
};

}  // namespace linea::detail::samples
