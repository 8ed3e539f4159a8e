// SPDX-License-Identifier: MIT
#pragma once
/// \file The update rule of dual coordinate ascent, its state for each sample, and the choice of
/// the samples to visit.
#include <algorithm>  // min
#include <cmath>      // abs, isfinite
#include <cstdint>
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/order.hpp>
#include <linea/core/rule.hpp>
#include <linea/core/types.hpp>
#include <linea/optimizers/dual/problem.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/risk_of_scores.hpp>
#include <vector>

namespace linea::detail::dual {

/// Shrinking: a dual variable that visits do not change becomes inactive, as do most at a bound of
/// their domain. After k visits in a row without change, 2ᵏ⁻¹ − 1 epochs (at most 63) pass before
/// the next visit. A visit counts twice if the dual variable would also stay unchanged at scores
/// that differ by `reach`.
class Shrinking {
 public:
  explicit Shrinking(Index n)
      : visits_(static_cast<std::size_t>(n)), waits_(visits_.size()), present_(n) {}

  /// Excludes sample i from all visits.
  void leave_out(std::size_t i) {
    present_ -= waits_[i] != never;
    waits_[i] = never;
  }
  Index present() const { return present_; }  ///< samples that are not left out

  /// Returns six times the mean change of a sample's score by the step on its dual variable, over
  /// the last epoch that changed one, or infinity before. The factor 6 is empirical.
  double reach() const { return reach_; }
  /// Records a visit to sample i that changed its score by `change` in absolute value.
  void note_move(std::size_t i, double change) {
    visits_[i] = waits_[i] = 0;
    changes_ += change;
    ++moves_;
  }
  /// Records a visit to sample i that did not change its dual variable. `is_far`: would it also
  /// stay unchanged if the score changed by `reach`?
  void note_stay(std::size_t i, bool is_far) {
    const unsigned visits = std::min(visits_[i] + (is_far ? 2U : 1U), longest);
    visits_[i] = static_cast<std::uint8_t>(visits);
    waits_[i] = static_cast<std::uint8_t>((1U << visits >> 1U) - 1U);
  }
  /// Makes all dual variables, except those left out, active in the next epoch.
  void wake() {
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (waits_[i] != never) visits_[i] = waits_[i] = 0;
  }
  /// Sets `due` to the samples to visit in the next epoch, in ascending order.
  void draw(Sequence& due) {
    due.clear();
    if (moves_ > 0) reach_ = 6 * changes_ / static_cast<double>(moves_);
    changes_ = 0;
    moves_ = 0;
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (waits_[i] == 0)
        due.push_back(static_cast<std::uint32_t>(i));
      else if (waits_[i] != never)
        --waits_[i];
  }

 private:
  static constexpr unsigned longest = 7;
  static constexpr std::uint8_t never = 255;
  std::vector<std::uint8_t> visits_;  // visits in a row without change, see note_stay
  std::vector<std::uint8_t> waits_;   // epochs to pass before the next visit, or `never`
  Index present_;                     // samples that are not left out
  double reach_{std::numeric_limits<double>::infinity()};
  double changes_{0};  // sum of the absolute changes of scores in this epoch
  Index moves_{0};     // number of changes of dual variables in this epoch
};

/// The state of dual coordinate ascent for a sample.
struct SampleState {
  double multiplier{0};  ///< αᵢ
  double curvature{0};   ///< q = sᵢ·(‖xᵢ − m‖² + κ²)/(λn); 0 if sᵢ = 0
  double along_mean{0};  ///< ⟨m, xᵢ⟩
};

/// Returns the scale of scores over that of slopes: for losses of p − y mean |b − yᵢ| / mean
/// |ℓ′(b, yᵢ)|, where b is the best constant. For other losses, or if this quotient is not positive
/// and finite, returns 1.
inline double score_by_slope(const DualProblem& of, const samples::RiskOfScores& risk) {
  const samples::SlopeOfLoss& slope = of.loss.slope();
  if (!slope.is_of_residual) return 1;
  const double b = samples::best_constant(risk);
  double scores = 0, slopes = 0;
  for (Index i = 0; i < of.samples(); ++i) {
    scores += of.weight(i) * std::abs(b - of.y[i]);
    slopes += of.weight(i) * std::abs(slope(b, of.y[i]));
  }
  const double ratio = scores / slopes;
  return ratio > 0 && std::isfinite(ratio) ? ratio : 1;
}

/// One exact step on one dual variable, α → α′, and the resulting change of w and b.
///
/// Here m is the mean of the rows and κ a constant feature for the offset (see Ascent); both are 0
/// without an offset. With r = (α′ − α)·s/(λn), the step for centred rows is w ← w + r·(x − m), b ←
/// b + r·(κ² − ⟨m, x − m⟩). Rows are not centred in memory: the caller adds r·x to v, and `shift`
/// is the sum of all r, so that w = v − shift·m.
///
/// The rule changes the states of the samples, `shrinking`, `shift` and the estimate of the gap.
/// `at(i)` is the rule for row i.
template <class L>
class DualRule {
 public:
  static constexpr bool weight_repeats = false;

  /// `scale` is 1/(λn), `offset_scale` is κ² + ‖m‖². All arguments passed by reference must outlive
  /// this object.
  DualRule(const L& loss, std::vector<SampleState>& samples, Shrinking& shrinking, double& shift,
           double scale, double offset_scale)
      : loss_(loss),
        samples_(samples),
        shrinking_(shrinking),
        shift_(shift),
        scale_(scale),
        offset_scale_(offset_scale),
        period_(samples.size() < 4096 ? 1 : 8) {}

  /// From here on row i is a copy of sample origins[i]. If `origins` is empty, row i is sample i.
  void read_copies_of(const Sequence& origins) { origins_ = origins.empty() ? nullptr : &origins; }

  /// Returns a function that makes the step for row i. Its `sum` is ⟨v, x⟩ + b, t the visit.
  auto at(Index i) const {
    return [this, k = origin(i)](double sum, double target, double weight, Index t) {
      SampleState& sample = samples_[k];
      const double score = sum - shift_ * sample.along_mean;
      const double now = sample.multiplier;
      if (t % period_ == 0) note(score, target, weight, now);
      const double next = dual_step(loss_, score, target, now, sample.curvature);
      Step<double> step;
      if (next == now || !std::isfinite(next)) {
        shrinking_.note_stay(k, is_far(sample, score, target));
        return step;
      }
      shrinking_.note_move(k, std::abs(next - now) * sample.curvature);
      sample.multiplier = next;
      step.coefficient = scale_ * weight * (next - now);
      step.offset = step.coefficient * (offset_scale_ - sample.along_mean);
      shift_ += step.coefficient;
      return step;
    };
  }
  /// Prefetches the state of sample i into the cache, unless rows are copies.
  void fetch(Index i) const {
    if (!origins_) __builtin_prefetch(&samples_[static_cast<std::size_t>(i)], 1);
  }
  double average_weight(Index) const { return 1; }

  /// Returns n times an estimate of the duality gap: Σᵢ sᵢ·(ℓ(pᵢ) + ℓ*(−αᵢ) + αᵢpᵢ), with pᵢ and αᵢ
  /// just before the step on αᵢ. Every `period_`-th visit contributes `period_` times its term;
  /// samples that are not visited contribute 0.
  double excess() const { return excess_ * static_cast<double>(period_); }

 private:
  std::size_t origin(Index i) const {
    return origins_ ? (*origins_)[static_cast<std::size_t>(i)] : static_cast<std::size_t>(i);
  }
  /// Would the dual variable stay unchanged if the score changed by `reach` to either side?
  [[gnu::noinline]] bool is_far(const SampleState& sample, double score, double target) const {
    const double reach = shrinking_.reach();
    if (!std::isfinite(reach)) return false;
    for (const double at : {score - reach, score + reach})
      if (dual_step(loss_, at, target, sample.multiplier, sample.curvature) != sample.multiplier)
        return false;
    return true;
  }
  /// Adds a sample's term to the estimate of the gap.
  void note(double score, double target, double weight, double multiplier) const {
    excess_ += weight * (loss_.value(score, target) + loss_.conjugate(-multiplier, target) +
                         multiplier * score);
  }

  const L& loss_;
  std::vector<SampleState>& samples_;
  Shrinking& shrinking_;
  double& shift_;
  double scale_;
  double offset_scale_;
  Index period_;
  const Sequence* origins_{nullptr};
  mutable double excess_{0};
};

}  // namespace linea::detail::dual
