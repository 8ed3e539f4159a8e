// SPDX-License-Identifier: MIT
/// \file Hard problems with factors of the penalties, weights ≥ 0, and fixed offsets.
#include <cmath>  // exp
#include <linea/activations/exponential.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/non_negative.hpp>
#include <linea/penalties/penalty_factors.hpp>
#include <linea/rows/in_double.hpp>

#include "support/catch.hpp"
#include "support/judge.hpp"

using namespace linea;
using namespace linea::test;

namespace {

using Counts = Composed<Poisson, Exponential>;

/// Asks for the rates of counts over the exposures exp(oᵢ), as docs/choosing_a_model.md describes.
/// F of the counts is the mean exposure times F of the rates.
void ask_for_rates(Answers& all, const auto& optimizer) {
  const HardProblem& problem = all.problem();
  const Index d = problem.offset_column;
  Vector<double> rates = problem.y;
  Vector<double> exposures(rates.size());
  Real total = 0;
  for (Index i = 0; i < rates.size(); ++i) {
    const double exposure = problem.weight(i) > 0 ? std::exp(problem.x(i, d)) : 1;
    rates[i] /= exposure;
    exposures[i] = problem.weight(i) * exposure;
    total += static_cast<Real>(exposures[i]);
  }
  const auto mean = static_cast<double>(total / total_weight(problem));
  const Matrix<double> x = problem.x.leftCols(d);
  Solution<double> solution = optimizer.minimize(Objective{Counts{}, L2{problem.l2 / mean}}, x,
                                                 rates, {.sample_weights = exposures});
  solution.weights.conservativeResize(d + 1);
  solution.weights[d] = 1;
  solution.objective *= mean;
  if (solution.gap) *solution.gap *= mean;
  all.add(optimizer.name, "rates", solution, 1e-6);
}

/// Asks for an objective.
template <class L, class P>
void ask_all(Answers all, const Storages& x, const Objective<L, P>& objective) {
  const bool offset = all.problem().offset;
  all.ask(Sgd{.epochs = 30, .offset = offset}, objective, x.rows, 0);
  if constexpr (SmoothLoss<L>) {
    const CoordinateDescent descent{.offset = offset};
    const CoordinateDescent brief{.iterations = 2, .offset = offset};
    const CoordinateDescent fine{.tolerance = 1e-10, .offset = offset};
    all.ask(Auto{.offset = offset}, objective, x.columns, 1e-4);
    all.ask_and_certify(descent, objective, x.columns, 1e-6);
    all.ask(brief, objective, x.rows, 1e-6);
    all.ask(fine, objective, x.sparse, 1e-10);
    if (all.problem().floats) all.ask(descent, objective, x.float_rows, 1e-6);
  }
}

/// Asks for an objective with a squared penalty.
template <class L>
void ask_for_squared(Answers all, const Storages& x, const L& loss) {
  const HardProblem& problem = all.problem();
  if (problem.l1 > 0 || problem.non_negative) return;
  const Objective squared{loss, PenaltyFactors<L2>{.penalty = {problem.l2},
                                                   .factors = problem.factors,
                                                   .offset_column = problem.offset_column}};
  const Newton newton{.offset = problem.offset};
  const Lbfgs lbfgs{.offset = problem.offset};
  all.ask_and_certify(newton, squared, x.rows, 1e-6);
  all.ask(newton, squared, x.sparse, 1e-6);
  all.ask(Newton{.tolerance = 1e-10, .offset = problem.offset}, squared, x.columns, 1e-10);
  all.ask(lbfgs, squared, x.columns, 1e-6);
  all.ask(GradientDescent{.epochs = 100, .offset = problem.offset}, squared, x.columns, 0);
  if (!problem.floats) return;
  all.ask(newton, squared, x.float_rows, 1e-6);
  all.ask(lbfgs, squared, in_double(x.float_columns), 1e-6);
}

/// Asks for all losses, with the penalty that penalty_of(problem) returns.
bool are_true(Extension extension, const auto& penalty_of) {
  const auto smooth = [&](Answers all, const Storages& x) {
    const HardProblem& problem = all.problem();
    const auto loss = loss_of<AnySmoothLoss>(problem);
    ask_all(all, x, Objective{loss, penalty_of(problem)});
    ask_for_squared(all, x, loss);
  };
  const auto counts = [&](Answers all, const Storages& x) {
    ask_all(all, x, Objective{Counts{}, penalty_of(all.problem())});
    ask_for_squared(all, x, Counts{});
    if (extension != Extension::offsets) return;
    ask_for_rates(all, Newton{.offset = all.problem().offset});
    ask_for_rates(all, Lbfgs{.offset = all.problem().offset});
  };
  const bool classes = answers_are_true(Family::smooth_classes, smooth, extension);
  const bool numbers = answers_are_true(Family::smooth_numbers, smooth, extension);
  return answers_are_true(Family::counts, counts, extension) && classes && numbers;
}

}  // namespace

TEST_CASE("Hard problems: results for penalties by column are correct",
          "[hard_problems][factors]") {
  CHECK(are_true(Extension::factors, [](const HardProblem& problem) {
    return PenaltyFactors{ElasticNet{problem.l1, problem.l2}, problem.factors};
  }));
}

TEST_CASE("Hard problems: results for non-negative weights are correct",
          "[hard_problems][non_negative]") {
  CHECK(are_true(Extension::non_negative, [](const HardProblem& problem) {
    return NonNegative{ElasticNet{problem.l1, problem.l2}};
  }));
}

TEST_CASE("Hard problems: results for fixed offsets are correct", "[hard_problems][offsets]") {
  CHECK(are_true(Extension::offsets, [](const HardProblem& problem) {
    return PenaltyFactors<ElasticNet>{.penalty = {problem.l1, problem.l2},
                                      .offset_column = problem.offset_column};
  }));
}
