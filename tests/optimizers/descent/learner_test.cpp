// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/activations/exponential.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/descent/learner.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Learner: k calls of one epoch equal minimize with k epochs", "[optimizers]") {
  const auto x = synthetic::features(120, 6, 3);
  const auto y = synthetic::signs(x, 4);
  Vector<double> mean_of_1(120);
  for (Index i = 0; i < 120; ++i) mean_of_1[i] = i % 2 ? 0.5 : 1.5;
  const auto compare = [&](const auto& optimizer, const auto& objective,
                           const Extras<double>& extras = {}) {
    const auto all = optimizer.minimize(objective, x, y, extras);
    auto learner = optimizer.template start<double>(objective, 6, extras);
    for (int epoch = 0; epoch < 5; ++epoch) learner.epoch(x, y, extras.sample_weights);
    const auto solution = learner.solution();
    CHECK(solution.weights == all.weights);
    CHECK(solution.offset == all.offset);
    CHECK(solution.updates == all.updates);
    CHECK(solution.epochs == 5);
    CHECK(solution.iterate == optimizer.iterate);
  };
  for (const Iterate iterate : {Iterate::last, Iterate::average})
    for (const Index batch : {1, 8}) {
      const Sgd sgd{
          .epochs = 5, .batch = batch, .iterate = iterate, .average_from = 1, .retries = 0};
      compare(sgd, Objective{Log{}, L2{0.01}});
      if (batch == 1) compare(sgd, Objective{Log{}, L2{0.01}}, {.sample_weights = mean_of_1});
      compare(sgd, Objective{Log{}, L2{0.01}},
              {.start_weights = Vector<double>::Constant(6, 0.1), .start_offset = 3});
      compare(sgd, Objective{Hinge{}, ElasticNet{0.02, 0.01}});
      compare(Pegasos{.epochs = 5, .batch = batch, .iterate = iterate, .average_from = 1},
              Objective{Hinge{}, L2{0.01}});
    }
}

TEST_CASE("Learner: samples passed one by one equal an epoch in order", "[optimizers]") {
  const auto x = synthetic::features(90, 5, 5, 0.4);
  const SparseMatrix<double> sparse = x.sparseView();
  const Eigen::MatrixXd columns = x;
  const auto y = synthetic::signs(x, 6);
  const auto compare = [&](const auto& start, const Vector<double>& weights) {
    auto whole = start(), by_row = start(), by_column = start(), by_sparse_row = start(),
         by_sparse_vector = start(), by_vector = start(), by_batch = start(), by_epoch = start();
    whole.epoch(x, y, weights);
    for (Index i = 0; i < x.rows(); ++i) {
      by_row.update(x.row(i), y[i], weights[i]);
      by_column.update(columns.row(i), y[i], weights[i]);
      by_sparse_row.update(sparse.row(i), y[i], weights[i]);
      by_sparse_vector.update(Eigen::SparseVector<double>(sparse.row(i).transpose()), y[i],
                              weights[i]);
      by_vector.update(Vector<double>(x.row(i)), y[i], weights[i]);
      by_batch.update_batch(x.middleRows(i, 1), y.segment(i, 1), weights.segment(i, 1));
      by_epoch.epoch(x.middleRows(i, 1), y.segment(i, 1), weights.segment(i, 1));
    }
    const auto expected = whole.solution().weights;
    CHECK(expected.norm() > 0);
    CHECK(by_row.solution().weights == expected);
    CHECK(by_row.solution().offset == whole.solution().offset);
    CHECK(by_row.updates() == whole.updates());
    CHECK(by_vector.solution().weights == expected);
    CHECK(by_batch.solution().weights == expected);
    CHECK((by_epoch.solution().weights - expected).norm() < 1e-13);
    CHECK((by_column.solution().weights - expected).norm() < 1e-13);
    CHECK((by_sparse_row.solution().weights - expected).norm() < 1e-13);
    CHECK(by_sparse_vector.solution().weights == by_sparse_row.solution().weights);
  };
  for (const Vector<double>& weights : {Vector<double>(Vector<double>::Ones(90)),
                                        Vector<double>(Vector<double>::LinSpaced(90, 0, 9))}) {
    compare(
        [] {
          return BasicSgd<InverseScaling, Cyclic>{.step = {0.1, 0.5}, .iterate = Iterate::last}
              .start<double>(Objective{SquaredHinge{}, L2{0.02}}, 5);
        },
        weights);
    compare(
        [] {
          return BasicPegasos<InverseLambda, Cyclic>{.iterate = Iterate::last}.start<double>(
              Objective{Hinge{}, L2{0.1}}, 5);
        },
        weights);
    compare([] { return BasicPerceptron<Cyclic>{}.start<double>(5); }, weights);
  }
}

TEST_CASE("Learner: a sample of weight 0 changes nothing, to the bit", "[optimizers]") {
  Matrix<double> x = synthetic::features(60, 4, 11);
  const Vector<double> y = synthetic::signs(x, 12);
  Vector<double> weights = Vector<double>::LinSpaced(60, 0.5, 3);
  std::vector<Index> present;
  for (Index i = 0; i < 60; ++i) {
    if (i % 3 != 0) present.push_back(i);
    if (i % 3 == 0) weights[i] = 0;
    if (i % 3 == 0) x.row(i) *= 1e6;  // would change the weights, if it were used
  }
  const Matrix<double> few = x(present, Eigen::indexing::all);
  const Vector<double> few_y = y(present), few_weights = weights(present);
  const auto one_by_one = [](auto& learner, const auto& rows, const auto& targets, const auto& s) {
    for (Index i = 0; i < rows.rows(); ++i) learner.update(rows.row(i), targets[i], s[i]);
  };
  const auto batches = [](auto& learner, const auto& rows, const auto& targets, const auto& s) {
    for (Index first = 0; first < rows.rows(); first += rows.rows() / 2) {
      const Index n = rows.rows() / 2;
      learner.update_batch(rows.middleRows(first, n), targets.segment(first, n),
                           s.segment(first, n));
    }
  };
  const auto epochs = [](auto& learner, const auto& rows, const auto& targets, const auto& s) {
    for (int epoch = 0; epoch < 3; ++epoch) learner.epoch(rows, targets, s);
  };
  const auto compare = [&](const auto& start) {
    const auto same = [&](const auto& feed, const auto& rows) {
      auto seen = start(), alone = start();
      feed(seen, rows, y, weights);
      feed(alone, few, few_y, few_weights);
      seen.update(x.row(0), y[0], 0);
      seen.update_batch(x, y, Vector<double>::Zero(60).eval());
      seen.epoch(x, y, Vector<double>::Zero(60).eval());
      CHECK(seen.solution().weights == alone.solution().weights);
      CHECK(seen.solution().offset == alone.solution().offset);
      CHECK(seen.updates() == alone.updates());
      CHECK(seen.mistakes() == alone.mistakes());
      CHECK(seen.epochs() == alone.epochs());
      CHECK(alone.solution().weights.norm() > 0);
    };
    same(one_by_one, x);
    same(batches, x);
    same(epochs, x);
    same(epochs, Eigen::MatrixXd(x));
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
  CHECK(learner.solution().status != Status::diverged);
  CHECK(right > 2400);
}

TEST_CASE("Learner: resuming gives the steps of an uninterrupted run", "[optimizers]") {
  const auto x = synthetic::features(400, 5, 5);
  const auto y = synthetic::signs(x, 6);
  const auto compare = [&](const auto& optimizer, const auto& objective) {
    auto whole = optimizer.template start<double>(objective, 5);
    auto resumed = whole;
    for (Index i = 0; i < 200; ++i) whole.update(x.row(i), y[i]);
    resumed.resume(whole.solution());
    for (Index i = 200; i < 400; ++i) {
      whole.update(x.row(i), y[i]);
      resumed.update(x.row(i), y[i]);
    }
    CHECK(resumed.updates() == 400);
    // The step size may depend on the largest sample, and the resumed learner has not seen the
    // first half of the samples.
    CHECK_THAT(resumed.step_size(), WithinRel(whole.step_size(), 0.2));
    return (resumed.solution().weights - whole.solution().weights).norm() /
           whole.solution().weights.norm();
  };
  CHECK(compare(BasicSgd<InverseTime>{}, Objective{Log{}, L2{0.01}}) < 1e-12);
  CHECK(compare(Pegasos{}, Objective{Hinge{}, L2{0.01}}) < 1e-12);
  CHECK(compare(BasicSgd<InverseTime>{}, Objective{Log{}, ElasticNet{0.01, 0.01}}) < 1e-12);
  CHECK(compare(Sgd{}, Objective{Log{}, L2{0.01}}) < 0.1);
  auto other = Sgd{}.start<double>(Objective{Log{}, L2{0.01}}, 4);
  CHECK_THROWS_WITH(other.resume(Sgd{}.minimize(Objective{Log{}, L2{0.01}}, x, y)),
                    "Learner::resume: 5 weights but the learner has 4");
}

TEST_CASE("Learner: the step size gets the weight and the largest sample so far", "[optimizers]") {
  const Objective squared{Squared{}, NoPenalty{}};
  auto learner = BasicSgd<ConstantStep>{.step = {0.1}}.start<double>(squared, 1);
  learner.update(Vector<double>{{1}}, 1.0, 3.0);
  // The score moves by 0.2 for the weight 1, and then to q = 0.2 + 0.4·(1 − q).
  CHECK_THAT(learner.solution().weights[0], WithinRel(0.5 * (0.6 / 1.4), 1e-5));
  const Objective log{Log{}, NoPenalty{}};
  auto one = Sgd{}.start<double>(log, 1), batch = one;
  for (const double v : {100.0, 1.0, 1.0}) {
    const double before = one.step_size();
    one.update(Vector<double>{{v}}, 1);
    batch.update_batch(Matrix<double>{{v}}, Vector<double>{{1}});
    CHECK(one.step_size() < before);
    CHECK(one.solution().weights == batch.solution().weights);
  }
}

TEST_CASE("Learner: a heavy sample moves its score to the minimum of its loss, not beyond",
          "[optimizers]") {
  // x = 2 and y = 6. Steps of η = 0.1 move the score by η·s·(4 + 1)·(6 − p), which is s/2·(6 − p).
  const auto weights_after = [](double step, const auto& loss, double weight, bool offset) {
    auto learner = BasicSgd<ConstantStep>{.offset = offset, .step = {step}}.start<double>(
        Objective{loss, NoPenalty{}}, 1);
    learner.update(Vector<double>{{2}}, 6.0, weight);
    auto by_epoch = learner;
    const auto solution = learner.solution();
    by_epoch.replace(Vector<double>{{0}}, 0);
    by_epoch.epoch(Matrix<double>{{2}}, Vector<double>{{6}}, Vector<double>{{weight}});
    CHECK(by_epoch.solution().weights == solution.weights);
    CHECK(by_epoch.solution().offset == solution.offset);
    return Vector<double>{{solution.weights[0], solution.offset}};
  };
  using V = Vector<double>;
  // After the weight 1 the score is 3. The rest of the weight, h, moves it to 3 + h/2·(6 − q) = q.
  CHECK((weights_after(0.1, Squared{}, 1.5, true) - V{{1.44, 0.72}}).norm() < 1e-5);  // 3.6
  CHECK((weights_after(0.1, Squared{}, 3, true) - V{{1.8, 0.9}}).norm() < 1e-5);      // 4.5
  CHECK((weights_after(0.1, Squared{}, 1e9, true) - V{{2.4, 1.2}}).norm() < 1e-5);    // 6
  CHECK((weights_after(0.1, Squared{}, 1e9, false) - V{{3, 0}}).norm() < 1e-5);
  CHECK((weights_after(0.1, Absolute{}, 100, false) - V{{3, 0}}).norm() < 1e-5);
  CHECK((weights_after(0.1, Absolute{}, 5, false) - V{{1, 0}}).norm() < 1e-5);
  // The step of weight 1 is explicit: to 7.2. The rest comes back to 7.2 − 2·1.2·(q − 6) = q.
  CHECK((weights_after(0.3, Squared{}, 1, false) - V{{3.6, 0}}).norm() < 1e-14);
  CHECK((weights_after(0.3, Squared{}, 3, false) - V{{21.6 / 6.8, 0}}).norm() < 1e-5);

  // In a mini-batch each sample makes its own step, to 6 here, and w makes the mean of the steps.
  auto batch = BasicSgd<ConstantStep>{.offset = false, .step = {0.1}}.start<double>(
      Objective{Squared{}, NoPenalty{}}, 1);
  batch.update_batch(Matrix<double>{{2}, {2}}, Vector<double>{{6, 0}}, Vector<double>{{1e9, 10}});
  CHECK_THAT(batch.solution().weights[0], WithinRel(1.5, 1e-5));
}

TEST_CASE("Learner: update shortens a step that might diverge", "[optimizers]") {
  // η = 1 and x = 2: an explicit step moves the score by 4·(6 − p), to 24; an implicit one to 4.8.
  const auto start = BasicSgd<ConstantStep>{.offset = false, .step = {1}}.start<double>(
      Objective{Squared{}, NoPenalty{}}, 1);
  auto single = start, by_epoch = start;
  single.update(Vector<double>{{2}}, 6.0);
  CHECK_THAT(single.solution().weights[0], WithinRel(2.4, 1e-5));
  by_epoch.epoch(Matrix<double>{{2}}, Vector<double>{{6}});  // as an epoch of minimize
  CHECK(by_epoch.solution().weights[0] == 12);
}

TEST_CASE("Learner: heavy samples do not diverge, whatever came before", "[optimizers]") {
  const auto sample = [](Index i) {
    return Vector<double>{{static_cast<double>((i * 7) % 11 - 5)}};
  };
  const auto feed = [&](auto& learner, double weight, Index many) {
    for (Index i = 0; i < many; ++i) learner.update(sample(i), 2 * sample(i)[0] + 1, weight);
  };
  const auto check = [](const auto& learner) {
    const auto solution = learner.solution();
    CHECK(std::abs(solution.weights[0] - 2) < 0.1);
    CHECK(std::abs(solution.offset - 1) < 0.1);
  };
  const Objective squared{Squared{}, L2{1e-3}};
  const auto fresh = Sgd{}.start<double>(squared, 1);
  Matrix<double> x(50, 1);
  for (Index i = 0; i < 50; ++i) x.row(i) = sample(i);
  const Vector<double> y = (2 * x.col(0)).array() + 1;
  for (const double weight : {1.0, 3.0, 100.0, 1e12}) {
    CAPTURE(weight);
    auto single = fresh, by_batch = fresh, by_epoch = fresh, after_light = fresh;
    feed(single, weight, 1000);
    check(single);
    const Vector<double> weights = Vector<double>::Constant(50, weight);
    for (int k = 0; k < 200; ++k) by_batch.update_batch(x, y, weights);
    check(by_batch);
    for (int k = 0; k < 20; ++k) by_epoch.epoch(x, y, weights);
    check(by_epoch);
    // The step size of the first epoch suits its weights, 1e-3.
    after_light.epoch(x, y, Vector<double>::Constant(50, 1e-3));
    feed(after_light, weight, 1000);
    check(after_light);
    auto one_heavy = fresh;
    feed(one_heavy, 0.1, 500);
    feed(one_heavy, weight, 1);
    feed(one_heavy, 1, 500);
    check(one_heavy);
  }
  // A sample whose slope overflows adds nothing; its step only shrinks w by λ·η < 1e-3.
  const auto counts =
      Sgd{}.start<double>(Objective{Composed{Poisson{}, Exponential{}}, L2{0.01}}, 1);
  auto plain = counts, with_huge = counts;
  for (auto* learner : {&plain, &with_huge})
    for (int i = 0; i < 50; ++i) learner->update(Vector<double>{{1}}, 2);
  with_huge.update(Vector<double>{{5000}}, 2);
  CHECK_THAT(with_huge.solution().weights[0], WithinRel(plain.solution().weights[0], 1e-3));
  auto pegasos = Pegasos{}.start<double>(Objective{Squared{}, L2{0.1}}, 1);
  feed(pegasos, 3, 3000);
  CHECK(std::abs(pegasos.solution().weights[0] - 2) < 0.5);
}

TEST_CASE("in_double: a learner takes floats one by one", "[optimizers]") {
  const auto x = synthetic::features<float>(300, 21, 11);
  const Matrix<double> copy = x.cast<double>();
  const auto y = synthetic::signs(copy, 12);
  const Objective objective{Log{}, L2{1e-2}};
  auto seen = BasicSgd<AutomaticStep, Cyclic>{}.start<double>(objective, 21), copied = seen;
  const Vector<float> sample = x.row(0);
  seen.update(in_double(sample), y[0]);
  seen.update(in_double(x.row(1)), y[1]);
  seen.update_batch(in_double(x.topRows(30)), y.head(30));
  seen.epoch(in_double(x), y);
  for (Index i = 0; i < 2; ++i) copied.update(copy.row(i), y[i]);
  copied.update_batch(copy.topRows(30), y.head(30));
  copied.epoch(copy, y);
  CHECK(copied.current_weights().norm() > 0.1);
  CHECK(seen.current_weights() == copied.current_weights());
}

TEST_CASE("Validation: online, an invalid sample is refused and changes nothing", "[optimizers]") {
  Matrix<double> x = synthetic::features(6, 3, 1);
  const Vector<double> y = synthetic::signs(x, 2);
  auto learner = Sgd{}.start<double>(Objective{Hinge{}, L2{0.1}}, 3);
  learner.update(x.row(0), y[0]);
  const auto before = learner.solution();
  x(1, 2) = std::numeric_limits<double>::quiet_NaN();
  const int starts[] = {0, 2}, columns[] = {2, 2};
  const double ones[] = {1, 1};
  const Eigen::Map<const SparseMatrix<double>> twice(1, 3, 2, starts, columns, ones);
  const auto refused = [&](const std::string& message, const auto& call) {
    CHECK(refusal_of(call) == "Learner::" + message);
  };
  refused("update: a sample of 2 numbers, but the model has 3 weights", [&] {
    learner.update(Vector<double>{{1, 1}}, 1);
  });
  refused(
      "update: y = 3 is no target of hinge, which takes -1 or +1: ClassLabels(y).encode(y) "
      "turns two labels into these; recipes and OneVsRest take any labels",
      [&] { learner.update(x.row(0), 3); });
  refused("update: the sample weight is -2", [&] { learner.update(x.row(0), 1, -2); });
  refused("update: a sample is one row, but x has 2", [&] { learner.update(x.topRows(2), 1); });
  refused("score: a sample of 9 numbers, but the model has 3 weights",
          [&] { learner.score(Vector<double>::Ones(9).eval()); });
  refused("update: row 0 of x names column 2 twice", [&] { learner.update(twice, 1); });
  refused("update: x(0, 2) is not finite", [&] { learner.update(x.row(1), 1); });
  refused("epoch: x(1, 2) is not finite", [&] { learner.epoch(x, y); });
  refused("epoch: x has 2 columns but the learner has 3 weights",
          [&] { learner.epoch(x.leftCols(2), y); });
  CHECK(learner.solution().weights == before.weights);
  CHECK(learner.updates() == 1);
}
