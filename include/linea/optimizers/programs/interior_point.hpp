// SPDX-License-Identifier: MIT
#pragma once
/// \file Mehrotra's predictor-corrector interior point method for a BoxProgram.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/programs/box_newton.hpp>
#include <utility>  // as_const, move

namespace linea::programs {

/// Follows the central path: the points where all products αᵢsᵢ and tᵢvᵢ are equal, while they fall
/// to 0. Mehrotra, SIAM Journal on Optimization 2 (1992). All variables share one step length, as a
/// quadratic objective requires.
///
/// | here | is                                                        |
/// |------|-----------------------------------------------------------|
/// | q    | (w, ν), what the twin minimises over                      |
/// | α, t | multipliers, and their distance u − α from the bounds     |
/// | s, v | by how much Gq + cα is above h, and by how much below     |
/// | μ    | the mean of all αᵢsᵢ and tᵢvᵢ                             |
/// | σ    | (μ after the affine step / μ)³, the part of μ to aim at   |
/// | Δ    | before a variable, its step; Δt = −Δα                     |
template <class Real = double>
class InteriorPoint {
  using Reals = Vector<Real>;

 public:
  /// From multipliers (n) strictly inside the box, and from q (r + m); without one from that of the
  /// multipliers, with ν = 0. The program must outlive this object.
  InteriorPoint(const BoxProgram<Real>& program, Reals start, Reals primal = {})
      : program_(program), count_(program.size()) {
    BoxPoint<Real>& at = state_.point;
    const Index n = program.size();
    at.multipliers = std::move(start);
    at.primal = std::move(primal);
    if (at.primal.size() == 0) {
      at.primal = program.transposed_times(at.multipliers);
      for (Index j = program.rank(); j < at.primal.size(); ++j) at.primal[j] = 0;
    }
    Reals above = numerics::times(program.rows, at.primal);
    for (Index i = 0; i < n; ++i)
      above[i] += program.curvature(i) * at.multipliers[i] - program.levels[i];
    double shift = 0;
    for (Index i = 0; i < n; ++i) shift += std::abs(above[i]);
    shift = std::max(shift / static_cast<double>(count_), std::numeric_limits<double>::min());
    at.surplus.resize(n);
    at.room = numerics::constant(n, 1);
    at.slacks = numerics::constant(n, 0);
    for (Index i = 0; i < n; ++i) {
      at.surplus[i] = std::max(above[i], 0.0) + shift;
      if (!program.is_bounded()) continue;
      at.room[i] = program.bounds[i] - at.multipliers[i];
      at.slacks[i] = std::max(-above[i], 0.0) + shift;
    }
  }

  /// Iterates, O(n·(r + m)²) each, until the first of these holds: the sum of all products and
  /// residues, an estimate of the gap between the two programs, is at most `tolerance` times the
  /// objective or at most `floor`; no step helps; `limit` iterations are made; `stops(point)`,
  /// asked after each, is true. Returns the point where that sum was least.
  template <class Stops>
  BoxPoint<Real> solve(double tolerance, double floor, Index limit, const Stops& stops) {
    auto& s = state_;
    s.begin();
    while (!is_stopped_) {
      const Residue residue = residue_here();
      s.note(residue.left);
      const double goal = std::max(tolerance * s.point.objective(program_), floor);
      if (!(residue.left > goal) || s.since > 10 || s.iterations >= limit) break;
      if (step(residue)) {
        ++s.iterations;
        is_stopped_ = stops(std::as_const(s.point));
      } else if (s.factor == BoxFactor::cholesky) {
        s.factor = BoxFactor::qr;  // the digits of E + GᵀDG have run out: from the best place on
        s.point = s.best;
        s.since = 0;
      } else {
        break;
      }
    }
    return s.best;
  }

  /// Was the last call of solve ended by its `stops`?
  bool is_stopped() const { return is_stopped_; }
  Index iterations() const { return state_.iterations; }

 private:
  /// What one iteration leaves to the next.
  struct State {
    BoxPoint<Real> point{};
    BoxPoint<Real> best{};                                  ///< where `least` was found
    double least{std::numeric_limits<double>::infinity()};  ///< least of what was left
    double mark{std::numeric_limits<double>::infinity()};   ///< what was left when `since` was 0
    Index since{0};  ///< rounds since what is left last fell by a hundredth
    Index iterations{0};
    BoxFactor factor{BoxFactor::cholesky};

    /// From the point on, as if nothing had been before.
    void begin() {
      best = point;
      least = mark = std::numeric_limits<double>::infinity();
      since = 0;
    }

    /// Takes note of what is left at the point.
    void note(double left) {
      if (left < least) {
        best = point;
        least = left;
      }
      ++since;
      if (left < 0.99 * mark) {
        mark = left;
        since = 0;
      }
    }
  };

  struct Residue {
    Reals apart;      // g + cα − h − s + v (n)
    Reals sums;       // Gᵀα − eq − a, (r + m)
    double products;  // Σᵢ αᵢsᵢ + tᵢvᵢ
    double left;      // how far the point is from a solution: see solve
  };

  struct Direction {
    typename BoxNewton<Real>::Step newton{};  // Δq and Δα
    Reals surplus{};                          // Δs
    Reals slacks{};                           // Δv
  };

  /// What sᵢΔαᵢ + αᵢΔsᵢ and vᵢΔtᵢ + tᵢΔvᵢ are to be.
  struct Wanted {
    double lower;
    double upper;
  };

  Residue residue_here() const {
    const auto& p = program_;
    const auto& at = state_.point;
    Residue residue{numerics::times(p.rows, at.primal), p.transposed_times(at.multipliers), 0, 0};
    for (Index i = 0; i < p.size(); ++i) {
      residue.apart[i] +=
          p.curvature(i) * at.multipliers[i] + at.slacks[i] - at.surplus[i] - p.levels[i];
      residue.products += at.multipliers[i] * at.surplus[i] + at.room[i] * at.slacks[i];
      residue.left += at.multipliers[i] * std::abs(residue.apart[i]);
    }
    residue.left += residue.products;
    for (Index j = 0; j < residue.sums.size(); ++j) {
      residue.sums[j] -= p.strength(j) * at.primal[j] + p.total(j);
      residue.left += std::abs(at.primal[j]) * std::abs(residue.sums[j]);
    }
    return residue;
  }

  /// The direction that, to first order, removes the residues and changes the products by
  /// wanted(i).
  template <class F>
  Direction direction(const BoxNewton<Real>& newton, const Residue& residue, F&& wanted) const {
    const auto& at = state_.point;
    const Index n = program_.size();
    Reals e(n);
    for (Index i = 0; i < n; ++i) {
      const Wanted w = wanted(i);
      e[i] = w.lower / at.multipliers[i] - w.upper / at.room[i] - residue.apart[i];
    }
    Reals f = residue.sums;
    for (Index j = 0; j < f.size(); ++j) f[j] = -f[j];
    Direction found{newton.solve(e, f), std::move(e), Reals(n)};
    for (Index i = 0; i < n; ++i) {
      const Wanted w = wanted(i);
      const double da = found.newton.multipliers[i];
      found.surplus[i] = (w.lower - at.surplus[i] * da) / at.multipliers[i];
      found.slacks[i] = (w.upper + at.slacks[i] * da) / at.room[i];
    }
    return found;
  }

  /// How far along, at most 1, all variables stay at or above 0.
  double reach(const Direction& along) const {
    const auto& at = state_.point;
    double fastest = 1;  // the largest part of itself that a variable would lose
    const auto lose = [&](double part, double of) {
      if (part > fastest * of) fastest = part / of;
    };
    for (Index i = 0; i < program_.size(); ++i) {
      lose(-along.newton.multipliers[i], at.multipliers[i]);
      lose(-along.surplus[i], at.surplus[i]);
      if (!program_.is_bounded()) continue;
      lose(along.newton.multipliers[i], at.room[i]);
      lose(-along.slacks[i], at.slacks[i]);
    }
    return 1 / fastest;
  }

  /// Σᵢ αᵢsᵢ + tᵢvᵢ after a step of that length.
  double products_after(const Direction& along, double length) const {
    const auto& at = state_.point;
    double sum = 0;
    for (Index i = 0; i < program_.size(); ++i) {
      const double da = length * along.newton.multipliers[i];
      sum += (at.multipliers[i] + da) * (at.surplus[i] + length * along.surplus[i]) +
             (at.room[i] - da) * (at.slacks[i] + length * along.slacks[i]);
    }
    return sum;
  }

  void move(const Direction& along, double length) {
    auto& at = state_.point;
    numerics::add(length, along.newton.primal, at.primal);
    numerics::add(length, along.newton.multipliers, at.multipliers);
    numerics::add(length, along.surplus, at.surplus);
    numerics::add(length, along.slacks, at.slacks);
    if (program_.is_bounded()) numerics::add(-length, along.newton.multipliers, at.room);
  }

  /// False, and nothing has changed, when there is no step or it cannot be trusted.
  bool step(const Residue& residue) {
    const auto& at = state_.point;
    const Index n = program_.size();
    Reals d(n);
    for (Index i = 0; i < n; ++i)
      d[i] = 1 / (program_.curvature(i) + at.surplus[i] / at.multipliers[i] +
                  at.slacks[i] / at.room[i]);
    const BoxNewton<Real> newton(program_, std::move(d), state_.factor);

    const auto to_zero = [&](Index i) {
      return Wanted{-at.multipliers[i] * at.surplus[i], -at.room[i] * at.slacks[i]};
    };
    const Direction affine = direction(newton, residue, to_zero);
    const double after = products_after(affine, reach(affine));
    const double sigma = std::pow(std::max(after, 0.0) / residue.products, 3);
    const double kinds = program_.is_bounded() ? 2 : 1;
    const double aim = sigma * residue.products / (static_cast<double>(count_) * kinds);  // σμ

    const Direction found = direction(newton, residue, [&](Index i) {
      const double da = affine.newton.multipliers[i];
      const Wanted zero = to_zero(i);
      return Wanted{aim + zero.lower - da * affine.surplus[i],
                    program_.is_bounded() ? aim + zero.upper + da * affine.slacks[i] : 0.0};
    });
    const double length = std::min(1.0, 0.995 * reach(found));
    if (!(length > std::numeric_limits<double>::epsilon())) return false;
    if (!found.newton.accurate && state_.factor == BoxFactor::cholesky) return false;
    move(found, length);
    return true;
  }

  const BoxProgram<Real>& program_;
  Index count_;  // n
  State state_{};
  bool is_stopped_{false};
};

}  // namespace linea::programs
