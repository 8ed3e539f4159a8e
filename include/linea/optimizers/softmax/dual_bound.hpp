// SPDX-License-Identifier: MIT
#pragma once
/// \file A number that F of multinomial logistic regression is nowhere below, from the
/// probabilities of any iterate.
#include <algorithm>  // max
#include <cmath>      // log
#include <limits>
#include <linea/optimizers/softmax/objective.hpp>
#include <utility>  // move

namespace linea::softmax {

/// For λ > 0 and probabilities qᵢ on the simplex with (1/S) Σᵢ sᵢqᵢ = π where b is free, π being
/// the share of each class among the samples,
///
///     F ≥ D(q) = (1/S) Σᵢ sᵢ·H(qᵢ) − ‖A‖²/(2λ),   A = (1/S) Σᵢ sᵢ·xᵢ(qᵢ − e_yᵢ)ᵀ,
///
/// with the entropy H (Yu, Huang and Lin, Machine Learning 85 (2011), for the dual problem).
///
/// The probabilities of an iterate miss π by some δ. Those of (1 − μ)·qᵢ + μ·t do not, for the
/// least μ that leaves t ≥ 0 in (1 − μ)(π + δ) + μ·t = π. H is concave, so that their D is at least
/// (1 − μ)·mean H(qᵢ) + μ·H(t) − ‖(1 − μ)·A + μ·A_t‖²/(2λ).
template <class Real = double>
class DualBound {
  using Table = Matrix<Real>;

 public:
  DualBound() = default;

  /// `class_sums` as SoftmaxObjective::find_class_sums has them, of a problem with this λ.
  DualBound(Table class_sums, Index features, Index classes, double lambda, bool has_offset)
      : class_sums_(std::move(class_sums)),
        features_(features),
        classes_(classes),
        lambda_(lambda),
        has_offset_(has_offset) {
    means_ = class_sums_.rowwise().sum();
  }

  /// Takes note of D at an iterate with these sums, and ∇F there. λ = 0 tells nothing.
  void ask(const Table& theta, const Table& gradient, const Sums& sums) {
    if (!(lambda_ > 0)) return;
    Table slopes = gradient.topRows(features_) - lambda_ * theta.topRows(features_);
    double entropy = -sums.negative_entropy;
    if (has_offset_) {
      const double mixed = missing_share(sums.balance);
      if (!(mixed < 1)) return;
      if (mixed > 0) mix(mixed, sums.balance, slopes, entropy);
    }
    const double bound = entropy - slopes.squaredNorm() / (2 * lambda_);
    if (bound > best_) best_ = bound;
  }

  bool is_known() const { return best_ > -std::numeric_limits<double>::infinity(); }
  /// An upper bound on F above its minimum, for F = value.
  double gap(double value) const { return std::max(value - best_, 0.0); }

 private:
  double share_of_class(Index k) const { return class_sums_(features_, k); }

  /// The least μ: what is missed may be far less than the rounding of 1.
  double missing_share(const Vector<Real>& balance) const {
    double mixed = 0;
    for (Index k = 0; k < classes_; ++k)
      mixed = std::max(mixed, balance[k] / (share_of_class(k) + balance[k]));
    return mixed;
  }

  void mix(double mixed, const Vector<Real>& balance, Table& slopes, double& entropy) const {
    Vector<Real> t = Vector<Real>::Zero(class_sums_.cols());
    for (Index k = 0; k < classes_; ++k)
      t[k] = std::max(mixed * (share_of_class(k) + balance[k]) - balance[k], 0.0);
    t /= t.sum();
    double of_t = 0;
    for (Index k = 0; k < classes_; ++k)
      if (t[k] > 0) of_t -= t[k] * std::log(t[k]);
    entropy = (1 - mixed) * entropy + mixed * of_t;
    slopes = (1 - mixed) * slopes +
             mixed * (means_.head(features_) * t.transpose() - class_sums_.topRows(features_));
  }

  Table class_sums_{};
  Vector<Real> means_{};
  Index features_{0};
  Index classes_{0};
  double lambda_{0};
  bool has_offset_{false};
  double best_{-std::numeric_limits<double>::infinity()};
};

}  // namespace linea::softmax
