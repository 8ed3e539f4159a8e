// SPDX-License-Identifier: MIT
#pragma once
/// \file A new permutation in every epoch.
#include <linea/core/order.hpp>

namespace linea {

/// Visits the rows in a new random permutation in every epoch; all permutations are equally likely.
struct Shuffled {
  void draw(Epoch& epoch, Index rows, Index, Random& random) const {
    epoch = {.chunks = {}, .rows = rows};
    epoch.shuffle_chunks(rows, random);
  }
};

}  // namespace linea
