// SPDX-License-Identifier: MIT
/// \file Processes with a single rank, or with two ranks of which one is simulated.
#include <algorithm>
#include <linea/mpi/processes.hpp>
#include <stdexcept>

#include "support/catch.hpp"

using namespace linea;

namespace {

/// One of two processes with the same samples. A sum is twice the process's own value, and the
/// largest value is the process's own value.
struct Echo {
  int sums{0};
  Index rank() const { return 0; }
  Index size() const { return 2; }
  void sum(double* numbers, Index count) {
    ++sums;
    for (Index k = 0; k < count; ++k) numbers[k] *= 2;
  }
  void largest(double*, Index) {}
  void broadcast(char*, Index, Index) {}
};

}  // namespace

TEST_CASE("Processes: a single one exchanges nothing") {
  Alone alone;
  for (const Processes& one : {Processes{}, Processes(alone)}) {
    REQUIRE(one.size() == 1);
    REQUIRE(one.sum(0.1) == 0.1);
    REQUIRE(one.largest(-3) == -3);
    REQUIRE_FALSE(one.any(false));
    REQUIRE(one.in_step([] { return 7; }) == 7);
    REQUIRE(one.numbering(5).first == 0);
    REQUIRE(one.numbering(5).all == 5);
    REQUIRE(one.joined(Vector<double>{{1, 2}}) == Vector<double>{{1, 2}});
    REQUIRE(one.are_same({1, 2}));
    REQUIRE_THROWS_AS(one.in_step([]() -> int { throw std::domain_error("mine"); }),
                      std::domain_error);
  }
}

TEST_CASE("Processes: sums of doubles, whole numbers and vectors of floats") {
  Echo echo;
  const Processes two(echo);
  REQUIRE(two.sum(1.5) == 3);
  constexpr Index large = Index{1} << (5 * sizeof(Index));
  REQUIRE(two.sum(large) == 2 * large);
  Vector<float> numbers{{1, 2}};
  two.sum_entries(numbers);
  REQUIRE(numbers == Vector<float>{{2, 4}});
  REQUIRE(echo.sums == 3);
  Vector<double> none;
  two.sum_entries(none);
  REQUIRE(echo.sums == 3);
}

TEST_CASE("Processes: lists of different lengths differ, even with equal beginnings") {
  struct Longer : Echo {  // the other process has a list of three numbers
    void largest(double* numbers, Index count) {
      if (count != 2 || numbers[0] != -numbers[1]) return;
      numbers[0] = std::max(numbers[0], 3.0);
      numbers[1] = std::max(numbers[1], -3.0);
    }
  } longer;
  REQUIRE(Processes(longer).are_same({1, 2, 4}));
  REQUIRE_FALSE(Processes(longer).are_same({1, 2}));
  REQUIRE_FALSE(Processes(longer).are_same({1, 2, 4, 5}));
}

TEST_CASE("Processes: an exception is the rank's own, and the next step works") {
  Echo echo;
  const Processes two(echo);
  REQUIRE_THROWS_AS(two.in_step([]() -> int { throw std::domain_error("mine"); }),
                    std::domain_error);
  REQUIRE_THROWS_WITH(two.in_step([]() -> int { throw std::invalid_argument("x is empty"); }),
                      "x is empty");
  REQUIRE(two.in_step([&] { return two.in_step([] { return 7; }); }) == 7);
}
