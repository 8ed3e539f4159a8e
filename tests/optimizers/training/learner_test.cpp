// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/training/learner.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>

#include "support/catch.hpp"
#include "support/in_double.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Learner: a sample of weight k is a step k times as long", "[optimizers]") {
  const Objective o{Squared{}, NoPenalty{}};
  auto a = BasicSgd<ConstantStep>{.step = {0.1}}.start<double>(o, 1);
  a.update(Vector<double>(Vector<double>::Ones(1)), 1.0, 3.0);
  REQUIRE_THAT(a.solution().weights[0], WithinRel(0.3, 1e-15));
}

TEST_CASE("Learner: says that its answer is an average", "[optimizers]") {
  auto l = Sgd{.iterate = Iterate::average}.start<double>(Objective{Log{}, L2{0.1}}, 1);
  l.update(Vector<double>(Vector<double>::Ones(1)), 1);
  REQUIRE(l.solution().iterate == Iterate::average);
}

TEST_CASE("Learner: k calls of one epoch equal minimize with k epochs, bit for bit",
          "[optimizers]") {
  const auto x = synthetic::features(120, 6, 3);
  const auto y = synthetic::signs(x, 4);
  const auto compare = [&](const auto& optimizer, const auto& objective) {
    const auto all = optimizer.minimize(objective, x, y);
    auto learner = optimizer.template start<double>(objective, 6);
    for (int epoch = 0; epoch < 5; ++epoch) learner.epoch(x, y);
    const auto solution = learner.solution();
    REQUIRE(solution.weights == all.weights);
    REQUIRE(solution.offset == all.offset);
    REQUIRE(solution.updates == all.updates);
    REQUIRE(solution.epochs == 5);
  };
  for (const Iterate iterate : {Iterate::last, Iterate::average})
    for (const Index batch : {1, 8}) {
      compare(Sgd{.epochs = 5, .batch = batch, .iterate = iterate, .average_from = 1, .retries = 0},
              Objective{Log{}, L2{0.01}});
      compare(Sgd{.epochs = 5, .batch = batch, .iterate = iterate, .average_from = 1, .retries = 0},
              Objective{Hinge{}, ElasticNet{0.02, 0.01}});
      compare(Pegasos{.epochs = 5, .batch = batch, .iterate = iterate, .average_from = 1},
              Objective{Hinge{}, L2{0.01}});
    }
}

TEST_CASE("Learner: samples fed one by one equal an epoch in order", "[optimizers]") {
  const auto x = synthetic::features(90, 5, 5, 0.4);
  const SparseMatrix<double> sparse = x.sparseView();
  const Eigen::MatrixXd columns = x;
  const auto y = synthetic::signs(x, 6);
  const Objective objective{SquaredHinge{}, L2{0.02}};
  const BasicSgd<InverseScaling, Cyclic> sgd{.step = {0.1, 0.5}, .iterate = Iterate::last};
  auto whole = sgd.start<double>(objective, 5);
  whole.epoch(x, y);
  auto by_row = sgd.start<double>(objective, 5);
  auto by_column = sgd.start<double>(objective, 5);
  auto by_sparse_row = sgd.start<double>(objective, 5);
  auto by_sparse_vector = sgd.start<double>(objective, 5);
  auto by_vector = sgd.start<double>(objective, 5);
  auto by_batch = sgd.start<double>(objective, 5);
  for (Index i = 0; i < x.rows(); ++i) {
    by_row.update(x.row(i), y[i]);
    by_column.update(columns.row(i), y[i]);
    by_sparse_row.update(sparse.row(i), y[i]);
    by_sparse_vector.update(Eigen::SparseVector<double>(sparse.row(i).transpose()), y[i]);
    by_vector.update(Vector<double>(x.row(i)), y[i]);
    by_batch.update_batch(x.middleRows(i, 1), y.segment(i, 1));
  }
  const auto expected = whole.solution().weights;
  REQUIRE(by_row.solution().weights == expected);
  REQUIRE(by_vector.solution().weights == expected);
  REQUIRE(by_batch.solution().weights == expected);
  REQUIRE((by_column.solution().weights - expected).norm() < 1e-13);
  REQUIRE((by_sparse_row.solution().weights - expected).norm() < 1e-13);
  REQUIRE(by_sparse_vector.solution().weights == by_sparse_row.solution().weights);
}

TEST_CASE("Learner: the default step learns online without a tuned parameter", "[optimizers]") {
  Matrix<double> x = synthetic::features(5000, 4, 7);
  x.col(2) *= 300;
  const auto y = synthetic::signs(x, 8, 0.1);
  auto learner = Sgd{}.start<double>(Objective{Log{}, L2{1e-4}}, 4);
  Index right = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    if (i >= 2500) right += learner.score(x.row(i)) * y[i] > 0;
    learner.update(x.row(i), y[i]);
  }
  REQUIRE(learner.solution().status != Status::diverged);
  REQUIRE(right > 2400);
}

TEST_CASE("in_double: a learner is fed floats one by one", "[optimizers]") {
  const auto [x, copy, y] = float_problem();
  const BasicSgd<AutomaticStep, Cyclic> sgd;
  const auto start = [&] { return sgd.start<double>(Objective{Log{}, L2{1e-2}}, 21); };
  auto seen = start();
  auto copied = start();
  for (Index i = 0; i < 50; ++i) {
    const Vector<float> sample = x.row(i);
    if (i % 2)
      seen.update(in_double(sample), y[i]);
    else
      seen.update(in_double(x.row(i)), y[i]);
    copied.update(copy.row(i), y[i]);
  }
  seen.update_batch(in_double(x.topRows(30)), y.head(30));
  copied.update_batch(copy.topRows(30), y.head(30));
  seen.epoch(in_double(x), y);
  copied.epoch(copy, y);
  CHECK(copied.current_weights().norm() > 0.1);
  CHECK(seen.current_weights() == copied.current_weights());
}

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

struct Problem {
  Matrix<double> x = synthetic::features(6, 3, 1);
  Vector<double> y = synthetic::signs(x, 2);
};

const Objective hinge{Hinge{}, L2{0.1}};

}  // namespace

TEST_CASE("Door: online, a bad sample is refused and changes nothing", "[optimizers]") {
  Problem p;
  auto learner = Sgd{}.start<double>(hinge, 3);
  learner.update(p.x.row(0), p.y[0]);
  const auto before = learner.solution();
  REQUIRE_THROWS_WITH(learner.update(Vector<double>(Vector<double>::Ones(2)), 1),
                      "Learner::update: a sample of 2 numbers, but the model has 3 weights");
  REQUIRE_THROWS_WITH(learner.update(p.x.row(1), 3),
                      "Learner::update: y = 3 is no target of hinge, which takes -1 or +1");
  REQUIRE_THROWS_WITH(learner.update(p.x.row(1), 1, -2),
                      "Learner::update: the sample weight is -2");
  REQUIRE_THROWS_WITH(learner.update(p.x.topRows(2), 1),
                      "Learner::update: a sample is one row, but x has 2");
  p.x(1, 2) = nan_value;
  REQUIRE_THROWS_WITH(learner.update(p.x.row(1), 1), "Learner::update: x(0, 2) is not finite");
  REQUIRE_THROWS_WITH(learner.epoch(p.x, p.y), "Learner::epoch: x(1, 2) is not finite");
  REQUIRE_THROWS_WITH(learner.epoch(p.x.leftCols(2), p.y),
                      "Learner::epoch: x has 2 columns but the learner has 3 weights");
  REQUIRE(learner.solution().weights == before.weights);
  REQUIRE(learner.updates() == 1);
}
