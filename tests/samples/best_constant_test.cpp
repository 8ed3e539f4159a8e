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
