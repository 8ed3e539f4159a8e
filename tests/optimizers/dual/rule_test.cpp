// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/optimizers/dual/rule.hpp>
#include <vector>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE(
    "Shrinking: a visit without change doubles the wait, or quadruples it far from a "
    "change",
    "[optimizers]") {
  detail::dual::Shrinking shrinking(5);
  for (const std::size_t absent : {4U, 2U, 4U}) shrinking.leave_out(absent);
  CHECK(shrinking.present() == 3);
  CHECK(shrinking.reach() == std::numeric_limits<double>::infinity());
  Sequence due;
  std::vector<int> near, far;
  for (int epoch = 0; epoch < 400; ++epoch) {
    shrinking.draw(due);
    for (const auto i : due) {
      if (i == 0) {  // this variable changes every time
        shrinking.note_move(i, 0.5 + epoch);
        continue;
      }
      shrinking.note_stay(i, i == 3);
      (i == 3 ? far : near).push_back(epoch);
    }
  }
  CHECK(near == std::vector<int>{0, 1, 3, 7, 15, 31, 63, 127, 191, 255, 319, 383});
  CHECK(far == std::vector<int>{0, 2, 10, 42, 106, 170, 234, 298, 362});
  CHECK(shrinking.reach() == 6 * (0.5 + 398));
  shrinking.wake();
  shrinking.draw(due);
  CHECK(due == Sequence{0, 1, 3});  // variables 2 and 4 are left out
}
