// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/core/extras.hpp>
#include <linea/core/observer.hpp>
#include <linea/core/types.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

// Observers answer with a Control, or nothing.
constexpr auto silent = [](const Progress&) {};
constexpr auto in_control = [](const Progress&) { return Control::stop; };
constexpr auto yes_or_no = [](const Progress&) { return true; };
constexpr auto of_nothing = [] {};
struct Counter {
  int calls{0};
  void operator()(const Progress&) { ++calls; }
};
static_assert(Observer<decltype(silent)> && Observer<decltype(in_control)>);
static_assert(Observer<Counter> && Observer<Counter&> && !Observer<const Counter>);
static_assert(!Observer<decltype(yes_or_no)> && !Observer<decltype(of_nothing)>);

}  // namespace

TEST_CASE("Observer: what an observer answers reaches the run", "[core]") {
  Progress progress;
  progress.epoch = 3;

  const auto stopping = observed_by<double>(in_control);
  REQUIRE(stopping.observer(progress) == Control::stop);
  REQUIRE(stopping.sample_weights.size() == 0);
  REQUIRE(stopping.start_weights.size() == 0);

  Index seen = 0;
  const auto watching = observed_by<float>([&seen](const Progress& p) { seen = p.epoch; });
  REQUIRE(watching.observer(progress) == Control::proceed);
  REQUIRE(seen == 3);

  Counter counter;  // kept outside, so passed by reference
  const auto counting = observed_by<double>(std::ref(counter));
  counting.observer(progress);
  counting.observer(progress);
  REQUIRE(counter.calls == 2);

  REQUIRE_FALSE(Extras<double>{}.observer);
}

TEST_CASE("Progress: without a run there is nothing to ask", "[core]") {
  const Progress untold;
  for (const Index count : {untold.epoch, untold.updates, untold.restarts, untold.mistakes})
    CHECK(count == 0);
  CHECK(untold.change == 0);
  CHECK(untold.step_size == 0);
  CHECK(std::isnan(untold.objective()));
  CHECK(std::isnan(untold.gap()));
  CHECK(untold.iterates() == 0);
}
