// SPDX-License-Identifier: MIT
#include <linea/optimizers/softmax/offset_search.hpp>

#include "support/catch.hpp"
#include "support/softmax_problem.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("improve_offset: balances the classes for any weights", "[optimizers]") {
  const auto x = synthetic::features(200, 3, 51);
  Vector<Index> rare = Vector<Index>::Zero(200);
  for (Index i = 0; i < 200; ++i) rare[i] = i == 7 ? 2 : i % 2;
  for (const double size : {0.0, 1.0, 30.0})
    for (const bool is_rare : {false, true}) {
      SoftmaxProblem<Matrix<double>> problem(x, 3, 0.1, true, {}, 2,
                                             is_rare ? rare : Vector<Index>{});
      softmax::Table theta = size * problem.random_table(52);
      const softmax::Table weights = theta.topRows(3);
      auto here = problem.at(theta);
      const double before = here.value;
      softmax::improve_offset(problem.objective, theta, here.scores, here.q, here.sums, here.value);
      INFO("size " << size << ", rare " << is_rare);
      CHECK(here.value < before);
      CHECK(theta.topRows(3) == weights);
      const auto anew = problem.at(theta);
      CHECK((anew.scores - here.scores).cwiseAbs().maxCoeff() < 1e-11);
      CHECK((anew.q - here.q).cwiseAbs().maxCoeff() < 1e-11);
      CHECK_THAT(anew.value, WithinRel(here.value, 1e-12));
      CHECK(anew.gradient.row(3).cwiseAbs().maxCoeff() < 1e-11);
    }
}

TEST_CASE("offset_direction: solves the equations of the offsets", "[optimizers]") {
  const auto x = synthetic::features(80, 3, 53);
  SoftmaxProblem<Matrix<double>> problem(x, 4, 0.1, true);
  softmax::Table theta = problem.random_table(54);
  const auto here = problem.at(theta);
  const auto direction = softmax::offset_direction(problem.objective, here.q, here.sums.balance);
  softmax::Table step = softmax::Table::Zero(4, 4);
  step.row(3) = direction.transpose();
  softmax::Table image;
  problem.objective.find_curvature(step, here.q, image);
  CHECK((image.row(3).transpose() + here.sums.balance).norm() < 1e-13);
  CHECK(std::abs(direction.sum()) < 1e-13);
}
