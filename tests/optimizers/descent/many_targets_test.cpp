// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <linea/core/extras.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/descent/descent.hpp>
#include <linea/optimizers/descent/many_targets.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes.hpp>
#include <thread>
#include <utility>  // exchange
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace many_targets_test {

namespace {

/// The number of rows, enough for several working sets and several blocks of the evaluation of F.
constexpr Index many = 4500;
constexpr Index wide = 9;

/// Checks that the solution for each column equals, in all members, that of a fit of the column
/// alone, and that one observer is called for every epoch of every column.
template <class Optimizer, class L, class P, class X, class Y>
void check_each(const Optimizer& optimizer, const Objective<L, P>& objective, const X& samples,
                const Y& y, Extras<scalar_t<X>> extras = {}) {
  std::size_t calls = 0;
  double heard = 0;
  extras.observer = [&](const Progress& progress) {
    ++calls;
    heard += progress.objective();
    return Control::proceed;
  };
  std::vector<DescentSolution<scalar_t<X>>> alone;
  for (Index k = 0; k < y.cols(); ++k)
    alone.push_back(optimizer.minimize(objective, samples, y.col(k), extras));
  const std::size_t epochs = std::exchange(calls, 0);
  const double sum = std::exchange(heard, 0);
  (void)optimizer.minimize_each(objective, samples, y, extras);
  CHECK(calls == epochs);
  CHECK_THAT(heard, WithinRel(sum, 1e-9));
  extras.observer = {};
  auto divided = optimizer;
  for (const Index threads : {1, 3}) {
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
}

const auto x = synthetic::features(80, 3, 1);

/// Returns k columns of signs.
Matrix<double> sign_columns(Index k) {
  Matrix<double> y(80, k);
  for (Index j = 0; j < k; ++j) y.col(j) = synthetic::signs(x, 10 + static_cast<std::uint64_t>(j));
  return y;
}

/// Returns targets whose runs end at different times and visit different chunks. Columns 0 and 1
/// are sorted, column 3 is noise, and the others are learnt to different accuracies.
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

TEST_CASE("Many targets: the worst status is that of all", "[optimizers]") {
  Matrix<double> y(80, 2);
  y.col(0).setZero();  // settles at once
  y.col(1) = synthetic::numbers(x, 3);
  const Objective objective{Squared{}, L2{0.01}};
  const Sgd sgd{.epochs = 30, .tolerance = 0.5}, two_ends{.epochs = 300, .tolerance = 1e-5};
  const BasicSgd<ConstantStep> bold{.step = {1e3}, .retries = 0};
  const Index longest = two_ends.minimize(objective, x, y.col(1)).epochs;
  CHECK(longest > two_ends.minimize(objective, x, y.col(0)).epochs);
  const auto stop = [](const Progress& progress) {
    return progress.objective() > 0 ? Control::stop : Control::proceed;
  };
  // Any column may have the worst status, and any column may have the longest run.
  for (const Matrix<double>& targets : {y, Matrix<double>(y.rowwise().reverse())}) {
    CHECK(sgd.minimize(objective, x, targets).status == Status::settled);
    CHECK(Sgd{.epochs = 2}.minimize(objective, x, targets).status == Status::epoch_limit);
    CHECK(sgd.minimize(objective, x, targets, stop).status == Status::stopped);
    CHECK(bold.minimize(objective, x, targets).status == Status::diverged);
    CHECK(two_ends.minimize(objective, x, targets).epochs == longest);
  }
  CHECK(Sgd{.epochs = 3, .iterate = Iterate::last}.minimize(objective, x, y).iterate ==
        Iterate::last);
}

TEST_CASE("Many targets: invalid targets are refused with row and column", "[optimizers]") {
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

TEST_CASE("Many targets: one pass gives the solutions of single fits, for sparse x and float",
          "[optimizers]") {
  const auto samples = synthetic::features(many, wide, 3, 0.6);
  const auto y = mixed_columns(samples);
  const Objective objective{Hinge{}, L2{1e-3}};
  const Sgd sgd{.epochs = 13, .tolerance = 1e-2};
  check_each(sgd, objective, samples, y);
  check_each(sgd, objective, synthetic::sparse(samples), y);
  check_each(sgd, objective, Matrix<float>(samples.cast<float>()), y);
  check_each(sgd, objective, samples.topRows(40), y.topRows(40));
  check_each(sgd, objective, samples, y.leftCols(1));
  check_each(Pegasos{.epochs = 5}, objective, samples, y);
  check_each(Pegasos{.epochs = 5, .project = true}, objective, samples, y);
}

TEST_CASE("Many targets: one pass gives the solutions of single fits, for all options",
          "[optimizers]") {
  const auto samples = synthetic::features(many, wide, 4);
  const auto y = mixed_columns(samples);
  const Objective hinge{Hinge{}, L2{1e-3}};
  const Objective logistic{Log{}, L2{1e-3}};
  // Rows of samples that are stored by columns are copied, and then read.
  check_each(Sgd{.epochs = 3}, logistic, Eigen::MatrixXd(samples), y);
  const auto each = [&](const auto& optimizer) { check_each(optimizer, hinge, samples, y); };
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
  check_each(Sgd{.epochs = 4, .iterate = Iterate::average}, Objective{Hinge{}, L1{1e-2}}, samples,
             y);
  check_each(Sgd{.epochs = 4}, Objective{Squared{}, NoPenalty{}}, samples, y);
  auto extras = random_start<double>(wide, 5, 0.5);
  extras.start_offset = 0.25;
  extras.sample_weights = Vector<double>::LinSpaced(many, 0, 3);
  check_each(Sgd{.epochs = 4}, hinge, samples, y, extras);
  check_each(Sgd{.epochs = 4}, logistic, Eigen::MatrixXd(samples), y, extras);
  // Runs on copies of rows use the targets and weights of these rows.
  const BasicSgd<ConstantStep> fixed{.epochs = 3, .step = {0.01}, .iterate = Iterate::last};
  const auto rows = fixed.minimize(logistic, samples, y, extras);
  const auto columns = fixed.minimize(logistic, Eigen::MatrixXd(samples), y, extras);
  CHECK((rows.weights - columns.weights).norm() < 1e-10 * rows.weights.norm());
}

TEST_CASE("Many targets: each run ends as it would alone", "[optimizers]") {
  const auto samples = synthetic::features(many, wide, 5);
  const auto y = mixed_columns(samples);
  const Objective objective{Hinge{}, L2{1e-3}};
  const Sgd targeted{.epochs = 12, .tolerance = 0, .target_objective = 0.3};
  Index least = 12, most = 0;
  for (const auto& one : targeted.minimize_each(objective, samples, y)) {
    least = std::min(least, one.epochs);
    most = std::max(most, one.epochs);
  }
  CHECK(least < 12);
  CHECK(most == 12);
  check_each(targeted, objective, samples, y);
  check_each(Sgd{.epochs = 12, .tolerance = 0, .change_tolerance = 0.02}, objective, samples, y);

  // The step is too long for the first two columns only. Their runs are rolled back, or diverge.
  Matrix<double> sizes = y;
  sizes.leftCols(2) *= 1e6;
  const Objective squares{Squared{}, NoPenalty{}};
  BasicSgd<ConstantStep> bold{.epochs = 15, .step = {0.3}};
  CHECK(bold.minimize_each(squares, samples, sizes)[0].restarts > 0);
  check_each(bold, squares, samples, sizes);
  bold.retries = 0;
  check_each(bold, squares, samples, sizes);

  // With a start of low F, a run is rolled back only if F exceeds ten times F at w = 0.
  Matrix<double> numbers(many, 2);
  for (Index j = 0; j < 2; ++j) numbers.col(j) = synthetic::numbers(samples, 40, 1e-3);
  const auto first = Sgd{.epochs = 40}.minimize(squares, samples, numbers.col(0));
  const Extras<double> low{.start_weights = first.weights, .start_offset = first.offset};
  const BasicSgd<ConstantStep> rising{.epochs = 2, .step = {0.18}, .iterate = Iterate::last};
  const auto risen = rising.minimize(squares, samples, numbers.col(0), low);
  CHECK(risen.restarts == 0);
  CHECK(risen.objective > 10 * first.objective);
  check_each(rising, squares, samples, numbers, low);
}

TEST_CASE("Many targets: an observer may stop one run and not the others", "[optimizers]") {
  const auto samples = synthetic::features(many, wide, 5);
  const auto y = mixed_columns(samples);
  const Objective objective{Hinge{}, L2{1e-3}};
  Sgd sgd{.epochs = 12, .tolerance = 0};
  std::atomic<int> inside{0};
  bool alone = true;
  const Extras<double> extras = observed_by<double>([&](const Progress& progress) {
    alone = alone && ++inside == 1;
    std::this_thread::yield();
    --inside;
    return progress.epoch == 3 && progress.objective() > 0.5 ? Control::stop : Control::proceed;
  });
  std::vector<DescentSolution<double>> one_by_one;
  for (Index k = 0; k < y.cols(); ++k)
    one_by_one.push_back(sgd.minimize(objective, samples, y.col(k), extras));
  for (const Index threads : {1, 3}) {
    sgd.threads = threads;
    const auto all = sgd.minimize_each(objective, samples, y, extras);
    CHECK(alone);
    std::size_t stopped = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      CHECK(all[k].weights == one_by_one[k].weights);
      CHECK(all[k].status == one_by_one[k].status);
      stopped += all[k].status == Status::stopped;
    }
    CHECK(stopped > 0);
    CHECK(stopped < all.size());
  }
}

TEST_CASE("Many targets: several groups, as the weights of all exceed the cache", "[optimizers]") {
  const auto samples = synthetic::features(300, 2, 6);
  Matrix<double> y(300, 70);
  for (Index j = 0; j < 70; ++j)
    y.col(j) = synthetic::signs(samples, 30 + static_cast<std::uint64_t>(j));
  check_each(Sgd{.epochs = 2}, Objective{Hinge{}, L2{0.01}}, samples, y);
  // There are so many weights that at most two targets share a pass.
  const auto wide_samples = synthetic::features(30, 60000, 7, 0.001);
  const Matrix<double> few = synthetic::features(30, 5, 8).array().sign();
  check_each(Sgd{.epochs = 3}, Objective{Hinge{}, L2{0.01}}, synthetic::sparse(wide_samples), few);
}

}  // namespace many_targets_test
