// SPDX-License-Identifier: MIT
#pragma once
/// \file Joins the visits of an epoch into one sequence. A training run makes these visits set by
/// set.
#include <algorithm>  // clamp
#include <cstddef>
#include <cstdint>
#include <linea/core/order.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/orders/working_sets.hpp>

template <class O>
linea::Sequence visits_of(const O& order, linea::Index rows, linea::Index row_bytes,
                          linea::Random& random) {
  linea::Epoch epoch;
  order.draw(epoch, rows, row_bytes, random);
  const auto set_rows =
      std::clamp<linea::Index>(epoch.set_bytes / std::max<linea::Index>(row_bytes, 1), 1, rows);
  linea::Sequence all;
  linea::Sequence arrivals;
  linea::Sequence turns;
  for (epoch.deal(set_rows, random, arrivals, turns); !turns.empty();
       epoch.deal(set_rows, random, arrivals, turns))
    for (const auto turn : turns) all.push_back(arrivals[turn]);
  return all;
}

/// Returns the visits of one epoch over n rows, drawn with a new generator from `seed`.
template <class O>
linea::Sequence epoch(const O& order, std::size_t n, linea::Index row_bytes, std::uint64_t seed) {
  linea::Random random(seed);
  return visits_of(order, static_cast<linea::Index>(n), row_bytes, random);
}
