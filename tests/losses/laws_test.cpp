// SPDX-License-Identifier: MIT
/// \file What holds of every loss: the laws of check/, and which targets and parameters it takes.
#include <limits>
#include <linea/check/loss.hpp>
#include <linea/losses.hpp>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/golden_losses.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Losses: each obeys every law of what it offers", "[losses]") {
  int losses = 0;
  test::for_each_loss([&](const auto& loss, const std::vector<double>& targets) {
    INFO("loss number " << losses << ", " << loss.name);
    CHECK(check::loss(loss, targets) == std::vector<check::Violation>{});
    ++losses;
  });
  CHECK(losses == 19);
  CHECK(check::loss(ZeroOne{}, {-1, 1}, {.convex = false}) == std::vector<check::Violation>{});
}

TEST_CASE("Losses: the laws hold far out too", "[losses]") {
  check::LossOptions far;
  far.scores = {-1e6, -1e4, -1000, -700, 0, 700, 1000, 1e4, 1e6};
  test::for_each_loss([&](const auto& loss, const std::vector<double>& targets) {
    INFO(loss.name);
    CHECK(check::loss(loss, targets, far) == std::vector<check::Violation>{});
  });
}

TEST_CASE("Losses: a curvature bound is reached, not merely valid", "[losses]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>& targets) {
    if constexpr (SmoothLoss<std::decay_t<decltype(loss)>>) {
      INFO(loss.name);
      CHECK_FALSE(check::curvature_bound_is_tight(loss, targets));
    }
  });
}

// These evaluate at compile time, and in float as in double.
static_assert(Hinge{}.value(0.25, 1.0) == 0.75 && Hinge{}.value(-2.0F, 1.0F) == 3.0F);
static_assert(Squared{}.derivative(3.0F, 1.0F) == 2.0F && Absolute{}.value(1.0, 3.0) == 2.0);
static_assert(Huber{.delta = 2}.value(5.0, 0.0) == 8.0 && Quantile{.level = 0.25}.is_valid());

TEST_CASE("Losses for two classes take the targets −1 and +1 and no others", "[losses]") {
  const auto check = [](const auto& loss) {
    INFO(loss.name);
    CHECK(is_valid_target(loss, -1.0));
    CHECK(is_valid_target(loss, 1.0F));
    for (const double y : {0.0, 0.5, 2.0, -1.5, not_a_number, infinity})
      CHECK_FALSE(is_valid_target(loss, y));
    CHECK(targets_of(loss) == "-1 or +1");
  };
  check(Hinge{});
  check(SquaredHinge{});
  check(SmoothHinge{});
  check(Log{});
  check(PerceptronLoss{});
  check(ZeroOne{});
}

TEST_CASE("Losses for numbers take any finite target", "[losses]") {
  const auto check = [](const auto& loss) {
    INFO(loss.name);
    for (const double y : {0.0, -7.5, 1e300}) CHECK(is_valid_target(loss, y));
    for (const double y : {not_a_number, infinity, -infinity})
      CHECK_FALSE(is_valid_target(loss, y));
    CHECK(targets_of(loss) == "a finite number");
  };
  check(Squared{});
  check(Absolute{});
  check(Huber{});
  check(EpsilonInsensitive{});
  check(Quantile{});
}

TEST_CASE("Losses know which parameters are allowed", "[losses]") {
  CHECK(SmoothHinge{0.1}.is_valid());
  for (const double width : {0.0, -1.0, not_a_number, infinity})
    CHECK_FALSE(SmoothHinge{width}.is_valid());
  CHECK(Huber{0.1}.is_valid());
  for (const double delta : {0.0, -1.0, not_a_number, infinity})
    CHECK_FALSE(Huber{delta}.is_valid());
  CHECK(EpsilonInsensitive{0}.is_valid());
  for (const double width : {-0.1, not_a_number, infinity})
    CHECK_FALSE(EpsilonInsensitive{width}.is_valid());
  CHECK(Quantile{0.01}.is_valid());
  for (const double level : {0.0, 1.0, -0.5, not_a_number, infinity})
    CHECK_FALSE(Quantile{level}.is_valid());
}

TEST_CASE("Losses of a prediction: each obeys every law of what it offers", "[losses]") {
  int losses = 0;
  test::for_each_loss_of_prediction(
      [&](const auto& loss, const std::vector<double>& targets, const check::LossOptions& options) {
        CAPTURE(loss.name);
        CHECK(check::loss(loss, targets, options) == std::vector<check::Violation>{});
        if constexpr (SmoothLoss<std::decay_t<decltype(loss)>>)
          CHECK_FALSE(check::curvature_bound_is_tight(loss, targets, options));
        ++losses;
      });
  CHECK(losses == 12);
}

TEST_CASE("Losses of a prediction: the closed forms obey the laws far out too", "[losses]") {
  check::LossOptions far;
  far.scores = {-1e6, -1e4, -1000, -700, 0, 700, 1000, 1e4, 1e6};
  CHECK(check::loss(SigmoidCrossEntropy{}, {0, 0.25, 0.999, 1}, far) ==
        std::vector<check::Violation>{});
  CHECK(check::loss(Composed{Poisson{}, Exponential{}}, {0, 0.3, 1, 7, 1e5}, far) ==
        std::vector<check::Violation>{});
}

TEST_CASE("Losses of a prediction know their targets", "[losses]") {
  for (const double y : {0.0, 0.3, 1.0}) CHECK(is_valid_target(SigmoidCrossEntropy{}, y));
  for (const double y : {-1.0, 1.1, not_a_number, infinity})
    CHECK_FALSE(is_valid_target(CrossEntropy{}, y));
  for (const double y : {0.0, 0.3, 1e300}) CHECK(is_valid_target(Poisson{}, y));
  for (const double y : {-1.0, not_a_number, infinity}) CHECK_FALSE(is_valid_target(Poisson{}, y));
  CHECK(is_valid_target(Composed{Poisson{}, Exponential{}}, 3.0F));
  CHECK(targets_of(Poisson{}) == "a number >= 0");
}
