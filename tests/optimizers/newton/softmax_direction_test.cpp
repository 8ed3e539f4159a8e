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

// Of two classes ∇²F for θ₁ = −θ₀ is what it is within a class, twice but for the penalty: on
// tables with a sum of 0 the preconditioner is then a multiple of the inverse.
TEST_CASE("Preconditioner: of two classes it is the inverse itself", "[optimizers]") {
  const auto x = synthetic::features(20, 5, 71);
  Vector<double> weights(20);
  for (Index i = 0; i < 20; ++i) weights[i] = static_cast<double>(i % 3);
  const auto check = [&](const auto& samples, bool has_offset) {
    SoftmaxProblem<std::decay_t<decltype(samples)>> problem(samples, 2, 0, has_offset, weights, 2);
    newton::Table theta = problem.random_table(72);
    problem.objective.centre(theta);
    const auto here = problem.at(theta);
    newton::Preconditioner<> preconditioner;
    preconditioner.find(problem.objective, here.at.q);
    newton::Table scaled;
    preconditioner.apply(problem.objective, here.gradient, scaled);
    newton::Table image;
    problem.objective.find_curvature(scaled, here.at.q, image);
    CHECK((image - 2 * here.gradient).norm() < 1e-10 * here.gradient.norm());
    CHECK(scaled.rowwise().sum().cwiseAbs().maxCoeff() < 1e-12 * scaled.norm());
  };
  for (const bool has_offset : {true, false}) {
    check(x, has_offset);
    check(core::ColumnMatrix<double>(x), has_offset);
    check(synthetic::sparse(x), has_offset);
  }
}

TEST_CASE("Preconditioner: keeps the sum over the classes at 0, and is symmetric", "[optimizers]") {
  const auto x = synthetic::features(300, 5, 76);
  SoftmaxProblem<Matrix<double>> problem(x, 4, 1e-3, true);
  newton::Table theta = problem.random_table(77);
  const auto here = problem.at(theta);
  newton::Preconditioner<> preconditioner;
  preconditioner.find(problem.objective, here.at.q);
  newton::Table one = problem.random_table(78);
  newton::Table other = problem.random_table(79);
  problem.objective.centre(one);
  problem.objective.centre(other);
  newton::Table of_one;
  newton::Table of_other;
  preconditioner.apply(problem.objective, one, of_one);
  preconditioner.apply(problem.objective, other, of_other);
  CHECK(of_one.rowwise().sum().cwiseAbs().maxCoeff() < 1e-12 * of_one.norm());
  CHECK_THAT(of_one.cwiseProduct(other).sum(), WithinRel(of_other.cwiseProduct(one).sum(), 1e-10));
  CHECK(of_one.cwiseProduct(one).sum() > 0);
}

TEST_CASE("Preconditioner: its noise is more than rounding makes of the gradient", "[optimizers]") {
  auto x = synthetic::features(300, 6, 80);
  x.col(5) = x.col(0) - 2 * x.col(3);  // F is flat along (1, 0, 0, -2, 0, -1)
  SoftmaxProblem<Matrix<double>> problem(x, 3, 0, true);
  newton::Table theta = problem.random_table(81);
  newton::Table moved = theta;
  for (Index a = 0; a < 3; ++a) {
    const double step = 0.3 * static_cast<double>(a + 1);
    moved(0, a) += step;
    moved(3, a) -= 2 * step;
    moved(5, a) -= step;
  }
  const auto here = problem.at(theta);
  const newton::Table rounding = problem.at(moved).gradient - here.gradient;
  newton::Preconditioner<> preconditioner;
  preconditioner.find(problem.objective, here.at.q);
  newton::Table scaled;
  const auto square = [&](const newton::Table& residual) {
    preconditioner.apply(problem.objective, residual, scaled);
    return residual.cwiseProduct(scaled).sum();
  };
  const double noise = preconditioner.noise_of_gradient(problem.objective, here.at.q);
  CHECK(square(rounding) > 0);
  CHECK(square(rounding) < noise);
  CHECK(noise < 1e-10 * square(here.gradient));
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
