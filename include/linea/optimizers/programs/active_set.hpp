// SPDX-License-Identifier: MIT
#pragma once
/// \file The active set of a BoxProgram: which multipliers are 0, which at their bounds, which
/// between.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/programs/interior_point.hpp>
#include <utility>
#include <vector>

namespace linea::programs {

/// Given the active set, the solution is that of a linear system and as exact as its rounding. The
/// interior point method comes near the solution and suggests the set.
template <class Real = double>
class ActiveSet {
 public:
  enum class Place : char { lower, between, upper };

  /// At the solution αᵢ or sᵢ is 0, and tᵢ or vᵢ. Of each pair the one that is smaller at this
  /// point, both measured against the largest of their kind, is taken for the one that is 0.
  /// The program must outlive this object.
  ActiveSet(const BoxProgram<Real>& program, const BoxPoint<Real>& point)
      : program_(program), places_(static_cast<std::size_t>(program.size()), Place::between) {
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

  Place operator[](Index i) const { return places_[static_cast<std::size_t>(i)]; }

  /// g + cα = h where multipliers are between, the others at their ends, and Gᵀα = eq + a, by the
  /// proximal point method from `near`: where many multipliers solve this, some that are close to
  /// it. When the set is wrong, multipliers leave the box, and surplus or slacks are negative.
  BoxPoint<Real> solve(const BoxPoint<Real>& near) const {
    const auto& p = program_;
    BoxPoint<Real> point = near;
    std::vector<Index> between;
    for (Index i = 0; i < p.size(); ++i) {
      if ((*this)[i] == Place::between) between.push_back(i);
      if ((*this)[i] != Place::upper) point.multipliers[i] = 0;
      if ((*this)[i] == Place::upper) point.multipliers[i] = p.bounds[i];
    }
    approach(between, near, point);
    const Vector<Real> g = numerics::times(p.rows, point.primal);
    for (Index i = 0; i < p.size(); ++i) {
      const double above = g[i] + p.curvature(i) * point.multipliers[i] - p.levels[i];
      point.surplus[i] = (*this)[i] == Place::lower ? above : 0;
      point.slacks[i] = (*this)[i] == Place::upper ? -above : 0;
      if (p.is_bounded()) point.room[i] = p.bounds[i] - point.multipliers[i];
    }
    return point;
  }

  /// Moves what the solution of this set shows to be in the wrong place; false when there is
  /// nothing.
  bool repair(const BoxPoint<Real>& solved) {
    const double size = std::sqrt(numerics::squares_of(solved.primal));
    bool moved = false;
    for (Index i = 0; i < program_.size(); ++i) {
      const double rounding =
          1e-14 * (std::sqrt(squares(program_.rows, i)) * size + std::abs(program_.levels[i]));
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
  /// ‖row i‖².
  static double squares(const Matrix<Real>& rows, Index i) {
    const double* row = rows.data() + i * rows.cols();
    return numerics::dot(row, row, rows.cols());
  }

  /// Enters q, and the multipliers that are `between`, into a point that has all others.
  void approach(const std::vector<Index>& between, const BoxPoint<Real>& near,
                BoxPoint<Real>& point) const {
    const auto& p = program_;
    const auto count = static_cast<Index>(between.size());
    Vector<Real> wanted = p.transposed_times(point.multipliers);
    for (Index j = 0; j < wanted.size(); ++j) wanted[j] = p.total(j) - wanted[j];
    BoxProgram<Real> inner{
        Matrix<Real>(count, p.rows.cols()), Vector<Real>(count), {}, p.totals, p.strengths};
    Vector<Real> a(count);
    Vector<Real> curvatures = numerics::constant(count, 0);
    double largest = count > 0 ? 0.0 : 1.0;
    for (Index k = 0; k < count; ++k) {
      const Index i = between[static_cast<std::size_t>(k)];
      for (Index j = 0; j < p.rows.cols(); ++j) inner.rows(k, j) = p.rows(i, j);
      inner.levels[k] = p.levels[i];
      a[k] = near.multipliers[i];
      curvatures[k] = p.curvature(i);
      largest = std::max(largest, squares(p.rows, i));
    }
    Vector<Real> d(count);
    for (Index k = 0; k < count; ++k) d[k] = 1 / (curvatures[k] + largest / 1e13);
    const BoxNewton<Real> newton(inner, std::move(d), BoxFactor::qr);
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 30; ++round) {
      Vector<Real> f = inner.transposed_times(a);
      for (Index j = 0; j < f.size(); ++j)
        f[j] = wanted[j] - f[j] + p.strength(j) * point.primal[j];
      Vector<Real> e = numerics::times(inner.rows, point.primal);
      for (Index k = 0; k < count; ++k) e[k] = inner.levels[k] - e[k] - curvatures[k] * a[k];
      const auto step = newton.solve(e, f);
      const double size = std::sqrt(numerics::squares_of(step.primal));
      if (!(size < before)) break;
      before = size;
      numerics::add(1, step.primal, point.primal);
      numerics::add(1, step.multipliers, a);
    }
    for (Index k = 0; k < count; ++k)
      point.multipliers[between[static_cast<std::size_t>(k)]] = a[k];
  }

  Place& place(Index i) { return places_[static_cast<std::size_t>(i)]; }

  const BoxProgram<Real>& program_;
  std::vector<Place> places_;
};

/// Calls consider(point) for the point that the interior point method ends at, then for the
/// solution of the active set which that point suggests, and of each set that a repair leads to.
/// The last is most often the best. The arguments are those of InteriorPoint. Returns the number of
/// its iterations.
template <class Real, class F>
Index solve_box_program(const BoxProgram<Real>& program, Vector<Real> start, double tolerance,
                        double floor, Index limit, F&& consider) {
  InteriorPoint<Real> inside(program, std::move(start));
  const BoxPoint<Real> point =
      inside.solve(tolerance, floor, limit, [](const auto&) { return false; });
  consider(point);
  ActiveSet<Real> active(program, point);
  for (int round = 0; round < 10; ++round) {
    const BoxPoint<Real> solved = active.solve(point);
    consider(solved);
    if (!active.repair(solved)) break;
  }
  return inside.iterations();
}

}  // namespace linea::programs
