// SPDX-License-Identifier: MIT
#pragma once
/// \file Convex quadratic programs over a box, and their points. All numbers are doubles.
#include <linea/linear_algebra/matrix_vector.hpp>
#include <linea/linear_algebra/vectors.hpp>

namespace linea::detail::interior_point {

/// The program minimises ½Σⱼ (Gᵀα − a)ⱼ²/eⱼ + ½Σᵢ cᵢαᵢ² − hᵀα over dual variables α (n) with 0 ≤ α
/// ≤ u. A strength eⱼ = 0 means the constraint (Gᵀα)ⱼ = aⱼ; with all eⱼ = 0 and cᵢ = 0 this is a
/// linear program. The Lagrange dual has variables q (k) with eⱼqⱼ = (Gᵀα − a)ⱼ. If the program is
/// the dual of a sum of losses, its Lagrange dual is the minimisation of this sum.
///
/// BoxProgram and all code that uses it are templates, so that only programs that need them compile
/// them.
template <class Real = double>
struct BoxProgram {
  Matrix<Real> rows;        ///< G (n × k)
  Vector<Real> levels;      ///< h (n)
  Vector<Real> bounds;      ///< u (n), all > 0; empty if α has no upper bounds
  Vector<Real> totals;      ///< a (k)
  Vector<Real> strengths;   ///< e (k), ≥ 0
  Vector<Real> curvatures;  ///< c (n), ≥ 0
  Vector<Real> origins;     ///< o (n), in [0, u]: see BoxPoint::objective

  /// Sets all entries to 0. `is_bounded` allocates the bounds.
  BoxProgram(Index size, Index cols, bool is_bounded)
      : rows(Matrix<Real>::Zero(size, cols)),
        levels(linear_algebra::constant(size, 0)),
        bounds(linear_algebra::constant(is_bounded ? size : 0, 0)),
        totals(linear_algebra::constant(cols, 0)),
        strengths(totals),
        curvatures(levels),
        origins(levels) {}

  Index size() const { return rows.rows(); }
  bool is_bounded() const { return bounds.size() > 0; }
  const double* row(Index i) const { return rows.data() + i * rows.cols(); }
  /// Returns ‖row i‖².
  double squares(Index i) const { return linear_algebra::dot(row(i), row(i), rows.cols()); }
  /// Returns the residual Gᵀα − eq − a (k), which is 0 at a solution.
  Vector<Real> missing(const Vector<Real>& multipliers, const Vector<Real>& primal) const {
    Vector<Real> sums = linear_algebra::transposed_times(rows, multipliers);
    for (Index j = 0; j < sums.size(); ++j) sums[j] -= strengths[j] * primal[j] + totals[j];
    return sums;
  }
  /// Returns Gq + cα − h (n).
  Vector<Real> above(const Vector<Real>& multipliers, const Vector<Real>& primal) const {
    Vector<Real> g = linear_algebra::times(rows, primal);
    for (Index i = 0; i < g.size(); ++i) g[i] += curvatures[i] * multipliers[i] - levels[i];
    return g;
  }
};

/// A point of a BoxProgram. It is a solution if Gq + cα − h = s − v and Gᵀα = eq + a, where α, t, s
/// and v are ≥ 0, and if αᵢsᵢ = 0 and tᵢvᵢ = 0 for every i.
template <class Real = double>
struct BoxPoint {
  Vector<Real> primal;       ///< q (k)
  Vector<Real> multipliers;  ///< α (n)
  Vector<Real> room;         ///< t = u − α (n); all 1 without bounds
  Vector<Real> surplus;      ///< s (n): the positive part of Gq + cα − h
  Vector<Real> slacks;       ///< v (n): the negative part of Gq + cα − h; all 0 without bounds

  /// Returns ½Σⱼ eⱼqⱼ², plus Σᵢ (oᵢsᵢ + (uᵢ − oᵢ)vᵢ + ½cᵢ(oᵢ − αᵢ)²) if α is bounded. No term is
  /// negative. For the program of a LossProgram this is n·F, up to the residuals of the point.
  double objective(const BoxProgram<Real>& program) const {
    double sum = 0;
    for (Index j = 0; j < primal.size(); ++j) sum += program.strengths[j] * primal[j] * primal[j];
    sum /= 2;
    if (program.is_bounded())
      for (Index i = 0; i < program.size(); ++i) {
        const double o = program.origins[i];
        const double from = o - multipliers[i];
        sum += o * surplus[i] + (program.bounds[i] - o) * slacks[i] +
               program.curvatures[i] * from * from / 2;
      }
    return sum;
  }
};

}  // namespace linea::detail::interior_point
