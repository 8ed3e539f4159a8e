// SPDX-License-Identifier: MIT
/// \file Newton's method where columns are few, and what it is made of.
#include <cstdint>
#include <linea/losses/log.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE(
    "RememberedChanges: the corrected matrix takes the last change of the gradient to the step",
    "[optimizers]") {
  newton::RememberedChanges<> changes(2);
  const Matrix<double> steps = synthetic::features(4, 5, 11);
  const Eigen::MatrixXd root = synthetic::features(5, 5, 12);
  const Eigen::MatrixXd bend = root.transpose() * root + Eigen::MatrixXd::Identity(5, 5);
  const auto halve = [](Vector<double>& v) { v *= 0.5; };
  Vector<double> direction;
  changes.find_direction(steps.row(0).transpose(), direction, halve);
  CHECK(direction == -0.5 * steps.row(0).transpose());
  for (Index k = 0; k < 4; ++k) {
    const Vector<double> step = steps.row(k).transpose();
    REQUIRE(changes.add(step, bend * step));
    changes.find_direction(bend * step, direction, halve);
    CHECK((direction + step).norm() <= 1e-12 * step.norm());
  }
  CHECK(!changes.add(direction, -direction));
  changes.clear();
  CHECK(changes.is_empty());
}

TEST_CASE("Newton: where columns are few, a proof of the same minimum in few passes",
          "[optimizers]") {
  // Columns of very different size that nearly depend on each other: conjugate gradients took
  // hundreds of passes.
  Matrix<double> x = synthetic::features(6000, 20, 31);
  for (Index j = 10; j < 20; ++j) x.col(j) = x.col(j - 10) + 1e-2 * x.col(j);
  for (Index j = 0; j < 20; ++j) x.col(j) *= std::pow(10.0, static_cast<double>(j % 4));
  const Vector<double> y = synthetic::signs(x, 32, 2.0);
  const Eigen::MatrixXd columns = x;
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = x.sparseView();
  Extras<double> weighted;
  weighted.sample_weights = Vector<double>::LinSpaced(6000, 0, 2);
  for (const double lambda : {1e-2, 1e-4, 1e-6})
    for (const bool has_offset : {false, true})
      for (const auto& extras : {Extras<double>{}, weighted}) {
        CAPTURE(lambda, has_offset, extras.sample_weights.size());
        const Objective objective{Log{}, L2{lambda}};
        const Newton newton{.offset = has_offset, .tolerance = 1e-8};
        const auto solution = newton.minimize(objective, x, y, extras);
        CHECK(solution.status == Status::converged);
        CHECK(solution.epochs <= 100);
        const auto proof =
            certify(objective, solution, x, y,
                    {.offset = has_offset, .sample_weights = extras.sample_weights, .epochs = 0});
        CHECK(proof.gap() <= 2e-8 * solution.objective);
        const auto agrees = [&](const Solution<double>& other) {
          CHECK(other.status == Status::converged);
          CHECK_THAT(other.objective, WithinRel(solution.objective, 2e-8));
        };
        agrees(newton.minimize(objective, columns, y, extras));
        agrees(newton.minimize(objective, sparse, y, extras));
        Extras<double> started = extras;
        started.start_weights = 0.9 * solution.weights;
        agrees(newton.minimize(objective, x, y, started));
      }
}

TEST_CASE("Newton: samples of few columns that mislead cost passes, not the minimum",
          "[optimizers]") {
  // Every row that the first directions are made from, one in four, has its label turned.
  const Matrix<double> x = synthetic::features(4096, 8, 41);
  Vector<double> y = synthetic::signs(x, 42, 0.3);
  for (Index i = 0; i < 4096; ++i)
    if (static_cast<std::uint32_t>(i) * 2654435769U < 1U << 30U) y[i] = -y[i];
  const Objective objective{Log{}, L2{1e-4}};
  const auto solution = Newton{.tolerance = 1e-9}.minimize(objective, x, y);
  const auto other = Lbfgs{.tolerance = 1e-9}.minimize(objective, x, y);
  CHECK(solution.status == Status::converged);
  CHECK_THAT(solution.objective, WithinRel(other.objective, 2e-9));
  CHECK(solution.epochs <= 60);
}
