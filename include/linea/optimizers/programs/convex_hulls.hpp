// SPDX-License-Identifier: MIT
#pragma once
/// \file The points of two convex hulls that are nearest to each other: the quadratic program of
/// the largest margin.
#include <limits>
#include <linea/core/types.hpp>
#include <linea/optimizers/programs/active_set.hpp>
#include <utility>  // move
#include <vector>

namespace linea::programs {

/// In the coordinates of the samples: the direction with the largest margin, and the multipliers
/// with the smallest bound.
template <class Real>
struct ConvexHulls {
  Vector<Real> weights{};
  Vector<Real> terms{};  // αᵢyᵢ (n): the direction is that of Σᵢ αᵢyᵢcᵢ, up to rounding
  double margin{-std::numeric_limits<double>::infinity()};
  Vector<Real> multipliers{};
  std::vector<Index> support{};
  double bound{std::numeric_limits<double>::infinity()};
  Index iterations{0};
};

/// Over multipliers whose sum is 1 on each side: the rows are yᵢcᵢ for coordinates cᵢ (n × r), and
/// beside them which side sample i is on.
template <class Real>
BoxProgram<Real> hulls_program(const Matrix<Real>& coordinates, const Vector<Real>& y,
                               Index sides) {
  const Index r = coordinates.cols();
  BoxProgram<Real> program;
  program.rows.resize(y.size(), r + sides);
  program.rows.leftCols(r) = y.asDiagonal() * coordinates;
  program.rows.rightCols(sides).setOnes();
  if (sides == 2) {
    program.rows.col(r) = (y.array() > 0).template cast<Real>();
    program.rows.col(r + 1) = (y.array() < 0).template cast<Real>();
  }
  program.levels.setZero(y.size());
  program.totals.setOnes(sides);
  return program;
}

/// The margin of w, halfway between the smallest agreements of the sides; `side` (n × sides) says
/// where the rows of z (n × r) are.
template <class Z, class Sides, class Real>
double margin_of(const Z& z, const Sides& side, const Vector<Real>& w) {
  const Eigen::Array<Real, Eigen::Dynamic, 1> agreements = (z * w).array();
  double margin = 0;
  for (Index k = 0; k < side.cols(); ++k)
    margin += (side.col(k).array() > 0)
                  .select(agreements, std::numeric_limits<double>::infinity())
                  .minCoeff();
  return margin / (static_cast<double>(side.cols()) * w.norm());
}

/// From coordinates (n × r) and targets y (n) of −1 and +1.
template <class Real>
ConvexHulls<Real> nearest_points_of_all(const Matrix<Real>& coordinates, const Vector<Real>& y,
                                        bool offset, double tolerance, Index iterations) {
  const Index sides = offset ? 2 : 1;
  const Index r = coordinates.cols();
  const BoxProgram<Real> program = hulls_program(coordinates, y, sides);
  const auto z = program.rows.leftCols(r);
  const auto side = program.rows.rightCols(sides);
  // Multipliers scaled to the sums they are to have.
  const auto scaled = [&](const Vector<Real>& a) {
    return Vector<Real>(a.cwiseProduct(side * (side.transpose() * a).cwiseInverse().eval()));
  };

  ConvexHulls<Real> best;
  best.multipliers = scaled(Vector<Real>::Ones(y.size()));
  const auto consider = [&](const BoxPoint<Real>& point) {
    const Vector<Real> a = scaled(point.multipliers.cwiseMax(0));
    const Vector<Real> between = z.transpose() * a;  // from one hull's point to the other's
    const double bound = between.norm() / static_cast<double>(sides);
    if (bound < best.bound) {
      best.bound = bound;
      best.multipliers = a;
      best.support.clear();
      for (Index i = 0; i < y.size(); ++i)
        if (a[i] > 1e-8 * a.maxCoeff()) best.support.push_back(i);
    }
    for (const Vector<Real>& w : {Vector<Real>(point.primal.head(r)), between}) {
      const double margin = margin_of(z, side, w);
      if (!(margin > best.margin)) continue;
      best.margin = margin;
      best.weights = w;
      best.terms = a.cwiseProduct(y);
    }
  };
  best.iterations =
      solve_box_program(program, best.multipliers, 1e-3 * tolerance, 1e-24, iterations, consider);
  return best;
}

/// The same for the samples that have a target other than 0; the others are on neither side.
template <class Real>
ConvexHulls<Real> nearest_points(const Matrix<Real>& coordinates, const Vector<Real>& targets,
                                 bool offset, double tolerance, Index iterations) {
  std::vector<Index> present;
  for (Index i = 0; i < targets.size(); ++i)
    if (targets[i] != 0) present.push_back(i);
  if (static_cast<Index>(present.size()) == targets.size())
    return nearest_points_of_all(coordinates, targets, offset, tolerance, iterations);
  ConvexHulls<Real> hulls = nearest_points_of_all<Real>(
      coordinates(present, Eigen::indexing::all), targets(present), offset, tolerance, iterations);
  for (Vector<Real>* part : {&hulls.terms, &hulls.multipliers}) {
    Vector<Real> all = Vector<Real>::Zero(targets.size());
    if (part->size() > 0) all(present) = *part;
    *part = std::move(all);
  }
  for (Index& i : hulls.support) i = present[static_cast<std::size_t>(i)];
  return hulls;
}

}  // namespace linea::programs
