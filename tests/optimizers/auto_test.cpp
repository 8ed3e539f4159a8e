// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/activations/exponential.hpp>
#include <linea/losses.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/separable.hpp"
#include "support/synthetic.hpp"

namespace auto_test {

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
  CHECK(chosen(Log{}, L2{1e-2}, x) == "Newton");  // few columns
  CHECK(chosen(Log{}, L2{1e-2}, synthetic::features(200, 30, 7)) == "DualCoordinateAscent");
  CHECK(chosen(Log{}, L2{1e-6}, x) == "Newton");
  CHECK(chosen(Log{}, L2{1e-2}, Matrix<double>(100 * x)) == "Newton");
  CHECK(chosen(Huber{}, NoPenalty{}, x) == "InteriorPoint");
  CHECK(chosen(SmoothHinge{}, L2{1e-6}, x) == "InteriorPoint");
  CHECK(chosen(SmoothHinge{}, L2{1e-2}, x) == "DualCoordinateAscent");
  CHECK(chosen(Absolute{}, L2{1e-6}, x) == "InteriorPoint");
  CHECK(chosen(Quantile{0.2}, L1{1e-2}, x) == "InteriorPoint");
  CHECK(chosen(EpsilonInsensitive{}, ElasticNet{1e-2, 1e-2}, x) == "InteriorPoint");
  CHECK(chosen(Hinge{}, L1{1e-2}, x) == "InteriorPoint");
  CHECK(chosen(Hinge{}, L2{0}, x) == "InteriorPoint");
  CHECK(chosen(Hinge{}, NoPenalty{}, x) == "InteriorPoint");
  CHECK(chosen(Log{}, L1{1e-2}, x) == "CoordinateDescent");
  CHECK(chosen(Huber{}, ElasticNet{1e-2, 1e-3}, x) == "CoordinateDescent");
  CHECK(chosen(Hinge{}, L2{1e-5}, x) == "InteriorPoint");
  CHECK(chosen(Hinge{}, L2{1e-2}, Matrix<double>(100 * x)) == "InteriorPoint");
  Extras<double> malformed;
  malformed.start_offset = 3;
  CHECK_THROWS_WITH(Auto{}.minimize(Objective{Hinge{}, L2{1e-2}}, x, y, malformed),
                    ContainsSubstring("start"));
  const Matrix<double> wide = synthetic::features(200, 12600, 3);
  CHECK(Auto{.tolerance = 0.1}.minimize(Objective{Hinge{}, L2{1e-4}}, wide, y).optimizer ==
        "DualCoordinateAscent");
  const Matrix<double> broad = synthetic::features(20, 1000, 3);
  const Vector<double> few = y.head(20);
  const auto kinks = Auto{}.minimize(Objective{Hinge{}, L1{1e-2}}, broad, few);
  CHECK(kinks.optimizer == "Sgd");  // a matrix of d × d would be too large
  Extras<double> start;
  start.start_weights = Vector<double>::Zero(6);
  CHECK(Auto{}.minimize(Objective{Hinge{}, L1{1e-2}}, x, y, start).optimizer == "InteriorPoint");
  CHECK(Auto{}.minimize(Objective{Huber{}, L2{0}}, x, y, start).optimizer == "Newton");
  const auto median = Auto{}.minimize(Objective{Absolute{}, L2{1e-6}}, x, y);
  CHECK_THAT(median.reason,
             ContainsSubstring("lines and parabolas, mean |x|^2 / (lambda * n) = ") &&
                 ContainsSubstring("min(n, d) = 6"));
  REQUIRE(median.gap);
  CHECK(*median.gap <= 1e-4 * median.objective);
  CHECK(median.multipliers.size() == 200);
}

TEST_CASE("Auto: gives the facts that decided, and true ones", "[optimizers]") {
  const auto x = synthetic::features(60, 4, 3);
  const auto y = synthetic::signs(x, 4);
  const auto reason = [&](const auto& objective, const Extras<double>& extras, const auto& who) {
    const auto solution = Auto{}.minimize(objective, x, y, extras);
    CHECK(solution.optimizer == std::string(who));
    return solution.reason;
  };
  const Extras<double> start{.start_weights = Vector<double>::Ones(4)};
  CHECK(reason(Objective{Log{}, L2{0}}, {}, "Newton") ==
        "lambda = 0, a smooth loss and no penalty");
  CHECK(reason(Objective{Log{}, NoPenalty{}}, {}, "Newton") == "a smooth loss and no penalty");
  CHECK_THAT(reason(Objective{Log{}, L2{1}}, start, "Newton"), ContainsSubstring("few columns"));
  const Matrix<double> broad = synthetic::features(60, 40, 5);
  const Extras<double> broad_start{.start_weights = Vector<double>::Ones(40)};
  const auto from_weights = Auto{}.minimize(Objective{Log{}, L2{1}}, broad, y, broad_start);
  CHECK(from_weights.optimizer == "Newton");
  CHECK_THAT(from_weights.reason,
             ContainsSubstring("weights to start from, for which the dual has no use"));
  CHECK(reason(Objective{Hinge{}, L2{1}}, {}, "DualCoordinateAscent") ==
        "a loss with kinks and an L2 penalty");
  // Weights are no start for the dual, but better no start than no proof.
  CHECK(reason(Objective{Hinge{}, L2{1}}, start, "DualCoordinateAscent") ==
        "a loss with kinks and an L2 penalty");
  // Newton's method needs no bound on the curvature.
  const Vector<double> counts = y.array() + 2;
  const auto poisson =
      Auto{}.minimize(Objective{Composed{Poisson{}, Exponential{}}, L2{1e-2}}, x, counts);
  CHECK(poisson.optimizer == "Newton");
  CHECK(poisson.status == Status::converged);
  CHECK(poisson.reason == "a smooth loss and a squared penalty");
}

TEST_CASE("Auto: many samples of few columns are for dual ascent, as long as it ends",
          "[optimizers]") {
  const auto x = synthetic::features(3000, 20, 7);
  const auto y = synthetic::signs(x, 8);
  const Objective objective{Hinge{}, L2{1e-5}};
  const auto found = Auto{}.minimize(objective, x, y);
  CHECK(found.optimizer == "DualCoordinateAscent");
  CHECK(found.status == Status::converged);
  CHECK(found.epochs < 30);
  CHECK(found.multipliers.size() == 3000);
  CHECK_THAT(found.reason, ContainsSubstring("n / d = 150"));
  const auto exact = Auto{.tolerance = 0}.minimize(objective, x, y);
  CHECK(exact.optimizer == "DualCoordinateAscent");
  CHECK(exact.status == Status::converged);
  CHECK_THAT(found.objective, WithinRel(exact.objective, 1e-4));
  // Rounding keeps dual ascent from more.
  const Objective hard{Hinge{}, L2{1e-13}};
  const auto other = Auto{.tolerance = 0}.minimize(hard, Matrix<double>(1e4 * x), y);
  CHECK(other.optimizer == "InteriorPoint");
  CHECK_THAT(other.reason, ContainsSubstring("more than dual ascent reaches in 200 epochs"));
}

TEST_CASE("Auto: a squared hinge of few columns is for dual ascent, as long as it ends",
          "[optimizers]") {
  const auto set = synthetic::separable(400, 20, 0.05, 4);
  const Objective objective{SquaredHinge{}, L2{1e-6}};
  const auto found = Auto{.tolerance = 1e-6}.minimize(objective, set.x, set.y);
  CHECK(found.optimizer == "DualCoordinateAscent");
  CHECK(found.status == Status::converged);
  CHECK(found.epochs < 30);
  CHECK(found.reason == "a loss with a parabola and an L2 penalty, n / d = 20");
  // Weights alone are of no use to the dual, few samples too many for its tail.
  Extras<double> start;
  start.start_weights = found.weights;
  CHECK(Auto{}.minimize(objective, set.x, set.y, start).optimizer == "Newton");
  start.start_multipliers = found.multipliers;
  CHECK(Auto{}.minimize(objective, set.x, set.y, start).optimizer == "DualCoordinateAscent");
  const auto few =
      Auto{}.minimize(objective, Matrix<double>(set.x.topRows(100)), set.y.head(100).eval());
  CHECK(few.optimizer == "Newton");
  // Rounding keeps dual ascent from more.
  const Objective hard{SquaredHinge{}, L2{1e-13}};
  const auto x = synthetic::features(3000, 20, 7);
  const auto other =
      Auto{.tolerance = 0}.minimize(hard, Matrix<double>(1e4 * x), synthetic::signs(x, 8));
  CHECK(other.optimizer == "Newton");
  CHECK_THAT(other.reason, ContainsSubstring("more than dual ascent reaches in 200 epochs"));
}

TEST_CASE("Auto: on a path one lambda of 0 does not decide for the others", "[optimizers]") {
  const auto x = synthetic::features(60, 4, 5);
  const auto y = synthetic::signs(x, 6);
  const Objective objective{Hinge{}, L2{}};
  const auto path = lambda_path(Auto{}, objective, {0.0, 1.0, 0.1, 1e-6}, x, y);
  for (std::size_t k = 1; k < path.size(); ++k) {
    const double lambda = std::vector<double>{0.0, 1.0, 0.1, 1e-6}[k];
    const auto alone = Auto{}.minimize(Objective{Hinge{}, L2{lambda}}, x, y);
    CHECK(path[k].optimizer == alone.optimizer);
    CHECK(path[k].optimizer != std::string("Sgd"));
    CHECK(path[k].status == Status::converged);
    REQUIRE(path[k].gap);
    CHECK(*path[k].gap <= 1e-4 * path[k].objective);
  }
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
                                                           CHECK(progress.gap() >= 0);
                                                           return Control::stop;
                                                         });
  CHECK(told == 1);
  CHECK(stopped.status == Status::stopped);
}

TEST_CASE("Auto: refuses a tolerance and a start that are none", "[optimizers]") {
  const auto x = synthetic::features(20, 3, 9);
  const auto y = synthetic::signs(x, 10);
  const auto refuses = [&](const Auto& by, const auto& objective, const Extras<double>& extras,
                           const std::string& message) {
    CHECK_THROWS_WITH(by.minimize(objective, x, y, extras), "Auto::minimize: " + message);
  };
  const Objective ridge{Squared{}, L2{1e-2}};
  refuses({.tolerance = -1}, ridge, {}, "tolerance = -1 is not >= 0");
  refuses({}, ridge, {.start_weights = Vector<double>::Ones(4)},
          "4 start weights, not all finite or not 3");
  refuses({}, ridge, {.start_multipliers = Vector<double>::Ones(4)},
          "4 start multipliers, not all finite or not 20");
  refuses({}, ridge,
          {.start_weights = Vector<double>::Ones(3),
           .start_offset = std::numeric_limits<double>::infinity()},
          "start_offset = inf is not finite");
}

TEST_CASE("Auto: chooses alike whether it is watched or not", "[optimizers]") {
  const auto x = synthetic::features(80, 5, 9);
  const auto y = synthetic::signs(x, 10);
  const Objective objective{Hinge{}, L2{1e-4}};
  const auto alone = Auto{}.minimize(objective, x, y);
  double told = -1;
  const auto watched =
      Auto{}.minimize(objective, x, y, [&](const Progress& news) { told = news.objective(); });
  CHECK(alone.optimizer == "InteriorPoint");
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

TEST_CASE("Auto: rows of weight 0 are not felt in the choice", "[optimizers]") {
  const auto x = synthetic::features(600, 8, 3);
  const auto y = synthetic::signs(x, 4);
  // Rows that are not there, and would spoil every mean.
  Matrix<double> absent = 1e6 * x;
  absent.bottomRows(300).setZero();
  const auto same = [&](const auto& objective, Index n) {
    const Matrix<double> few = x.topRows(n);
    Matrix<double> many(n + 600, 8);
    many << few, absent;
    Vector<double> targets(n + 600);
    targets << y.head(n), y;
    Extras<double> present;
    present.sample_weights = Vector<double>::Ones(n + 600);
    present.sample_weights.tail(600).setZero();
    const auto alone = Auto{}.minimize(objective, few, Vector<double>(y.head(n)));
    const auto among = Auto{}.minimize(objective, many, targets, present);
    CHECK(among.optimizer == alone.optimizer);
    CHECK(among.reason == alone.reason);
    CHECK(among.status == alone.status);
    return std::string(alone.optimizer);
  };
  CHECK(same(Objective{Hinge{}, L2{1e-2}}, 600) == "DualCoordinateAscent");
  CHECK(same(Objective{Hinge{}, L2{1e-4}}, 60) == "InteriorPoint");
  CHECK(same(Objective{SmoothHinge{}, L2{1e-2}}, 600) == "DualCoordinateAscent");
  CHECK(same(Objective{Log{}, L2{1e-1}}, 600) == "Newton");               // few columns,
  CHECK(same(Objective{Log{}, L2{1e-1}}, 60) == "DualCoordinateAscent");  // and for n/8 too many
}

}  // namespace auto_test
