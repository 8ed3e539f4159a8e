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
/// A template, as is all that works on it, so that it is compiled where it is used and not wherever
/// it is included.
template <class Real = double>
struct BoxProgram {
  using Rows = Matrix<Real>;

  Rows rows;            ///< G = [Z, Aᵀ], (n × (r + m))
  Vector<Real> levels;  ///< h (n)
  Vector<Real> bounds;  ///< u (n), all > 0; empty: none
  Vector<Real> totals;  ///< a (m)

  Index size() const { return rows.rows(); }
  Index rank() const { return rows.cols() - totals.size(); }
  bool is_bounded() const { return bounds.size() > 0; }
};

/// A point of a BoxProgram and of its twin. It is a solution where g − h = s − v and Gᵀα = (w, a),
/// where α, t, s and v are ≥ 0, and where one of αᵢ and sᵢ is 0 and one of tᵢ and vᵢ, for every i.
template <class Real = double>
struct BoxPoint {
  Vector<Real> primal;       ///< q = (w, ν), (r + m)
  Vector<Real> multipliers;  ///< α (n)
  Vector<Real> room;         ///< t = u − α (n); ones without bounds
  Vector<Real> surplus;      ///< s (n): by how much g is above h
  Vector<Real> slacks;       ///< v (n): by how much below; zeros without bounds

  /// ½‖w‖² + Σᵢ uᵢvᵢ.
  double objective(const BoxProgram<Real>& program) const {
    const double square = numerics::dot(primal.data(), primal.data(), program.rank());
    return square / 2 + (program.is_bounded() ? numerics::dot(program.bounds, slacks) : 0);
  }
};

}  // namespace linea::programs
