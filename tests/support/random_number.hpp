// SPDX-License-Identifier: MIT
#pragma once
/// \file Returns a random number as text, in any form that a reader supports.
#include <linea/core/random.hpp>
#include <string>

namespace linea::test {

inline std::string random_number(Random& random) {
  std::string number;
  if (random.below(4) == 0) number += random.below(2) ? '-' : '+';
  for (auto k = 1 + random.below(random.below(8) ? 4 : 20); k > 0; --k)
    number += static_cast<char>('0' + random.below(10));
  if (random.below(2)) {
    number += '.';
    for (auto k = random.below(random.below(8) ? 9 : 24); k > 0; --k)
      number += static_cast<char>('0' + random.below(10));
  }
  if (random.below(6) == 0) number += "e" + std::to_string(static_cast<int>(random.below(20)) - 10);
  return number;
}

}  // namespace linea::test
