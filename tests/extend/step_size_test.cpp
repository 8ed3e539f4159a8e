// SPDX-License-Identifier: MIT
/// \file A step size of one's own, as docs/extend.md has it.
#include <cmath>  // sqrt
#include <linea/losses/log.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

#include "extend/works.hpp"

TEST_CASE("Your own step size: a lambda that captures, weighted, on sparse rows, in folds",
          "[extend]") {
  const double size = 0.1;
  const auto step = [size](linea::Index t) { return size / std::sqrt(static_cast<double>(t)); };
  const linea::BasicSgd<decltype(step)> sgd{.epochs = 20, .step = step};
  linea::test::works(sgd, linea::Objective{linea::Log{}, linea::L2{0.1}});
}

TEST_CASE("Your own step size: threads and many targets take one that cannot be assigned to",
          "[extend]") {
  const linea::Matrix<double> x = synthetic::features(60, 4, 1);
  const linea::Vector<double> y = synthetic::signs(x, 2);
  const linea::Objective objective{linea::Log{}, linea::L2{0.1}};
  const double size = 0.5;
  auto step = [size](linea::Index) { return size; };
  static_assert(!std::copyable<decltype(step)>);
  const linea::BasicSgd<decltype(step)> sgd{.epochs = 3, .step = step, .threads = 2};
  CHECK(sgd.minimize(objective, x, y).first_step == 0.5);
  linea::Matrix<double> targets(60, 2);
  targets << y, -y;
  CHECK(sgd.minimize(objective, x, targets).weights.cols() == 2);
  const linea::BasicGradientDescent<decltype(step)> descent{.epochs = 3, .step = step};
  CHECK(descent.minimize(objective, x, y).last_step == 0.5);
}

/// Found by trial, as AutomaticStep is, but then constant.
struct Found {
  double first{0};
  double largest{0};
  double operator()(linea::Index) const { return first > 0 ? first : 1 / (1 + largest); }
  bool is_fitted() const { return first > 0; }
  void observe(double square, linea::Index) { largest = std::max(largest, square); }
  void scale_to(double, double) {}
  void start_at(double step) { first = step; }
};
static_assert(linea::FittedStep<Found>);

TEST_CASE("Your own step size: its first step is found by trial if it is a FittedStep",
          "[extend]") {
  const linea::Matrix<double> x = synthetic::features(60, 4, 1);
  const linea::Vector<double> y = synthetic::signs(x, 2);
  const linea::Objective objective{linea::Log{}, linea::L2{0.1}};
  const auto solution = linea::BasicSgd<Found>{.epochs = 5}.minimize(objective, x, y);
  CHECK(solution.first_step > 0);
  CHECK(solution.first_step == solution.last_step);
  auto learner = linea::BasicSgd<Found>{}.start<double>(objective, 4);
  learner.update(x.row(0), y[0]);
  CHECK(learner.step_size() == 1 / (1 + x.row(0).squaredNorm()));
}
