// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <linea/core/extras.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/random_start.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/descent/descent.hpp>
#include <linea/optimizers/descent/many_targets.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/sanitizer.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// Several working sets of rows, and more than one block of those that F is evaluated by.
constexpr Index many = 4500;
constexpr Index wide = 9;

/// The columns' solutions are those of the columns alone, in all there is to know about them.
template <class Optimizer, class L, class P, class X, class Y>
void check_each(const Optimizer& optimizer, const Objective<L, P>& objective, const X& samples,
                const Y& y, Extras<scalar_t<X>> extras = {}) {
  std::vector<std::vector<double>> seen;
  extras.observer = [&](const Progress& progress) {
    if (progress.epoch == 1) seen.emplace_back();
    seen.back().push_back(progress.objective());
    return Control::proceed;
  };
  std::vector<DescentSolution<scalar_t<X>>> alone;
  for (Index k = 0; k < y.cols(); ++k)
    alone.push_back(optimizer.minimize(objective, samples, y.col(k), extras));
  extras.observer = {};
  auto divided = optimizer;
  for (const Index threads : {1, 2, 3}) {
    CAPTURE(threads);
    divided.threads = threads;
    const auto all = divided.minimize_each(objective, samples, y, extras);
    REQUIRE(all.size() == alone.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      CAPTURE(k);
      CHECK(all[k].weights == alone[k].weights);
      CHECK(all[k].offset == alone[k].offset);
      CHECK(all[k].objective == alone[k].objective);
      CHECK(all[k].status == alone[k].status);
      CHECK(all[k].iterate == alone[k].iterate);
      CHECK(all[k].epochs == alone[k].epochs);
      CHECK(all[k].updates == alone[k].updates);
      CHECK(all[k].restarts == alone[k].restarts);
      CHECK(all[k].first_step == alone[k].first_step);
      CHECK(all[k].last_step == alone[k].last_step);
      CHECK(all[k].current.weights == alone[k].current.weights);
    }
  }
  // One observer hears of every epoch of every column.
  std::size_t epochs = 0;
  double sum = 0;
  for (const auto& run : seen) {
    epochs += run.size();
    for (const double each : run) sum += each;
  }
  std::size_t calls = 0;
  double heard = 0;
  extras.observer = [&](const Progress& progress) {
    ++calls;
    heard += progress.objective();
    return Control::proceed;
  };
  const auto solutions = optimizer.minimize_each(objective, samples, y, extras);
  CHECK(solutions.size() == static_cast<std::size_t>(y.cols()));
  CHECK(calls == epochs);
  CHECK_THAT(heard, WithinRel(sum, 1e-9));
}

const auto x = synthetic::features(80, 3, 1);

/// k columns of signs.
Matrix<double> sign_columns(Index k) {
  Matrix<double> y(80, k);
  for (Index j = 0; j < k; ++j) y.col(j) = synthetic::signs(x, 10 + static_cast<std::uint64_t>(j));
  return y;
}

/// Targets that end at different times and are visited in different chunks: column 0 and 1 are
/// sorted, 3 is hopeless, the others are learnt to different degrees.
template <class T>
Matrix<T> mixed_columns(const Matrix<T>& samples) {
  Matrix<T> y(samples.rows(), 6);
  for (Index j = 0; j < 6; ++j)
    y.col(j) =
        synthetic::signs(samples, 20 + static_cast<std::uint64_t>(j), 0.3 * static_cast<double>(j));
  for (Index i = 0; i < y.rows(); ++i) {
    y(i, 0) = i < y.rows() / 3 ? T(-1) : T(1);
    y(i, 1) = i < y.rows() / 2 ? T(1) : T(-1);
  }
  y.col(3) = synthetic::signs(samples, 7, 1e6);
  return y;
}

}  // namespace

TEST_CASE("Many targets: the columns' solutions, one by one, bit for bit", "[optimizers]") {
  const auto y = sign_columns(3);
  const Eigen::MatrixXi integers = y.cast<int>();  // another order of storage, another type
  const Objective objective{Hinge{}, L2{0.01}};
  const auto check = [&](const auto& optimizer) {
    const auto all = optimizer.minimize(objective, x, y);
    REQUIRE(all.weights.rows() == 3);
    REQUIRE(all.weights.cols() == 3);
    double objectives = 0;
    Index updates = 0;
    for (Index k = 0; k < 3; ++k) {
      const auto one = optimizer.minimize(objective, x, y.col(k));
      REQUIRE(all.weights.col(k) == one.weights);
      REQUIRE(all.offset[k] == one.offset);
      objectives += one.objective;
      updates += one.updates;
    }
    REQUIRE(all.objective == objectives);
    REQUIRE(all.updates == updates);
    REQUIRE(optimizer.minimize(objective, x, integers).weights == all.weights);
  };
  check(Sgd{.epochs = 5});
  check(Pegasos{.epochs = 5});
  check(GradientDescent{.epochs = 5});
}

TEST_CASE("Many targets: the extras serve every column", "[optimizers]") {
  const auto y = sign_columns(2);
  const Objective objective{Log{}, L2{0.01}};
  auto extras = random_start<double>(3, 5, 0.5);
  extras.sample_weights = Vector<double>::LinSpaced(80, 0, 1);
  Index calls = 0;
  extras.observer = [&](const Progress&) {
    ++calls;
    return Control::proceed;
  };
  const Sgd sgd{.epochs = 4};
  const auto all = sgd.minimize(objective, x, y, extras);
  REQUIRE(calls == 8);
  for (Index k = 0; k < 2; ++k)
    REQUIRE(all.weights.col(k) == sgd.minimize(objective, x, y.col(k), extras).weights);
}

TEST_CASE("Many targets: the worst status is that of all", "[optimizers]") {
  Matrix<double> y(80, 2);
  y.col(0).setZero();  // settles at once
  y.col(1) = synthetic::numbers(x, 3);
  const Objective objective{Squared{}, L2{0.01}};
  const Sgd sgd{.epochs = 30, .tolerance = 0.5};
  REQUIRE(sgd.minimize(objective, x, y).status == Status::settled);
  REQUIRE(Sgd{.epochs = 2}.minimize(objective, x, y).status == Status::epoch_limit);
  Extras<double> extras;
  extras.observer = [](const Progress& progress) {
    return progress.objective() > 0 ? Control::stop : Control::proceed;
  };
  REQUIRE(sgd.minimize(objective, x, y, extras).status == Status::stopped);
  // The worst may be any column, and so may the longest.
  const Matrix<double> turned = y.rowwise().reverse();
  REQUIRE(sgd.minimize(objective, x, turned, extras).status == Status::stopped);
  REQUIRE(Sgd{.epochs = 2}.minimize(objective, x, turned).status == Status::epoch_limit);
  const Sgd two_ends{.epochs = 300, .tolerance = 1e-5};
  const auto longest = [&](const Matrix<double>& targets) {
    return two_ends.minimize(objective, x, targets).epochs;
  };
  const Index alone = two_ends.minimize(objective, x, y.col(1)).epochs;
  REQUIRE(alone > two_ends.minimize(objective, x, y.col(0)).epochs);
  REQUIRE(longest(y) == alone);
  REQUIRE(longest(turned) == alone);
  REQUIRE(
      BasicSgd<ConstantStep>{.step = {1e3}, .retries = 0}.minimize(objective, x, turned).status ==
      Status::diverged);
  REQUIRE(Sgd{.epochs = 3, .iterate = Iterate::last}.minimize(objective, x, y).iterate ==
          Iterate::last);
  Index calls = 0;
  (void)Sgd{.epochs = 3}.minimize(objective, x, y, [&](const Progress&) { ++calls; });
  REQUIRE(calls == 6);
}

TEST_CASE("Many targets: refused with row and column", "[optimizers]") {
  auto y = sign_columns(2);
  const Objective objective{Hinge{}, L2{0.01}};
  y(7, 1) = 0.5;
  REQUIRE_THROWS_WITH(Sgd{}.minimize(objective, x, y),
                      ContainsSubstring("Sgd::minimize: y(7, 1) = 0.5 is no target of hinge"));
  REQUIRE_THROWS_WITH(Pegasos{}.minimize(objective, x, Matrix<double>(80, 0)),
                      ContainsSubstring("Pegasos::minimize: y has no columns"));
  REQUIRE_THROWS_WITH(GradientDescent{}.minimize(objective, x, Matrix<double>(79, 2)),
                      ContainsSubstring("GradientDescent::minimize: x has 80 rows but y has 79"));
}

TEST_CASE("Many targets: options are refused as those of one are", "[optimizers]") {
  const auto y = sign_columns(3);
  const Objective objective{Hinge{}, L2{0.01}};
  const auto same = [&](const auto& optimizer) {
    std::string one;
    std::string each;
    try {
      (void)optimizer.minimize(objective, x, y.col(0));
    } catch (const std::invalid_argument& error) {
      one = error.what();
    }
    try {
      (void)optimizer.minimize(objective, x, y);
    } catch (const std::invalid_argument& error) {
      each = error.what();
    }
    CHECK(one != "");
    CHECK(one == each);
  };
  same(Sgd{.epochs = -1});
  same(Sgd{.retries = -1});
  same(Sgd{.threads = 0});
  same(Sgd{.batch = 0, .threads = 2});
  same(Pegasos{.threads = 1025});
  same(GradientDescent{.tolerance = -1});
}

TEST_CASE("Many targets: in one pass as alone, whatever the layout", "[optimizers]") {
  const auto samples = synthetic::features(many, wide, 3, 0.6);
  const auto y = mixed_columns(samples);
  const Objective objective{Hinge{}, L2{1e-3}};
  const Sgd sgd{.epochs = 13, .tolerance = 1e-2};
  check_each(sgd, objective, samples, y);
  check_each(sgd, objective, Eigen::MatrixXd(samples), y);
  check_each(sgd, objective, synthetic::sparse(samples), y);
  const Matrix<float> small = samples.cast<float>();
  check_each(sgd, objective, small, y);
  check_each(sgd, objective, Eigen::MatrixXf(small), y);
  check_each(sgd, objective, samples.topRows(40), y.topRows(40));
  check_each(sgd, objective, samples, y.leftCols(1));
  check_each(Pegasos{.epochs = 5}, objective, samples, y);
  check_each(Pegasos{.epochs = 5, .project = true}, objective, samples, y);
}

TEST_CASE("Many targets: in one pass as alone, whatever the options", "[optimizers]") {
  const auto samples = synthetic::features(many, wide, 4);
  const auto y = mixed_columns(samples);
  const Objective hinge{Hinge{}, L2{1e-3}};
  const Objective logistic{Log{}, L2{1e-3}};
  bool on_columns = true;
  const auto each = [&](const auto& optimizer) {
    on_columns = !on_columns;  // of the two, where each takes long
    if (!is_watched || !on_columns) check_each(optimizer, hinge, samples, y);
    if (!is_watched || on_columns) check_each(optimizer, logistic, Eigen::MatrixXd(samples), y);
  };
  each(Sgd{.epochs = 20, .tolerance = 1e-2, .iterate = Iterate::average});
  each(Sgd{.epochs = 4, .offset = false, .iterate = Iterate::last, .seed = 5});
  each(Sgd{.epochs = 4, .batch = 7, .batch_growth = 3});
  each(Sgd{.epochs = 3, .batch = 1500});
  each(Sgd{.epochs = 3, .batch = all_samples});
  each(Sgd{.epochs = 9, .max_updates = 2 * many + 1234, .tolerance = 0});
  each(Sgd{.epochs = 9, .max_updates = 301, .tolerance = 0, .batch = 16});
  each(Sgd{.epochs = 0});
  each(BasicSgd<AutomaticStep, Shuffled>{.epochs = 3});
  each(BasicSgd<AutomaticStep, WithReplacement>{.epochs = 3});
  each(BasicSgd<AutomaticStep, Cyclic>{.epochs = 3});
  each(BasicPegasos<InverseLambda, WithReplacement>{.epochs = 3, .iterate = Iterate::average});
  check_each(Sgd{.epochs = 4}, Objective{Log{}, L1{1e-2}}, samples, y);
  check_each(Sgd{.epochs = 4, .iterate = Iterate::average}, Objective{Hinge{}, L1{1e-2}}, samples,
             y);
  check_each(Sgd{.epochs = 4}, Objective{Hinge{}, ElasticNet{1e-2, 1e-3}}, samples, y);
  check_each(Sgd{.epochs = 4}, Objective{Squared{}, NoPenalty{}}, samples, y);
  auto extras = random_start<double>(wide, 5, 0.5);
  extras.start_offset = 0.25;
  extras.sample_weights = Vector<double>::LinSpaced(many, 0, 3);
  check_each(Sgd{.epochs = 4}, hinge, samples, y, extras);
  check_each(Sgd{.epochs = 4}, logistic, Eigen::MatrixXd(samples), y, extras);
  // Rows that are copied keep their targets and weights.
  const BasicSgd<ConstantStep> fixed{.epochs = 3, .step = {0.01}, .iterate = Iterate::last};
  const auto rows = fixed.minimize(logistic, samples, y, extras);
  const auto columns = fixed.minimize(logistic, Eigen::MatrixXd(samples), y, extras);
  CHECK((rows.weights - columns.weights).norm() < 1e-10 * rows.weights.norm());
}

TEST_CASE("Many targets: each ends when it would alone", "[optimizers]") {
  const auto samples = synthetic::features(many, wide, 5);
  const auto y = mixed_columns(samples);
  const Objective objective{Hinge{}, L2{1e-3}};
  const Sgd targeted{.epochs = 12, .tolerance = 0, .target_objective = 0.3};
  const auto epochs_of = [&](const auto& optimizer) {
    std::vector<Index> epochs;
    for (const auto& one : optimizer.minimize_each(objective, samples, y))
      epochs.push_back(one.epochs);
    return epochs;
  };
  const auto epochs = epochs_of(targeted);
  REQUIRE(*std::min_element(epochs.begin(), epochs.end()) < 12);
  REQUIRE(*std::max_element(epochs.begin(), epochs.end()) == 12);
  check_each(targeted, objective, samples, y);
  check_each(Sgd{.epochs = 12, .tolerance = 0, .change_tolerance = 0.02}, objective, samples, y);

  // Steps that are too long for the first columns only: those are rolled back, or lost.
  Matrix<double> sizes = y;
  sizes.leftCols(2) *= 1e6;
  const Objective squares{Squared{}, NoPenalty{}};
  BasicSgd<ConstantStep> bold{.epochs = 15, .step = {0.3}};
  Index restarts = 0;
  for (const auto& one : bold.minimize_each(squares, samples, sizes)) restarts += one.restarts;
  REQUIRE(restarts > 0);
  check_each(bold, squares, samples, sizes);
  bold.retries = 0;
  check_each(bold, squares, samples, sizes);

  // A run that starts low may rise to ten times the objective of zero, not of its start.
  Matrix<double> numbers(many, 2);
  for (Index j = 0; j < 2; ++j) numbers.col(j) = synthetic::numbers(samples, 40, 1e-3);
  const auto first = Sgd{.epochs = 40}.minimize(squares, samples, numbers.col(0));
  Extras<double> low;
  low.start_weights = first.weights;
  low.start_offset = first.offset;
  const BasicSgd<ConstantStep> rising{.epochs = 2, .step = {0.18}, .iterate = Iterate::last};
  const auto risen = rising.minimize(squares, samples, numbers.col(0), low);
  REQUIRE(risen.restarts == 0);
  REQUIRE(risen.objective > 10 * first.objective);
  check_each(rising, squares, samples, numbers, low);

  // An observer may stop one run and not the others.
  std::vector<Index> ends;
  for (const Index threads : {1, 3}) {
    auto run = targeted;
    run.threads = threads;
    std::atomic<int> inside{0};
    bool alone = true;
    Extras<double> extras;
    extras.observer = [&](const Progress& progress) {
      alone = alone && ++inside == 1;
      std::this_thread::yield();
      --inside;
      return progress.epoch == 3 && progress.objective() > 0.5 ? Control::stop : Control::proceed;
    };
    const auto all = run.minimize_each(objective, samples, y, extras);
    REQUIRE(alone);
    Index stopped = 0;
    for (Index k = 0; k < y.cols(); ++k) {
      const auto one = targeted.minimize(objective, samples, y.col(k), extras);
      const auto& same = all[static_cast<std::size_t>(k)];
      CHECK(same.weights == one.weights);
      CHECK(same.status == one.status);
      stopped += one.status == Status::stopped;
    }
    REQUIRE(stopped > 0);
    REQUIRE(stopped < y.cols());
  }
}

TEST_CASE("Many targets: more than train together at a time", "[optimizers]") {
  const auto samples = synthetic::features(300, 2, 6);
  Matrix<double> y(300, 70);
  for (Index j = 0; j < 70; ++j)
    y.col(j) = synthetic::signs(samples, 30 + static_cast<std::uint64_t>(j));
  check_each(Sgd{.epochs = 2}, Objective{Hinge{}, L2{0.01}}, samples, y);
  // So many weights that two targets at most share a pass.
  const auto wide_samples = synthetic::features(30, 60000, 7, 0.001);
  const Matrix<double> few = synthetic::features(30, 5, 8).array().sign();
  check_each(Sgd{.epochs = 3}, Objective{Hinge{}, L2{0.01}}, synthetic::sparse(wide_samples), few);
}
