// SPDX-License-Identifier: MIT
#pragma once
/// \file The mean loss as a function of the scores of all samples, and the multipliers that its
/// slopes make.
#include <algorithm>  // min
#include <linea/core/certificate.hpp>
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/optimizers/smooth/loss_at_scores.hpp>
#include <linea/samples/all_rows.hpp>

namespace linea::smooth {

/// (1/S) Σᵢ sᵢ·ℓ(pᵢ, yᵢ) for scores p (n). Real is double: a parameter, so that expressions of its
/// vectors are compiled where they are used and not where they are included.
template <DifferentiableLoss L, class Real = double, class All = samples::AllRowsHere>
class RiskOfScores {
 public:
  /// Slopes sᵢ/S·ℓ′ and curvatures sᵢ/S·ℓ″ of the mean loss at some scores, (n) each.
  struct Samplewise {
    Vector<Real> slopes{};
    Vector<Real> curvatures{};
  };

  /// y is (n), as are the sample weights, of mean 1, unless there are none. All must outlive it.
  RiskOfScores(const L& loss, const Vector<Real>& y, const Vector<Real>& weights)
      : RiskOfScores(loss, y, weights, y.size(), All{}) {}
  /// The same where these are some of all samples, which are `all` in number. What `evaluate`
  /// answers is of these only; `mean`, `sum`, the balance of multipliers and `dual` are over all.
  RiskOfScores(const L& loss, const Vector<Real>& y, const Vector<Real>& weights, Index all,
               const All& all_rows)
      : loss_(loss),
        y_(y),
        weights_(weights),
        part_(1 / static_cast<double>(all)),
        all_(all),
        all_rows_(all_rows) {
    if (weights.size() > 0) parts_ = weights * part_;
  }

  Index samples() const { return y_.size(); }
  /// sᵢ/S, (n).
  Vector<Real> parts() const {
    return parts_.size() > 0 ? parts_ : Vector<Real>::Constant(samples(), part_);
  }
  /// The numbers (n) times sᵢ/S, in place where they are not needed any more.
  Vector<Real> in_parts(Vector<Real> numbers) const {
    if (parts_.size() > 0)
      numbers.array() *= parts_.array();
    else
      numbers *= part_;
    return numbers;
  }

  /// Σ sᵢ/S·ℓ over the samples from `first` on that have these scores. Sets their entries in `at`:
  /// the slopes and, where `curved`, the curvatures. A sample of weight 0 adds 0, even where its
  /// loss is not finite.
  template <bool curved>
  double evaluate(const ScoreBlock& scores, Index first, LossBlock& block, Samplewise& at) const {
    const Index count = scores.size();
    using Scores = Eigen::Array<Real, Eigen::Dynamic, 1, 0, most_scores, 1>;  // ScoreBlock
    const Scores targets = y_.segment(first, count).array();
    const Scores& slopes = block.slopes;
    const Scores& curvatures = block.curvatures;
    if (weights_.size() == 0) {
      const double sum = total_loss<curved>(loss_, scores, targets, nullptr, block);
      at.slopes.segment(first, count) = part_ * slopes;
      if constexpr (curved) at.curvatures.segment(first, count) = part_ * curvatures;
      return part_ * sum;
    }
    const Scores parts = parts_.segment(first, count).array();
    const double sum = total_loss<curved>(loss_, scores, targets, &parts, block);
    const auto present = parts > 0;
    at.slopes.segment(first, count) = present.select(parts * slopes, 0.0);
    if constexpr (curved)
      at.curvatures.segment(first, count) = present.select(parts * curvatures, 0.0);
    return sum;
  }

  /// The same for all samples.
  template <bool curved>
  double evaluate(const Vector<Real>& scores, Samplewise& at) const {
    at.slopes.resize(samples());
    if constexpr (curved) at.curvatures.resize(samples());
    LossBlock block;
    double sum = 0;
    for (Index first = 0; first < samples(); first += most_scores) {
      const Index count = std::min(most_scores, samples() - first);
      sum += evaluate<curved>(scores.segment(first, count).array(), first, block, at);
    }
    return sum;
  }

  /// The mean loss over all samples, curvatures included.
  double mean(const Vector<Real>& scores, Samplewise& at) const {
    return sum(evaluate<true>(scores, at));
  }

  /// Over all samples, of these.
  double sum(double number) const { return all_rows_.sum(number); }

  /// Sets curvatures[i] to the mean of sᵢ/S·ℓ″ over the scores within `reach` > 0 of this one.
  void widen(const Vector<double>& scores, double reach, Vector<double>& curvatures) const {
    curvatures.resize(samples());
    for (Index i = 0; i < samples(); ++i) {
      const double above = loss_.derivative(scores[i] + reach, y_[i]);
      const double below = loss_.derivative(scores[i] - reach, y_[i]);
      curvatures[i] = part(i) > 0 ? part(i) * ((above - below) / (2 * reach)) : 0;
    }
  }

  /// The multipliers αᵢ = −ℓ′ (n) of these slopes; with offset they are balanced, so that Σᵢ sᵢαᵢ =
  /// 0.
  Vector<Real> multipliers(const Vector<Real>& slopes,
                           bool has_offset) const requires ConjugateLoss<L> {
    Vector<Real> multipliers(samples());
    for (Index i = 0; i < samples(); ++i)
      multipliers[i] = part(i) > 0 ? dual::within_domain(loss_, -slopes[i] / part(i), y_[i]) : 0.0;
    if (has_offset) dual::balance(multipliers, weights_, all_rows_);
    return multipliers;
  }

  /// The first term of the dual D, that of the mean loss, at `scale` times these multipliers.
  double dual(const Vector<Real>& multipliers, double scale = 1) const requires ConjugateLoss<L> {
    return dual::dual_of_losses(loss_, y_, weights_, multipliers, scale, all_, all_rows_);
  }

 private:
  double part(Index i) const { return parts_.size() > 0 ? parts_[i] : part_; }

  const L& loss_;
  const Vector<Real>& y_;
  const Vector<Real>& weights_;
  double part_;           // 1/n
  Vector<Real> parts_{};  // sᵢ/S where there are weights
  Index all_;             // n
  All all_rows_;
};

}  // namespace linea::smooth
