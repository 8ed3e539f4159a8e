// SPDX-License-Identifier: MIT
#pragma once
/// \file Convex quadratic programs over a box, of low rank and with a few equations, and the linear
/// system that every step towards their solution comes down to. All in double.
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>  // min, stable_sort
#include <linea/core/types.hpp>
#include <numeric>  // iota
#include <utility>
#include <vector>

namespace linea::programs {

/// Over multipliers α (n), ½‖Zᵀα‖² − hᵀα is to be smallest subject to Aα = a and 0 ≤ α ≤ u. Its twin makes
/// ½‖w‖² + aᵀν + Σᵢ uᵢ·max(0, hᵢ − gᵢ) smallest over w (r) and ν (m), where g = Zw + Aᵀν; without bounds u
/// it has gᵢ ≥ hᵢ as conditions. The solutions are those of each other, with w = Zᵀα.
///
/// Over a scalar, as is all that works on it, so that Eigen's expressions are compiled where they are used and
/// not wherever they are included.
template <class Real>
struct BoxProgramOf {
  using Rows = Matrix<Real>;

  Rows rows;            // G = [Z, Aᵀ], (n × (r + m))
  Vector<Real> levels;  // h (n)
  Vector<Real> bounds;  // u (n), all > 0; empty: none
  Vector<Real> totals;  // a (m)

  Index size() const { return rows.rows(); }
  Index rank() const { return rows.cols() - totals.size(); }
  bool is_bounded() const { return bounds.size() > 0; }
};

/// A place in a BoxProgram. At the solution g − h = s − v and Gᵀα = (w, a), none of α, t, s and v is
/// negative, and of the pairs αᵢ and sᵢ, tᵢ and vᵢ at least one is 0.
template <class Real>
struct BoxPointOf {
  Vector<Real> primal;       // q = (w, ν), (r + m)
  Vector<Real> multipliers;  // α (n)
  Vector<Real> room;         // t = u − α (n); ones without bounds
  Vector<Real> surplus;      // s (n): by how much g is above h
  Vector<Real> slacks;       // v (n): by how much below; zeros without bounds

  /// ½‖w‖² + Σᵢ uᵢvᵢ.
  double objective(const BoxProgramOf<Real>& program) const {
    return primal.head(program.rank()).squaredNorm() / 2 +
           (program.is_bounded() ? program.bounds.dot(slacks) : 0);
  }
};

using BoxProgram = BoxProgramOf<double>;
using BoxPoint = BoxPointOf<double>;

/// How BoxNewton comes by its triangular factor.
enum class BoxFactor {
  cholesky,  ///< of E + GᵀDG
  qr,        ///< of [√D·G; E], larger rows first: several times the work, and twice the digits
};

/// Δα = D(e − GΔq) and GᵀΔα − EΔq = f for diagonal D > 0 and E = diag(1, …, 1, 0, …, 0) of r ones, by an upper
/// triangular R with RᵀR = E + GᵀDG: O(n·(r + m)²). Fine and Scheinberg, Journal of Machine Learning
/// Research 2 (2001); on rows of very different size Cox and Higham, BIT 38 (1998).
template <class Real = double>
class BoxNewton {
  using Columns = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  struct Step {
    Vector<Real> primal;       // Δq
    Vector<Real> multipliers;  // Δα
    bool accurate{false};      // the second equation holds to eight digits or more
  };

  /// The program must outlive this object.
  BoxNewton(const BoxProgramOf<Real>& program, Vector<Real> d, BoxFactor factor)
      : program_(program), d_(std::move(d)) {
    factor == BoxFactor::cholesky ? factor_by_cholesky() : factor_by_qr();
  }

  /// In up to three rounds. Each adds to Δα what the second equation misses; the first holds up to
  /// rounding, while D(e − GΔq) anew would be the rounding of GΔq times entries of D as large as 1e16.
  Step solve(const Vector<Real>& e, const Vector<Real>& f) const {
    const auto& g = program_.rows;
    Step step{Vector<Real>::Zero(g.cols()), d_.cwiseProduct(e)};
    if (!usable_) return step;
    double first = 0;
    for (int round = 0;; ++round) {
      Vector<Real> missing = g.transpose() * step.multipliers - f;
      missing.head(program_.rank()) -= step.primal.head(program_.rank());
      const double size = missing.norm();
      if (round == 0) first = size;
      if (!(size > 1e-14 * first) || round == 3) {
        step.accurate = size <= 1e-8 * first;
        return step;
      }
      const auto upper = factor_.template triangularView<Eigen::Upper>();
      upper.transpose().solveInPlace(missing);
      upper.solveInPlace(missing);
      step.primal += missing;
      step.multipliers -= d_.cwiseProduct(g * missing);
    }
  }

 private:
  static constexpr Index block_rows = 256;

  auto scaled_rows(Index first, Index count) const {
    return d_.segment(first, count).cwiseSqrt().asDiagonal() *
           program_.rows.middleRows(first, count);
  }

  void factor_by_cholesky() {
    const Index k = program_.rows.cols();
    factor_.setZero(k, k);
    Matrix<Real> block;
    for (Index first = 0; first < program_.size(); first += block_rows) {
      block = scaled_rows(first, std::min(block_rows, program_.size() - first));
      factor_.template selfadjointView<Eigen::Lower>().rankUpdate(block.transpose());
    }
    factor_.diagonal().head(program_.rank()).array() += 1;
    const Eigen::LLT<Columns> llt(factor_);
    usable_ = llt.info() == Eigen::Success;
    factor_ = llt.matrixU();
  }

  void factor_by_qr() {
    const Index n = program_.size();
    const Index k = program_.rows.cols();
    Columns stacked = Columns::Zero(n + k, k);
    stacked.topRows(n) = scaled_rows(0, n);
    auto last = stacked.bottomRows(k);
    last.diagonal().head(program_.rank()).setOnes();
    for (Index j = program_.rank(); j < k; ++j)
      if (stacked.col(j).isZero(0)) last(j, j) = 1;  // no row speaks of νⱼ: it stays where it is

    const Vector<Real> sizes = stacked.rowwise().squaredNorm();
    std::vector<Index> order(static_cast<std::size_t>(n + k));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index i, Index j) { return sizes[i] > sizes[j]; });
    const Columns sorted = stacked(order, Eigen::all);
    factor_ = Eigen::HouseholderQR<Columns>(sorted).matrixQR().topRows(k);
    usable_ = factor_.allFinite() && (factor_.diagonal().array() != 0).all();
  }

  const BoxProgramOf<Real>& program_;
  Vector<Real> d_;
  Columns factor_;  // R in the upper triangle
  bool usable_{false};
};

}  // namespace linea::programs
