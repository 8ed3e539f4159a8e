// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression by QR with far more features than samples, some features at a time.
#include <algorithm>  // copy, min
#include <limits>
#include <linea/optimizers/least_squares/ridge_fit.hpp>
#include <linea/optimizers/numerics/minimum_norm.hpp>
#include <utility>  // move

namespace linea::least_squares {

/// w = Zᵀ(RᵀR + λI)⁻¹t for R (n × n) of the QR decomposition of Zᵀ, for t (n × k) and d > n: memory
/// of n² beside x, where RidgeByQr copies Z. Its error grows with the condition of Z and not with
/// its square (Demmel and Higham, SIAM J. Matrix Anal. Appl. 14 (1993)). What of t lies beyond the
/// span of Z is left out: over a small λ, rounding of it would be all of w.
template <class Rows>
RidgeFit<double> ridge_in_blocks(const NormalEquations<Rows>& equations,
                                 const RidgeAnswers<Rows>& answers, const Columns<double>& t,
                                 double lambda, double condition) {
  using Design = CentredDesign<Rows>;
  using Real = core::DoubleFor<Rows>;
  const Design& design = equations.design;
  const Index n = design.rows();
  Matrix<Real> r = Matrix<Real>::Zero(n, n);
  Matrix<Real> block;
  for (Index first = 0; first < design.cols(); first += Design::block_rows) {
    design.fill(first, std::min(Design::block_rows, design.cols() - first), true, block);
    numerics::append_rows(r, block);
  }
  Columns<Real> triangle = r;
  const numerics::MinimumNorm<double> factor(
      std::move(triangle),
      std::numeric_limits<double>::epsilon() * static_cast<double>(design.cols()));
  const auto inverse_times = [&](const Columns<Real>& right, double own_lambda) {
    Columns<Real> solved(n, right.cols());
    for (Index k = 0; k < right.cols(); ++k)
      solved.col(k) = factor.solve_squared(right.col(k), own_lambda);
    return solved;
  };

  RidgeFit<double> fit;
  fit.factorization = Factorization::qr;
  fit.reciprocal_condition = condition;
  fit.rank = factor.rank();
  fit.dual = true;
  const Columns<Real> multipliers = inverse_times(t, lambda);
  fit.weights = design.apply_transposed(multipliers);
  // The gap to the dual of F, in the span of Z.
  const Columns<Real> left = t - design.apply(fit.weights);
  const Columns<Real> missing = left - lambda * multipliers;
  const Columns<Real> within = design.apply(design.apply_transposed(inverse_times(missing, 0)));
  fit.minimum = 0.5 * numerics::squares_of(left) +
                0.5 * lambda * numerics::squares_of(fit.weights) -
                0.5 * numerics::squares_of(within);
  answers.round(fit.weights);
  answers.finish_exactly(lambda, fit);
  return fit;
}

}  // namespace linea::least_squares
