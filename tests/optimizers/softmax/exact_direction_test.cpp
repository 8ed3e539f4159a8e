// SPDX-License-Identifier: MIT
#include <linea/optimizers/softmax/exact_direction.hpp>
#include <linea/optimizers/softmax/iterative_direction.hpp>

#include "support/catch.hpp"
#include "support/softmax_problem.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("find_exact_direction: solves the equations of Newton's method", "[optimizers]") {
  const auto x = synthetic::features(700, 6, 31);
  Vector<double> weights(700);
  for (Index i = 0; i < 700; ++i) weights[i] = static_cast<double>(i % 4);
  const auto solves = [&](const auto& samples, Index k, bool has_offset, double lambda) {
    SoftmaxProblem<std::decay_t<decltype(samples)>> problem(samples, k, lambda, has_offset, weights,
                                                            2);
    softmax::Table theta = problem.random_table(32);
    problem.objective.centre(theta);
    const auto here = problem.at(theta);
    softmax::Table direction;
    CHECK(softmax::find_exact_direction(problem.objective, here.q, here.gradient, direction));
    softmax::Table image;
    problem.objective.find_curvature(direction, here.q, image);
    INFO(k << " classes, lambda " << lambda << ", offset " << has_offset);
    CHECK((image + here.gradient).norm() < 1e-11 * here.gradient.norm());
    CHECK(direction.rowwise().sum().cwiseAbs().maxCoeff() < 1e-12 * direction.norm());

    softmax::IterativeDirection<> other;
    other.find(problem.objective, here.q, here.gradient, 1e-10, 1000);
    CHECK((other.direction - direction).norm() < 1e-7 * direction.norm());
  };
  for (const Index k : {2, 3, 5})
    for (const bool has_offset : {true, false})
      for (const double lambda : {0.0, 1e-3, 10.0}) {
        solves(x, k, has_offset, lambda);
        solves(synthetic::sparse(x), k, has_offset, lambda);
      }
}

TEST_CASE("find_exact_direction: goes down where the second derivative is singular",
          "[optimizers]") {
  Matrix<double> x = synthetic::features(60, 6, 33);
  x.col(5) = x.col(4);  // and no penalty
  SoftmaxProblem<Matrix<double>> problem(x, 3, 0, true);
  softmax::Table theta = problem.random_table(34);
  problem.objective.centre(theta);
  const auto here = problem.at(theta);
  softmax::Table direction;
  softmax::find_exact_direction(problem.objective, here.q, here.gradient, direction);
  softmax::Table image;
  problem.objective.find_curvature(direction, here.q, image);
  CHECK((image + here.gradient).norm() < 1e-6 * here.gradient.norm());
}
