// SPDX-License-Identifier: MIT
#include <linea/core/workers.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/descent/parallel_learner.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

/// Checks that several threads give the same bits in both of two runs, and an F at most
/// `tolerance`·F above that of a single thread. The weights must differ between numbers of threads.
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
  const auto x = synthetic::features(12000, 8, 1);  // 768 kB are three working sets
  const auto y = synthetic::signs(x, 2, 1.0);
  const auto sparse = synthetic::sparse(synthetic::features(12000, 8, 1, 0.4));
  const Objective log{Log{}, L2{1e-3}};
  const Objective net{Squared{}, ElasticNet{1e-2, 1e-3}};
  // The target objective of 0 is never met. With it, F is evaluated after every epoch, so that the
  // best iterate is the best of all epochs.
  Sgd sgd{.epochs = 20, .tolerance = 0, .target_objective = 0};
  agrees_with_one_thread(sgd, log, x, y, 1e-3);
  agrees_with_one_thread(sgd, log, sparse, y, 1e-3);
  agrees_with_one_thread(sgd, net, x, y, 1e-3);
  agrees_with_one_thread(
      BasicSgd<AutomaticStep, Shuffled>{.epochs = 20, .tolerance = 0, .target_objective = 0}, log,
      x, y, 1e-3);
  sgd.batch = 7;
  agrees_with_one_thread(sgd, log, x, y, 1e-3);
  const Sgd average{.epochs = 20, .tolerance = 0, .iterate = Iterate::average};
  agrees_with_one_thread(average, net, x, y, 1e-3);
  const Objective hinge{Hinge{}, L2{1e-2}};
  agrees_with_one_thread(Pegasos{.epochs = 30, .tolerance = 0, .iterate = Iterate::average}, hinge,
                         sparse, y, 5e-3);
}

TEST_CASE("Threads: the average is over the iterates of all members", "[optimizers]") {
  // With steps this small the hinge slope is always −1, so the iterate after t steps is
  // proportional to t. The average weights this iterate with t, so it is 2/3 of the last iterate.
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

TEST_CASE("Threads: rows sorted by class are divided evenly", "[optimizers]") {
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
  const auto start = objective_value(objective, x, y, Vector<double>::Zero(3).eval(), 0.0);
  for (const Index threads : {1, 2, 5, 9}) {
    CAPTURE(threads);
    CHECK(Sgd{.threads = threads}.minimize(objective, x, y).objective < 0.7 * start);
    for (const Index most : {1, 3, 4, 12}) {
      const Sgd cut{.epochs = 100, .max_updates = most, .tolerance = 0, .threads = threads};
      CHECK(cut.minimize(objective, x, y).updates == most);
    }
  }
  Index calls = 0;
  const auto run = Sgd{.epochs = 6, .tolerance = 0, .threads = 2}.minimize(
      objective, x, y, [&](const Progress& progress) {
        CHECK(progress.epoch == ++calls);
        CHECK(progress.updates == 5 * calls);
      });
  CHECK(calls == 6);
  CHECK(run.updates == 30);
}

TEST_CASE("Threads: an invalid number is refused", "[optimizers]") {
  const auto x = synthetic::features(9, 2, 1);
  const auto y = synthetic::signs(x, 2);
  const Objective objective{Log{}, L2{0.1}};
  CHECK_THROWS_WITH(Sgd{.threads = 0}.minimize(objective, x, y),
                    "Sgd::minimize: 0 threads, but there must be 1 to 1024");
  CHECK_THROWS_WITH(Pegasos{.threads = 1025}.minimize(objective, x, y),
                    "Pegasos::minimize: 1025 threads, but there must be 1 to 1024");
  CHECK_NOTHROW(require_threads("f", 1));
  CHECK_NOTHROW(require_threads("f", 1024));
}
