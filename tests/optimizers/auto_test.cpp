// SPDX-License-Identifier: MIT
#include <linea/losses.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Auto: takes what suits the objective and the data, and says why", "[optimizers]") {
  const auto x = synthetic::features(200, 6, 7);
  const auto y = synthetic::signs(x, 8);
  const auto chosen = [&](const auto& loss, const auto& penalty, const auto& samples) {
    const auto solution = Auto{.tolerance = 1e-6}.minimize(Objective{loss, penalty}, samples, y);
    CHECK(solution.status == Status::converged);
    CHECK_FALSE(solution.reason.empty());
    return std::string(solution.optimizer);
  };
  CHECK(chosen(Squared{}, L2{1e-3}, x) == "Ridge");
  CHECK(chosen(Hinge{}, L2{1e-2}, x) == "DualCoordinateAscent");
  CHECK(chosen(Absolute{}, L2{1e-2}, x) == "DualCoordinateAscent");
  CHECK(chosen(Log{}, L2{1e-2}, x) == "DualCoordinateAscent");
  CHECK(chosen(Log{}, L2{1e-6}, x) == "Newton");
  CHECK(chosen(Log{}, L2{1e-2}, Matrix<double>(100 * x)) == "Newton");
  CHECK(chosen(Huber{}, NoPenalty{}, x) == "Newton");
  CHECK(chosen(Log{}, L1{1e-2}, x) == "CoordinateDescent");
  CHECK(chosen(Huber{}, ElasticNet{1e-2, 1e-3}, x) == "CoordinateDescent");
  CHECK(chosen(Hinge{}, L2{1e-5}, x) == "SvmQuadraticProgram");
  CHECK(chosen(Hinge{}, L2{1e-2}, Matrix<double>(100 * x)) == "SvmQuadraticProgram");
  Extras<double> malformed;
  malformed.start_offset = 3;
  CHECK_THROWS_WITH(Auto{}.minimize(Objective{Hinge{}, L2{1e-2}}, x, y, malformed),
                    ContainsSubstring("start"));
  const Matrix<double> wide = synthetic::features(200, 12600, 3);
  CHECK(Auto{.tolerance = 0.1}.minimize(Objective{Hinge{}, L2{1e-4}}, wide, y).optimizer ==
        "DualCoordinateAscent");
  const auto kinks = Auto{}.minimize(Objective{Hinge{}, L1{1e-2}}, x, y);
  CHECK(kinks.optimizer == "Sgd");
}

TEST_CASE("Auto: passes on the samples' weights, the start and the observer", "[optimizers]") {
  const auto x = synthetic::features(80, 5, 9);
  const auto y = synthetic::signs(x, 10);
  Extras<double> extras;
  extras.sample_weights = Vector<double>::LinSpaced(80, 0, 3);
  const Objective log{Log{}, L2{1e-6}};
  const auto weighted = Auto{.tolerance = 1e-10}.minimize(log, x, y, extras);
  const auto expected = Newton{.tolerance = 1e-10}.minimize(log, x, y, extras);
  CHECK(weighted.weights == expected.weights);
  const Objective ridge{Squared{}, L2{1e-2}};
  CHECK(Auto{}.minimize(ridge, x, y, extras).weights ==
        Ridge{}.minimize(ridge, x, y, extras.sample_weights).weights);
  extras = {.start_weights = weighted.weights, .start_offset = weighted.offset};
  CHECK(Auto{.tolerance = 1e-8}.minimize(Objective{Log{}, L2{1e-2}}, x, y, extras).optimizer ==
        "Newton");  // the dual has no use for weights to start from
  int told = 0;
  const auto stopped = Auto{.tolerance = 1e-12}.minimize(Objective{Hinge{}, L2{1e-1}}, x, y,
                                                         [&](const Progress& progress) {
                                                           ++told;
                                                           CHECK(progress.gap >= 0);
                                                           return Control::stop;
                                                         });
  CHECK(told == 1);
  CHECK(stopped.status == Status::stopped);
}

TEST_CASE("Auto: chooses alike whether it is watched or not", "[optimizers]") {
  const auto x = synthetic::features(80, 5, 9);
  const auto y = synthetic::signs(x, 10);
  const Objective objective{Hinge{}, L2{1e-4}};
  const auto alone = Auto{}.minimize(objective, x, y);
  double told = -1;
  const auto watched =
      Auto{}.minimize(objective, x, y, [&](const Progress& news) { told = news.objective; });
  CHECK(alone.optimizer == "SvmQuadraticProgram");
  CHECK(watched.optimizer == alone.optimizer);
  CHECK(watched.weights == alone.weights);
  CHECK(told == alone.objective);
}

TEST_CASE("Auto: passes on the multipliers and the bound that its choice has found",
          "[optimizers]") {
  const auto x = synthetic::features(80, 5, 9);
  const auto y = synthetic::signs(x, 10);
  const Vector<double> weights = Vector<double>::LinSpaced(80, 0, 3);
  for (const double lambda : {1e-4, 1e-1}) {
    const Objective objective{Hinge{}, L2{lambda}};
    const auto found = Auto{.tolerance = 1e-6}.minimize(objective, x, y, weights);
    INFO(found.optimizer);
    REQUIRE(found.multipliers.size() == 80);
    REQUIRE(found.bound());
    Extras<double> extras{.sample_weights = weights};
    found.hand_on(extras);
    CHECK(extras.start_weights == found.weights);
    const auto again = Auto{.tolerance = 1e-6}.minimize(objective, x, y, extras);
    CHECK(again.optimizer == found.optimizer);
    extras.start_weights.resize(0);
    extras.start_offset = 0;
    const auto ascent = DualCoordinateAscent{.epochs = 0}.minimize(objective, x, y, extras);
    CHECK(ascent.dual >= *found.bound() - 1e-5 * found.objective);
  }
}
