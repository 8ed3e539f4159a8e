// SPDX-License-Identifier: MIT
#pragma once
/// \file A new permutation every epoch.
#include <linea/core/order.hpp>
#include <numeric>  // iota
#include <span>

namespace linea {

/// A new uniform permutation every epoch.
struct Shuffled {
  void draw(Epoch& epoch, Index rows, Index, Random& random) const {
    epoch = {.chunks = Sequence(static_cast<std::size_t>(rows)), .rows = rows};
    std::iota(epoch.chunks.begin(), epoch.chunks.end(), 0U);
    random.shuffle(std::span(epoch.chunks));
  }
};

}  // namespace linea
