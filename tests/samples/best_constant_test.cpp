// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/activations/exponential.hpp>
#include <linea/losses.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/samples/best_constant.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

template <class L>
double best(const L& loss, const Vector<double>& y, const Vector<double>& weights = {}) {
  const Matrix<double> x = Matrix<double>::Ones(y.size(), 1);
  return detail::samples::best_constant(loss, detail::samples::admit("test", loss, x, y, weights));
}

}  // namespace

TEST_CASE("best_constant: the mean, a quantile or the log-odds", "[samples]") {
  CHECK_THAT(best(Squared{}, Eigen::Vector3d(1, 2, 9), Eigen::Vector3d(2, 1, 1)),
             WithinAbs(3.25, 1e-12));
  Vector<double> y = Vector<double>::Ones(100);
  CHECK(best(Log{}, y) == 0);  // with one class the minimum is at infinity
  y.head(5).setConstant(-1);
  CHECK_THAT(best(Log{}, y), WithinRel(std::log(95.0 / 5), 1e-9));
  CHECK_THAT(best(Hinge{}, y), WithinRel(1.0, 1e-9));
  CHECK_THAT(best(Squared{}, Vector<double>::Constant(100, 5)), WithinRel(5.0, 1e-9));
  CHECK_THAT(best(Quantile{0.9}, Vector<double>::LinSpaced(100, 1, 100)), WithinAbs(90.5, 0.51));
}

TEST_CASE("best_constant: beside known scores", "[samples]") {
  const Matrix<double> x = Matrix<double>::Ones(4, 1);
  const auto at = [&](const auto& loss, const Vector<double>& y, const Vector<double>& known) {
    const auto set = detail::samples::admit("test", loss, x, y, Vector<double>{});
    return detail::samples::best_constant(loss, set, 4096, known);
  };
  // The mean of y − known.
  CHECK_THAT(at(Squared{}, Vector<double>{{1, 2, 3, 4}}, Vector<double>{{50, 0, -9, 1}}),
             WithinRel(-8.0, 1e-12));
  // The mean count is the mean of exp(b)·exposure: exp(b) = 5/6 for the exposures 1, 1, 2, 2.
  const Vector<double> logs{{0, 0, std::log(2.0), std::log(2.0)}};
  CHECK_THAT(at(Composed{Poisson{}, Exponential{}}, Vector<double>{{0, 1, 2, 2}}, logs),
             WithinRel(std::log(5.0 / 6), 1e-12));
}

TEST_CASE("best_constant: is accurate to the last digits, for large and small targets",
          "[samples]") {
  for (const double unit : {1.0, 1e-13, 1e-27, 1e-149}) {
    INFO(unit);
    const Vector<double> y = unit * Vector<double>::LinSpaced(5, 1, 5);
    CHECK_THAT(best(Squared{}, y) / unit, WithinRel(3.0, 1e-9));
    CHECK_THAT(best(Absolute{}, y) / unit, WithinRel(3.0, 1e-9));
  }
  for (const double far : {1e150, -1e150})
    CHECK_THAT(best(Squared{}, Eigen::Vector3d(1, 2, far)) / far, WithinAbs(1.0 / 3, 1e-12));
}

TEST_CASE("best_constant: of many samples, with weights", "[samples]") {
  // There are 20 distinct targets. The function merges equal targets only for the first 8 of them,
  // and lists the others many times.
  Vector<double> y(1000), weights(1000);
  for (Index i = 0; i < 1000; ++i) {
    y[i] = static_cast<double>(i % 20);
    weights[i] = static_cast<double>(1 + i % 7);
  }
  CHECK_THAT(best(Squared{}, y), WithinRel(9.5, 1e-12));
  CHECK_THAT(best(Squared{}, y, weights), WithinRel(weights.dot(y) / weights.sum(), 1e-12));
  // 6,000 of 12,000 samples have a positive weight. The function uses every second of them, and of
  // these every third has the target -1.
  Vector<double> signs(12000), some(12000);
  for (Index i = 0; i < 12000; ++i) {
    some[i] = static_cast<double>(i % 2);
    signs[i] = i % 2 == 0 || i / 2 % 2 == 1 || i / 2 % 6 == 0 ? -1 : 1;
  }
  CHECK_THAT(best(Log{}, signs, some), WithinRel(std::log(2.0), 1e-12));
}

TEST_CASE("constant_point: F at the best constant, or at 0 if the offset is fixed", "[samples]") {
  const Matrix<double> x = Matrix<double>::Ones(3, 2);
  const auto set = detail::samples::admit("test", Squared{}, x, Eigen::Vector3d(1, 2, 9));
  const auto point = detail::samples::constant_point(Squared{}, set, true);
  CHECK(point.weights == Vector<double>::Zero(2));
  CHECK_THAT(point.offset, WithinRel(4.0, 1e-9));
  CHECK_THAT(point.objective, WithinRel(38.0 / 6, 1e-9));  // F is ½(9 + 4 + 25)/3
  CHECK(detail::samples::constant_point(Squared{}, set, false).offset == 0);
}
