// SPDX-License-Identifier: MIT
/// \file An error on one process ends the run on all processes with the same message, without a
/// deadlock.
#include <limits>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties/l2.hpp>
#include <stdexcept>
#include <string>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_faults_test {

using namespace linea;
using namespace divided;

namespace {

constexpr auto division = Division::even;
const Objective objective{Log{}, L2{1e-3}};

/// Returns the message of the exception of f if its type is E, else a description.
template <class E, class F>
std::string thrown(F&& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "no exception";
}

/// Returns a valid problem of 40 rows. Tests then make it invalid on the last rank.
Problem<Matrix<double>> problem() {
  const auto [x, y] = made_up(40, 3);
  return divide(x, y, {}, division);
}
bool is_last() { return world().rank() == world().size() - 1; }
std::string of_last() {
  const Index size = world().size();
  return size == 1 ? ""
                   : " (rank " + std::to_string(size - 1) + " of " + std::to_string(size) + ")";
}

std::string fault(const Problem<Matrix<double>>& p, const Extras<double>& extras = {}) {
  return thrown<std::invalid_argument>(
      [&] { (void)Newton{}.minimize(objective, mpi::divided(p.x, world()), p.y, extras); });
}

void goes_on() {
  const auto p = problem();
  const auto solution = Newton{}.minimize(objective, mpi::divided(p.x, world()), p.y);
  REQUIRE(solution.status == Status::converged);
}

}  // namespace

TEST_CASE("An error on one rank is the same error on all") {
  const auto refuses = [](const std::string& message, auto&& spoil) {
    auto p = problem();
    Extras<double> extras;
    spoil(p, extras);
    REQUIRE_THAT(fault(p, extras), ContainsSubstring(message));
    goes_on();  // the communicator works as before
  };
  const auto last = of_last();
  refuses("Newton::minimize: x(1, 2) is not finite" + last, [](auto& p, auto&) {
    if (is_last()) p.x(1, 2) = std::numeric_limits<double>::quiet_NaN();
  });
  refuses("y(0) = 3 is no target", [](auto& p, auto&) {
    if (is_last()) p.y[0] = 3;
  });
  refuses("Newton::minimize: all sample weights are zero",
          [](auto& p, auto& extras) { extras.sample_weights = Vector<double>::Zero(p.y.size()); });
  refuses("Newton::minimize: x is empty", [](auto& p, auto&) {
    p.x.resize(0, 3);
    p.y.resize(0);
  });
  if (world().size() == 1) return;
  refuses("0 sample weights but y has", [](auto& p, auto& extras) {
    if (!is_last()) extras.sample_weights = Vector<double>::Ones(p.y.size());
  });
  refuses("Newton::minimize: x has 2 columns, but 3 on another rank" + last, [](auto& p, auto&) {
    if (is_last()) p.x.conservativeResize(Eigen::NoChange, 2);
  });
  refuses("mpi::divided: the start is not the same on all ranks", [](auto&, auto& extras) {
    extras.start_weights = Vector<double>::Constant(3, is_last() ? 1 : 2);
  });
}

TEST_CASE("Invalid options give one message, and different options an error") {
  const auto p = problem();
  const auto fault_of = [&](const Newton& newton) {
    return thrown<std::invalid_argument>(
        [&] { (void)newton.minimize(objective, mpi::divided(p.x, world()), p.y); });
  };
  REQUIRE(fault_of({.iterations = -1}) == "Newton::minimize: -1 iterations");
  if (world().size() == 1) return;
  REQUIRE_THAT(fault_of({.iterations = is_last() ? 2 : 20, .tolerance = 0}),
               ContainsSubstring("the ranks are out of step"));
  goes_on();
}

TEST_CASE("An exception of an observer on one rank ends the run on all") {
  const auto p = problem();
  Extras<double> extras;
  if (is_last())
    extras.observer = [](const Progress& progress) -> Control {
      if (progress.epoch == 2) throw std::runtime_error("the disk is full");
      return Control::proceed;
    };
  const auto text = thrown<std::runtime_error>([&] {
    (void)Newton{.tolerance = 1e-14}.minimize(objective, mpi::divided(p.x, world()), p.y, extras);
  });
  REQUIRE(text == "the disk is full" + (is_last() ? "" : of_last()));
  goes_on();
}

TEST_CASE("An observer of one rank stops the run on all") {
  const auto p = problem();
  Extras<double> extras;
  int calls = 0;
  if (is_last())
    extras.observer = [&](const Progress&) {
      return ++calls == 2 ? Control::stop : Control::proceed;
    };
  const auto solution =
      Newton{.tolerance = 1e-14}.minimize(objective, mpi::divided(p.x, world()), p.y, extras);
  REQUIRE(solution.status == Status::stopped);
  REQUIRE(solution.iterations == 2);
  REQUIRE(calls == (is_last() ? 2 : 0));
}

TEST_CASE("objective_value: an error on one rank is the same error on all") {
  const auto p = problem();
  const Vector<double> w = Vector<double>::Zero(3);
  Vector<double> y = p.y;
  if (is_last()) y.resize(1);
  const auto text = thrown<std::invalid_argument>(
      [&] { (void)objective_value(objective, mpi::divided(p.x, world()), y, w, 0.0); });
  REQUIRE_THAT(text,
               ContainsSubstring("objective_value: x has") && ContainsSubstring("but y has 1"));
}

TEST_CASE("Processes: the mean of means over rows, even if a rank has none") {
  const Processes processes(world());
  const auto [x, y] = made_up(101, 2);
  for (const auto division : {Division::even, Division::last_empty}) {
    const auto [first, last] = own_rows(101, division);
    const double own = last > first ? y.segment(first, last - first).mean() : 0;
    const double mean = processes.mean(own, static_cast<double>(last - first));
    REQUIRE_THAT(mean, WithinRel(y.mean(), 1e-13));
    REQUIRE(is_same_everywhere(std::vector<double>{mean}));
  }
}

}  // namespace mpi_faults_test
