// SPDX-License-Identifier: MIT
// Memory that runs out within the optimizers that go down to a proven minimum.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>

#include "faults/allocations.hpp"
#include "support/synthetic.hpp"

namespace faults_proven_test {

using namespace linea;
using namespace linea::test;

namespace {

const Matrix<double> x = synthetic::features(20, 3, 1);
const Vector<double> y = synthetic::signs(x, 2);
const Objective logistic{Log{}, L2{0.1}};

}  // namespace

TEST_CASE("Faults: DualCoordinateAscent and certify", "[faults]") {
  const Objective svm{Hinge{}, L2{0.1}};
  survives([&] {
    const auto solution = DualCoordinateAscent{.epochs = 20}.minimize(svm, x, y);
    return Bits().add(bits_of(solution)).add(solution.multipliers).sum();
  });
  const auto solution = DualCoordinateAscent{.epochs = 20}.minimize(svm, x, y);
  survives([&] { return Bits().add(certify(svm, solution, x, y).gap()).sum(); });
}

TEST_CASE("Faults: CoordinateDescent", "[faults]") {
  const Objective lasso{Squared{}, L1{0.05}};
  const Vector<double> numbers = synthetic::numbers(x, 3);
  survives([&] { return bits_of(CoordinateDescent{}.minimize(lasso, x, numbers)); });
}

TEST_CASE("Faults: Newton and Lbfgs, alone and on three threads", "[faults]") {
  for (const Index threads : {1, 3}) {
    survives([=] { return bits_of(Newton{.threads = threads}.minimize(logistic, x, y)); });
    survives([=] { return bits_of(Lbfgs{.threads = threads}.minimize(logistic, x, y)); });
  }
}

TEST_CASE("Faults: SoftmaxNewton", "[faults]") {
  Vector<double> classes(20);
  for (Index i = 0; i < 20; ++i) classes[i] = static_cast<double>(i % 3);
  survives([&] {
    const auto solution = SoftmaxNewton{}.minimize(L2{0.1}, x, classes);
    return Bits().add(solution.weights).add(solution.offset).sum();
  });
}

}  // namespace faults_proven_test
