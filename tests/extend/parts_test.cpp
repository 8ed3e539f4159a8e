// SPDX-License-Identifier: MIT
/// \file Losses, penalties, step sizes, orders and rows of a user, as in docs/extend.md.
#include <algorithm>  // clamp, max
#include <cmath>
#include <limits>
#include <linea/check/loss.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/rows_from.hpp>
#include <linea/step_sizes/constant.hpp>
#include <vector>

#include "extend/works.hpp"

using linea::test::works;

namespace {

const linea::Objective log_l2{linea::Log{}, linea::L2{0.1}};

struct Problem {
  linea::Matrix<double> x = synthetic::features(60, 4, 1);
  linea::Vector<double> y = synthetic::signs(x, 2);
};

}  // namespace

/// The loss ln(1 + r²) of the residual r = p − y, on which outliers have little influence.
struct Cauchy {
  template <class T>
  T value(T p, T y) const {
    return std::log1p((p - y) * (p - y));
  }
  template <class T>
  T derivative(T p, T y) const {
    return 2 * (p - y) / (1 + (p - y) * (p - y));
  }
};
static_assert(linea::DifferentiableLoss<Cauchy>);

TEST_CASE("Your own loss: is minimised, weighted, on sparse rows, with a cross-validated λ",
          "[extend]") {
  works(linea::Lbfgs{}, linea::Objective{Cauchy{}, linea::L2{0.1}});
  // check::loss finds no violation.
  REQUIRE(linea::check::loss(Cauchy{}, {-2, 0.5}, {.convex = false}).empty());
}

/// The penalty λ/2·‖w‖² for weights from −1 to 1; other weights are infeasible.
struct Bounded {
  double lambda{0};
  template <class W>
  double value(const Eigen::MatrixBase<W>& w) const {
    return (w.array().abs() <= 1).all() ? lambda / 2 * static_cast<double>(w.squaredNorm())
                                        : std::numeric_limits<double>::infinity();
  }
  template <class T>
  T proximal(T v, T step) const {
    return std::clamp(v / (1 + step * T(lambda)), T(-1), T(1));
  }
};
static_assert(linea::Penalty<Bounded>);

TEST_CASE("Your own penalty: is minimised, weighted, on sparse rows, with a cross-validated λ",
          "[extend]") {
  const linea::Objective objective{linea::Log{}, Bounded{0.01}};
  works(linea::Sgd{}, objective);
  const auto [x, y] = Problem{};
  CHECK(linea::Sgd{}.minimize(objective, x, y).weights.cwiseAbs().maxCoeff() <= 1);
}

/// The penalty λ/2·Σ cⱼ·wⱼ².
struct WeightedL2 {
  double lambda{0};
  linea::Vector<double> c{};
  template <class W>
  double value(const Eigen::MatrixBase<W>& w) const {
    double sum = 0;
    for (linea::Index j = 0; j < w.size(); ++j) sum += c[j] * static_cast<double>(w[j] * w[j]);
    return lambda / 2 * sum;
  }
  linea::L2 column(linea::Index j) const { return {lambda * c[j]}; }
};
static_assert(linea::ConjugatePenalty<WeightedL2>);

TEST_CASE("Your own penalty: sees the number of the column", "[extend]") {
  const WeightedL2 penalty{0.01, linea::Vector<double>{{1, 2, 0.5, 9}}};
  works(linea::CoordinateDescent{}, linea::Objective{linea::Log{}, penalty});
  // The penalty has the same effect as L2 with column j divided by √cⱼ.
  const auto [x, y] = Problem{};
  const linea::CoordinateDescent exact{.tolerance = 1e-12};
  const linea::Matrix<double> scaled = x * penalty.c.cwiseSqrt().cwiseInverse().asDiagonal();
  CHECK_THAT(
      exact.minimize(linea::Objective{linea::Log{}, penalty}, x, y).objective,
      WithinRel(
          exact.minimize(linea::Objective{linea::Log{}, linea::L2{0.01}}, scaled, y).objective,
          1e-11));
}

TEST_CASE("Your own step size: a lambda with captures, which cannot be assigned to", "[extend]") {
  const double size = 0.1;
  const auto step = [size](linea::Index t) { return size / std::sqrt(static_cast<double>(t)); };
  const linea::BasicSgd<decltype(step)> sgd{.epochs = 20, .step = step};
  works(sgd, log_l2);

  const auto [x, y] = Problem{};
  auto half = [size](linea::Index) { return 5 * size; };
  static_assert(!std::copyable<decltype(half)>);
  const linea::BasicSgd<decltype(half)> threaded{.epochs = 3, .step = half, .threads = 2};
  CHECK(threaded.minimize(log_l2, x, y).first_step == 0.5);
  linea::Matrix<double> targets(60, 2);
  targets << y, -y;
  CHECK(threaded.minimize(log_l2, x, targets).weights.cols() == 2);
  const linea::BasicGradientDescent<decltype(half)> descent{.epochs = 3, .step = half};
  CHECK(descent.minimize(log_l2, x, y).last_step == 0.5);
}

/// A step size that is found by trial, like AutomaticStep, and then constant.
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
  const auto [x, y] = Problem{};
  const auto solution = linea::BasicSgd<Found>{.epochs = 5}.minimize(log_l2, x, y);
  CHECK(solution.first_step > 0);
  CHECK(solution.first_step == solution.last_step);
  auto learner = linea::BasicSgd<Found>{}.start<double>(log_l2, 4);
  learner.update(x.row(0), y[0]);
  CHECK(learner.step_size() == 1 / (1 + x.row(0).squaredNorm()));
}

/// An order from the last row to the first.
struct Backwards {
  void draw(linea::Epoch& epoch, linea::Index rows, linea::Index, linea::Random&) const {
    epoch.rows = rows;
    for (linea::Index i = rows; i-- > 0;) epoch.chunks.push_back(static_cast<std::uint32_t>(i));
  }
};
static_assert(linea::Order<Backwards>);

TEST_CASE("Your own order: backwards equals forwards through the reversed rows", "[extend]") {
  const linea::BasicSgd<linea::AutomaticStep, Backwards> sgd{.epochs = 20};
  works(sgd, log_l2);

  const auto [x, y] = Problem{};
  const linea::ConstantStep step{0.1};
  const linea::BasicSgd<linea::ConstantStep, Backwards> backwards{.epochs = 2, .step = step};
  const linea::BasicSgd<linea::ConstantStep, linea::Cyclic> forwards{.epochs = 2, .step = step};
  CHECK(backwards.minimize(log_l2, x, y).weights ==
        forwards.minimize(log_l2, x.colwise().reverse().eval(), y.reverse().eval()).weights);
}

TEST_CASE("Your own rows: have the minimum of the matrix that they represent", "[extend]") {
  // Sample i is a list of words; feature j counts word j.
  const std::vector<std::vector<int>> words{{0, 2}, {1}, {0, 1, 2}, {2}, {1, 2}, {0}};
  const auto x = linea::rows_from<double>(6, 3, [&](linea::Index i, auto&& entry) {
    for (const int word : words[static_cast<std::size_t>(i)]) entry(word, 1.0);
  });
  const linea::Vector<double> y{{1, -1, 1, -1, -1, 1}};
  const linea::Objective objective{linea::Log{}, linea::L2{0.01}};
  const auto solution = linea::Newton{}.minimize(objective, x, y);

  linea::Matrix<double> matrix = linea::Matrix<double>::Zero(6, 3);
  for (linea::Index i = 0; i < 6; ++i)
    for (const int word : words[static_cast<std::size_t>(i)]) matrix(i, word) = 1;
  const linea::Vector<double> s{{1, 2, 1, 3, 1, 1}};
  CHECK((solution.weights - linea::Newton{}.minimize(objective, matrix, y).weights).norm() < 1e-9);
  const auto weighted = linea::DualCoordinateAscent{.tolerance = 1e-8}.minimize(objective, x, y, s);
  CHECK_THAT(linea::Newton{}.minimize(objective, matrix, y, s).objective,
             WithinRel(weighted.objective, 1e-6));
  const linea::Sgd sgd{.epochs = 5};
  CHECK(sgd.minimize(objective, x, y).weights ==
        sgd.minimize(objective, synthetic::sparse(matrix), y).weights);
  const auto chosen =
      linea::CrossValidation{.folds = 2}.choose(linea::Newton{}, objective, {0.1, 1}, x, y, s);
  CHECK(chosen.mean.allFinite());
}

TEST_CASE("Your own rows: floats give the bits of the matrix that they represent", "[extend]") {
  const linea::Matrix<float> matrix = synthetic::features(30, 3, 1).cast<float>();
  const auto sparse = synthetic::sparse(matrix);
  const auto x = linea::rows_from<float>(30, 3, [&](linea::Index i, auto&& entry) {
    for (linea::Index j = 0; j < 3; ++j) entry(j, matrix(i, j));
  });
  const linea::Vector<double> y = synthetic::signs(linea::Matrix<double>(matrix.cast<double>()), 2);
  const linea::Objective objective{linea::Log{}, linea::L2{0.01}};
  const linea::Objective hinge{linea::Hinge{}, linea::L2{0.01}};
  const auto same = [&](const auto& optimizer, const auto& of) {
    CHECK(optimizer.minimize(of, x, y).weights == optimizer.minimize(of, sparse, y).weights);
  };
  same(linea::Newton{}, objective);
  same(linea::Lbfgs{}, objective);
  same(linea::DualCoordinateAscent{}, hinge);
  same(linea::Auto{}, objective);
  same(linea::Auto{}, hinge);
  CHECK(linea::LogisticRegression{}.fit(x, y).predict(x) ==
        linea::LogisticRegression{}.fit(sparse, y).predict(sparse));
}

TEST_CASE("Your own rows: a column out of range is refused immediately", "[extend]") {
  CHECK_THROWS_WITH(
      linea::rows_from<double>(2, 3, [](linea::Index i, auto&& entry) { entry(3 * i, 1.0); }),
      "rows_from: row 1 names column 3 of 3");
  CHECK_THROWS_WITH(linea::rows_from<double>(-1, 3, [](linea::Index, auto&&) {}),
                    "rows_from: -1 rows of 3");
}
