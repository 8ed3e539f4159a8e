// SPDX-License-Identifier: MIT
// Runs Sgd, Pegasos, Newton, Lbfgs, RidgePath, CrossValidation and SoftmaxRegression with three
// threads. The thread sanitizer ends the program if there is a race.
#include <atomic>
#include <cmath>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <thread>

#include "support/catch.hpp"

using namespace linea;

namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr Index threads = 3;
const Objective logistic{Log{}, L2{1e-2}};
const Objective squared{Squared{}, L2{1e-2}};

/// Returns x (600 × 12), with rows of three classes in turn and every third entry 0.
Matrix<double> three_classes() {
  return Matrix<double>::NullaryExpr(600, 12, [](Index i, Index j) {
    return (i + j) % 3 == 0 ? 0.0
                            : std::sin(static_cast<double>(7 * i + 13 * j)) + (i % 3 == j % 3);
  });
}

Vector<double> signs() {
  return Vector<double>::NullaryExpr(600, [](Index i) { return i % 3 == 0 ? 1.0 : -1.0; });
}

Vector<double> classes() {
  return Vector<double>::NullaryExpr(600, [](Index i) { return static_cast<double>(i % 3); });
}

template <class Optimizer, class Loss>
void same_bits_twice(Optimizer optimizer, const Objective<Loss, L2>& objective) {
  const auto x = three_classes();
  const Vector<double> y = signs();
  const Sparse sparse = x.sparseView();
  optimizer.threads = threads;
  const auto objectives = [&] {
    return Eigen::Vector2d(optimizer.minimize(objective, x, y).objective,
                           optimizer.minimize(objective, sparse, y).objective);
  };
  const Eigen::Vector2d first = objectives();
  CHECK(first == objectives());
  CHECK(first.maxCoeff() < std::log(2));  // ln 2 is F at w = 0
}

}  // namespace

TEST_CASE("Races: none in fits with threads") {
  same_bits_twice(Sgd{.epochs = 30}, logistic);
  same_bits_twice(Pegasos{.epochs = 30}, logistic);
  same_bits_twice(Newton{}, logistic);
  same_bits_twice(Lbfgs{}, logistic);
}

TEST_CASE("Races: none in a path, folds and classes with threads") {
  const auto x = three_classes();
  const auto y = classes();
  const std::vector<double> lambdas{1e-1, 1e-2, 1e-3};
  const auto path = [&](Index count) {
    return RidgePath{.lambdas = lambdas, .threads = count}.fit(x, y);
  };
  CHECK(path(threads).weights.isApprox(path(1).weights, 1e-12));
  const auto scores = [&](Index count) {
    return CrossValidation{.folds = 3, .threads = count}
        .choose(Newton{}, squared, lambdas, x, y)
        .fold_scores;
  };
  CHECK(scores(threads) == scores(1));
  const auto softmax = [&](Index count) {
    return SoftmaxRegression{.lambda = 1e-2, .threads = count}.fit(x, y);
  };
  CHECK(softmax(threads).probabilities(x, threads) == softmax(1).probabilities(x));
}

TEST_CASE("Races: none if another thread stops one of several runs") {
  const auto x = three_classes();
  const Vector<double> y = signs();
  std::atomic<int> epochs{0};
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (epochs < 3) std::this_thread::yield();
    stop = true;
  });
  const auto observer = [&](const Progress&) {
    ++epochs;
    return stop ? Control::stop : Control::proceed;
  };
  const Sgd sgd{.epochs = 1000000000, .tolerance = 0, .threads = threads};
  CHECK(sgd.minimize(logistic, x, y, {.observer = observer}).status == Status::stopped);
  other.join();
}
