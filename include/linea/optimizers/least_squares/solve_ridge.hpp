// SPDX-License-Identifier: MIT
#pragma once
/// \file Ridge regression for one λ: by Cholesky where that can be trusted, else by QR.
#include <limits>
#include <linea/core/entries.hpp>
#include <linea/optimizers/least_squares/exact_ridge.hpp>
#include <linea/optimizers/least_squares/ridge_by_cholesky.hpp>
#include <linea/rows/compiled.hpp>
#include <utility>  // move

namespace linea::least_squares {

/// For targets y (n × k), with the offset `centred` or 0. The answer is rounded to float where
/// `single`.
template <class Rows>
RidgeFit<double> solve_ridge(const samples::TrainingSet<Rows>& set, bool centred,
                             const Columns<double>& y, double lambda, bool single,
                             Index threads = 1) {
  auto equations = normal_equations(set, centred, y, threads);
  const Columns<double> t = equations.centred(y);
  const RidgeAnswers<Rows> answers(equations, y, t, single);
  RidgeFit<double> fit;
  fit.dual = equations.is_dual();
  const bool overflows = !core::all_finite(equations.product);
  const bool trusted = ridge_by_cholesky(equations, centred, answers, t, lambda, fit);
  if (overflows) {
    fit.weights = Columns<double>::Zero(equations.design.cols(), t.cols());
    fit.objective = std::numeric_limits<double>::infinity();
    fit.offset = equations.target_mean;
    fit.status = Status::diverged;
  } else if (!trusted || fit.status == Status::precision_limit) {
    auto exact =
        ExactRidge<Rows>(equations, answers, t, centred).solve(lambda, fit.reciprocal_condition);
    if (!trusted || exact.status == Status::converged || exact.objective < fit.objective)
      fit = std::move(exact);
  }
  answers.prefer_constant(fit);
  return fit;
}

#define LINEA_RIDGE_OF(how, L, T, R)                                                             \
  how RidgeFit<double> solve_ridge(const samples::TrainingSet<R>&, bool, const Columns<double>&, \
                                   double, bool, Index);
#define LINEA_COMPILED_RIDGE(how) LINEA_EACH_ROWS(LINEA_RIDGE_OF, how, Squared)
#ifdef LINEA_COMPILED
LINEA_COMPILED_RIDGE(extern template)
#endif

}  // namespace linea::least_squares
