// SPDX-License-Identifier: MIT
// Any call of a user's code may throw. The exception must be passed on, nothing may leak, and the
// next run must give the same bits as without the exception.
#include <atomic>
#include <linea/losses/log.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>

#include "faults/allocations.hpp"
#include "support/synthetic.hpp"

namespace faults_yours_test {

using namespace linea;
using namespace linea::test;

namespace {

const Matrix<double> x = synthetic::features(40, 3, 1);
const Vector<double> y = synthetic::signs(x, 2);

struct Thrown {};

std::atomic<std::int64_t> calls{0};
std::atomic<std::int64_t> failing{0};

/// Counts a call, and throws if it is the call number `failing`.
void call() {
  if (++calls == failing) throw Thrown{};
}

/// Log loss whose value and derivative may throw in any call.
struct Brittle {
  template <class T>
  T value(T score, T target) const {
    call();
    return Log{}.value(score, target);
  }
  template <class T>
  T derivative(T score, T target) const {
    call();
    return Log{}.derivative(score, target);
  }
  template <class T>
  bool is_valid_target(T target) const {
    return Log{}.is_valid_target(target);
  }
};

/// Checks runs in which the k-th call throws, for at most a hundred k from 1 to the number of
/// calls.
template <class F>
void lets_through(F&& run) {
  failing = 0;
  const std::uint64_t expected = run();
  calls = 0;
  REQUIRE(run() == expected);
  const std::int64_t all = calls;
  const std::int64_t had = live_allocations();
  std::int64_t thrown = 0;
  std::int64_t tried = 0;
  for (std::int64_t k = 1; k <= all; k += 1 + all / 100) {
    ++tried;
    calls = 0;
    failing = k;
    try {
      run();
    } catch (const Thrown&) {
      ++thrown;
    }
    failing = 0;
  }
  CHECK(tried > 1);
  CHECK(thrown == tried);
  CHECK(live_allocations() == had);
  CHECK(run() == expected);
}

const Objective brittle{Brittle{}, L2{0.1}};
const Objective logistic{Log{}, L2{0.1}};

}  // namespace

TEST_CASE("Faults: a loss that throws, on one thread and on three") {
  for (const Index threads : {1, 3})
    lets_through(
        [=] { return bits_of(Sgd{.epochs = 3, .threads = threads}.minimize(brittle, x, y)); });
  lets_through([] { return bits_of(GradientDescent{.epochs = 3}.minimize(brittle, x, y)); });
  lets_through([] { return bits_of(Lbfgs{.iterations = 3}.minimize(brittle, x, y)); });
}

TEST_CASE("Faults: an observer that throws, on one thread and on three") {
  const auto observer = [](const Progress&) {
    call();
    return Control::proceed;
  };
  for (const Index threads : {1, 3}) {
    lets_through([=] {
      return bits_of(
          Sgd{.epochs = 4, .tolerance = 0, .threads = threads}.minimize(logistic, x, y, observer));
    });
    lets_through([=] {
      return bits_of(
          Newton{.tolerance = 1e-14, .threads = threads}.minimize(logistic, x, y, observer));
    });
  }
}

}  // namespace faults_yours_test
