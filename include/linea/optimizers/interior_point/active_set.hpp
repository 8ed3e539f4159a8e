// SPDX-License-Identifier: MIT
#pragma once
/// \file The active set of a BoxProgram: which dual variables are at 0, at their upper bounds, or
/// in between.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/interior_point/box_newton.hpp>
#include <utility>
#include <vector>

namespace linea::detail::interior_point {

/// Given the active set, a linear system determines the solution up to rounding. The interior point
/// method approximates the solution and suggests the active set.
template <class Real = double>
class ActiveSet {
 public:
  enum Place : Index { lower, between, upper };

  /// Suggests the set that `point` approaches. At the solution αᵢ or sᵢ is 0, and tᵢ or vᵢ is 0.
  /// The set assumes that of each pair the variable that is smaller at `point` is 0. Here αᵢ and tᵢ
  /// are measured relative to the largest αᵢ, and sᵢ and vᵢ relative to the objective divided by
  /// Σᵢ αᵢ. The program must outlive this object.
  ActiveSet(const BoxProgram<Real>& program, const BoxPoint<Real>& point)
      : program_(program), places_(static_cast<std::size_t>(program.size()), between) {
    double largest = -std::numeric_limits<double>::infinity();
    double sum = 0;
    for (Index i = 0; i < program.size(); ++i) {
      largest = std::max(largest, point.multipliers[i]);
      sum += point.multipliers[i];
    }
    const double distance = point.objective(program) / sum;
    for (Index i = 0; i < program.size(); ++i) {
      if (point.surplus[i] * largest > point.multipliers[i] * distance)
        place(i) = Place::lower;
      else if (program.is_bounded() && point.slacks[i] * largest > point.room[i] * distance)
        place(i) = Place::upper;
    }
  }

  Place operator[](Index i) const { return Place{places_[static_cast<std::size_t>(i)]}; }

  /// Solves Gᵀα = eq + a, and (Gq)ᵢ + cᵢαᵢ = hᵢ for the dual variables in between. All other dual
  /// variables are at 0 or at their upper bounds. Uses the proximal point method from `near`, which
  /// finds a solution close to `near` if the solution is not unique. If the active set is wrong,
  /// some dual variables are outside the box, or some surplus or slacks are negative.
  BoxPoint<Real> solve(const BoxPoint<Real>& near) const {
    const auto& p = program_;
    BoxPoint<Real> point = near;
    std::vector<Index> inside;
    for (Index i = 0; i < p.size(); ++i) {
      if ((*this)[i] == between) inside.push_back(i);
      if ((*this)[i] != Place::upper) point.multipliers[i] = 0;
      if ((*this)[i] == Place::upper) point.multipliers[i] = p.bounds[i];
    }
    approach(inside, near, point);
    const Vector<Real> above = p.above(point.multipliers, point.primal);
    for (Index i = 0; i < p.size(); ++i) {
      point.surplus[i] = (*this)[i] == Place::lower ? above[i] : 0;
      point.slacks[i] = (*this)[i] == Place::upper ? -above[i] : 0;
      if (p.is_bounded()) point.room[i] = p.bounds[i] - point.multipliers[i];
    }
    return point;
  }

  /// Corrects the set where `solved` violates the conditions of a solution (see BoxPoint) by more
  /// than rounding. Returns false if nothing changed.
  bool repair(const BoxPoint<Real>& solved) {
    const double size = std::sqrt(linear_algebra::squares_of(solved.primal));
    bool moved = false;
    for (Index i = 0; i < program_.size(); ++i) {
      const double rounding =
          1e-14 * (std::sqrt(program_.squares(i)) * size + std::abs(program_.levels[i]));
      Place to = Place::between;
      if ((*this)[i] == Place::between) {
        if (solved.multipliers[i] < 0) to = Place::lower;
        if (solved.room[i] < 0) to = Place::upper;
      } else if (std::min(solved.surplus[i], solved.slacks[i]) >= -rounding) {
        continue;
      }
      moved = moved || to != (*this)[i];
      place(i) = to;
    }
    return moved;
  }

 private:
  /// Computes q, and αᵢ for every i in `inside`. `point` holds all other dual variables.
  void approach(const std::vector<Index>& inside, const BoxPoint<Real>& near,
                BoxPoint<Real>& point) const {
    const auto& p = program_;
    const auto count = static_cast<Index>(inside.size());
    BoxProgram<Real> inner(count, p.rows.cols(), false);
    inner.strengths = p.strengths;
    inner.totals = p.missing(point.multipliers, linear_algebra::constant(p.rows.cols(), 0));
    for (double& total : inner.totals) total = -total;
    Vector<Real> a(count);
    double largest = count > 0 ? 0.0 : 1.0;
    for (Index k = 0; k < count; ++k) {
      const Index i = inside[static_cast<std::size_t>(k)];
      for (Index j = 0; j < p.rows.cols(); ++j) inner.rows(k, j) = p.rows(i, j);
      inner.levels[k] = p.levels[i];
      inner.curvatures[k] = p.curvatures[i];
      a[k] = near.multipliers[i];
      largest = std::max(largest, p.squares(i));
    }
    Vector<Real> d(count);
    for (Index k = 0; k < count; ++k) d[k] = 1 / (inner.curvatures[k] + largest / 1e13);
    const BoxNewton<Real> newton(inner, std::move(d), BoxFactor::qr);
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 30; ++round) {
      Vector<Real> e = inner.above(a, point.primal);
      for (double& entry : e) entry = -entry;
      const auto step = newton.solve(e, inner.missing(a, point.primal));
      const double size = std::sqrt(linear_algebra::squares_of(step.primal));
      if (!(size < before)) break;
      before = size;
      linear_algebra::add(1, step.primal, point.primal);
      linear_algebra::add(1, step.multipliers, a);
    }
    for (Index k = 0; k < count; ++k) point.multipliers[inside[static_cast<std::size_t>(k)]] = a[k];
  }

  Index& place(Index i) { return places_[static_cast<std::size_t>(i)]; }

  const BoxProgram<Real>& program_;
  std::vector<Index> places_;
};

/// Calls consider(solution) for the active set that `point` suggests, and then for up to nine
/// repaired sets, until `consider` returns true. The last solution is usually the best.
template <class Real, class F>
void solve_active_sets(const BoxProgram<Real>& program, const BoxPoint<Real>& point, F&& consider) {
  ActiveSet<Real> active(program, point);
  for (int round = 0; round < 10; ++round) {
    const BoxPoint<Real> solved = active.solve(point);
    if (consider(solved) || !active.repair(solved)) break;
  }
}

}  // namespace linea::detail::interior_point
