// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression from a Cholesky factorisation of the normal equations, refined.
#include <cmath>
#include <limits>
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
template <class Rows, class Real>
void refine(const NormalEquations<Rows>& equations, const RidgeAnswers<Rows>& answers,
            const numerics::Cholesky<Real>& factor, const Columns<Real>& y, double lambda,
            Columns<Real>& solution, RidgeFit<Real>& fit) {
  const auto& design = equations.design;
  Columns<Real> descent;
  for (int round = 0;; ++round) {
    fit.objective =
        0.5 * design.residual(y, solution, descent) + 0.5 * lambda * numerics::squares_of(solution);
    add(-lambda, solution, descent);
    Columns<Real> correction = descent;
    solve_each(factor, correction);
    // What this correction takes from the objective is known better than the objective itself.
    const double gain = 0.5 * numerics::dot(correction.data(), descent.data(), descent.size());
    fit.minimum = fit.objective - gain;
    if (round == 2) break;
    add(1, correction, solution);
    // The next correction would be as much smaller again.
    if (gain <= 1e-10 * fit.objective && is_small(correction, solution)) {
      fit.objective = fit.minimum;
      break;
    }
  }
  design.clear_constant(solution);
  fit.weights = solution;
  answers.round(fit.weights);
  add(-1, fit.weights, solution);  // F there rises by half of their distance in terms of A
  for (Index k = 0; k < solution.cols(); ++k)
    fit.objective += 0.5 * factor.squared_norm(solution.data() + k * solution.rows());
}

template <class Rows, class Real>
void refine_dual(const NormalEquations<Rows>& equations, const RidgeAnswers<Rows>& answers,
                 const numerics::Cholesky<Real>& factor, const Columns<Real>& y, double lambda,
                 Columns<Real>& solution, RidgeFit<Real>& fit) {
  const auto& design = equations.design;
  Columns<Real> left;
  for (int round = 0; round < 3; ++round) {
    fit.weights = design.apply_transposed(solution);
    Columns<Real> rounding = fit.weights;
    if (round == 2) answers.round(fit.weights);
    left = y;
    add(-1, design.apply(fit.weights), left);
    fit.objective =
        0.5 * numerics::squares_of(left) + 0.5 * lambda * numerics::squares_of(fit.weights);
    add(-lambda, solution, left);
    // The gap to the dual of F at the multipliers λ·solution.
    add(-1, fit.weights, rounding);
    fit.minimum = fit.objective - 0.5 * numerics::squares_of(left) -
                  0.5 * lambda * numerics::squares_of(rounding);
    if (round == 2) break;
    solve_each(factor, left);
    add(1, left, solution);
  }
}

/// ZZᵀ is 0 along r where Z is centred, and in samples without weight, but no right-hand side has a
/// part there: a square that is put there changes no solution.
template <class Rows>
void fill_null_space(NormalEquations<Rows>& equations, bool centred) {
  auto& product = equations.product;
  const auto& root = equations.design.root();
  double trace = 0;
  for (Index i = 0; i < product.rows(); ++i) trace += product(i, i);
  const double size = trace / static_cast<double>(product.rows());
  for (Index j = 0; j < product.cols(); ++j) {
    if (root[j] == 0) product(j, j) += size;
    for (Index i = j; centred && i < product.rows(); ++i) product(i, j) += size * root[i] * root[j];
  }
}

/// False when A is not positive definite, or so ill conditioned that more than half of the digits
/// would go: relative error ε/rcond above 1e-8.
template <class Rows, class Real>
bool ridge_by_cholesky(NormalEquations<Rows>& equations, bool centred,
                       const RidgeAnswers<Rows>& answers, const Columns<Real>& y, double lambda,
                       RidgeFit<Real>& fit) {
  const Index size = equations.product.rows();
  if (fit.dual) fill_null_space(equations, centred);
  for (Index j = 0; j < size; ++j) equations.product(j, j) += lambda;
  const numerics::Cholesky<Real> factor(std::move(equations.product));
  fit.reciprocal_condition = factor.reciprocal_condition();
  if (!(std::numeric_limits<double>::epsilon() < 1e-8 * fit.reciprocal_condition)) return false;
  fit.factorization = Factorization::cholesky;
  fit.rank = fit.dual ? equations.freedom(centred) : size;
  Columns<Real> solution = equations.right;
  solve_each(factor, solution);
  if (fit.dual)
    refine_dual(equations, answers, factor, y, lambda, solution, fit);
  else
    refine(equations, answers, factor, y, lambda, solution, fit);
  answers.finish(fit);
  return true;
}

}  // namespace linea::least_squares
