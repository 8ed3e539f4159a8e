// SPDX-License-Identifier: MIT
#pragma once
/// \file The best point so far of a dual ascent by several processes.
#include <algorithm>  // min
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
  /// about `precision` of F, which is computed anew where it then is. At least two sums, with an
  /// offset three, of at most six numbers.
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
      mean_of([&](Index i, double t) { return loss_.value(scores_[i] + t * turn[i], set_.y[i]); },
              at, value, count);
      for (Index k = 0; k < count; ++k)
        value[k] += lambda_ / 2 * (square + at[k] * (2 * product + at[k] * bend));
    };
    const double at = numerics::least_on_grids(values, precision).at;
    // Of either end alone, where it is taken alone: one may be far larger than the other.
    best.weights = (1 - at) * best.weights + at * other.weights;
    best.offset = (1 - at) * best.offset + at * other.offset;
    scores_ = (1 - at) * scores_ + at * scores;
    const double end = 0;
    const auto loss_at_end = [&](Index i, double) { return loss_.value(scores_[i], set_.y[i]); };
    mean_of(loss_at_end, &end, &best.objective, 1);
    best.objective += lambda_ / 2 * best.weights.squaredNorm();
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
      mean_of([&](Index i, double b) { return -loss_.derivative(scores[i] + b, set_.y[i]); },
              shifts, value, count);
    };
    return numerics::falling_root_on_grids(falls, 0, 1e-3, precision);
  }

  /// value[k] ← (1/n) Σᵢ sᵢ·term(i, at[k]) for the first `count` k, at most six, of all processes.
  template <class Term>
  void mean_of(const Term& term, const double* at, double* value, Index count) const {
    constexpr Index block = 256;  // so that samples are taken several at a time
    double sums[6] = {};
    for (Index first = 0; first < scores_.size(); first += block) {
      const Index size = std::min(block, scores_.size() - first);
      Eigen::Array<double, block, 1> terms;
      for (Index k = 0; k < count; ++k) {
        for (Index i = 0; i < size; ++i) terms[i] = term(first + i, at[k]);
        if (set_.weights.size() > 0) {
          const auto weights = set_.weights.segment(first, size).array();
          terms.head(size) = (weights > 0).select(weights * terms.head(size), 0);
        }
        sums[k] += terms.head(size).sum();
      }
    }
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
