// SPDX-License-Identifier: MIT
#pragma once
/// \file The mean loss of a set of samples as a function of their scores, and what its slopes say of the dual.
#include <algorithm>  // min
#include <linea/core/certificate.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/optimizers/smooth/loss_at_scores.hpp>

namespace linea::smooth {

/// (1/S) Σᵢ sᵢ·ℓ(pᵢ, yᵢ) for scores p (n).
template <DifferentiableLoss L>
class RiskOfScores {
 public:
  using Numbers = Eigen::VectorXd;

  /// What the loss says of the samples at some scores: sᵢ/S·ℓ′ and sᵢ/S·ℓ″, (n) each.
  struct Samplewise {
    Numbers slopes{};
    Numbers curvatures{};
  };

  /// For y (n) and sample weights of mean 1 (n), or none. All must outlive it.
  RiskOfScores(const L& loss, const Numbers& y, const Numbers& weights)
      : loss_(loss),
        y_(y),
        weights_(weights),
        parts_(Numbers::Constant(y.size(), 1 / static_cast<double>(y.size()))),
        part_(parts_[0]) {
    if (weights.size() > 0) parts_ = weights * part_;
  }

  Index samples() const { return y_.size(); }
  const Numbers& parts() const { return parts_; }  ///< sᵢ/S

  /// Σ sᵢ/S·ℓ over the samples from `first` on, of which these are the scores. Sets their slopes in `at`, and the
  /// curvatures where `curved`. A sample of weight 0 is not there, whatever its loss.
  template <bool curved>
  double settle(const ScoreBlock& scores, Index first, LossBlock& block, Samplewise& at) const {
    const Index count = scores.size();
    const ScoreBlock targets = y_.segment(first, count).array();
    if (weights_.size() == 0) {
      const double sum = total_loss<curved>(loss_, scores, targets, nullptr, block);
      at.slopes.segment(first, count) = part_ * block.slopes;
      if constexpr (curved) at.curvatures.segment(first, count) = part_ * block.curvatures;
      return part_ * sum;
    }
    const ScoreBlock parts = parts_.segment(first, count).array();
    const double sum = total_loss<curved>(loss_, scores, targets, &parts, block);
    const auto present = parts > 0;
    at.slopes.segment(first, count) = present.select(parts * block.slopes, 0.0);
    if constexpr (curved)
      at.curvatures.segment(first, count) = present.select(parts * block.curvatures, 0.0);
    return sum;
  }

  /// The same for all samples.
  template <bool curved>
  double settle(const Numbers& scores, Samplewise& at) const {
    at.slopes.resize(samples());
    if constexpr (curved) at.curvatures.resize(samples());
    LossBlock block;
    double sum = 0;
    for (Index first = 0; first < samples(); first += most_scores) {
      const Index count = std::min(most_scores, samples() - first);
      sum += settle<curved>(scores.segment(first, count).array(), first, block, at);
    }
    return sum;
  }

  /// αᵢ = −ℓ′ (n) at the scores of those slopes, such that Σᵢ sᵢαᵢ = 0 where b is free: see balance.
  Numbers multipliers(const Numbers& slopes, bool has_offset) const requires ConjugateLoss<L> {
    Numbers multipliers(samples());
    for (Index i = 0; i < samples(); ++i)
      multipliers[i] =
          parts_[i] > 0 ? dual::within_domain(loss_, -slopes[i] / parts_[i], y_[i]) : 0.0;
    if (has_offset) dual::balance(multipliers, weights_);
    return multipliers;
  }

  /// What `scale` times these multipliers make of the mean loss's share of D.
  double dual(const Numbers& multipliers, double scale = 1) const requires ConjugateLoss<L> {
    return dual::dual_of_losses(loss_, y_, weights_, multipliers, scale);
  }

 private:
  const L& loss_;
  const Numbers& y_;
  const Numbers& weights_;
  Numbers parts_;
  double part_;  // 1/n
};

}  // namespace linea::smooth
