// SPDX-License-Identifier: MIT
/// \file Cross-validation of rows that are divided among processes, against all rows on one.
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/metrics/roc_auc.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>
#include <stdexcept>
#include <string>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_cross_validation_test {

using namespace linea;
using namespace divided;

namespace {

const std::vector<double> lambdas{1, 0.1, 1e-2};
// One process alone takes other steps than ranks do where columns are few: they meet at the minimum.
const Newton newton{.tolerance = 1e-14};
const Objective<Log, L2> logistic{};
const Objective<Squared, L2> ridge{};

template <class X>
Extras<double> own(const Problem<X>& problem) {
  return {.sample_weights = problem.weights, .processes = world()};
}
template <class X>
Extras<double> all(const Problem<X>& problem) {
  return {.sample_weights = problem.all_weights};
}

/// The curves of divided rows and of all rows on one process.
void agrees(const ValidationCurve& shared, const ValidationCurve& alone, double tolerance = 1e-8) {
  REQUIRE(is_same_everywhere(shared.mean));
  REQUIRE(is_same_everywhere(shared.standard_error));
  REQUIRE(shared.fold_scores.rows() == alone.fold_scores.rows());
  for (Index f = 0; f < alone.fold_scores.rows(); ++f)
    for (Index k = 0; k < alone.fold_scores.cols(); ++k) {
      CAPTURE(f, k);
      REQUIRE_THAT(shared.fold_scores(f, k), WithinRel(alone.fold_scores(f, k), tolerance));
    }
  for (Index k = 0; k < alone.mean.size(); ++k) {
    REQUIRE_THAT(shared.mean[k], WithinRel(alone.mean[k], tolerance));
    REQUIRE_THAT(shared.standard_error[k], WithinRel(alone.standard_error[k], 1e-6));
  }
  REQUIRE(shared.best == alone.best);
  REQUIRE(shared.one_standard_error == alone.one_standard_error);
}

/// 0 or 1 for −1 and +1, so that labels are not the targets.
Vector<double> labels_of(const Vector<double>& signs) { return 0.5 * signs.array() + 0.5; }

}  // namespace

TEST_CASE("CrossValidation: folds and scores of divided rows are those of all rows", "[mpi]") {
  const auto [x, signs] = made_up(97, 5);
  const auto y = made_up_numbers(x);
  const CrossValidation by{.folds = 4, .seed = 3};
  for (const auto division : {Division::even, Division::last_empty, Division::by_target}) {
    for (const auto& weights : {Vector<double>{}, made_up_weights(97)}) {
      const auto problem = divide(x, signs, weights, division);
      const auto shared = by.choose(newton, logistic, lambdas, problem.x, problem.y, own(problem));
      const auto alone =
          by.choose(newton, logistic, lambdas, problem.all_x, problem.all_y, all(problem));
      agrees(shared, alone, 1e-6);
      REQUIRE_THAT(shared.solution.objective, WithinRel(alone.solution.objective, 1e-9));
    }
    const auto problem = divide(SparseMatrix<double>(x.sparseView()), y, {}, division);
    agrees(by.choose(Ridge{}, ridge, lambdas, problem.x, problem.y, own(problem)),
           by.choose(Ridge{}, ridge, lambdas, problem.all_x, problem.all_y));
  }
}

TEST_CASE("CrossValidation: a score of one's own gets the samples of all ranks", "[mpi]") {
  const auto [x, signs] = made_up(90, 5);
  const auto problem = divide(x, signs, made_up_weights(90), Division::last_empty);
  const CrossValidation by{.folds = 3};
  const auto area = [](const auto& scores, const auto& y, const auto& weights) {
    return 1 - roc_auc(scores, y, 1, weights);
  };
  agrees(by.choose(newton, logistic, lambdas, problem.x, problem.y, own(problem), area),
         by.choose(newton, logistic, lambdas, problem.all_x, problem.all_y, all(problem), area),
         1e-9);
  const auto worst = [](const Eigen::VectorXd& scores, const Eigen::VectorXd& y) {
    return (scores - y).cwiseAbs().maxCoeff();
  };
  agrees(by.choose(Ridge{}, ridge, lambdas, problem.x, problem.y, own(problem), worst),
         by.choose(Ridge{}, ridge, lambdas, problem.all_x, problem.all_y, all(problem), worst));
}

TEST_CASE("CrossValidation: recipes on divided rows", "[mpi]") {
  const auto [x, signs] = made_up(97, 5);
  const CrossValidation by{.folds = 4};
  const auto classifier = Standardised{LogisticRegression{}.with(newton)};
  for (const auto division : {Division::last_empty, Division::by_target}) {
    const auto problem = divide(x, labels_of(signs), made_up_weights(97), division);
    const auto shared = by.choose(classifier, lambdas, problem.x, problem.y, own(problem));
    const auto alone = by.choose(classifier, lambdas, problem.all_x, problem.all_y, all(problem));
    agrees(shared, alone);
    REQUIRE((shared.model.weights - alone.model.weights).norm() <=
            1e-4 * alone.model.weights.norm());
  }
  const auto problem = divide(x, made_up_numbers(x), {}, Division::even);
  const RidgeRegression regression;
  agrees(by.choose(regression, lambdas, problem.x, problem.y, own(problem)),
         by.choose(regression, lambdas, problem.all_x, problem.all_y));
  const auto error = [](const auto& model, const auto& rows, const auto& y, const auto& weights,
                        const Processes& processes) {
    return mean_absolute_error(model.predict(rows), y, weights, processes);
  };
  const auto error_alone = [](const auto& model, const auto& rows, const auto& y,
                              const auto& weights) {
    return mean_absolute_error(model.predict(rows), y, weights);
  };
  agrees(by.choose(regression, lambdas, problem.x, problem.y, own(problem), error),
         by.choose(regression, lambdas, problem.all_x, problem.all_y, {}, error_alone));
  if (world().size() == 1) return;
  REQUIRE_THROWS_WITH(
      by.choose(regression, lambdas, problem.x, problem.y, own(problem), error_alone),
      ContainsSubstring("takes the processes as its last argument"));
}

TEST_CASE("RidgeRegressionCv: chooses the same lambda on divided rows", "[mpi]") {
  const auto [x, signs] = made_up(80, 5);
  const auto problem = divide(x, made_up_numbers(x), {}, Division::even);
  const auto shared = RidgeRegressionCv{}.fit(problem.x, problem.y, own(problem));
  const auto alone = RidgeRegressionCv{}.fit(problem.all_x, problem.all_y);
  REQUIRE((shared.weights - alone.weights).norm() <= 1e-8 * alone.weights.norm());
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-8));
}

TEST_CASE("CrossValidation: one process has the bits of no communicator", "[mpi]") {
  if (world().size() > 1) return;
  const auto [x, signs] = made_up(60, 4);
  const auto plain = CrossValidation{}.choose(newton, logistic, lambdas, x, signs);
  const auto shared =
      CrossValidation{}.choose(newton, logistic, lambdas, x, signs, {.processes = world()});
  REQUIRE(plain.fold_scores == shared.fold_scores);
  REQUIRE(plain.solution.weights == shared.solution.weights);
}

TEST_CASE("CrossValidation: what goes wrong on one rank is the same error on all", "[mpi]") {
  if (world().size() == 1) return;
  const auto [x, signs] = made_up(60, 4);
  const auto problem = divide(x, signs, {}, Division::even);
  const bool is_odd = world().rank() == 1;
  const std::string of_one = " (rank 1 of " + std::to_string(world().size()) + ")";
  const auto choose = [&](const CrossValidation& by, const Problem<Matrix<double>>& of) {
    return by.choose(newton, logistic, lambdas, of.x, of.y, own(of));
  };
  auto spoilt = problem;
  if (is_odd) spoilt.x(2, 1) = std::numeric_limits<double>::quiet_NaN();
  REQUIRE_THROWS_WITH(choose({}, spoilt),
                      "CrossValidation::choose: x(2, 1) is not finite" + of_one);
  spoilt = problem;
  if (is_odd) spoilt.y[0] = 7;
  REQUIRE_THROWS_WITH(choose({}, spoilt), ContainsSubstring("y(0) = 7 is no target of log") &&
                                              ContainsSubstring(of_one));
  spoilt = problem;
  if (is_odd) spoilt.x(2, 1) = std::numeric_limits<double>::quiet_NaN();
  REQUIRE_THROWS_WITH(
      CrossValidation{}.choose(RidgeRegression{}, lambdas, spoilt.x, spoilt.y, own(spoilt)),
      ContainsSubstring("is not finite" + of_one));
  REQUIRE_THROWS_WITH(choose({.folds = is_odd ? 3 : 4}, problem),
                      ContainsSubstring("folds, seed, stratify and lambdas must be the same"));
  REQUIRE_THROWS_WITH(choose({.seed = is_odd ? std::uint64_t{1} << 60 : 0}, problem),
                      ContainsSubstring("folds, seed, stratify and lambdas must be the same"));
  REQUIRE_THROWS_WITH(choose({.folds = 61}, problem),
                      "CrossValidation::choose: 61 folds of 60 samples");
  auto light = problem;
  light.weights = Vector<double>::Zero(light.y.size());
  if (is_odd) light.weights[0] = 1;
  REQUIRE_THROWS_WITH(choose({}, light), ContainsSubstring("holds out have weight 0"));
  const auto throws = [&](const Eigen::VectorXd&, const Eigen::VectorXd&) -> double {
    if (is_odd) throw std::runtime_error("the score is lost");
    return 0;
  };
  REQUIRE_THROWS_WITH(CrossValidation{}.choose(newton, logistic, lambdas, problem.x, problem.y,
                                               own(problem), throws),
                      "the score is lost" + (is_odd ? "" : of_one));
  Extras<double> watched = own(problem);
  if (is_odd)
    watched.observer = [](const Progress&) -> Control {
      throw std::runtime_error("the disk is full");
    };
  REQUIRE_THROWS_WITH(
      CrossValidation{}.choose(newton, logistic, lambdas, problem.x, problem.y, watched),
      "the disk is full" + (is_odd ? "" : of_one));
  REQUIRE(choose({}, problem).solution.status == Status::converged);
}

}  // namespace mpi_cross_validation_test
