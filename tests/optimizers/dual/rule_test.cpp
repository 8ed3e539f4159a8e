// SPDX-License-Identifier: MIT
#include <linea/optimizers/dual/rule.hpp>
#include <vector>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE(
    "RestingMultipliers: each visit in vain doubles the wait, to 64 epochs, and a move ends it",
    "[optimizers]") {
  dual::RestingMultipliers resting(4);
  for (const std::size_t absent : {3U, 2U, 3U}) resting.leave_out(absent);
  CHECK(resting.present() == 2);
  Sequence due;
  std::vector<int> visited;
  for (int epoch = 0; epoch < 400; ++epoch) {
    resting.draw(due);
    REQUIRE((!due.empty() && due.front() == 0));  // the first sample moves every time
    for (const auto i : due) {
      resting.note(i, i == 0);
      if (i == 1) visited.push_back(epoch);
    }
  }
  CHECK(visited == std::vector<int>{0, 1, 3, 7, 15, 31, 63, 127, 191, 255, 319, 383});
  resting.draw(due);
  resting.note(1, true);
  for (int epoch = 0; epoch < 2; ++epoch) {
    resting.draw(due);
    CHECK(due == Sequence{0, 1});
    resting.note(1, false);
  }
  resting.draw(due);
  CHECK(due == Sequence{0});
}

TEST_CASE("RestingMultipliers: those that are woken are due, but for those left out",
          "[optimizers]") {
  dual::RestingMultipliers resting(3);
  resting.leave_out(2);
  Sequence due;
  for (int visit = 0; visit < 4; ++visit) resting.note(1, false);
  resting.draw(due);
  CHECK(due == Sequence{0});
  resting.wake();
  for (int epoch = 0; epoch < 2; ++epoch) {
    resting.draw(due);
    CHECK(due == Sequence{0, 1});
    resting.note(1, false);  // the first visit in vain: no wait yet
  }
}
