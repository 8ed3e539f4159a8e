// SPDX-License-Identifier: MIT
#pragma once
/// \file Returns a random index below n. The type of n may have fewer bits than a random number.
#include <cstddef>
#include <linea/core/random.hpp>

namespace linea::test {

inline std::size_t random_place(Random& random, std::size_t n) {
  return static_cast<std::size_t>(random.below(n));
}

}  // namespace linea::test
