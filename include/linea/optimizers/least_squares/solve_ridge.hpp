// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression for one λ: by Cholesky factorisation where that is accurate, else by QR.
#include <cmath>
#include <limits>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/optimizers/least_squares/ridge_by_qr.hpp>
#include <linea/rows/compiled.hpp>
#include <utility>  // move

namespace linea::detail::least_squares {

inline void solve_each(const linear_algebra::Cholesky<>& factor, Columns& x) {
  for (Index k = 0; k < x.cols(); ++k) factor.solve(x.data() + k * x.rows());
}

/// Is the norm of each column of the correction at most 1e-8 times that of the solution's column?
inline bool is_small(const Columns& correction, const Columns& solution) {
  const Index d = solution.rows();
  for (Index k = 0; k < solution.cols(); ++k) {
    const double* change = correction.data() + k * d;
    const double* column = solution.data() + k * d;
    if (!(linear_algebra::dot(change, change, d) <= 1e-16 * linear_algebra::dot(column, column, d)))
      return false;
  }
  return true;
}

/// Refines the solution by at most two corrections, and sets the weights, F and the minimum of
/// `fit`. Residuals from the samples, not from A, also correct the rounding of A.
template <class Rows>
void refine(const CentredDesign<Rows>& design, const RidgeAnswers<Rows>& answers,
            const linear_algebra::Cholesky<>& factor, const Columns& y, double lambda,
            Columns& solution, RidgeFit& fit) {
  Columns descent;
  for (int round = 0;; ++round) {
    fit.objective = 0.5 * design.residual(y, solution, descent) +
                    0.5 * lambda * linear_algebra::squares_of(solution);
    linear_algebra::add(-lambda, solution, descent);
    Columns correction = descent;
    solve_each(factor, correction);
    // The decrease by this correction is known more accurately than F itself.
    const double gain =
        0.5 * linear_algebra::dot(correction.data(), descent.data(), descent.size());
    fit.minimum = fit.objective - gain;
    if (round == 2) break;
    linear_algebra::add(1, correction, solution);
    // Another correction would be smaller than this one by the same factor.
    if (gain <= 1e-10 * fit.objective && is_small(correction, solution)) {
      fit.objective = fit.minimum;
      break;
    }
  }
  fit.weights = solution;
  answers.round(fit.weights);
  // Rounding raises F by ½⟨difference, A·difference⟩.
  linear_algebra::add(-1, fit.weights, solution);
  for (Index k = 0; k < solution.cols(); ++k)
    fit.objective += 0.5 * factor.squared_norm(solution.data() + k * solution.rows());
}

/// Refines the solution u (n × k) of the dual form, for which w = Zᵀu. Sets the same members of
/// `fit` as `refine`.
template <class Rows>
void refine_dual(const CentredDesign<Rows>& design, const RidgeAnswers<Rows>& answers,
                 const linear_algebra::Cholesky<>& factor, const Columns& y, double lambda,
                 Columns& solution, RidgeFit& fit) {
  for (int round = 0; round < 3; ++round) {
    fit.weights = design.apply_transposed(solution);
    Columns rounding = fit.weights;
    if (round == 2) answers.round(fit.weights);
    Columns left = y;
    linear_algebra::add(-1, design.apply(fit.weights), left);
    fit.objective = 0.5 * linear_algebra::squares_of(left) +
                    0.5 * lambda * linear_algebra::squares_of(fit.weights);
    linear_algebra::add(-lambda, solution, left);
    // The lower bound on the minimum is the dual function at the dual variables λ·solution.
    linear_algebra::add(-1, fit.weights, rounding);
    fit.minimum = fit.objective - 0.5 * linear_algebra::squares_of(left) -
                  0.5 * lambda * linear_algebra::squares_of(rounding);
    if (round == 2) break;
    solve_each(factor, left);
    linear_algebra::add(1, left, solution);
  }
}

/// Makes ZZᵀ regular without changing the solutions: adds multiples of rrᵀ, as ZZᵀ·r = 0 if Z is
/// centred, and of eᵢeᵢᵀ for samples i of weight 0. Right-hand sides are orthogonal to r and eᵢ.
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

/// Solves the equations by Cholesky factorisation of A = λI + ZᵀZ, or of λI + ZZᵀ in the dual form.
/// Returns false if A is not positive definite, or if its condition costs half of the digits:
/// relative error ε/rcond ≥ 1e-8.
template <class Rows>
bool ridge_by_cholesky(NormalEquations<Rows>& equations, bool centred,
                       const RidgeAnswers<Rows>& answers, const Columns& t, double lambda,
                       RidgeFit& fit) {
  const Index size = equations.product.rows();
  if (fit.dual) fill_null_space(equations, centred);
  for (Index j = 0; j < size; ++j) equations.product(j, j) += lambda;
  const linear_algebra::Cholesky<> factor(std::move(equations.product));
  fit.reciprocal_condition = factor.reciprocal_condition();
  if (!(std::numeric_limits<double>::epsilon() < 1e-8 * fit.reciprocal_condition)) return false;
  fit.rank = fit.dual ? equations.freedom(centred) : size;
  Columns solution = equations.right;
  solve_each(factor, solution);
  if (fit.dual)
    refine_dual(equations.design, answers, factor, t, lambda, solution, fit);
  else
    refine(equations.design, answers, factor, t, lambda, solution, fit);
  answers.finish(fit);
  return true;
}

/// Returns the fit for targets y (n × k), with a free offset if `centred`, else with offset 0.
/// Rounds the solution to float if `single`.
template <class Rows>
RidgeFit solve_ridge(const samples::TrainingSet<Rows>& set, bool centred, const Columns& y,
                     double lambda, bool single, Index threads = 1) {
  auto equations = normal_equations(set, centred, y, threads);
  const Columns& t = equations.targets;
  const RidgeAnswers<Rows> answers(equations, y, single);
  RidgeFit fit;
  fit.dual = equations.is_dual();
  if (!ridge_by_cholesky(equations, centred, answers, t, lambda, fit) ||
      fit.status == Status::precision_limit) {
    auto exact = RidgeByQr<Rows>(equations, answers)
                     .solve(lambda, fit.reciprocal_condition, equations.freedom(centred));
    if (fit.weights.size() == 0 || exact.status == Status::converged ||
        exact.objective < fit.objective)
      fit = std::move(exact);
  }
  answers.prefer_constant(fit);
  return fit;
}

#define LINEA_RIDGE_OF(how, L, T, R)                                                           \
  how RidgeFit solve_ridge(const samples::TrainingSet<R>&, bool, const Columns&, double, bool, \
                           Index);
#define LINEA_COMPILED_RIDGE(how) LINEA_EACH_ROWS(LINEA_RIDGE_OF, how, Squared)
#ifdef LINEA_COMPILED
LINEA_COMPILED_RIDGE(extern template)
#endif

}  // namespace linea::detail::least_squares
