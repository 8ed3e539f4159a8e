// SPDX-License-Identifier: MIT
#pragma once
/// \file The active set of a BoxProgram: which multipliers are 0, which at their bounds, which between.
#include <algorithm>  // min
#include <cmath>
#include <limits>
#include <linea/optimizers/programs/interior_point.hpp>
#include <utility>
#include <vector>

namespace linea::programs {

/// Once it is known, the solution is that of linear equations, and as exact as their rounding; an interior
/// point comes near it and suggests the set.
template <class Real = double>
class ActiveSet {
 public:
  enum class Place : char { lower, between, upper };

  /// Of αᵢ and sᵢ, and of tᵢ and vᵢ, the one that is larger for its kind is taken to stay above 0. The
  /// program must outlive this object.
  ActiveSet(const BoxProgramOf<Real>& program, const BoxPointOf<Real>& point)
      : program_(program), places_(static_cast<std::size_t>(program.size()), Place::between) {
    const double multiplier = point.multipliers.maxCoeff();
    const double distance = point.objective(program) / point.multipliers.sum();
    for (Index i = 0; i < program.size(); ++i) {
      if (point.surplus[i] * multiplier > point.multipliers[i] * distance)
        place(i) = Place::lower;
      else if (program.is_bounded() && point.slacks[i] * multiplier > point.room[i] * distance)
        place(i) = Place::upper;
    }
  }

  Place operator[](Index i) const { return places_[static_cast<std::size_t>(i)]; }

  /// g = h where multipliers are between, the others at their ends, and Gᵀα = (w, a), by the proximal
  /// point method from `near`: where many multipliers solve this, some that are close to it. When the
  /// set is wrong, multipliers leave the box, and surplus or slacks are negative.
  BoxPointOf<Real> solve(const BoxPointOf<Real>& near) const {
    const auto& p = program_;
    BoxPointOf<Real> point = near;
    std::vector<Index> between;
    for (Index i = 0; i < p.size(); ++i) {
      if ((*this)[i] == Place::between) between.push_back(i);
      if ((*this)[i] != Place::upper) point.multipliers[i] = 0;
      if ((*this)[i] == Place::upper) point.multipliers[i] = p.bounds[i];
    }
    Vector<Real> wanted = -p.rows.transpose() * point.multipliers;
    wanted.tail(p.totals.size()) += p.totals;

    const BoxProgramOf<Real> inner{p.rows(between, Eigen::all), p.levels(between), {}, p.totals};
    Vector<Real> a = near.multipliers(between);
    const double largest = inner.size() ? inner.rows.rowwise().squaredNorm().maxCoeff() : 1.0;
    const BoxNewton<Real> newton(inner, Vector<Real>::Constant(inner.size(), 1e13 / largest),
                                 BoxFactor::qr);
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 30; ++round) {
      Vector<Real> f = wanted - inner.rows.transpose() * a;
      f.head(p.rank()) += point.primal.head(p.rank());
      const auto step = newton.solve(inner.levels - inner.rows * point.primal, f);
      const double size = step.primal.norm();
      if (!(size < before)) break;
      before = size;
      point.primal += step.primal;
      a += step.multipliers;
    }
    for (std::size_t k = 0; k < between.size(); ++k)
      point.multipliers[between[k]] = a[static_cast<Index>(k)];
    const Vector<Real> above = p.rows * point.primal - p.levels;
    for (Index i = 0; i < p.size(); ++i) {
      point.surplus[i] = (*this)[i] == Place::lower ? above[i] : 0;
      point.slacks[i] = (*this)[i] == Place::upper ? -above[i] : 0;
    }
    if (p.is_bounded()) point.room = p.bounds - point.multipliers;
    return point;
  }

  /// Moves what the solution of this set shows to be in the wrong place; false when there is nothing.
  bool repair(const BoxPointOf<Real>& solved) {
    const double size = solved.primal.norm();
    bool moved = false;
    for (Index i = 0; i < program_.size(); ++i) {
      const double rounding =
          1e-14 * (program_.rows.row(i).norm() * size + std::abs(program_.levels[i]));
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
  Place& place(Index i) { return places_[static_cast<std::size_t>(i)]; }

  const BoxProgramOf<Real>& program_;
  std::vector<Place> places_;
};

/// Calls consider(point) for the place that an interior point ends at, and for the solutions of the active
/// sets it leads to; the last of them is most often the best. Arguments as for InteriorPoint.
/// Returns the number of its iterations.
template <class Real, class F>
Index solve_box_program(const BoxProgramOf<Real>& program, Vector<Real> start, double tolerance,
                        double floor, Index limit, F&& consider) {
  InteriorPoint inside(program, std::move(start));
  const BoxPointOf<Real> point = inside.solve(tolerance, floor, limit);
  consider(point);
  ActiveSet active(program, point);
  for (int round = 0; round < 10; ++round) {
    const BoxPointOf<Real> solved = active.solve(point);
    consider(solved);
    if (!active.repair(solved)) break;
  }
  return inside.iterations();
}

}  // namespace linea::programs
