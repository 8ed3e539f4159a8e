// SPDX-License-Identifier: MIT
#pragma once
/// \file The order in which the samples are stored.
#include <linea/core/order.hpp>

namespace linea {

/// Visits rows 0, 1, …, n − 1 in this order, as the perceptron and incremental methods do.
struct Cyclic {
  void draw(Epoch& epoch, Index rows, Index, Random&) const {
    epoch = {.chunks = {0}, .rows = rows, .chunk_rows = rows};
  }
};

}  // namespace linea
