// SPDX-License-Identifier: MIT
#pragma once
/// \file The best point so far of a dual ascent by several processes.
#include <linea/core/point.hpp>
#include <linea/optimizers/numerics/grids.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::dual {

/// F is convex, and where the joint moves of the processes overshoot, iterates lie to both sides of
/// the minimum. So the best point so far is moved to where F is least on the way from it to each
/// new iterate, the offset of which is made the best for its weights first. F along the way follows
/// from scores: one pass over x an iterate.
template <class L, class Rows>
class SharedBest {
 public:
  using Real = core::DoubleFor<Rows>;

  SharedBest(const L& loss, const samples::TrainingSet<Rows>& set, double lambda, bool has_offset)
      : loss_(loss), set_(set), lambda_(lambda), has_offset_(has_offset) {}

  /// Moves `best`, which is where this has left it last, towards `other`, as far as F falls: to
  /// about `precision` of F. At least two sums, of some five numbers each.
  void improve(Point<Real>& best, Point<Real> other, double precision) {
    if (scores_.size() != set_.rows.rows()) scores_ = scores_at(best);
    Vector<Real> scores = scores_at(other);
    if (has_offset_) {
      const double shift = best_shift(scores, precision);
      scores.array() += shift;
      other.offset += shift;
    }
    const Vector<Real> move = other.weights - best.weights;
    const Vector<Real> turn = scores - scores_;
    const double square = best.weights.squaredNorm();
    const double product = best.weights.dot(move);
    const double bend = move.squaredNorm();
    const auto values = [&](const double* at, double* value, Index count) {
      mean_of(
          [&](Index i, Index k) { return loss_.value(scores_[i] + at[k] * turn[i], set_.y[i]); },
          value, count);
      for (Index k = 0; k < count; ++k)
        value[k] += lambda_ / 2 * (square + at[k] * (2 * product + at[k] * bend));
    };
    const auto [at, value] = numerics::least_on_grids(values, precision);
    best.objective = value;
    best.weights += at * move;
    best.offset += at * (other.offset - best.offset);
    scores_ += at * turn;
  }

 private:
  Vector<Real> scores_at(const Point<Real>& point) const {
    Vector<Real> scores = Vector<Real>::Zero(set_.rows.rows());
    if (!point.weights.isZero(0)) set_.rows.scores(0, scores.size(), point.weights, scores.data());
    scores.array() += point.offset;
    return scores;
  }

  /// How far the offset is from the best for these scores.
  double best_shift(const Vector<Real>& scores, double precision) const {
    const auto falls = [&](const double* shifts, double* value, Index count) {
      mean_of([&](Index i, Index k) { return -loss_.derivative(scores[i] + shifts[k], set_.y[i]); },
              value, count);
    };
    return numerics::falling_root_on_grids(falls, 0, 1e-3, precision);
  }

  /// value[k] ← (1/n) Σᵢ sᵢ·term(i, k) for the first `count` k, six at most, over all processes.
  template <class Term>
  void mean_of(const Term& term, double* value, Index count) const {
    double sums[6] = {};
    for (Index i = 0; i < scores_.size(); ++i)
      if (const double weight = set_.weight(i); weight > 0)
        for (Index k = 0; k < count; ++k) sums[k] += weight * term(i, k);
    set_.processes.sum(sums, count);
    for (Index k = 0; k < count; ++k) value[k] = sums[k] / static_cast<double>(set_.all_rows());
  }

  const L& loss_;
  const samples::TrainingSet<Rows>& set_;
  double lambda_;
  bool has_offset_;
  Vector<Real> scores_{};  // at the best point
};

}  // namespace linea::dual
