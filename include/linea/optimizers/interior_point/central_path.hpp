// SPDX-License-Identifier: MIT
#pragma once
/// \file Mehrotra's predictor-corrector interior point method for a BoxProgram.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/interior_point/box_newton.hpp>
#include <utility>  // as_const, move

namespace linea::detail::interior_point {

/// Follows the central path, on which all products αᵢsᵢ and tᵢvᵢ have the same value, until this
/// value is almost 0 (Mehrotra, SIAM Journal on Optimization 2 (1992)). All variables share one
/// step length, as a quadratic objective requires.
///
/// 1. Start strictly inside the box.
/// 2. Find the affine step: it would remove the residuals and make all products 0.
/// 3. From how far this step can go, choose the target σμ of the products.
/// 4. Find the step to this target, corrected for the products of the affine step.
/// 5. Go along it as far as all of α, t, s and v stay positive.
/// 6. If the step is not reliable, factorise by QR instead of Cholesky, from the best point so far.
/// 7. Go to 2 until the estimated gap is small enough, or no longer falls.
///
/// | here | is                                                        |
/// |------|-----------------------------------------------------------|
/// | q    | the variables of the Lagrange dual of the program         |
/// | α, t | the dual variables, and their distance u − α from u       |
/// | s, v | the positive and the negative part of Gq + cα − h         |
/// | D, E | see BoxNewton                                             |
/// | μ    | the mean of all αᵢsᵢ and tᵢvᵢ                             |
/// | σ    | (μ after the affine step / μ)³, the target fraction of μ  |
/// | Δ    | Δα is the step of α, and so on; Δt = −Δα                  |
template <class Real = double>
class CentralPath {
  using Reals = Vector<Real>;

 public:
  /// Starts at dual variables `start` (n) strictly inside the box, and at q = `primal` (k). The
  /// program must outlive this object.
  CentralPath(const BoxProgram<Real>& program, Reals start, Reals primal) : program_(program) {
    const Index n = program.size();
    point_ = {std::move(primal), std::move(start), linear_algebra::constant(n, 1), Reals(n),
              linear_algebra::constant(n, 0)};
    const Reals above = program.above(point_.multipliers, point_.primal);
    double shift = 0;
    for (Index i = 0; i < n; ++i) shift += std::abs(above[i]);
    shift = std::max(shift / static_cast<double>(n), std::numeric_limits<double>::min());
    for (Index i = 0; i < n; ++i) {
      point_.surplus[i] = std::max(above[i], 0.0) + shift;
      if (!program.is_bounded()) continue;
      point_.room[i] = program.bounds[i] - point_.multipliers[i];
      point_.slacks[i] = std::max(-above[i], 0.0) + shift;
    }
  }

  /// Iterates until one of the conditions below holds, and returns the point with the least
  /// estimated duality gap. The estimate is the sum of all αᵢsᵢ and tᵢvᵢ, and of the absolute
  /// residuals times α or |q|. An iteration costs O(n·k²).
  /// - The estimate is at most max(`tolerance`·objective, `floor`).
  /// - The estimate has not fallen by a hundredth in ten iterations, or no step is reliable.
  /// - `limit` iterations have been made.
  /// - `stops(point)`, called after each iteration, returns true.
  template <class Stops>
  BoxPoint<Real> solve(double tolerance, double floor, Index limit, const Stops& stops) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    BoxPoint<Real> best = point_;
    double least = infinity;  // least estimate so far
    double mark = infinity;   // estimate when `since` was last 0
    Index since = 0;          // iterations since the estimate last fell by a hundredth
    while (!is_stopped_) {
      const Residue residue = residue_here();
      if (residue.left < least) {
        best = point_;
        least = residue.left;
      }
      ++since;
      if (residue.left < 0.99 * mark) {
        mark = residue.left;
        since = 0;
      }
      const double goal = std::max(tolerance * point_.objective(program_), floor);
      if (!(residue.left > goal) || since > 10 || iterations_ >= limit) break;
      if (step(residue)) {
        ++iterations_;
        is_stopped_ = stops(std::as_const(point_));
      } else if (factor_ == BoxFactor::cholesky) {
        // Rounding errors of E + GᵀDG are too large: continue from the best point with QR.
        factor_ = BoxFactor::qr;
        point_ = best;
        since = 0;
      } else {
        break;
      }
    }
    return best;
  }

  /// Did `stops` end the iterations?
  bool is_stopped() const { return is_stopped_; }
  Index iterations() const { return iterations_; }

 private:
  struct Residue {
    Reals apart;      // Gq + cα − h − s + v (n)
    Reals sums;       // Gᵀα − eq − a (k)
    double products;  // Σᵢ (αᵢsᵢ + tᵢvᵢ)
    double left;      // estimate of the duality gap, see solve
  };

  struct Direction {
    typename BoxNewton<Real>::Step newton{};  // Δq and Δα
    Reals surplus{};                          // Δs
    Reals slacks{};                           // Δv
  };

  Residue residue_here() const {
    Residue residue{program_.above(point_.multipliers, point_.primal),
                    program_.missing(point_.multipliers, point_.primal), 0, 0};
    for (Index i = 0; i < program_.size(); ++i) {
      residue.apart[i] += point_.slacks[i] - point_.surplus[i];
      residue.products +=
          point_.multipliers[i] * point_.surplus[i] + point_.room[i] * point_.slacks[i];
      residue.left += point_.multipliers[i] * std::abs(residue.apart[i]);
    }
    residue.left += residue.products;
    for (Index j = 0; j < residue.sums.size(); ++j)
      residue.left += std::abs(point_.primal[j]) * std::abs(residue.sums[j]);
    return residue;
  }

  /// Returns the direction that, to first order, removes the residuals, changes αᵢsᵢ by `lower`
  /// (n), and changes tᵢvᵢ by `upper` (n).
  Direction direction(const BoxNewton<Real>& newton, const Residue& residue, const Reals& lower,
                      const Reals& upper) const {
    const Index n = program_.size();
    Reals e(n);
    for (Index i = 0; i < n; ++i)
      e[i] = lower[i] / point_.multipliers[i] - upper[i] / point_.room[i] - residue.apart[i];
    Direction found{newton.solve(e, residue.sums), std::move(e), Reals(n)};
    for (Index i = 0; i < n; ++i) {
      const double da = found.newton.multipliers[i];
      found.surplus[i] = (lower[i] - point_.surplus[i] * da) / point_.multipliers[i];
      found.slacks[i] = (upper[i] + point_.slacks[i] * da) / point_.room[i];
    }
    return found;
  }

  /// Returns the length of the longest step ≤ 1 that keeps α, t, s and v ≥ 0.
  double reach(const Direction& along) const {
    double fastest = 1;  // the largest relative decrease of a variable, but at least 1
    const auto lose = [&](double part, double of) {
      if (part > fastest * of) fastest = part / of;
    };
    for (Index i = 0; i < program_.size(); ++i) {
      lose(-along.newton.multipliers[i], point_.multipliers[i]);
      lose(-along.surplus[i], point_.surplus[i]);
      if (!program_.is_bounded()) continue;
      lose(along.newton.multipliers[i], point_.room[i]);
      lose(-along.slacks[i], point_.slacks[i]);
    }
    return 1 / fastest;
  }

  /// Returns Σᵢ (αᵢsᵢ + tᵢvᵢ) after a step of length `length`.
  double products_after(const Direction& along, double length) const {
    double sum = 0;
    for (Index i = 0; i < program_.size(); ++i) {
      const double da = length * along.newton.multipliers[i];
      sum += (point_.multipliers[i] + da) * (point_.surplus[i] + length * along.surplus[i]) +
             (point_.room[i] - da) * (point_.slacks[i] + length * along.slacks[i]);
    }
    return sum;
  }

  void move(const Direction& along, double length) {
    linear_algebra::add(length, along.newton.primal, point_.primal);
    linear_algebra::add(length, along.newton.multipliers, point_.multipliers);
    linear_algebra::add(length, along.surplus, point_.surplus);
    linear_algebra::add(length, along.slacks, point_.slacks);
    if (program_.is_bounded()) linear_algebra::add(-length, along.newton.multipliers, point_.room);
  }

  /// Makes a step. Returns false, and changes nothing, if there is no reliable step.
  bool step(const Residue& residue) {
    const Index n = program_.size();
    Reals d(n), lower(n), upper(n);
    for (Index i = 0; i < n; ++i) {
      d[i] = 1 / (program_.curvatures[i] + point_.surplus[i] / point_.multipliers[i] +
                  point_.slacks[i] / point_.room[i]);
      lower[i] = -point_.multipliers[i] * point_.surplus[i];
      upper[i] = -point_.room[i] * point_.slacks[i];
    }
    const BoxNewton<Real> newton(program_, std::move(d), factor_);
    const Direction affine = direction(newton, residue, lower, upper);
    const double after = products_after(affine, reach(affine));
    const double sigma = std::pow(std::max(after, 0.0) / residue.products, 3);
    const double kinds = program_.is_bounded() ? 2 : 1;
    const double aim = sigma * residue.products / (static_cast<double>(n) * kinds);  // target σμ
    for (Index i = 0; i < n; ++i) {
      const double da = affine.newton.multipliers[i];
      lower[i] += aim - da * affine.surplus[i];
      if (program_.is_bounded()) upper[i] += aim + da * affine.slacks[i];
    }
    const Direction found = direction(newton, residue, lower, upper);
    const double length = std::min(1.0, 0.995 * reach(found));
    if (!(length > std::numeric_limits<double>::epsilon())) return false;
    if (!found.newton.accurate && factor_ == BoxFactor::cholesky) return false;
    move(found, length);
    return true;
  }

  const BoxProgram<Real>& program_;
  BoxPoint<Real> point_{};
  Index iterations_{0};
  BoxFactor factor_{BoxFactor::cholesky};
  bool is_stopped_{false};
};

}  // namespace linea::detail::interior_point
