// SPDX-License-Identifier: MIT
#pragma once
/// \file Convex quadratic programs over a box, of low rank and with a few equations. All in double.
#include <linea/optimizers/numerics/vectors.hpp>

namespace linea::programs {

/// Minimise ½‖Zᵀα‖² − hᵀα over multipliers α (n) subject to Aα = a and 0 ≤ α ≤ u. Its Lagrange
/// dual, the twin, minimises ½‖w‖² + aᵀν + Σᵢ uᵢ·max(0, hᵢ − gᵢ) over w (r) and ν (m), with g =
/// Zw + Aᵀν. Where there are no bounds u, the sum gives way to the conditions gᵢ ≥ hᵢ. Solutions of
/// the two belong together: w = Zᵀα.
///
/// In general, with G = [Z, Aᵀ] and strengths eⱼ ≥ 0: minimise ½Σⱼ (Gᵀα − a)ⱼ²/eⱼ + ½Σᵢ cᵢαᵢ² −
/// hᵀα, where eⱼ = 0 stands for the condition (Gᵀα)ⱼ = aⱼ. Then eⱼqⱼ = (Gᵀα − a)ⱼ for the q = (w,
/// ν) of the twin. All eⱼ = 0 and cᵢ = 0 make it a linear program.
///
/// A template, as is all that works on it, so that it is compiled where it is used and not wherever
/// it is included.
template <class Real = double>
struct BoxProgram {
  using Rows = Matrix<Real>;

  Rows rows;                  ///< G = [Z, Aᵀ], (n × (r + m))
  Vector<Real> levels;        ///< h (n)
  Vector<Real> bounds;        ///< u (n), all > 0; empty: none
  Vector<Real> totals;        ///< a (m), or with strengths (r + m)
  Vector<Real> strengths{};   ///< e (r + m); empty: 1 for the first r, 0 for the others
  Vector<Real> curvatures{};  ///< c (n); empty: 0
  Vector<Real> origins{};     ///< o (n), in [0, u]: see BoxPoint::objective; empty: 0

  Index size() const { return rows.rows(); }
  bool is_bounded() const { return bounds.size() > 0; }
  /// Gᵀv for v (n).
  Vector<Real> transposed_times(const Vector<Real>& v) const {
    return numerics::transposed_times(rows, v);
  }
  double strength(Index j) const {
    if (strengths.size() > 0) return strengths[j];
    return j < rank() ? 1 : 0;
  }
  double total(Index j) const {
    if (strengths.size() > 0) return totals[j];
    return j < rank() ? 0 : totals[j - rank()];
  }
  double curvature(Index i) const { return curvatures.size() > 0 ? curvatures[i] : 0; }
  double origin(Index i) const { return origins.size() > 0 ? origins[i] : 0; }
  /// r, where there are no strengths.
  Index rank() const { return rows.cols() - totals.size(); }
};

/// A point of a BoxProgram and of its twin. It is a solution where g + cα − h = s − v and Gᵀα = (w,
/// a), in general eq + a, where α, t, s and v are ≥ 0, and where one of αᵢ and sᵢ is 0 and one of
/// tᵢ and vᵢ, for every i.
template <class Real = double>
struct BoxPoint {
  Vector<Real> primal;       ///< q = (w, ν), (r + m)
  Vector<Real> multipliers;  ///< α (n)
  Vector<Real> room;         ///< t = u − α (n); ones without bounds
  Vector<Real> surplus;      ///< s (n): by how much g is above h
  Vector<Real> slacks;       ///< v (n): by how much below; zeros without bounds

  /// ½‖w‖² + Σᵢ uᵢvᵢ. In general ½Σⱼ eⱼqⱼ² + Σᵢ oᵢsᵢ + (uᵢ − oᵢ)vᵢ + ½cᵢ(oᵢ − αᵢ)²: for sums of
  /// losses, whose least value they take at α = o, what they come to. No term is negative.
  double objective(const BoxProgram<Real>& program) const {
    double sum = 0;
    for (Index j = 0; j < primal.size(); ++j) sum += program.strength(j) * primal[j] * primal[j];
    sum /= 2;
    if (program.is_bounded())
      for (Index i = 0; i < program.size(); ++i) {
        const double o = program.origin(i);
        const double from = o - multipliers[i];
        sum += o * surplus[i] + (program.bounds[i] - o) * slacks[i] +
               program.curvature(i) * from * from / 2;
      }
    return sum;
  }
};

}  // namespace linea::programs
