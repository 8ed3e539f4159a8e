// SPDX-License-Identifier: MIT
#include <linea/optimizers/newton/softmax_direction.hpp>

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
    newton::Table theta = problem.random_table(32);
    problem.objective.centre(theta);
    const auto here = problem.at(theta);
    newton::Table direction;
    CHECK(newton::find_exact_direction(problem.objective, here.at.q, here.gradient, direction));
    newton::Table image;
    problem.objective.find_curvature(direction, here.at.q, image);
    INFO(k << " classes, lambda " << lambda << ", offset " << has_offset);
    CHECK((image + here.gradient).norm() < 1e-11 * here.gradient.norm());
    CHECK(direction.rowwise().sum().cwiseAbs().maxCoeff() < 1e-12 * direction.norm());

    newton::IterativeDirection<> other;
    other.find(problem.objective, here.at.q, here.gradient, 1e-10, 1000);
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
  newton::Table theta = problem.random_table(34);
  problem.objective.centre(theta);
  const auto here = problem.at(theta);
  newton::Table direction;
  newton::find_exact_direction(problem.objective, here.at.q, here.gradient, direction);
  newton::Table image;
  problem.objective.find_curvature(direction, here.at.q, image);
  CHECK((image + here.gradient).norm() < 1e-6 * here.gradient.norm());
}

namespace {

/// Rounds, as passes over the samples, until the equations of Newton's method are solved.
template <class X>
Index rounds(const X& x, Index k, double lambda) {
  SoftmaxProblem<X> problem(x, k, lambda, true);
  newton::Table theta = 0.3 * problem.random_table(73);
  problem.objective.centre(theta);
  const auto here = problem.at(theta);
  newton::IterativeDirection<> next;
  const Index before = problem.objective.passes();
  next.find(problem.objective, here.at.q, here.gradient, 1e-6, 1000);
  const Index after = problem.objective.passes();
  newton::Table image;
  problem.objective.find_curvature(next.direction, here.at.q, image);
  CHECK((image + here.gradient).norm() < 1e-3 * here.gradient.norm());
  return after - before;
}

}  // namespace

TEST_CASE("Preconditioner: few rounds whatever the columns, from a draw of many samples too",
          "[optimizers]") {
  Matrix<double> x = synthetic::features(3000, 20, 74);
  for (Index j = 1; j < 20; ++j) x.col(j) += 3 * x.col(j - 1);  // far from orthogonal
  CHECK(rounds(x, 4, 1e-8) <= 40);
  x.array().rowwise() *= Eigen::Array<double, 1, 20>::LinSpaced(-3, 3).exp();
  CHECK(rounds(x, 4, 1e-8) <= 40);
  CHECK(rounds(synthetic::sparse(x), 4, 1e-8) <= 40);
}

TEST_CASE("Preconditioner: the diagonal alone where there are many columns", "[optimizers]") {
  Matrix<double> x = synthetic::features(30, 1200, 75);
  for (Index j = 0; j < x.cols(); ++j) x.col(j) *= j % 2 ? 1e4 : 1e-3;
  CHECK(rounds(x, 3, 1e-2) <= 200);

  using Preconditioner = newton::Preconditioner<>;
  CHECK(Preconditioner::fits_blocks(60000, 781, 10));
  CHECK(!Preconditioner::fits_blocks(60000, 1201, 2));    // blocks that take long to factor
  CHECK(!Preconditioner::fits_blocks(60000, 1000, 100));  // and much memory
  CHECK(!Preconditioner::fits_blocks(30, 100, 3));
}
