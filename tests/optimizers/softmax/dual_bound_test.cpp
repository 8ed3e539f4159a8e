// SPDX-License-Identifier: MIT
#include <linea/optimizers/softmax/dual_bound.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/softmax_problem.hpp"

using namespace linea;
using namespace linea::test;

// Wherever it is asked: the offsets of these points are far from balanced.
TEST_CASE("DualBound: is below the minimum, and at it near the minimum", "[optimizers]") {
  const auto x = synthetic::features(50, 4, 41);
  Vector<double> weights(50);
  for (Index i = 0; i < 50; ++i) weights[i] = static_cast<double>(i % 5);
  const Vector<Index> y = SoftmaxProblem<Matrix<double>>::in_turn(50, 3);
  for (const bool has_offset : {true, false})
    for (const double lambda : {0.02, 1.0}) {
      SoftmaxProblem<Matrix<double>> problem(x, 3, lambda, has_offset, weights);
      auto& f = problem.objective;
      softmax::Table class_sums;
      f.find_class_sums(class_sums);
      const auto best = SoftmaxNewton{.offset = has_offset, .tolerance = 1e-13}.minimize(
          L2{lambda}, x, y, weights);
      REQUIRE(best.status == Status::converged);
      softmax::Table minimum = softmax::Table::Zero(f.cols(), f.stride());
      minimum.topLeftCorner(4, 3) = best.weights;
      if (has_offset) minimum.row(4).head(3) = best.offset.transpose();
      double nearest = std::numeric_limits<double>::infinity();
      for (std::uint64_t seed = 1; seed < 40; ++seed) {
        const double away = std::pow(0.5, static_cast<double>(seed % 20));
        softmax::Table theta = minimum + away * problem.random_table(seed);
        const auto here = problem.at(theta);
        softmax::DualBound<> bound(class_sums, 4, 3, lambda, has_offset);
        CHECK(!bound.is_known());
        bound.ask(theta, here.gradient, here.sums);
        REQUIRE(bound.is_known());
        // F at the minimum is no lower than the bound.
        CHECK(bound.gap(here.value) >= here.value - best.objective - 1e-13);
        nearest = std::min(nearest, bound.gap(here.value));
      }
      CHECK(nearest < 1e-3 * best.objective);
      const auto here = problem.at(minimum);
      softmax::DualBound<> bound(class_sums, 4, 3, lambda, has_offset);
      bound.ask(minimum, here.gradient, here.sums);
      CHECK(bound.gap(here.value) < 1e-12 * best.objective);
    }
}

TEST_CASE("DualBound: knows nothing without penalty", "[optimizers]") {
  const auto x = synthetic::features(20, 3, 42);
  SoftmaxProblem<Matrix<double>> problem(x, 3, 0, true);
  softmax::Table class_sums;
  problem.objective.find_class_sums(class_sums);
  softmax::DualBound<> bound(class_sums, 3, 3, 0, true);
  softmax::Table theta = problem.random_table(1);
  const auto here = problem.at(theta);
  bound.ask(theta, here.gradient, here.sums);
  CHECK(!bound.is_known());
}

TEST_CASE("DualBound: chances that miss the balance by less than the rounding of 1",
          "[optimizers]") {
  // w = ±19 is the best without an offset, with F = 10·exp(−38); w = ±10 and b = ∓10 are better.
  const double lambda = std::exp(-38.0) / 38;
  const Matrix<double> x{{3}, {-1}};
  SoftmaxProblem<Matrix<double>> problem(x, 2, lambda, true);
  auto& f = problem.objective;
  softmax::Table class_sums;
  f.find_class_sums(class_sums);
  const auto at = [&](double w, double b) {
    softmax::Table theta = softmax::Table::Zero(f.cols(), f.stride());
    theta.topLeftCorner(2, 2) << w, -w, b, -b;
    return theta;
  };
  softmax::Table theta = at(19, 0);
  const auto here = problem.at(theta);
  softmax::Table better = at(10, -10);
  const double there = problem.at(better).value;
  REQUIRE(there < 0.3 * here.value);
  softmax::DualBound<> bound(class_sums, 1, 2, lambda, true);
  bound.ask(theta, here.gradient, here.sums);
  CHECK(bound.gap(here.value) >= here.value - there);
}
