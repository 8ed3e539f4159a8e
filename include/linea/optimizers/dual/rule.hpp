// SPDX-License-Identifier: MIT
#pragma once
/// \file The rule of dual coordinate ascent, and what it remembers of every sample.
#include <algorithm>  // min
#include <cmath>      // isfinite
#include <cstdint>
#include <linea/core/order.hpp>
#include <linea/core/step.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <vector>

namespace linea::dual {

/// What dual coordinate ascent keeps of a sample.
struct DualSample {
  double multiplier{0};  ///< αᵢ
  double curvature{0};   ///< q = sᵢ·(‖xᵢ − m‖² + κ²)/(λn)
  double along_mean{0};  ///< ⟨m, xᵢ⟩
};

/// Whose turn it is. A multiplier that rests, at the end of its domain as a rule, is visited less and less often,
/// but for ever: after k visits that have not moved it, 2ᵏ⁻¹ − 1 epochs go by before the next, 63 at most.
class Rests {
 public:
  explicit Rests(Index n) : visits_(static_cast<std::size_t>(n)), waits_(visits_.size()) {}

  void note(std::size_t i, bool moved) {
    auto& visits = visits_[i];
    visits = moved ? std::uint8_t{0} : std::min<std::uint8_t>(visits + 1, longest);
    waits_[i] = static_cast<std::uint8_t>((1U << visits >> 1U) - (visits > 0 ? 1U : 0U));
  }
  /// The samples to visit in the next epoch, in their order.
  void draw(Sequence& due) {
    due.clear();
    for (std::size_t i = 0; i < waits_.size(); ++i)
      if (waits_[i] == 0)
        due.push_back(static_cast<std::uint32_t>(i));
      else
        --waits_[i];
  }

 private:
  static constexpr std::uint8_t longest = 7;
  std::vector<std::uint8_t> visits_;  // in a row that have moved nothing
  std::vector<std::uint8_t> waits_;
};

/// With r = (α′ − α)·s/(λn): w ← w + r·(x − m) and b ← b + r·(κ² − ⟨m, x − m⟩), as is right for rows centred at m
/// with a constant feature κ beside them. The loop adds r·x to its weights v and `pull` sums up r, so that w = v −
/// pull·m. Without an offset m and κ are 0. The samples are the rule's memory: it answers for one at a time,
/// `at(i)`.
template <class L>
class DualRule {
 public:
  static constexpr bool weight_repeats = false;

  /// `scale` is 1/(λn), `offset_scale` κ² + ‖m‖².
  DualRule(const L& loss, std::vector<DualSample>& samples, Rests& rests, double& pull,
           double scale, double offset_scale)
      : loss_(&loss),
        samples_(&samples),
        rests_(&rests),
        pull_(&pull),
        scale_(scale),
        offset_scale_(offset_scale),
        period_(samples.size() < 4096 ? 1 : 8) {}

  /// Rows are copies from here on, copy i that of sample origins[i]; none: they are the samples.
  void read_copies_of(const Sequence& origins) { origins_ = origins.empty() ? nullptr : &origins; }

  class OfSample {
   public:
    OfSample(const DualRule& rule, std::size_t i) : rule_(rule), i_(i) {}

    Step<double> operator()(double sum, double target, double weight, Index t) const {
      auto& sample = (*rule_.samples_)[i_];
      const double score = sum - *rule_.pull_ * sample.along_mean;
      const double now = sample.multiplier;
      if (t % rule_.period_ == 0) rule_.note(score, target, weight, now);
      const double next = dual_step(*rule_.loss_, score, target, now, sample.curvature);
      const bool moves = next != now && std::isfinite(next);
      rule_.rests_->note(i_, moves);
      if (!moves) return {};
      sample.multiplier = next;
      Step<double> step;
      step.coefficient = rule_.scale_ * weight * (next - now);
      step.offset = step.coefficient * (rule_.offset_scale_ - sample.along_mean);
      *rule_.pull_ += step.coefficient;
      return step;
    }

   private:
    const DualRule& rule_;
    std::size_t i_;
  };

  OfSample at(Index i) const { return {*this, origin(i)}; }
  void fetch(Index i) const {
    if (!origins_) __builtin_prefetch(&(*samples_)[static_cast<std::size_t>(i)], 1);
  }
  double average_weight(Index) const { return 1; }

  /// An estimate of Σᵢ sᵢ·(ℓ(pᵢ) + ℓ*(−αᵢ) + αᵢpᵢ) over the visits, each sample as it was found: n times what
  /// they add to the duality gap.
  double excess() const { return excess_ * static_cast<double>(period_); }

 private:
  std::size_t origin(Index i) const {
    return origins_ ? (*origins_)[static_cast<std::size_t>(i)] : static_cast<std::size_t>(i);
  }
  void note(double score, double target, double weight, double multiplier) const {
    excess_ += weight * (loss_->value(score, target) + loss_->conjugate(-multiplier, target) +
                         multiplier * score);
  }

  const L* loss_;
  std::vector<DualSample>* samples_;
  Rests* rests_;
  double* pull_;
  double scale_;
  double offset_scale_;
  Index period_;  // of visits that are looked at for the excess
  const Sequence* origins_{nullptr};
  mutable double excess_{0};
};

}  // namespace linea::dual
