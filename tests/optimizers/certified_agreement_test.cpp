// SPDX-License-Identifier: MIT
// Every optimizer that can take an objective lands within its certified gap of every other; and Auto, which picks one.
#include <linea/data/labels.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

struct Landing {
  std::string optimizer;
  double primal;
  double dual;
};

/// What all optimizers that take hinge, log, … reach on x and y, each with the bound that its answer proves.
template <class L>
std::vector<Landing> landings(const L& loss, const Matrix<double>& x, const Vector<double>& y,
                              double lambda, bool offset) {
  const Objective objective{loss, L2{lambda}};
  std::vector<Landing> all;
  const auto add = [&](std::string name, const Solution<double>& solution) {
    const auto proof = certify(objective, solution, x, y, {.offset = offset});
    CHECK_THAT(proof.primal, WithinRel(solution.objective, 1e-9));
    all.push_back({name + ", certified", proof.primal, proof.dual});
    if (solution.gap) all.push_back({name, solution.objective, solution.objective - *solution.gap});
  };
  const double tolerance = SmoothLoss<L> ? 1e-8 : 1e-6;
  const DualCoordinateAscent ascent{.epochs = 200000, .tolerance = tolerance, .offset = offset};
  const auto climbed = ascent.minimize(objective, x, y);
  CHECK(climbed.status == Status::converged);
  CHECK(climbed.certificate().relative_gap() <= tolerance);
  add("DualCoordinateAscent", climbed);
  add("Sgd", Sgd{.epochs = 30, .offset = offset}.minimize(objective, x, y));
  add("Pegasos", Pegasos{.epochs = 30, .offset = offset}.minimize(objective, x, y));
  add("Auto", Auto{.tolerance = tolerance, .offset = offset}.minimize(objective, x, y));
  if constexpr (SmoothLoss<L> && CurvedLoss<L>) {
    const Newton newton{.offset = offset, .tolerance = tolerance};
    add("Newton", newton.minimize(objective, x, y));
    const Lbfgs lbfgs{.offset = offset, .tolerance = tolerance, .iterations = 2000};
    add("Lbfgs", lbfgs.minimize(objective, x, y));
  }
  if constexpr (std::same_as<L, Hinge>)
    add("SvmQuadraticProgram", SvmQuadraticProgram{.offset = offset}.minimize(objective, x, y));
  if constexpr (std::same_as<L, Squared>)
    add("Ridge", Ridge{.offset = offset}.minimize(objective, x, y));
  return all;
}

template <class L>
void all_agree(const L& loss, const Matrix<double>& x, const Vector<double>& y) {
  for (const double lambda : {1e-3, 0.1})
    for (const bool offset : {true, false}) {
      CAPTURE(L::name, lambda, offset);
      const auto all = landings(loss, x, y, lambda, offset);
      for (const auto& one : all)
        for (const auto& other : all) {
          CAPTURE(one.optimizer, one.primal, one.dual, other.optimizer, other.primal);
          CHECK(one.dual <= other.primal * (1 + 1e-12));
        }
    }
}

}  // namespace

TEMPLATE_TEST_CASE("Certified: whoever minimises a loss of classes, no bound is above any F",
                   "[optimizers]", Hinge, SquaredHinge, SmoothHinge, Log) {
  all_agree(TestType{}, shipped::breast_cancer().x,
            ClassLabels<double>(shipped::breast_cancer().y).encode(shipped::breast_cancer().y));
  const auto x = synthetic::features(60, 90, 3, 0.3);  // more features than samples
  all_agree(TestType{}, x, synthetic::signs(x, 4));
}

TEMPLATE_TEST_CASE("Certified: whoever minimises a loss of numbers, no bound is above any F",
                   "[optimizers]", Squared, Huber, Absolute, EpsilonInsensitive) {
  const auto x = synthetic::features(120, 7, 5);
  all_agree(TestType{}, x, synthetic::numbers(x, 6));
}

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
  CHECK_THROWS_WITH(Auto{}.minimize(Objective{Hinge{}, L2{1e-5}}, x, y, malformed),
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
  const auto stopped = Auto{.tolerance = 1e-12}.minimize(Objective{Hinge{}, L2{1e-3}}, x, y,
                                                         [&](const Progress& progress) {
                                                           ++told;
                                                           CHECK(progress.gap >= 0);
                                                           return Control::stop;
                                                         });
  CHECK(told == 1);
  CHECK(stopped.status == Status::stopped);
}

TEST_CASE("Auto: with offset, its minimum is that of the samples whatever is added to a feature",
          "[optimizers]") {
  const auto x = synthetic::features(150, 4, 11);
  const auto y = synthetic::signs(x, 12);
  Matrix<double> moved = x;
  moved.col(2).array() += 3;
  const Objective objective{Hinge{}, L2{1e-2}};
  const Auto optimizer{.tolerance = 1e-8};
  const auto here = optimizer.minimize(objective, x, y);
  const auto there = optimizer.minimize(objective, moved, y);
  CHECK_THAT(there.objective, WithinRel(here.objective, 2e-8));
  CHECK_THROWS_WITH(optimizer.minimize(objective, Matrix<double>(0, 3), Vector<double>(0)),
                    ContainsSubstring("x is empty"));
}
