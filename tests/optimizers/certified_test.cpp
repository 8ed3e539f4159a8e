// SPDX-License-Identifier: MIT
/// \file Every optimizer that can take an objective lands within its certified gap of every other.
#include <concepts>
#include <linea/data/labels.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/penalties/l2.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace certified_test {

using namespace linea;

namespace {

struct Landing {
  std::string optimizer;
  double primal;
  double dual;
};

/// What all optimizers that take hinge, log, … reach on x and y, each with the bound that its
/// answer proves.
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
    const CoordinateDescent descent{.offset = offset, .tolerance = tolerance};
    add("CoordinateDescent", descent.minimize(objective, x, y));
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
            ClassLabels(shipped::breast_cancer().y).encode(shipped::breast_cancer().y));
  const auto x = synthetic::features(60, 90, 3, 0.3);  // more features than samples
  all_agree(TestType{}, x, synthetic::signs(x, 4));
}

TEMPLATE_TEST_CASE("Certified: whoever minimises a loss of numbers, no bound is above any F",
                   "[optimizers]", Squared, Huber, Absolute, EpsilonInsensitive) {
  const auto x = synthetic::features(120, 7, 5);
  all_agree(TestType{}, x, synthetic::numbers(x, 6));
}

TEST_CASE("Certified: targets of any unit have the same minimum in that unit", "[optimizers]") {
  Matrix<double> x(6, 1);
  x << 1, 2, 3, 4, 5, 7;
  Vector<double> y(6);
  y << 1, 2, 3, 5, 4, 9;
  const auto dual = [&](double unit) {
    const auto found = DualCoordinateAscent{.tolerance = 1e-6}.minimize(
        Objective{Squared{}, L2{1e-3}}, x, Vector<double>(unit * y));
    CHECK(found.status == Status::converged);
    CHECK(found.gap.value() <= 1e-6 * found.objective);
    return found.objective / unit / unit;
  };
  const auto interior = [&](double unit) {
    const auto found = InteriorPoint{.tolerance = 1e-6}.minimize(Objective{Quantile{0.3}, L2{0}}, x,
                                                                 Vector<double>(unit * y));
    CHECK(found.status == Status::converged);
    CHECK(found.gap.value() <= 1e-6 * found.objective);
    return found.objective / unit;
  };
  // With λ = 0.1/unit all is proportional to the unit.
  const auto absolute = [&](double unit) {
    const auto found = DualCoordinateAscent{}.minimize(Objective{Absolute{}, L2{0.1 / unit}}, x,
                                                       Vector<double>(unit * y));
    CHECK(found.status == Status::converged);
    return found;
  };
  const auto of_absolute = absolute(1);
  const double of_squares = dual(1);
  const double of_quantile = interior(1);
  for (const double unit : {1e-13, 1e-27, 1e-40}) {
    INFO(unit);
    CHECK_THAT(dual(unit), WithinRel(of_squares, 1e-5));
    CHECK_THAT(interior(unit), WithinRel(of_quantile, 1e-5));
    const auto found = absolute(unit);
    CHECK(std::abs(found.epochs - of_absolute.epochs) <= 2 + of_absolute.epochs / 10);
    CHECK_THAT(found.objective / unit, WithinRel(of_absolute.objective, 2e-4));
  }
}

}  // namespace certified_test
