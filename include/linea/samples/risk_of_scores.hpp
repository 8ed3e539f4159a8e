// SPDX-License-Identifier: MIT
#pragma once
/// \file The mean loss as a function of the scores of all samples, its derivatives, and the dual
/// variables of its slopes.
#include <algorithm>  // min
#include <cmath>      // abs
#include <linea/core/entries.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/block_sums.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/samples/all_rows.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/loss_blocks.hpp>
#include <linea/samples/row_blocks.hpp>

namespace linea::detail::samples {

/// The risk (1/S) Σᵢ sᵢ·ℓ(pᵢ, yᵢ) for scores p (n).
class RiskOfScores {
 public:
  /// Slopes sᵢ/S·ℓ′ and curvatures sᵢ/S·ℓ″ of the mean loss at some scores, (n) each.
  struct Samplewise {
    Vector<double> slopes{};
    Vector<double> curvatures{};
  };

  /// y is (n). The sample weights are (n), of mean 1, or empty. The arguments must outlive this
  /// object.
  RiskOfScores(const LossBlocks& loss, const Vector<double>& y, const Vector<double>& weights)
      : RiskOfScores(loss, y, weights, y.size(), one_part()) {}
  /// y and weights are those of one process, and `all` is the number of samples of all processes.
  /// `evaluate` sums over the samples of this process. The balance of the dual variables and `dual`
  /// refer to all samples.
  RiskOfScores(const LossBlocks& loss, const Vector<double>& y, const Vector<double>& weights,
               Index all, const Parts& parts)
      : loss_(loss),
        y_(y),
        weights_(weights),
        part_(1 / static_cast<double>(all)),
        all_(all),
        all_parts_(parts),
        parts_(weights) {
    for (Index i = 0; i < parts_.size(); ++i) parts_[i] *= part_;
  }

  const LossBlocks& loss() const { return loss_; }
  const Vector<double>& y() const { return y_; }              ///< targets (n)
  const Vector<double>& weights() const { return weights_; }  ///< sᵢ (n), or none
  const Parts& all_parts() const { return all_parts_; }
  Index samples() const { return y_.size(); }
  double sum(double own) const { return all_parts_.sum(own); }  ///< sum over all processes
  /// Returns sᵢ/S, (n).
  Vector<double> parts() const {
    return parts_.size() > 0 ? parts_ : detail::filled(samples(), part_);
  }
  /// Returns sᵢ/S times the numbers (n). Move the numbers in to avoid a copy.
  Vector<double> in_parts(Vector<double> numbers) const {
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
    const double sum =
        loss_.evaluate(scores, y_.data() + first, parts(first), count, slopes, curvatures);
    for (Index k = 0; k < count; ++k) {
      const double part = this->part(first + k);
      slopes[k] = part > 0 ? part * slopes[k] : 0;
      if (curvatures) curvatures[k] = part > 0 ? part * curvatures[k] : 0;
    }
    return parts_.size() > 0 ? sum : part_ * sum;
  }

  /// Returns Σ sᵢ/S·ℓ over the samples of this object at scores + b.
  double value(const Vector<double>& scores, double b = 0) const {
    double sum = 0;
    double block[most_scores], slopes[most_scores];
    for_each_block([&](Index first, Index count) {
      for (Index k = 0; k < count; ++k) block[k] = scores[first + k] + b;
      sum += loss_.evaluate(block, y_.data() + first, parts(first), count, slopes, nullptr);
    });
    return parts_.size() > 0 ? sum : part_ * sum;
  }

  /// Returns Σ sᵢ/S·ℓ over the samples of this object at scores + t·moves. Sets `at`.
  double evaluate(const Vector<double>& scores, Samplewise& at, double t = 0,
                  const Vector<double>* moves = nullptr) const {
    at.slopes.resize(samples());
    at.curvatures.resize(samples());
    double sum = 0;
    double block[most_scores];
    for_each_block([&](Index first, Index count) {
      for (Index k = 0; k < count; ++k)
        block[k] = moves ? scores[first + k] + t * (*moves)[first + k] : scores[first + k];
      sum += evaluate(block, first, count, at, loss_.traits().is_curved);
    });
    return sum;
  }

  /// Sets curvatures[i] to sᵢ/S times the mean of ℓ″(p, yᵢ) over the p from scores[i] − reach to
  /// scores[i] + reach, for steps that change the scores by about `reach` > 0. For piecewise linear
  /// losses this mean is positive near kinks, although ℓ″ is 0.
  void widen(const Vector<double>& scores, double reach, Vector<double>& curvatures) const {
    curvatures.resize(samples());
    for (Index i = 0; i < samples(); ++i) {
      const double above = loss_.slope()(scores[i] + reach, y_[i]);
      const double below = loss_.slope()(scores[i] - reach, y_[i]);
      curvatures[i] = part(i) > 0 ? part(i) * ((above - below) / (2 * reach)) : 0;
    }
  }

  /// Returns the dual variables αᵢ = −ℓ′ (n) of these slopes. With an offset, balances them to Σᵢ
  /// sᵢαᵢ = 0.
  Vector<double> multipliers(const Vector<double>& slopes, bool has_offset) const {
    Vector<double> multipliers(samples());
    for (Index i = 0; i < samples(); ++i) multipliers[i] = part(i) > 0 ? -slopes[i] / part(i) : 0.0;
    loss_.enter_domain(multipliers.data(), y_.data(), samples());
    if (has_offset) balance(multipliers);
    return multipliers;
  }
  /// Sets `multipliers` (n) to the dual variables at scores + b of the loss that is smoothed by
  /// `width`: see proof::DualCertificate. Returns Σ sᵢ/S·αᵢ over the samples of this object.
  double smoothed_multipliers(const Vector<double>& scores, double b, double width,
                              Vector<double>& multipliers) const {
    multipliers.resize(samples());
    double sum = 0;
    for_each_block([&](Index first, Index count) {
      double p[most_scores]{}, moved[most_scores];
      double* const a = multipliers.data() + first;
      for (Index k = 0; k < count; ++k) p[k] = moved[k] = scores[first + k] + b;
      if (width > 0) {
        loss_.proximal(moved, y_.data() + first, width, count);
        for (Index k = 0; k < count; ++k) a[k] = (moved[k] - p[k]) / width;
        loss_.enter_domain(a, y_.data() + first, count);
      } else {
        loss_.evaluate(p, y_.data() + first, parts(first), count, a, nullptr);
        for (Index k = 0; k < count; ++k) a[k] = -a[k];
      }
      for (Index k = 0; k < count; ++k) {
        a[k] = part(first + k) > 0 ? a[k] : 0;
        sum += part(first + k) * a[k];
      }
    });
    return sum;
  }
  /// Scales the positive or the negative dual variables towards 0 until Σᵢ sᵢαᵢ = 0. They stay in
  /// the domain of ℓ*, which is convex, and contains 0 because losses are bounded from below.
  void balance(Vector<double>& multipliers) const {
    double sums[2] = {0, 0};  // Σ |sᵢαᵢ| over the positive αᵢ, and over the negative αᵢ
    for (Index i = 0; i < multipliers.size(); ++i) {
      const double term = weights_.size() ? multipliers[i] * weights_[i] : multipliers[i];
      (term > 0 ? sums[0] : sums[1]) += std::abs(term);
    }
    all_parts_.sum(sums, 2);
    if (sums[0] == sums[1]) return;
    const bool above = sums[0] > sums[1];
    const double share = above ? sums[1] / sums[0] : sums[0] / sums[1];
    for (double& multiplier : multipliers)
      if (above ? multiplier > 0 : multiplier < 0) multiplier *= share;
  }

  /// Returns the first term of the dual D, which comes from the mean loss, at `scale` times the
  /// dual variables.
  double dual(const Vector<double>& multipliers, double scale = 1) const {
    const double sum = conjugates(multipliers, scale, nullptr);
    return -all_parts_.sum(sum) / static_cast<double>(all_);
  }
  /// Returns `dual`, less unit·(1/S) Σᵢ sᵢ·(|ℓ*(−scale·αᵢ, yᵢ)| + |ℓ*(0, yᵢ)|). Because ℓ* is
  /// convex, this also bounds the effect of balancing α: see proof::RoundedSums.
  double rounded_dual(const Vector<double>& multipliers, double scale, double unit) const {
    linear_algebra::BlockSums sums(2);
    Vector<double> terms(samples()), at_zero(samples());
    conjugates(multipliers, scale, terms.data());
    conjugates(multipliers, 0, at_zero.data());
    for (Index i = 0; i < samples(); ++i) {
      sums.add(0, -terms[i]);
      sums.add(1, at_zero[i]);
      sums.end_row(i, samples());
    }
    const double size = all_parts_.sum(sums.sizes[0] + sums.sizes[1]);
    return (all_parts_.sum(sums.sums[0]) - unit * size) / static_cast<double>(all_);
  }

  /// Returns Σ sᵢ/S·(pᵢ + b)² over the samples of this object.
  double mean_square(const Vector<double>& scores, double b) const {
    double sum = 0;
    for (Index i = 0; i < samples(); ++i)
      if (part(i) > 0) sum += part(i) * ((scores[i] + b) * (scores[i] + b));
    return sum;
  }

 private:
  template <class F>
  void for_each_block(F&& f) const {
    for (Index first = 0; first < samples(); first += most_scores)
      f(first, std::min(most_scores, samples() - first));
  }
  double conjugates(const Vector<double>& multipliers, double scale, double* terms) const {
    const double* const weights = weights_.size() > 0 ? weights_.data() : nullptr;
    return loss_.conjugates(multipliers.data(), scale, y_.data(), weights, samples(), terms);
  }
  /// Returns the parts sᵢ/S from sample `first` on, or null without weights.
  const double* parts(Index first) const {
    return parts_.size() > 0 ? parts_.data() + first : nullptr;
  }
  double part(Index i) const { return parts_.size() > 0 ? parts_[i] : part_; }

  static const Parts& one_part() {
    static const Parts part;
    return part;
  }

  const LossBlocks& loss_;
  const Vector<double>& y_;
  const Vector<double>& weights_;
  double part_;  // 1/n
  Index all_;    // n, over all processes
  const Parts& all_parts_;
  Vector<double> parts_;  // sᵢ/S; empty without weights
};

/// Returns the best constant to add to the scores `known` (n), or to 0: see best_constant.hpp.
inline double best_constant(const RiskOfScores& risk, const Vector<double>& known = {}) {
  return best_constant(risk.loss().slope(), risk.y(), risk.weights(), risk.all_parts(), 4096,
                       known);
}

/// Returns the number that minimises the mean loss when it is added to all scores (n), up to
/// rounding. `size` is the magnitude of this number, or of the scores: the search begins with steps
/// of 1e-3·size. Uses `at` as workspace.
inline double best_move(const RiskOfScores& risk, const Vector<double>& scores, double size,
                        RiskOfScores::Samplewise& at) {
  const Vector<double> ones = detail::filled(scores.size(), 1.0);
  double sizes = 0;
  const auto fall = [&](double move) {
    risk.evaluate(scores, at, move, &ones);
    double sum = sizes = 0;
    for (const double slope : at.slopes) {
      sum += slope;
      sizes += std::abs(slope);
    }
    return -sum;
  };
  fall(0);
  double move = 0;
  // Two rounds, because slopes far from the minimum give a poor scale for the tolerance.
  for (int round = 0; round < 2; ++round)
    move = linear_algebra::falling_root(fall, move, 1e-3 * size, 1e-15 * sizes);
  return move;
}

}  // namespace linea::detail::samples
