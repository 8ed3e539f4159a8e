// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples drawn at random, with replacement.
#include <linea/core/order.hpp>

namespace linea {

/// Draws n rows in each epoch, each uniformly from all rows, as the theory of SGD and Pegasos
/// assumes.
struct WithReplacement {
  void draw(Epoch& epoch, Index rows, Index, Random& random) const {
    epoch = {.chunks = Sequence(static_cast<std::size_t>(rows)), .rows = rows};
    for (auto& row : epoch.chunks)
      row = static_cast<std::uint32_t>(random.below(epoch.chunks.size()));
  }
};

}  // namespace linea
