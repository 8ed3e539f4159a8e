// SPDX-License-Identifier: MIT
/// \file The laws of check/ over every loss.
#include <linea/check/loss.hpp>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"

using namespace linea;

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
