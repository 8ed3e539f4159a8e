// SPDX-License-Identifier: MIT
#pragma once
/// \file The rule of dual coordinate ascent, and what it remembers of every sample.
#include <cmath>  // isfinite
#include <linea/core/order.hpp>
#include <linea/core/step.hpp>
#include <linea/optimizers/dual/resting.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <vector>

namespace linea::dual {

/// What dual coordinate ascent keeps of a sample.
struct SampleState {
  double multiplier{0};  ///< αᵢ
  double curvature{0};   ///< q = sᵢ·(‖xᵢ − m‖² + κ²)/(λn)
  double along_mean{0};  ///< ⟨m, xᵢ⟩
};

/// One exact step on one multiplier, α → α′, and the change of w and b that belongs to it.
///
/// Legend: m is the mean of the rows and κ a constant feature for the offset (see Ascent); both are
/// 0 without offset. With r = (α′ − α)·s/(λn), centred rows ask for w ← w + r·(x − m) and b ← b +
/// r·(κ² − ⟨m, x − m⟩). Rows are not changed, though: the loop adds r·x to v, and `shift` sums up
/// r, so that w = v − shift·m.
///
/// The rule is not pure: it writes to the states of the samples, to `resting` and to `shift`. It
/// answers for one sample at a time, through `at(i)`.
template <class L>
class DualRule {
 public:
  static constexpr bool weight_repeats = false;

  /// `scale` is 1/(λn), `offset_scale` is κ² + ‖m‖². All that is given by reference must outlive
  /// it.
  DualRule(const L& loss, std::vector<SampleState>& samples, RestingMultipliers& resting,
           double& shift, double scale, double offset_scale)
      : loss_(&loss),
        samples_(&samples),
        resting_(&resting),
        shift_(&shift),
        scale_(scale),
        offset_scale_(offset_scale),
        period_(samples.size() < 4096 ? 1 : 8) {}

  /// From here on row i is a copy of sample origins[i]. No origins: row i is sample i.
  void read_copies_of(const Sequence& origins) { origins_ = origins.empty() ? nullptr : &origins; }

  /// The rule for one sample.
  class OfSample {
   public:
    OfSample(const DualRule& rule, std::size_t i) : rule_(rule), i_(i) {}

    /// `sum` is ⟨v, x⟩ + b; t counts the visits.
    Step<double> operator()(double sum, double target, double weight, Index t) const {
      auto& sample = (*rule_.samples_)[i_];
      const double score = sum - *rule_.shift_ * sample.along_mean;
      const double now = sample.multiplier;
      if (t % rule_.period_ == 0) rule_.note(score, target, weight, now);
      const double next = dual_step(*rule_.loss_, score, target, now, sample.curvature);
      const bool moves = next != now && std::isfinite(next);
      rule_.resting_->note(i_, moves);
      if (!moves) return {};
      sample.multiplier = next;
      Step<double> step;
      step.coefficient = rule_.scale_ * weight * (next - now);
      step.offset = step.coefficient * (rule_.offset_scale_ - sample.along_mean);
      *rule_.shift_ += step.coefficient;
      return step;
    }

   private:
    const DualRule& rule_;
    std::size_t i_;
  };

  OfSample at(Index i) const { return {*this, origin(i)}; }
  /// Brings the state of row i into the cache.
  void fetch(Index i) const {
    if (!origins_) __builtin_prefetch(&(*samples_)[static_cast<std::size_t>(i)], 1);
  }
  double average_weight(Index) const { return 1; }

  /// n times the duality gap as the visits saw it: Σᵢ sᵢ·(ℓ(pᵢ) + ℓ*(−αᵢ) + αᵢpᵢ), each term with
  /// pᵢ and αᵢ at the time of the visit. An estimate from one visit in `period_`.
  double excess() const { return excess_ * static_cast<double>(period_); }

 private:
  std::size_t origin(Index i) const {
    return origins_ ? (*origins_)[static_cast<std::size_t>(i)] : static_cast<std::size_t>(i);
  }
  /// Adds a sample's term to the excess.
  void note(double score, double target, double weight, double multiplier) const {
    excess_ += weight * (loss_->value(score, target) + loss_->conjugate(-multiplier, target) +
                         multiplier * score);
  }

  const L* loss_;
  std::vector<SampleState>* samples_;
  RestingMultipliers* resting_;
  double* shift_;
  double scale_;
  double offset_scale_;
  Index period_;
  const Sequence* origins_{nullptr};
  mutable double excess_{0};
};

}  // namespace linea::dual
