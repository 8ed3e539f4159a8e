// SPDX-License-Identifier: MIT
#pragma once
/// \file The mean hinge loss with an L2 penalty as a BoxProgram, and the best of what its solution
/// suggests.
#include <algorithm>  // clamp, max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/programs/active_set.hpp>
#include <linea/optimizers/programs/hinge_offset.hpp>
#include <vector>

namespace linea::programs {

/// The part of the duality gap that one sample has, with agreement z, multiplier a and bound u of
/// it. The gap is the sum of these and λ/2·‖w − w(a)‖². No term is negative, so the sum keeps its
/// digits where F less the dual would be nothing but rounding.
inline double hinge_product(double z, double a, double u) {
  return (u - a) * std::max(1 - z, 0.0) + a * std::max(z - 1, 0.0);
}

/// A solution in the coordinates of the samples, (n).
template <class Real>
struct HingeDual {
  Vector<Real> weights;
  double offset;
  Vector<Real> multipliers;
  Vector<Real> slacks;
  std::vector<Index> support{};
  Index iterations{0};
};

/// The program is over m·αᵢ and √(mλ)·w of the m samples that are present, those with a share above
/// 0: the box is then that of their weights, with a mean of 1, and the objective m·F.
template <class Real = double>
class HingeProgram {
  using Reals = Vector<Real>;

 public:
  /// For coordinates (n × r), targets of −1 and +1 (n) and shares ≥ 0 with a sum of 1 (n), which
  /// must outlive this object.
  HingeProgram(const Matrix<Real>& coordinates, const Reals& targets, const Reals& shares,
               double lambda, bool has_offset)
      : targets_(targets), shares_(shares), rank_(coordinates.cols()), has_offset_(has_offset) {
    for (Index i = 0; i < shares.size(); ++i)
      if (shares[i] > 0) present_.push_back(i);
    const auto m = static_cast<Index>(present_.size());
    count_ = static_cast<double>(m);
    unit_ = 1 / std::sqrt(count_ * lambda);
    program_.rows.resize(m, rank_ + (has_offset ? 1 : 0));
    program_.levels = numerics::constant(m, 1);
    program_.bounds.resize(m);
    program_.totals = numerics::constant(has_offset ? 1 : 0, 0);
    for (Index k = 0; k < m; ++k) {
      for (Index j = 0; j < rank_; ++j)
        program_.rows(k, j) = unit_ * target(k) * coordinates(sample(k), j);
      if (has_offset) program_.rows(k, rank_) = target(k);
      program_.bounds[k] = count_ * shares[sample(k)];
      (target(k) > 0 ? positive_ : negative_) += program_.bounds[k];
    }
    const Reals zero = numerics::constant(shares.size(), 0);
    const double constant = has_offset ? hinge_offset(zero, targets, shares, target(0)) : 0.0;
    best_ = {numerics::constant(rank_, 0), constant, zero, zero};
    for (Index i = 0; i < targets.size(); ++i) best_.slacks[i] = 1 - constant * targets[i];
  }

  /// To a gap of about a thousandth of `tolerance`, relative to F. With one class only and an
  /// offset, w is 0.
  HingeDual<Real> solve(double tolerance, Index iterations) {
    if (has_offset_ && !(positive_ > 0 && negative_ > 0)) return best_;
    double least = std::numeric_limits<double>::infinity();
    best_.iterations =
        solve_box_program(program_, start(), 1e-3 * tolerance, 0, iterations,
                          [&](const BoxPoint<Real>& point) { consider(point, least); });
    return best_;
  }

 private:
  Index sample(Index k) const { return present_[static_cast<std::size_t>(k)]; }
  double target(Index k) const { return targets_[sample(k)]; }

  /// Half of the bounds; with an offset, of those of the lighter class, the other's drawn in to the
  /// same sum.
  Reals start() const {
    const double smaller = std::min(positive_, negative_) / 2;
    Reals start = program_.bounds;
    for (Index k = 0; k < start.size(); ++k)
      start[k] *= has_offset_ ? smaller / (target(k) > 0 ? positive_ : negative_) : 0.5;
    return start;
  }

  /// Keeps the point if what it misses is less than `least`.
  void consider(const BoxPoint<Real>& point, double& least) {
    const Reals a = feasible(point.multipliers);
    Reals from_multipliers = program_.transposed_times(a);
    from_multipliers.conservativeResize(rank_);
    Reals from_point = point.primal;
    from_point.conservativeResize(rank_);
    for (const Reals& w : {from_point, from_multipliers})
      consider(point, a, from_multipliers, w, least);
  }

  void consider(const BoxPoint<Real>& point, const Reals& a, const Reals& from_multipliers,
                const Reals& w, double& least) {
    const Index m = program_.size();
    Reals scores(m);
    Reals targets(m);
    bool finite = true;
    for (Index k = 0; k < m; ++k) {
      targets[k] = target(k);
      scores[k] = targets[k] *
                  numerics::dot(program_.rows.data() + k * program_.rows.cols(), w.data(), rank_);
      finite = finite && std::isfinite(scores[k]);
    }
    if (!finite) return;
    const double b =
        has_offset_ ? hinge_offset(scores, targets, program_.bounds, point.primal[rank_]) : 0.0;
    double missed = 0;
    for (Index j = 0; j < rank_; ++j)
      missed += (w[j] - from_multipliers[j]) * (w[j] - from_multipliers[j]) / 2;
    for (Index k = 0; k < m; ++k) {
      const double z = targets[k] * (scores[k] + b);
      // The slacks belong to the solution, so what they miss of the losses counts as well.
      missed += hinge_product(z, a[k], program_.bounds[k]) +
                program_.bounds[k] * std::abs(point.slacks[k] - std::max(1 - z, 0.0));
    }
    if (!(missed < least)) return;
    least = missed;
    keep(point, a, w, b);
  }

  void keep(const BoxPoint<Real>& point, const Reals& a, const Reals& w, double b) {
    best_.weights = w;
    for (Index j = 0; j < rank_; ++j) best_.weights[j] *= unit_;
    best_.offset = b;
    best_.support.clear();
    const ActiveSet<Real> active(program_, point);
    for (Index i = 0; i < best_.multipliers.size(); ++i) best_.multipliers[i] = best_.slacks[i] = 0;
    for (Index k = 0; k < program_.size(); ++k) {
      const Index i = sample(k);
      best_.multipliers[i] = std::min(a[k] / count_, shares_[i]);
      best_.slacks[i] = point.slacks[k];
      if (a[k] > 0 && active[k] != ActiveSet<Real>::Place::lower) best_.support.push_back(i);
    }
  }

  /// The multipliers moved into the box and, with an offset, to the same sum for both classes. The
  /// excess of one class is spread over multipliers that are away from both ends of the box, or, if
  /// they cannot take it all, over all that can move.
  Reals feasible(Reals a) const {
    const Reals& u = program_.bounds;
    for (Index k = 0; k < a.size(); ++k) a[k] = std::clamp(a[k], 0.0, u[k]);
    if (!has_offset_) return a;
    Reals room(a.size());
    for (int round = 0; round < 3; ++round) {
      double excess = 0;
      double total = 0;
      for (Index k = 0; k < a.size(); ++k) {
        excess += a[k] * target(k);
        room[k] = a[k] * (u[k] - a[k]) / u[k];
        total += room[k];
      }
      if (total < 2 * std::abs(excess)) {
        total = 0;
        for (Index k = 0; k < a.size(); ++k)
          total += room[k] = target(k) * excess > 0 ? a[k] : u[k] - a[k];
      }
      if (!(total > 0)) continue;
      for (Index k = 0; k < a.size(); ++k)
        a[k] = std::clamp(a[k] - excess / total * room[k] * target(k), 0.0, u[k]);
    }
    return a;
  }

  const Reals& targets_;
  const Reals& shares_;
  Index rank_;
  bool has_offset_;
  double count_{0};               // m
  double unit_{1};                // √(mλ)·w times this is w
  std::vector<Index> present_{};  // the sample that row k of the program is of
  double positive_{0};            // sums of the bounds of either class
  double negative_{0};
  BoxProgram<Real> program_{};
  HingeDual<Real> best_{};
};

}  // namespace linea::programs
