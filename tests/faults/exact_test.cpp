// SPDX-License-Identifier: MIT
// Memory that runs out within the optimizers that solve equations and quadratic programs.
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/penalties/l2.hpp>

#include "faults/allocations.hpp"
#include "support/synthetic.hpp"

namespace faults_exact_test {

using namespace linea;
using namespace linea::test;

namespace {

const Matrix<double> x = synthetic::features(12, 3, 1);
const Vector<double> y = synthetic::signs(x, 2);
const Vector<double> numbers = synthetic::numbers(x, 3);
const Objective svm{Hinge{}, L2{0.1}};

}  // namespace

TEST_CASE("Faults: Ridge, of full rank, of dependent columns and of few samples", "[faults]") {
  const Objective ridge{Squared{}, L2{0.1}};
  survives([&] { return bits_of(Ridge{}.minimize(ridge, x, numbers)); });
  const Objective plain{Squared{}, L2{0}};
  Matrix<double> dependent(12, 4);
  dependent << x, x.col(0) + x.col(1);
  survives([&] { return bits_of(Ridge{}.minimize(plain, dependent, numbers)); });
  const Matrix<double> few = synthetic::features(3, 8, 4);
  const Vector<double> three = numbers.head(3);
  survives([&] { return bits_of(Ridge{}.minimize(plain, few, three)); });
}

TEST_CASE("Faults: RidgePath with leave-one-out", "[faults]") {
  survives([] {
    const auto path = RidgePath{.lambdas = {0.1, 1}}.fit(x, numbers);
    return Bits().add(path.weights).add(path.offsets).add(path.leave_one_out).sum();
  });
}

TEST_CASE("Faults: InteriorPoint, SvmQuadraticProgram and MaximumMargin", "[faults]") {
  survives([] { return bits_of(InteriorPoint{}.minimize(svm, x, y)); });
  survives([] { return bits_of(SvmQuadraticProgram{}.minimize(svm, x, y)); });
  Vector<double> separable = x.col(0).cwiseSign();
  survives([&] { return bits_of(MaximumMargin{}.fit(x, separable)); });
}

}  // namespace faults_exact_test
