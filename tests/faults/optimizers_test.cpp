// SPDX-License-Identifier: MIT
// Tests optimizers while memory runs out.
#include <linea/losses.hpp>
#include <linea/optimizers.hpp>
#include <linea/penalties.hpp>

#include "faults/allocations.hpp"
#include "support/synthetic.hpp"

namespace faults_optimizers_test {

using namespace linea;
using namespace linea::test;

namespace {

const Matrix<double> x = synthetic::features(20, 3, 1);
const SparseMatrix<double> sparse = synthetic::sparse(synthetic::features(20, 3, 1, 0.5));
const Vector<double> y = synthetic::signs(x, 2);
const Vector<double> numbers = synthetic::numbers(x, 3);
const Objective svm{Hinge{}, L2{0.1}};
const Objective logistic{Log{}, L2{0.1}};

/// Checks that fit() returns the same weights and offset, or throws for lack of memory.
template <class Fit>
void fit_survives(const Fit& fit) {
  survives([&] { return bits_of(fit()); });
}

}  // namespace

TEST_CASE("Faults: Sgd, alone and on three threads") {
  for (const Index threads : {1, 3})
    fit_survives([&] { return Sgd{.epochs = 12, .threads = threads}.minimize(svm, x, y); });
}

TEST_CASE("Faults: Sgd on sparse rows, weighted, with an L1 penalty and an average") {
  const Objective objective{Log{}, ElasticNet{.l1 = 0.01, .l2 = 0.01}};
  const Extras<double> extras{.sample_weights = Vector<double>::LinSpaced(20, 0.5, 2)};
  const Sgd sgd{.epochs = 12, .iterate = Iterate::average};
  fit_survives([&] { return sgd.minimize(objective, sparse, y, extras); });
}

TEST_CASE("Faults: Sgd of many targets") {
  Matrix<double> both(20, 2);
  both << y, -y;
  survives([&] {
    const auto solution = Sgd{.epochs = 3, .threads = 2}.minimize(svm, x, both);
    return Bits().add(solution.weights).add(solution.offset).sum();
  });
}

TEST_CASE("Faults: Pegasos, Perceptron, GradientDescent and a learner") {
  fit_survives([] { return Pegasos{.epochs = 5}.minimize(svm, x, y); });
  fit_survives([] { return Perceptron{.epochs = 5, .average = true}.fit(sparse, y); });
  fit_survives([] { return GradientDescent{.epochs = 12}.minimize(logistic, x, y); });
  fit_survives([] {  // an online learner
    auto learner = Sgd{}.start<double>(svm, 3);
    for (Index i = 0; i < 6; ++i) learner.update(x.row(i), y[i]);
    return learner.solution();
  });
}

TEST_CASE("Faults: Ridge, of full rank, of dependent columns and of few samples") {
  fit_survives([] { return Ridge{}.minimize(Objective{Squared{}, L2{0.1}}, x, numbers); });
  const Objective plain{Squared{}, L2{0}};
  Matrix<double> dependent(20, 4);
  dependent << x, x.col(0) + x.col(1);
  fit_survives([&] { return Ridge{}.minimize(plain, dependent, numbers); });
  const Matrix<double> few = synthetic::features(3, 8, 4);
  const Vector<double> three = numbers.head(3);
  fit_survives([&] { return Ridge{}.minimize(plain, few, three); });
}

TEST_CASE("Faults: RidgePath with leave-one-out") {
  survives([] {
    const auto path = RidgePath{.lambdas = {0.1, 1}}.fit(x, numbers);
    return Bits().add(path.weights).add(path.offsets).add(path.leave_one_out).sum();
  });
}

TEST_CASE("Faults: InteriorPoint, SvmQuadraticProgram and MaximumMargin") {
  fit_survives([] { return InteriorPoint{}.minimize(svm, x, y); });
  fit_survives([] { return SvmQuadraticProgram{}.minimize(svm, x, y); });
  const Vector<double> separable = x.col(0).cwiseSign();
  fit_survives([&] { return MaximumMargin{}.fit(x, separable); });
}

TEST_CASE("Faults: DualCoordinateAscent and certify") {
  const DualCoordinateAscent ascent{.epochs = 20};
  survives([&] {
    const auto solution = ascent.minimize(svm, x, y);
    return Bits().add(bits_of(solution)).add(solution.multipliers).sum();
  });
  const auto solution = ascent.minimize(svm, x, y);
  survives([&] { return Bits().add(certify(svm, solution, x, y).gap()).sum(); });
}

TEST_CASE("Faults: CoordinateDescent, and Newton and Lbfgs, alone and on three threads") {
  const Objective lasso{Squared{}, L1{0.05}};
  fit_survives([&] { return CoordinateDescent{}.minimize(lasso, x, numbers); });
  for (const Index threads : {1, 3}) {
    fit_survives([=] { return Newton{.threads = threads}.minimize(logistic, x, y); });
    fit_survives([=] { return Lbfgs{.threads = threads}.minimize(logistic, x, y); });
  }
}

TEST_CASE("Faults: SoftmaxNewton") {
  const auto classes = synthetic::in_turn(20, 3);
  survives([&] {
    const auto solution = SoftmaxNewton{}.minimize(L2{0.1}, x, classes);
    return Bits().add(solution.weights).add(solution.offset).sum();
  });
}

}  // namespace faults_optimizers_test
