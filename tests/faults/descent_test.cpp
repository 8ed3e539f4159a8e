// SPDX-License-Identifier: MIT
// Memory that runs out within the optimizers that visit one sample after the other.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>

#include "faults/allocations.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

const Matrix<double> x = synthetic::features(30, 4, 1);
const SparseMatrix<double> sparse = synthetic::sparse(synthetic::features(30, 4, 1, 0.5));
const Vector<double> y = synthetic::signs(x, 2);
const Objective svm{Hinge{}, L2{0.1}};

}  // namespace

TEST_CASE("Faults: Sgd, alone and on three threads", "[faults]") {
  for (const Index threads : {1, 3})
    survives([=] {
      const Sgd sgd{.epochs = 12, .threads = threads};
      return bits_of(sgd.minimize(svm, x, y));
    });
}

TEST_CASE("Faults: Sgd on sparse rows, weighted, with an L1 penalty and an average", "[faults]") {
  const Objective objective{Log{}, ElasticNet{.l1 = 0.01, .l2 = 0.01}};
  const Extras<double> extras{.sample_weights = Vector<double>::LinSpaced(30, 0.5, 2)};
  survives([&] {
    const Sgd sgd{.epochs = 12, .iterate = Iterate::average};
    return bits_of(sgd.minimize(objective, sparse, y, extras));
  });
}

TEST_CASE("Faults: Sgd of many targets", "[faults]") {
  Matrix<double> both(30, 2);
  both << y, -y;
  survives([&] {
    const auto solution = Sgd{.epochs = 3, .threads = 2}.minimize(svm, x, both);
    return Bits().add(solution.weights).add(solution.offset).sum();
  });
}

TEST_CASE("Faults: Pegasos, Perceptron and GradientDescent", "[faults]") {
  survives([] { return bits_of(Pegasos{.epochs = 5}.minimize(svm, x, y)); });
  survives([] { return bits_of(Perceptron{.epochs = 5, .average = true}.fit(sparse, y)); });
  const Objective smooth{Log{}, L2{0.1}};
  survives([&] { return bits_of(GradientDescent{.epochs = 12}.minimize(smooth, x, y)); });
}

TEST_CASE("Faults: a learner that cannot learn for want of memory is what it was", "[faults]") {
  survives([] {
    auto learner = Sgd{}.start<double>(svm, 4);
    for (Index i = 0; i < 6; ++i) learner.update(x.row(i), y[i]);
    return bits_of(learner.solution());
  });
}
