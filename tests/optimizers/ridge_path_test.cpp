// SPDX-License-Identifier: MIT
#include <Eigen/SVD>
#include <cmath>
#include <cstddef>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/leave_one_out.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace ridge_path_test {

using namespace linea;
using namespace linea::test;

namespace {

const std::vector<std::pair<Index, Index>> shapes{{30, 5}, {8, 20}, {12, 12}, {13, 12}, {300, 40}};

}  // namespace

TEST_CASE("RidgePath: each solution equals that of Ridge, to 1e-10", "[optimizers]") {
  const std::vector<double> lambdas{1e-3, 10, 1e-5, 0.1, 1e4};
  for (const auto& [n, d] : shapes)
    for (const bool leave_one_out : {true, false}) {
      CAPTURE(n, d, leave_one_out);
      const auto x = synthetic::features(n, d, 1, 0.6);
      const auto y = synthetic::numbers(x, 2);
      const auto weights = synthetic::weights(n, 3);
      const RidgePath fit{.lambdas = lambdas, .leave_one_out = leave_one_out};
      const auto path = fit.fit(synthetic::sparse(x), y, weights);
      CHECK(path.dual == (d > n));
      CHECK((path.leave_one_out.size() > 0) == leave_one_out);
      for (Index k = 0; k < 5; ++k) {
        const double lambda = lambdas[static_cast<std::size_t>(k)];
        const auto one = Ridge{}.minimize(ridge(lambda), x, y, weights);
        const auto solution = path.at(k);
        CHECK((solution.weights - one.weights).norm() < 1e-10 * one.weights.norm());
        CHECK_THAT(solution.offset, WithinAbs(one.offset, 1e-10));
        CHECK(relative(solution.objective, one.objective) < 1e-10);
        CHECK(solution.status == Status::converged);
      }
    }
}

TEST_CASE("RidgePath: degrees of freedom and GCV are those of the hat matrix", "[optimizers]") {
  const auto lambdas = log_spaced(100, 1e-3, 6);
  for (const auto& [n, d] : shapes)
    for (const bool offset : {true, false})
      for (const bool leave_one_out : {true, false}) {
        CAPTURE(n, d, offset, leave_one_out);
        const auto x = synthetic::features(n, d, 16);
        const auto y = synthetic::numbers(x, 17);
        const auto weights = synthetic::weights(n, 18);
        const auto path =
            RidgePath{.lambdas = lambdas, .offset = offset, .leave_one_out = leave_one_out}.fit(
                x, y, weights);
        const Eigen::VectorXd root = (weights / weights.sum()).cwiseSqrt();
        Eigen::MatrixXd columns = root.asDiagonal() * x;
        columns.conservativeResize(n, d + 1);
        columns.col(d) = root;
        const Eigen::MatrixXd used = columns.leftCols(offset ? d + 1 : d);
        for (std::size_t k = 0; k < lambdas.size(); ++k) {
          Eigen::MatrixXd gram = used.transpose() * used;
          gram.topLeftCorner(d, d).diagonal().array() += lambdas[k];
          const Eigen::MatrixXd hat = used * gram.ldlt().solve(used.transpose());
          const Eigen::VectorXd t = root.cwiseProduct(y);
          const double ratio = 1 - hat.trace() / static_cast<double>(n);
          const double expected = (t - hat * t).squaredNorm() / (ratio * ratio);
          const auto index = static_cast<Index>(k);
          CHECK_THAT(path.degrees_of_freedom[index], WithinAbs(hat.trace(), 1e-9));
          CHECK(relative(path.generalised_cross_validation[index], expected) < 1e-9);
        }
      }
  // If the weights interpolate all samples, generalised cross-validation is 0/0 at λ = 0, but has a
  // limit as λ falls to 0.
  const auto x = synthetic::features(10, 30, 19);
  const auto y = synthetic::numbers(x, 20);
  for (const bool leave_one_out : {true, false}) {
    const RidgePath fit{.lambdas = {1e-10, 1e-14, 0}, .leave_one_out = leave_one_out};
    const auto path = fit.fit(x, y);
    CHECK(relative(path.generalised_cross_validation[1], path.generalised_cross_validation[2]) <
          1e-12);
    CHECK(relative(path.generalised_cross_validation[0], path.generalised_cross_validation[2]) <
          1e-8);
    CHECK_THAT(path.degrees_of_freedom[2], WithinAbs(10, 1e-12));
  }
}

TEST_CASE("RidgePath: samples of weight 0 and the scale of weights", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{20, 4}, {10, 25}})
    for (const bool offset : {true, false}) {
      const auto x = synthetic::features(n, d, 21);
      const auto y = synthetic::numbers(x, 22);
      auto weights = synthetic::weights(n, 23);
      weights[0] = weights[n - 1] = 0;
      const RidgePath fit{.lambdas = {1, 1e-2, 1e-6, 0}, .offset = offset};
      const auto kept = fit.fit(x.middleRows(1, n - 2), y.segment(1, n - 2),
                                Vector<double>(weights.segment(1, n - 2)));
      const auto path = fit.fit(x, y, Vector<double>(1e-3 * weights));
      for (Index k = 0; k < 4; ++k) {
        CAPTURE(n, d, offset, k);
        CHECK((path.weights.col(k) - kept.weights.col(k)).norm() < 1e-10);
        CHECK(relative(path.leave_one_out[k], kept.leave_one_out[k]) < 1e-9);
        CHECK(relative(path.generalised_cross_validation[k], kept.generalised_cross_validation[k]) <
              1e-9);
        CHECK_THAT(path.degrees_of_freedom[k], WithinAbs(kept.degrees_of_freedom[k], 1e-9));
      }
    }
}

TEST_CASE("RidgePath: an ill-conditioned problem uses singular values", "[optimizers]") {
  const Matrix<double> x = uneven_columns();
  const Vector<double> truth = Vector<double>::LinSpaced(5, 1, 5);
  const Vector<double> y = x * truth;
  for (const bool leave_one_out : {true, false}) {
    const RidgePath fit{.lambdas = {0}, .offset = false, .leave_one_out = leave_one_out};
    const auto path = fit.fit(x, y);
    CHECK(path.decomposition == Decomposition::singular_values);
    CHECK(path.rank == 5);
    CHECK_THAT(path.reciprocal_condition, WithinRel(1e-14, 1e-6));
    CHECK((path.weights.col(0) - truth).norm() < 1e-7 * truth.norm());
    const auto safe = RidgePath{.lambdas = {1e-5, 1}, .leave_one_out = leave_one_out}.fit(x, y);
    CHECK(safe.decomposition == Decomposition::eigenvalues);
  }
  CHECK(name_of(Decomposition::eigenvalues) == "eigenvalues");
  CHECK(name_of(Decomposition::singular_values) == "singular-values");
}

TEST_CASE("RidgePath: its default grid falls from the largest eigenvalue", "[optimizers]") {
  const auto& [x, y] = shipped::diabetes();
  for (const bool leave_one_out : {true, false}) {
    const auto path = RidgePath{.leave_one_out = leave_one_out}.fit(x, y);
    REQUIRE(path.lambdas.size() == 100);
    const Eigen::MatrixXd covariance = x.transpose() * x / 442;
    const double largest = Eigen::JacobiSVD<Eigen::MatrixXd>(covariance).singularValues()[0];
    CHECK_THAT(path.lambdas[0], WithinRel(largest, 1e-12));
    CHECK_THAT(path.lambdas[99], WithinRel(1e-6 * largest, 1e-12));
    CHECK(path.decomposition == Decomposition::eigenvalues);
    const auto& errors = leave_one_out ? path.leave_one_out : path.generalised_cross_validation;
    CHECK(errors[path.best] == errors.minCoeff());
    CHECK(path.best > 0);
    CHECK(path.best < 99);
  }
}

TEST_CASE("RidgePath: threads change only rounding", "[optimizers]") {
  Matrix<double> x = synthetic::features(400, 12, 1);
  x.col(11).setZero();
  x(5, 11) = 1;  // only sample 5 has feature 11: its leave-one-out error needs a refit
  const auto y = synthetic::numbers(x, 2, 0.5);
  const auto fit = [&](Index count) {
    return RidgePath{.lambdas = {1, 1e-3, 1e-9}, .threads = count}.fit(
        x, y, Vector<double>::LinSpaced(400, 1, 2).eval());
  };
  const auto alone = fit(1);
  for (const Index threads : {2, 3, 64}) {
    CAPTURE(threads);
    const auto found = fit(threads);
    CHECK((found.weights - alone.weights).norm() <= 1e-10 * alone.weights.norm());
    CHECK(found.leave_one_out.allFinite());
    CHECK((found.leave_one_out - alone.leave_one_out).norm() <= 1e-8 * alone.leave_one_out.norm());
    CHECK(found.best == alone.best);
    CHECK(found.leave_one_out == fit(threads).leave_one_out);
  }
}

TEST_CASE("RidgePath: undefined errors are NaN and the status reports overflow", "[optimizers]") {
  const auto x = synthetic::features(9, 4, 31);
  const auto y = synthetic::numbers(x, 32);
  // One sample with an offset leaves no degree of freedom.
  const auto one = RidgePath{.leave_one_out = false}.fit(Matrix<double>(x.topRows(1)), y.head(1));
  CHECK(one.generalised_cross_validation.array().isNaN().all());
  CHECK(one.best == 0);
  CHECK_THAT(one.offsets[0], WithinRel(y[0], 1e-15));
  CHECK(one.at(0).status == Status::converged);
  // With constant columns only, the prediction is the mean of the other targets.
  const auto constant = RidgePath{}.fit(Matrix<double>::Constant(9, 2, 0.1).eval(), y);
  CHECK(constant.weights.isZero(0));
  CHECK_THAT(constant.leave_one_out[0],
             WithinRel((y.array() - y.mean()).square().mean() * std::pow(9.0 / 8, 2), 1e-12));
}

TEST_CASE("RidgePath: refuses invalid input", "[optimizers]") {
  const auto x = synthetic::features(5, 2, 26);
  const auto y = synthetic::numbers(x, 27);
  CHECK_THROWS_WITH((RidgePath{.lambdas = {1, -1}}.fit(x, y)),
                    "RidgePath::fit: lambda 1 is -1, but must be finite and >= 0");
  CHECK_THROWS_WITH((RidgePath{.threads = 2000}.fit(x, y)),
                    "RidgePath::fit: 2000 threads, but there must be 1 to 1024");
  const Vector<double> bad{{1, 2, NAN, 3, 4}}, one{{0, 0, 0, 2, 0}};
  CHECK_THROWS_WITH(RidgePath{}.fit(x, bad), "RidgePath::fit: y(2) is not finite");
  CHECK_THROWS_WITH(RidgePath{}.fit(x, Vector<double>{{1, 2, 1e200, 3, 4}}),
                    "RidgePath::fit: y(2) is 1e+200" + test::above);
  CHECK_THROWS_WITH(RidgePath{}.fit(x, Vector<double>::Constant(5, 1e-200)),
                    "RidgePath::fit: the largest magnitude of y is 1e-200" + test::below);
  CHECK_THROWS_WITH(RidgePath{}.fit(x, y.head(4)), "RidgePath::fit: x has 5 rows but y has 4");
  CHECK_THROWS_WITH(RidgePath{}.fit(x, y, one),
                    "RidgePath::fit: leave-one-out needs two samples, but 1 has a positive weight");
  const auto path = RidgePath{.lambdas = {1}, .leave_one_out = false}.fit(x, y, one);
  CHECK(path.weights.isZero(1e-15));
  CHECK_THAT(path.offsets[0], WithinRel(y[3], 1e-15));
  CHECK_THROWS_WITH(path.at(1), "RidgePathSolution::at: number 1 of 1");
}

TEST_CASE("log_spaced: has both ends and a constant ratio", "[optimizers]") {
  const auto numbers = log_spaced(1e4, 1e-4, 5);
  REQUIRE(numbers.size() == 5);
  CHECK(numbers.front() == 1e4);
  CHECK(numbers.back() == 1e-4);
  for (std::size_t k = 1; k < 5; ++k)
    CHECK_THAT(numbers[k] / numbers[k - 1], WithinRel(0.01, 1e-14));
  CHECK(log_spaced(2, 2, 1) == std::vector<double>{2});
  CHECK_THROWS_WITH(log_spaced(0, 1, 3),
                    "log_spaced: from 0 to 1, but both must be finite and > 0");
  CHECK_THROWS_WITH(log_spaced(1, 2, 1), "log_spaced: 1 numbers from 1 to 2");
}

TEST_CASE("RidgePath: its default lambdas extend as far as the error falls", "[optimizers]") {
  // The columns have scales 1 and 1e-5, and both scales are needed. The best λ is far below 1e-6 of
  // the largest eigenvalue.
  Matrix<double> x = synthetic::features(200, 4, 21);
  const Vector<double> y = synthetic::numbers(x, 22, 0.3);
  x.rightCols(2) *= 1e-5;
  const auto path = RidgePath{}.fit(x, y);
  CHECK(path.lambdas.size() == 100);
  CHECK_FALSE(path.is_at_edge);
  const double best = path.lambdas[static_cast<std::size_t>(path.best)];
  CHECK(best < 1e-8 * path.lambdas[0]);
  // No λ of a longer and finer list predicts noticeably better.
  std::vector<double> fine;
  for (int k = 0; k <= 600; ++k) fine.push_back(path.lambdas[0] * std::pow(10, -k / 40.0));
  const auto other = RidgePath{.lambdas = fine}.fit(x, y);
  CHECK(path.leave_one_out[path.best] < (1 + 1e-4) * other.leave_one_out[other.best]);
  // If a list ends too early, is_at_edge is set.
  const auto given = RidgePath{.lambdas = {1, 1e-2}}.fit(x, y);
  CHECK(given.best == 1);
  CHECK(given.is_at_edge);
  CHECK_FALSE((RidgePath{.lambdas = {1, 1e-2, 0}}.fit(x, y).is_at_edge));
  // With much noise, a grid down to 1e-6 of the largest eigenvalue suffices.
  const auto noisy = RidgePath{}.fit(synthetic::features(60, 20, 5),
                                     synthetic::numbers(synthetic::features(60, 20, 6), 7));
  CHECK(noisy.lambdas.back() > 1e-7 * noisy.lambdas[0]);
}

}  // namespace ridge_path_test
