// SPDX-License-Identifier: MIT
#pragma once
/// \file Mehrotra's predictor-corrector interior point method for a BoxProgram.
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/optimizers/programs/box_program.hpp>
#include <utility>

namespace linea::programs {

/// Follows the places where all products αᵢ·sᵢ and tᵢ·vᵢ are alike, as they fall to 0. Mehrotra, SIAM Journal
/// on Optimization 2 (1992); one step length for all variables, as a quadratic term asks for.
template <class Real = double>
class InteriorPoint {
  using Array = Eigen::Array<Real, Eigen::Dynamic, 1>;

 public:
  /// From multipliers (n) strictly inside the box. The program must outlive this object.
  InteriorPoint(const BoxProgramOf<Real>& program, Vector<Real> start) : program_(program) {
    BoxPointOf<Real>& at = point_;
    at.multipliers = std::move(start);
    at.primal = program.rows.transpose() * at.multipliers;
    at.primal.tail(program.totals.size()).setZero();
    const Vector<Real> above = program.rows * at.primal - program.levels;
    const double shift = std::max(above.cwiseAbs().mean(), std::numeric_limits<double>::min());
    at.surplus = above.cwiseMax(0).array() + shift;
    if (program.is_bounded()) {
      at.room = program.bounds - at.multipliers;
      at.slacks = (-above).cwiseMax(0).array() + shift;
    } else {
      at.room.setOnes(program.size());
      at.slacks.setZero(program.size());
    }
  }

  /// Goes on until what is left of all products and residues, an estimate of the gap between the twins,
  /// is at most `tolerance` times the twin's objective or at most `floor`; until no step helps; or for
  /// `limit` iterations of O(n·(r + m)²). Answers with the place where the least was left.
  BoxPointOf<Real> solve(double tolerance, double floor, Index limit) {
    BoxPointOf<Real> best = point_;
    double least = std::numeric_limits<double>::infinity();
    double mark = least;
    Index since = 0;  // rounds since what is left last fell by a hundredth
    for (;;) {
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
      } else if (factor_ == BoxFactor::cholesky) {
        factor_ = BoxFactor::qr;  // the digits of E + GᵀDG have run out: from the best place on
        point_ = best;
        since = 0;
      } else {
        break;
      }
    }
    return best;
  }

  Index iterations() const { return iterations_; }

 private:
  struct Residue {
    Vector<Real> apart;  // g − h − s + v (n)
    Vector<Real> sums;   // Gᵀα − (w, a), (r + m)
    double products;     // Σᵢ αᵢsᵢ + tᵢvᵢ
    double left;
  };

  Residue residue_here() const {
    const auto& p = program_;
    Residue residue;
    residue.apart = p.rows * point_.primal - p.levels - point_.surplus + point_.slacks;
    residue.sums = p.rows.transpose() * point_.multipliers;
    residue.sums.head(p.rank()) -= point_.primal.head(p.rank());
    residue.sums.tail(p.totals.size()) -= p.totals;
    residue.products = point_.multipliers.dot(point_.surplus) + point_.room.dot(point_.slacks);
    residue.left = residue.products + point_.multipliers.dot(residue.apart.cwiseAbs()) +
                   point_.primal.cwiseAbs().dot(residue.sums.cwiseAbs());
    return residue;
  }

  /// False, and nothing has changed, when there is no step or it cannot be trusted.
  bool step(const Residue& residue) {
    const double bounded = program_.is_bounded() ? 1 : 0;
    Vector<Real>& a = point_.multipliers;
    Vector<Real>& t = point_.room;
    Vector<Real>& s = point_.surplus;
    Vector<Real>& v = point_.slacks;
    const BoxNewton<Real> newton(
        program_, (s.array() / a.array() + v.array() / t.array()).inverse().matrix(), factor_);

    // s·Δα + α·Δs = below and v·Δt + t·Δv = above, where Δt = −Δα.
    typename BoxNewton<Real>::Step found;
    const Vector<Real>& da = found.multipliers;
    Vector<Real> ds, dv;
    const auto turn = [&](const Array& below, const Array& above) {
      const Vector<Real> e = below / a.array() - above / t.array() - residue.apart.array();
      found = newton.solve(e, -residue.sums);
      ds = (below - s.array() * da.array()) / a.array();
      dv = (above + v.array() * da.array()) / t.array();
    };
    const auto reach = [&] {
      double length = 1;
      for (Index i = 0; i < a.size(); ++i) {
        if (da[i] < 0) length = std::min(length, -a[i] / da[i]);
        if (ds[i] < 0) length = std::min(length, -s[i] / ds[i]);
        if (da[i] > 0 && bounded > 0) length = std::min(length, t[i] / da[i]);
        if (dv[i] < 0 && bounded > 0) length = std::min(length, -v[i] / dv[i]);
      }
      return length;
    };
    turn(-a.array() * s.array(), -t.array() * v.array());
    const double ahead = reach();
    const double after =
        (a + ahead * da).dot(s + ahead * ds) + (t - ahead * da).dot(v + ahead * dv);
    const double share = residue.products / (static_cast<double>(a.size()) * (1 + bounded));
    const double aim = std::pow(std::max(after, 0.0) / residue.products, 3) * share;
    turn(aim - a.array() * s.array() - da.array() * ds.array(),
         bounded * (aim - t.array() * v.array() + da.array() * dv.array()));
    const double length = std::min(1.0, 0.995 * reach());
    if (!(length > std::numeric_limits<double>::epsilon())) return false;
    if (!found.accurate && factor_ == BoxFactor::cholesky) return false;
    point_.primal += length * found.primal;
    a += length * da;
    s += length * ds;
    t -= bounded * length * da;
    v += length * dv;
    return true;
  }

  const BoxProgramOf<Real>& program_;
  BoxPointOf<Real> point_;
  BoxFactor factor_{BoxFactor::cholesky};
  Index iterations_{0};
};

}  // namespace linea::programs
