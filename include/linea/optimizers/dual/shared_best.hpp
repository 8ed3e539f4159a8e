// SPDX-License-Identifier: MIT
#pragma once
/// \file The best point so far of a dual ascent by several processes.
#include <algorithm>  // max, min
#include <limits>
#include <linea/core/point.hpp>
#include <linea/optimizers/numerics/falling_root.hpp>
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

  /// Moves `best`, which is where this has left it last, towards `other`, as far as F falls.
  void improve(Point<Real>& best, Point<Real> other) {
    if (scores_.size() != set_.rows.rows()) scores_ = scores_at(best);
    Vector<Real> scores = scores_at(other);
    if (has_offset_) {
      const double shift = best_shift(scores);
      scores.array() += shift;
      other.offset += shift;
    }
    const Vector<Real> move = other.weights - best.weights;
    const Vector<Real> turn = scores - scores_;
    const double square = best.weights.squaredNorm();
    const double product = best.weights.dot(move);
    const double bend = move.squaredNorm();
    double at = 0, low = 0, high = 1;
    best.objective = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 4; ++round) {
      const double step = (high - low) / (points - 1);
      double sums[points] = {};
      add_losses(turn, low, step, sums);
      set_.processes.sum(sums, points);
      for (Index k = 0; k < points; ++k) {
        const double t = low + static_cast<double>(k) * step;
        const double value = sums[k] / static_cast<double>(set_.all_rows()) +
                             lambda_ / 2 * (square + t * (2 * product + t * bend));
        if (value < best.objective) {
          best.objective = value;
          at = t;
        }
      }
      low = std::max(at - step, 0.0);
      high = std::min(at + step, 1.0);
    }
    best.weights += at * move;
    best.offset += at * (other.offset - best.offset);
    scores_ += at * turn;
  }

 private:
  static constexpr Index points = 9;

  Vector<Real> scores_at(const Point<Real>& point) const {
    Vector<Real> scores(set_.rows.rows());
    set_.rows.scores(0, scores.size(), point.weights, scores.data());
    scores.array() += point.offset;
    return scores;
  }

  /// How far the offset is from the best for these scores.
  double best_shift(const Vector<Real>& scores) const {
    const auto fall = [&](double b) {
      double sum = 0;
      for (Index i = 0; i < scores.size(); ++i)
        if (set_.weight(i) > 0) sum -= set_.weight(i) * loss_.derivative(scores[i] + b, set_.y[i]);
      return set_.processes.sum(sum) / static_cast<double>(set_.all_rows());
    };
    return numerics::falling_root(fall, 0, 1e-3, 1e-9);
  }

  /// sums[k] ← Σᵢ sᵢ·ℓ at t = low + k·step, for the rows of this process.
  void add_losses(const Vector<Real>& turn, double low, double step, double* sums) const {
    for (Index i = 0; i < scores_.size(); ++i)
      if (set_.weight(i) > 0)
        for (Index k = 0; k < points; ++k) {
          const double t = low + static_cast<double>(k) * step;
          sums[k] += set_.weight(i) * loss_.value(scores_[i] + t * turn[i], set_.y[i]);
        }
  }

  const L& loss_;
  const samples::TrainingSet<Rows>& set_;
  double lambda_;
  bool has_offset_;
  Vector<Real> scores_{};  // at the best point
};

}  // namespace linea::dual
