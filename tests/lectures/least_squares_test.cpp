// SPDX-License-Identifier: MIT
/// \file Tests the chapter least-squares-and-ridge of the lectures, equations (3)–(15), and section
/// 1 of parametric-models: targets that are vectors.
#include <Eigen/LU>
#include <Eigen/QR>
#include <linea/core/extras.hpp>
#include <linea/features/polynomial.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_time.hpp>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE(
    "Lectures: SGD for least squares and for ridge, with its shrink (1 − λη), agrees with the "
    "closed form",
    "[lectures]") {
  // One step by hand is θ ← (1 − λη)θ + η(y − θ·x)x, here from a start that is not zero.
  Extras<double> start;
  start.start_weights = Vector<double>{{2, -1}};
  const Matrix<double> one{{3, 4}};
  const auto step =
      BasicSgd<ConstantStep>{.epochs = 1, .offset = false, .step = {0.1}, .iterate = Iterate::last}
          .minimize(Objective{Squared{}, L2{0.5}}, one, Vector<double>{{7}}, start);
  const Vector<double> by_hand =
      (1 - 0.5 * 0.1) * start.start_weights + 0.1 * (7 - 2.0) * one.row(0).transpose();
  REQUIRE((step.weights - by_hand).norm() < 1e-15);

  const auto x = synthetic::features(300, 5, 1);
  const auto y = synthetic::numbers(x, 2);
  for (const bool offset : {false, true})
    for (const double lambda : {0.0, 0.1}) {
      // Solve A w = b with A = λI + XᵀX/n and b = Xᵀy/n. With an offset the data are centred.
      Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(5);
      if (offset) mean = x.colwise().mean();
      const Eigen::MatrixXd z = x.rowwise() - mean;
      const Eigen::MatrixXd a = z.transpose() * z / 300 + lambda * Eigen::MatrixXd::Identity(5, 5);
      const Eigen::VectorXd w = a.inverse() * (z.transpose() * y / 300);
      const double b = offset ? y.mean() - mean.dot(w) : 0;

      const Objective objective{Squared{}, L2{lambda}};
      const auto exact = Ridge{.offset = offset}.minimize(objective, x, y);
      REQUIRE((exact.weights - w).norm() < 1e-12);
      REQUIRE_THAT(exact.offset, WithinAbs(b, 1e-12));
      // With the step size 1/(k + 1) on random draws, the error of w falls as 1/√k and that of F as
      // 1/k, where k is the number of steps.
      const BasicSgd<InverseTime, WithReplacement> drawn{
          .epochs = 1000, .tolerance = 0, .offset = offset, .step = {1, 1}, .retries = 0};
      const auto sgd = drawn.minimize(objective, x, y);
      REQUIRE((sgd.current.weights - w).norm() < 0.01);
      REQUIRE_THAT(sgd.objective, WithinRel(exact.objective, 1e-4));
    }
}

TEST_CASE(
    "Lectures: where A is singular the closed form says so at λ = 0 and gives the solution of "
    "smallest norm, 0 in directions without data",
    "[lectures]") {
  const auto check = [](const Matrix<double>& x, Index rank) {
    const auto y = synthetic::numbers(x, 7);
    const Ridge ridge{.offset = false};
    const auto solution = ridge.minimize(Objective{Squared{}, L2{0}}, x, y);
    REQUIRE(solution.rank == rank);
    REQUIRE(solution.status == Status::converged);
    const Eigen::VectorXd smallest =
        Eigen::MatrixXd(x).completeOrthogonalDecomposition().pseudoInverse() * y;
    REQUIRE((solution.weights - smallest).norm() < 1e-9);
    // With λ > 0, A is always invertible.
    REQUIRE(ridge.minimize(Objective{Squared{}, L2{0.1}}, x, y).rank ==
            std::min(x.cols(), x.rows()));
  };
  check(synthetic::features(5, 9, 1), 5);  // n < d
  Matrix<double> dependent = synthetic::features(30, 4, 2);
  dependent.col(3) = dependent.col(0) - 2 * dependent.col(1);
  check(dependent, 3);
  Matrix<double> empty = synthetic::features(30, 4, 3);
  empty.col(2).setZero();
  check(empty, 3);
  const auto y = synthetic::numbers(empty, 7);
  for (const double lambda : {0.0, 0.1}) {
    REQUIRE(Ridge{}.minimize(Objective{Squared{}, L2{lambda}}, empty, y).weights[2] == 0);
    REQUIRE(BasicSgd<InverseTime>{.step = {0.1}}
                .minimize(Objective{Squared{}, L2{lambda}}, empty, y)
                .weights[2] == 0);  // the weight starts at zero and stays there
  }
}

TEST_CASE(
    "Lectures: the training error never falls as λ grows, and the test error against λ is "
    "U-shaped",
    "[lectures]") {
  // There are 30 noisy training samples of a linear function of 20 features, and 1000 test samples.
  const auto all = synthetic::features(1030, 20, 5);
  const auto targets = synthetic::numbers(all, 6, 4);
  std::vector<double> train;
  std::vector<double> test;
  for (int k = -12; k <= 8; ++k) {
    const auto solution = Ridge{}.minimize(Objective{Squared{}, L2{std::pow(10, 0.5 * k)}},
                                           all.topRows(30), targets.head(30));
    const auto error = [&](Index first, Index count) {
      const Vector<double> p =
          (all.middleRows(first, count) * solution.weights).array() + solution.offset;
      return mean_squared_error(p, targets.segment(first, count));
    };
    train.push_back(error(0, 30));
    test.push_back(error(30, 1000));
  }
  for (std::size_t k = 1; k < train.size(); ++k) REQUIRE(train[k] >= train[k - 1] * (1 - 1e-12));
  const auto lowest = std::min_element(test.begin(), test.end());
  REQUIRE(*lowest < 0.8 * test.front());
  REQUIRE(*lowest < 0.8 * test.back());
  REQUIRE(std::is_sorted(test.begin(), lowest, std::greater<>{}));
  REQUIRE(std::is_sorted(lowest, test.end()));
}

TEST_CASE(
    "Lectures: targets that are vectors, by least squares, ridge and SGD: the outputs fitted "
    "one by one",
    "[lectures]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{60, 4}, {5, 40}}) {
    const auto x = synthetic::features(n, d, 1);
    Matrix<double> y(n, 3);
    for (Index k = 0; k < 3; ++k)
      y.col(k) = synthetic::numbers(x, 10 + static_cast<std::uint64_t>(k));
    const auto check = [&](const auto& optimizer, const auto& objective, double tolerance) {
      const auto all = optimizer.minimize(objective, x, y);
      double sum = 0;
      for (Index k = 0; k < 3; ++k) {
        const auto one = optimizer.minimize(objective, x, y.col(k));
        REQUIRE((all.weights.col(k) - one.weights).norm() <= tolerance);
        REQUIRE(std::abs(all.offset[k] - one.offset) <= tolerance);
        sum += one.objective;
      }
      REQUIRE_THAT(all.objective, WithinRel(sum, 1e-12) || WithinAbs(0, 1e-12));
    };
    check(Ridge{}, Objective{Squared{}, NoPenalty{}}, 1e-12);
    check(Ridge{}, Objective{Squared{}, L2{0.1}}, 1e-12);
    check(Sgd{}, Objective{Squared{}, L2{0.1}}, 0);
    check(GradientDescent{}, Objective{Squared{}, NoPenalty{}}, 0);
  }
}
