// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/samples/best_constant.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Sgd: starts at the weighted mean of the targets", "[samples]") {
  const auto x = synthetic::features(3, 2, 1);
  const Eigen::Vector3d y(1, 2, 9);
  const auto s = Sgd{.epochs = 0}.minimize(Objective{Squared{}, L2{0.1}}, x, y,
                                           {.sample_weights = Eigen::Vector3d(2, 1, 1)});
  REQUIRE_THAT(s.offset, WithinAbs(3.25, 1e-12));
}

TEST_CASE("Sgd: starts at a finite constant, however large the targets are", "[samples]") {
  const auto x = synthetic::features(3, 2, 1);
  const double most = std::numeric_limits<double>::max();
  for (const double far : {most, -most}) {
    const auto s =
        Sgd{.epochs = 0}.minimize(Objective{Squared{}, L2{0.1}}, x, Eigen::Vector3d(1, 2, far));
    REQUIRE(std::isfinite(s.offset));
    REQUIRE_THAT(s.offset / far, WithinAbs(1.0 / 3, 1e-12));
  }
}

TEST_CASE("Sgd: starts at the best constant of any loss", "[samples]") {
  const Matrix<double> x = Matrix<double>::Ones(100, 1);
  Vector<double> y = Vector<double>::Ones(100);
  y.head(5).setConstant(-1);
  const auto start = [&](const auto& loss, const Vector<double>& targets) {
    return Sgd{.epochs = 0}.minimize(Objective{loss, L2{0.1}}, x, targets).offset;
  };
  CHECK_THAT(start(Log{}, y), WithinRel(std::log(95.0 / 5), 1e-9));
  CHECK_THAT(start(Hinge{}, y), WithinRel(1.0, 1e-9));
  CHECK_THAT(start(Squared{}, Vector<double>::Constant(100, 5)), WithinRel(5.0, 1e-9));
  CHECK_THAT(start(Quantile{0.9}, Vector<double>::LinSpaced(100, 1, 100)), WithinAbs(90.5, 0.51));
  CHECK(start(Log{}, Vector<double>::Ones(100)) == 0);  // one class: there is none
}

TEST_CASE("The best constant is found to the last digits, however small the targets are",
          "[samples]") {
  const Matrix<double> x = Matrix<double>::Ones(5, 1);
  const auto start = [&](const auto& loss, double unit) {
    const Vector<double> y = unit * Vector<double>::LinSpaced(5, 1, 5);
    return Sgd{.epochs = 0}.minimize(Objective{loss, L2{0.1}}, x, y).offset / unit;
  };
  for (const double unit : {1.0, 1e-13, 1e-27, 1e-200}) {
    INFO(unit);
    CHECK_THAT(start(Squared{}, unit), WithinRel(3.0, 1e-9));
    CHECK_THAT(start(Absolute{}, unit), WithinRel(3.0, 1e-9));
  }
}

TEST_CASE("The best constant regards a target as often as samples have it", "[samples]") {
  // More targets than are told apart from one another, some of them before and some after those.
  const Matrix<double> x = Matrix<double>::Ones(1000, 1);
  Vector<double> y(1000), weights(1000);
  for (Index i = 0; i < 1000; ++i) {
    y[i] = static_cast<double>(i % 20);
    weights[i] = static_cast<double>(1 + i % 7);
  }
  const Objective o{Squared{}, L2{0.1}};
  CHECK_THAT(Sgd{.epochs = 0}.minimize(o, x, y).offset, WithinRel(9.5, 1e-12));
  CHECK_THAT(Sgd{.epochs = 0}.minimize(o, x, y, {.sample_weights = weights}).offset,
             WithinRel(weights.dot(y) / weights.sum(), 1e-12));
}

TEST_CASE("The best constant asks evenly spaced samples of those whose weight is not 0",
          "[samples]") {
  // Of 12,000 samples 6,000 count. Every second of those is asked, and of these every third is -1.
  const Index n = 12000;
  const Matrix<double> x = Matrix<double>::Ones(n, 1);
  Vector<double> y(n), weights(n);
  for (Index i = 0; i < n; ++i) {
    weights[i] = static_cast<double>(i % 2);
    const Index k = i / 2;
    y[i] = i % 2 == 0 || k % 2 == 1 || k % 6 == 0 ? -1 : 1;
  }
  const auto s =
      Sgd{.epochs = 0}.minimize(Objective{Log{}, L2{0.1}}, x, y, {.sample_weights = weights});
  CHECK_THAT(s.offset, WithinRel(std::log(2.0), 1e-12));
}
