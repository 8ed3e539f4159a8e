// SPDX-License-Identifier: MIT
#include <algorithm>  // lower_bound
#include <limits>
#include <linea/data/split.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/descent/learner.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
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

namespace {

/// Some rows that weigh nothing, with entries that would be felt.
struct Weighted {
  Matrix<double> x = synthetic::features(60, 4, 11);
  Vector<double> y = synthetic::signs(x, 12);
  Vector<double> weights = Vector<double>::LinSpaced(60, 0.5, 3);
  std::vector<Index> present{};

  Weighted() {
    for (Index i = 0; i < 60; ++i) {
      if (i % 3 == 0) {
        weights[i] = 0;
        x.row(i) *= 1e6;
      } else {
        present.push_back(i);
      }
    }
  }
  Matrix<double> present_x() const { return take_rows(x, present); }
};

}  // namespace

TEST_CASE("Learner: a sample of weight 0 changes nothing, to the bit", "[optimizers]") {
  const Weighted p;
  const Matrix<double> x = p.present_x();
  const Vector<double> y = p.y(p.present), weights = p.weights(p.present);
  const auto same = [](const auto& seen, const auto& alone) {
    CHECK(seen.solution().weights == alone.solution().weights);
    CHECK(seen.solution().offset == alone.solution().offset);
    CHECK(seen.updates() == alone.updates());
    CHECK(seen.mistakes() == alone.mistakes());
    CHECK(seen.epochs() == alone.epochs());
    CHECK(alone.solution().weights.norm() > 0);
  };
  const auto compare = [&](const auto& start) {
    auto seen = start(), alone = start();
    for (Index i = 0; i < p.x.rows(); ++i) seen.update(p.x.row(i), p.y[i], p.weights[i]);
    for (Index i = 0; i < x.rows(); ++i) alone.update(x.row(i), y[i], weights[i]);
    same(seen, alone);
    seen = start();
    alone = start();
    for (const Index first : {0, 20, 40}) {
      const auto count = [&](Index end) {
        return std::lower_bound(p.present.begin(), p.present.end(), end) - p.present.begin();
      };
      seen.update_batch(p.x.middleRows(first, 20), p.y.segment(first, 20),
                        p.weights.segment(first, 20));
      const Index from = count(first), rows = count(first + 20) - from;
      alone.update_batch(x.middleRows(from, rows), y.segment(from, rows),
                         weights.segment(from, rows));
    }
    same(seen, alone);
    seen = start();
    alone = start();
    auto by_column = start(), sparse = start();
    for (int epoch = 0; epoch < 3; ++epoch) {
      seen.epoch(p.x, p.y, p.weights);
      by_column.epoch(Eigen::MatrixXd(p.x), p.y, p.weights);
      sparse.epoch(SparseMatrix<double>(p.x.sparseView()), p.y, p.weights);
      alone.epoch(x, y, weights);
    }
    same(seen, alone);
    same(by_column, alone);
    CHECK((sparse.solution().weights - alone.solution().weights).norm() <
          1e-9 * alone.solution().weights.norm());
    const Vector<double> none = Vector<double>::Zero(60);
    seen.update(p.x.row(0), p.y[0], 0);
    seen.update_batch(p.x, p.y, none);
    seen.epoch(p.x, p.y, none);
    same(seen, alone);
  };
  for (const Iterate iterate : {Iterate::last, Iterate::average}) {
    compare([=] { return Sgd{.iterate = iterate}.start<double>(Objective{Log{}, L2{0.01}}, 4); });
    compare([=] {
      return Sgd{.batch = 7, .iterate = iterate}.start<double>(
          Objective{Squared{}, ElasticNet{0.01, 0.01}}, 4);
    });
    compare([=] {
      return Pegasos{.iterate = iterate}.start<double>(Objective{Hinge{}, L2{0.01}}, 4);
    });
    compare([=] { return Perceptron{.average = iterate == Iterate::average}.start<double>(4); });
  }
}

TEST_CASE("Learner: a weight means the same however the samples are handed over", "[optimizers]") {
  const auto x = synthetic::features(40, 3, 13);
  const auto y = synthetic::signs(x, 14);
  const Vector<double> weights = Vector<double>::LinSpaced(40, 0, 9);
  const auto compare = [&](const auto& start) {
    auto one = start(), batches = start(), epochs = start(), whole = start();
    for (Index i = 0; i < 40; ++i) {
      one.update(x.row(i), y[i], weights[i]);
      batches.update_batch(x.middleRows(i, 1), y.segment(i, 1), weights.segment(i, 1));
      epochs.epoch(x.middleRows(i, 1), y.segment(i, 1), weights.segment(i, 1));
    }
    whole.epoch(x, y, weights);
    CHECK(one.solution().weights.norm() > 0);
    CHECK(batches.solution().weights == one.solution().weights);
    CHECK((epochs.solution().weights - one.solution().weights).norm() < 1e-13);
    CHECK(whole.solution().weights == one.solution().weights);
    CHECK(whole.solution().offset == one.solution().offset);
    CHECK(whole.updates() == one.updates());
  };
  compare([] {
    return BasicSgd<InverseScaling, Cyclic>{.step = {0.1, 0.5}, .iterate = Iterate::last}
        .start<double>(Objective{Log{}, L2{0.02}}, 3);
  });
  compare([] {
    return BasicPegasos<InverseLambda, Cyclic>{.iterate = Iterate::last}.start<double>(
        Objective{Hinge{}, L2{0.1}}, 3);
  });
  compare([] { return BasicPerceptron<Cyclic>{}.start<double>(3); });
}

TEST_CASE("Learner: with weights of mean 1, k epochs equal minimize with k epochs",
          "[optimizers]") {
  const auto x = synthetic::features(64, 3, 15);
  const auto y = synthetic::signs(x, 16);
  Vector<double> weights(64);
  for (Index i = 0; i < 64; ++i) weights[i] = i % 2 ? 0.5 : 1.5;
  const Sgd sgd{.epochs = 3, .iterate = Iterate::last, .retries = 0};
  const Objective objective{Log{}, L2{0.01}};
  const auto all = sgd.minimize(objective, x, y, Extras<double>{.sample_weights = weights});
  auto learner = sgd.start<double>(objective, 3);
  for (int epoch = 0; epoch < 3; ++epoch) learner.epoch(x, y, weights);
  CHECK(learner.solution().weights == all.weights);
  CHECK(learner.solution().offset == all.offset);
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
  REQUIRE_THROWS_WITH(learner.score(Vector<double>(Vector<double>::Ones(9))),
                      "Learner::score: a sample of 9 numbers, but the model has 3 weights");
  const int starts[] = {0, 2}, columns[] = {2, 2};
  const double ones[] = {1, 1};
  const Eigen::Map<const SparseMatrix<double>> twice(1, 3, 2, starts, columns, ones);
  REQUIRE_THROWS_WITH(learner.update(twice, 1), "Learner::update: row 0 of x names column 2 twice");
  p.x(1, 2) = nan_value;
  REQUIRE_THROWS_WITH(learner.update(p.x.row(1), 1), "Learner::update: x(0, 2) is not finite");
  REQUIRE_THROWS_WITH(learner.epoch(p.x, p.y), "Learner::epoch: x(1, 2) is not finite");
  REQUIRE_THROWS_WITH(learner.epoch(p.x.leftCols(2), p.y),
                      "Learner::epoch: x has 2 columns but the learner has 3 weights");
  REQUIRE(learner.solution().weights == before.weights);
  REQUIRE(learner.updates() == 1);
}
