// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <linea/core/workers.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/working_sets.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Workers: every share is worked on once, each on a thread of its own", "[optimizers]") {
  for (const Index count : {1, 2, 5}) {
    Workers workers(count);
    REQUIRE(workers.count() == count);
    for (int turn = 0; turn < 50; ++turn) {
      std::vector<std::thread::id> on(static_cast<std::size_t>(count));
      std::atomic<int> calls{0};
      workers.run([&](Index k) {
        on[static_cast<std::size_t>(k)] = std::this_thread::get_id();
        ++calls;
      });
      REQUIRE(calls == count);
      REQUIRE(on.front() == std::this_thread::get_id());
      std::sort(on.begin(), on.end());
      REQUIRE(std::unique(on.begin(), on.end()) == on.end());
    }
  }
}

TEST_CASE("Workers: what a task throws arrives, and the next task runs", "[optimizers]") {
  Workers workers(3);
  const auto fail = [](Index k) {
    if (k > 0) throw std::runtime_error(std::to_string(k));
  };
  REQUIRE_THROWS_WITH(workers.run(fail), "1");
  std::atomic<int> calls{0};
  workers.run([&](Index) { ++calls; });
  REQUIRE(calls == 3);
}

TEST_CASE("Workers: shares are disjoint, cover everything and are even", "[optimizers]") {
  for (const Index n : {0, 1, 7, 100})
    for (const Index count : {1, 2, 3, 8}) {
      Index covered = 0;
      for (Index k = 0; k < count; ++k) {
        const auto share = share_of(n, k, count);
        REQUIRE(share.first == covered);
        REQUIRE(share.second - share.first <= n / count + 1);
        covered = share.second;
      }
      REQUIRE(covered == n);
    }
}

TEST_CASE("Epoch: its shares hold every row once", "[optimizers]") {
  for (const Index rows : {1, 10, 1000, 5000})
    for (const Index count : {2, 3, 7}) {
      Random random(1);
      const auto covered = [&](const auto& order) {
        Epoch epoch;
        order.draw(epoch, rows, 432, random);
        Sequence all;
        for (Index k = 0; k < count; ++k) {
          Epoch share = epoch.share(k, count);
          Sequence arrivals;
          Sequence turns;
          for (share.deal(100, random, arrivals, turns); !turns.empty();
               share.deal(100, random, arrivals, turns))
            for (const auto turn : turns) all.push_back(arrivals[turn]);
        }
        std::sort(all.begin(), all.end());
        Sequence expected(static_cast<std::size_t>(rows));
        std::iota(expected.begin(), expected.end(), 0U);
        return all == expected;
      };
      CHECK(covered(WorkingSets{}));
      CHECK(covered(Shuffled{}));
      CHECK(covered(Cyclic{}));
    }
}

namespace {

/// Same bits at every call, near the minimum of a single thread, and not the bits of another count.
template <class Optimizer, class L, class P, class X>
void agrees_with_one_thread(Optimizer optimizer, const Objective<L, P>& objective, const X& x,
                            const Vector<double>& y, double tolerance) {
  optimizer.threads = 1;
  const auto alone = optimizer.minimize(objective, x, y);
  Vector<double> last = alone.weights;
  for (const Index threads : {2, 3}) {
    CAPTURE(threads);
    optimizer.threads = threads;
    const auto together = optimizer.minimize(objective, x, y);
    const auto again = optimizer.minimize(objective, x, y);
    CHECK(together.weights == again.weights);
    CHECK(together.offset == again.offset);
    CHECK(together.updates == again.updates);
    CHECK(together.objective < alone.objective * (1 + tolerance));
    CHECK(together.weights != last);
    CHECK_THAT(
        together.objective,
        WithinRel(objective_value(objective, x, y, together.weights, together.offset), 1e-12));
    last = together.weights;
  }
}

}  // namespace

TEST_CASE("Threads: the same bits every time, and the minimum of one thread", "[optimizers]") {
  const auto x = synthetic::features(12000, 8, 1);  // 768 kB: three working sets
  const auto y = synthetic::signs(x, 2, 1.0);
  const Eigen::MatrixXd columns = x;
  const auto sparse = synthetic::sparse(synthetic::features(12000, 8, 1, 0.4));
  const Objective log{Log{}, L2{1e-3}};
  const Objective hinge{Hinge{}, L2{1e-2}};
  const Sgd sgd{.epochs = 20, .tolerance = 0};
  agrees_with_one_thread(sgd, log, x, y, 1e-3);
  agrees_with_one_thread(sgd, log, columns, y, 1e-3);
  agrees_with_one_thread(sgd, log, sparse, y, 1e-3);
  agrees_with_one_thread(Sgd{.epochs = 20, .tolerance = 0, .iterate = Iterate::average}, log, x, y,
                         1e-3);
  agrees_with_one_thread(Sgd{.epochs = 20, .tolerance = 0, .batch = 7}, log, x, y, 1e-3);
  agrees_with_one_thread(BasicSgd<AutomaticStep, Shuffled>{.epochs = 20, .tolerance = 0}, log, x, y,
                         1e-3);
  agrees_with_one_thread(sgd, Objective{Squared{}, L1{1e-2}}, x, y, 1e-3);
  agrees_with_one_thread(Sgd{.epochs = 20, .tolerance = 0, .iterate = Iterate::average},
                         Objective{Squared{}, ElasticNet{1e-2, 1e-3}}, x, y, 1e-3);
  agrees_with_one_thread(Pegasos{.epochs = 30, .tolerance = 0}, hinge, x, y, 5e-3);
  agrees_with_one_thread(Pegasos{.epochs = 30, .tolerance = 0, .iterate = Iterate::average}, hinge,
                         sparse, y, 5e-3);
}

TEST_CASE("Threads: the average is over the iterates of all members", "[optimizers]") {
  // With steps this small all iterates lie on a line, where the mean of t with weight t is 2/3 of the way.
  const Index n = 3000;
  const Matrix<double> x = Matrix<double>::Ones(n, 1);
  const Vector<double> y = Vector<double>::Ones(n);
  const Objective objective{Hinge{}, NoPenalty{}};
  for (const Index threads : {1, 2, 3}) {
    const BasicSgd<ConstantStep> sgd{.epochs = 4,
                                     .tolerance = 0,
                                     .offset = false,
                                     .step = {1e-6},
                                     .iterate = Iterate::average,
                                     .average_from = 1,
                                     .threads = threads};
    const auto averaged = sgd.minimize(objective, x, y);
    const double end = 1e-6 * 4 * static_cast<double>(n / threads);
    CHECK_THAT(averaged.weights[0], WithinRel(2 * end / 3, 1e-3));
  }
}

TEST_CASE("Threads: rows that are sorted by class are shared out evenly", "[optimizers]") {
  const auto x = synthetic::features(20000, 4, 1);
  const auto y = synthetic::signs(x, 2, 1.0);
  const auto sorted = synthetic::sorted_by_class(x, y);
  const Objective objective{Log{}, L2{1e-3}};
  const Sgd sgd{.epochs = 10, .tolerance = 0, .threads = 2};
  const double mixed = sgd.minimize(objective, x, y).objective;
  CHECK(sgd.minimize(objective, sorted.x, sorted.y).objective < mixed * (1 + 1e-3));
}

TEST_CASE("Threads: few rows, few updates, many threads", "[optimizers]") {
  const auto x = synthetic::features(5, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const Objective objective{Log{}, L2{0.1}};
  const auto start = objective_value(objective, x, y, Vector<double>(Vector<double>::Zero(3)), 0.0);
  for (const Index threads : {1, 2, 5, 9}) {
    CAPTURE(threads);
    CHECK(Sgd{.threads = threads}.minimize(objective, x, y).objective < 0.7 * start);
    for (const Index most : {1, 3, 4, 12}) {
      const auto cut =
          Sgd{.epochs = 100, .max_updates = most, .tolerance = 0, .threads = threads}.minimize(
              objective, x, y);
      CHECK(cut.updates == most);
    }
  }
  int calls = 0;
  const auto run = Sgd{.epochs = 6, .tolerance = 0, .threads = 2}.minimize(
      objective, x, y, [&](const Progress& progress) {
        ++calls;
        CHECK(progress.epoch == calls);
        CHECK(progress.updates == 5 * calls);
        return Control::proceed;
      });
  CHECK(calls == 6);
  CHECK(run.updates == 30);
}

TEST_CASE("Threads: the objective has the same bits with any number", "[optimizers]") {
  const auto x = synthetic::features(20000, 5, 1);
  const auto y = synthetic::signs(x, 2, 1.0);
  const auto set = samples::admit("test", Log{}, x, y);
  const Vector<double> w = Vector<double>::LinSpaced(5, -1, 1);
  const double alone = samples::risk_of_rows(Log{}, set.rows, set.y, set.weights, w, 0.5);
  for (const Index count : {1, 2, 3, 7}) {
    Workers workers(count);
    CHECK(samples::risk_of_rows(Log{}, set.rows, set.y, set.weights, w, 0.5, &workers) == alone);
  }
}

TEST_CASE("Threads: their number is checked", "[optimizers]") {
  const auto x = synthetic::features(9, 2, 1);
  const auto y = synthetic::signs(x, 2);
  const Objective objective{Log{}, L2{0.1}};
  REQUIRE_THROWS_WITH(Sgd{.threads = 0}.minimize(objective, x, y),
                      "Sgd::minimize: 0 threads, but from 1 to 1024 can be had");
  REQUIRE_THROWS_WITH(Pegasos{.threads = 1025}.minimize(objective, x, y),
                      "Pegasos::minimize: 1025 threads, but from 1 to 1024 can be had");
  REQUIRE_NOTHROW(require_threads("f", 1));
  REQUIRE_NOTHROW(require_threads("f", 1024));
  REQUIRE_THROWS_AS(require_threads("f", 0), std::invalid_argument);
  REQUIRE_THROWS_WITH(require_threads("f", 1025), "f: 1025 threads, but from 1 to 1024 can be had");
}
