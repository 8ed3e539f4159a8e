// SPDX-License-Identifier: MIT
#include <cstdint>
#include <linea/core/extras.hpp>
#include <linea/core/random_start.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/descent/many_targets.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/step_sizes/constant.hpp>
#include <stdexcept>
#include <string>

#include "support/catch.hpp"
#include "support/each_column.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

const auto x = synthetic::features(80, 3, 1);

/// k columns of signs.
Matrix<double> sign_columns(Index k) {
  Matrix<double> y(80, k);
  for (Index j = 0; j < k; ++j) y.col(j) = synthetic::signs(x, 10 + static_cast<std::uint64_t>(j));
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
    return progress.objective > 0 ? Control::stop : Control::proceed;
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
