// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression from a Cholesky factorisation of the normal equations, refined.
#include <cmath>
#include <limits>
#include <linea/optimizers/least_squares/normal_equations.hpp>
#include <linea/optimizers/least_squares/ridge_fit.hpp>
#include <linea/optimizers/numerics/cholesky.hpp>
#include <utility>  // move

namespace linea::least_squares {

/// v ← v + a·x, for matrices of one shape.
template <class Real>
void add(double a, const Columns<Real>& x, Columns<Real>& v) {
  rows::add(x.data(), a, v.data(), v.size());
}

template <class Real>
void solve_each(const numerics::Cholesky<Real>& factor, Columns<Real>& x) {
  for (Index k = 0; k < x.cols(); ++k) factor.solve(x.data() + k * x.rows());
}

/// Is each column of the correction at most 1e-8 of that of the solution?
template <class Real>
bool is_small(const Columns<Real>& correction, const Columns<Real>& solution) {
  const auto length = [](const Columns<Real>& a, Index k) {
    const double* column = a.data() + k * a.rows();
    return std::sqrt(numerics::dot(column, column, a.rows()));
  };
  for (Index k = 0; k < solution.cols(); ++k)
    if (!(length(correction, k) <= 1e-8 * length(solution, k))) return false;
  return true;
}

/// Residuals are taken from the samples, not from A, so refinement also repairs the rounding of A.
template <class Design, class Real>
void refine(const Design& design, const numerics::Cholesky<Real>& factor, const Columns<Real>& y,
            double lambda, Columns<Real>& solution, RidgeFit<Real>& fit) {
  Columns<Real> descent;
  for (int round = 0;; ++round) {
    fit.objective =
        0.5 * design.residual(y, solution, descent) + 0.5 * lambda * numerics::squares_of(solution);
    if (round == 2) break;
    add(-lambda, solution, descent);
    Columns<Real> correction = descent;
    solve_each(factor, correction);
    add(1, correction, solution);
    // The next correction would be as much smaller again, and what this one takes from the
    // objective is known better than the objective itself.
    const double gain = 0.5 * numerics::dot(correction.data(), descent.data(), descent.size());
    if (gain <= 1e-10 * fit.objective && is_small(correction, solution)) {
      fit.objective -= gain;
      break;
    }
  }
  design.clear_constant(solution);
  fit.weights = std::move(solution);
}

template <class Design, class Real>
void refine_dual(const Design& design, const numerics::Cholesky<Real>& factor,
                 const Columns<Real>& y, double lambda, Columns<Real>& solution,
                 RidgeFit<Real>& fit) {
  for (int round = 0; round < 2; ++round) {
    Columns<Real> left = y;
    add(-1, design.apply(design.apply_transposed(solution)), left);
    add(-lambda, solution, left);
    solve_each(factor, left);
    add(1, left, solution);
  }
  fit.weights = design.apply_transposed(solution);
  fit.objective = objective_of(design, y, lambda, fit.weights);
}

/// False when A is not positive definite, or so ill conditioned that more than half of the digits
/// would go: relative error ε/rcond above 1e-8.
template <class Rows, class Real>
bool ridge_by_cholesky(NormalEquations<Rows>& equations, const Columns<Real>& y, double lambda,
                       RidgeFit<Real>& fit) {
  const Index size = equations.product.rows();
  for (Index j = 0; j < size; ++j) equations.product(j, j) += lambda;
  const numerics::Cholesky<Real> factor(std::move(equations.product));
  fit.reciprocal_condition = factor.reciprocal_condition();
  if (!(std::numeric_limits<double>::epsilon() < 1e-8 * fit.reciprocal_condition)) return false;
  fit.factorization = Factorization::cholesky;
  fit.rank = size;
  Columns<Real> solution = equations.right;
  solve_each(factor, solution);
  if (fit.dual)
    refine_dual(equations.design, factor, y, lambda, solution, fit);
  else
    refine(equations.design, factor, y, lambda, solution, fit);
  return true;
}

}  // namespace linea::least_squares
