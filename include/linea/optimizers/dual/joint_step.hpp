// SPDX-License-Identifier: MIT
#pragma once
/// \file How processes that have climbed each on its own rows put their steps together.
#include <algorithm>  // clamp
#include <linea/optimizers/dual/bound.hpp>
#include <linea/optimizers/dual/rule.hpp>
#include <linea/optimizers/dual/step.hpp>
#include <linea/samples/training_set.hpp>
#include <vector>

namespace linea::dual {

/// Where an ascent is beside its multipliers: v and b, and Σᵢ sᵢαᵢ/(λn), see Ascent.
template <class Real = double>
struct Place {
  Vector<Real> v;
  Real offset{0};
  Real shift{0};
};

/// The rise of D along the joint move of all processes, α + t·(α′ − α) for t in [0, 1]:
///
///     −(1/n) Σᵢ sᵢ·(ℓ*(−α(t)ᵢ) − ℓ*(−αᵢ)) − t·slope − t²·bend,
///
/// the last two being what the change of w costs. Each process has found its α′ as if the others
/// stood still, so the sum of their moves may be too long: the best t makes up for it (Lee and
/// Roth, Distributed box-constrained quadratic optimization for dual linear SVM, ICML 2015).
template <class L, class Rows>
class JointStep {
 public:
  using Real = core::DoubleFor<Rows>;

  /// Takes note of the multipliers, before this process moves them.
  JointStep(const L& loss, const samples::TrainingSet<Rows>& set, std::vector<SampleState>& samples)
      : loss_(loss), set_(set), samples_(samples) {
    for (const auto& sample : samples) before_.push_back(sample.multiplier);
  }

  /// Moves the multipliers by the best part of what this process has moved them, and answers with
  /// the place that all processes then are at. They began `from` the same place, and this one has
  /// come `to` another. m, λ and κ² are those of the ascent. `excess` and `moved` become sums over
  /// the processes. One sum of d + 3 numbers, and some five of one.
  Place<Real> take(const Place<Real>& from, const Place<Real>& to, const Vector<Real>& m,
                   double lambda, double kappa_square, double& excess, double& moved) {
    const Index d = m.size();
    Vector<Real> all(d + 3);
    all << to.v - from.v, to.shift - from.shift, excess, moved;
    set_.processes.sum_entries(all);
    const double turn = all[d];
    const Vector<Real> w = from.v - from.shift * m;
    const Vector<Real> move = all.head(d) - turn * m;
    // D falls by λ/2·‖w‖² + λ/2·κ²·shift² + λc·shift, where b = c + κ²·shift − ⟨m, w⟩.
    const double center = from.offset + m.dot(w) - kappa_square * from.shift;
    slope_ = lambda * (w.dot(move) + (kappa_square * from.shift + center) * turn);
    bend_ = lambda / 2 * (move.squaredNorm() + kappa_square * turn * turn);
    const double t = best();
    for (std::size_t i = 0; i < before_.size(); ++i) samples_[i].multiplier = multiplier(t, i);
    excess = all[d + 1];
    moved = all[d + 2];
    const double rise = kappa_square * turn - m.dot(move);  // of b
    return {from.v + t * all.head(d), from.offset + t * rise, from.shift + t * turn};
  }

 private:
  /// About the best t, found from parabolas through three points at a time.
  double best() const {
    const auto rise = [&](double t) { return rise_at(t); };
    double low = 0, at_low = 0, middle = 0.5, high = 1;
    double at_high = rise(high);
    double at_middle = rise(middle);
    double best = at_high >= at_middle ? high : middle;
    double at_best = at_high >= at_middle ? at_high : at_middle;
    for (int round = 0; round < 4; ++round) {
      const double left = (at_middle - at_low) / (middle - low);
      const double right = (at_high - at_middle) / (high - middle);
      const double curvature = (right - left) / (high - low);
      if (!(curvature < 0)) break;  // no rise at all, or all of it at the end
      const double vertex = std::clamp(0.5 * (low + middle) - left / (2 * curvature), 0.001, 1.0);
      if (vertex == best || vertex == low || vertex == high) break;
      const double at_vertex = rise(vertex);
      const bool has_settled = at_vertex - at_best <= 1e-3 * at_best;
      if (at_vertex > at_best) {
        best = vertex;
        at_best = at_vertex;
      }
      if (has_settled) break;
      if (vertex < middle) {
        high = middle;
        at_high = at_middle;
      } else {
        low = middle;
        at_low = at_middle;
      }
      middle = vertex;
      at_middle = at_vertex;
      if (!(low < middle && middle < high)) break;
    }
    return at_best > 0 ? best : 0;
  }

  /// αᵢ at t, in the domain of ℓ*.
  double multiplier(double t, std::size_t i) const {
    const double after = samples_[i].multiplier;
    if (t == 1 || after == before_[i]) return after;
    return within_domain(loss_, before_[i] + t * (after - before_[i]),
                         set_.y[static_cast<Index>(i)]);
  }

  double rise_at(double t) const {
    double sum = 0;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (samples_[i].multiplier == before_[i]) continue;
      const auto row = static_cast<Index>(i);
      const double target = set_.y[row];
      sum += set_.weight(row) *
             (loss_.conjugate(-multiplier(t, i), target) - loss_.conjugate(-before_[i], target));
    }
    return -set_.processes.sum(sum) / static_cast<double>(set_.all_rows()) -
           t * (slope_ + t * bend_);
  }

  const L& loss_;
  const samples::TrainingSet<Rows>& set_;
  std::vector<SampleState>& samples_;
  std::vector<double> before_{};
  double slope_{0};
  double bend_{0};
};

}  // namespace linea::dual
