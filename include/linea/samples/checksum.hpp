// SPDX-License-Identifier: MIT
#pragma once
/// \file Are these the samples that a run began with?
#include <cstdint>
#include <linea/core/checksum.hpp>
#include <linea/samples/training_set.hpp>

namespace linea::samples {

/// Of the targets, the weights and, where rows tell it, the length of each, bit by bit. Samples
/// that share all of these are not told apart. One pass.
template <class Rows>
std::uint64_t checksum(const TrainingSet<Rows>& set) {
  core::Checksum sum;
  const auto add = [&sum](const auto& number) {
    sum.add({reinterpret_cast<const char*>(&number), sizeof number});
  };
  for (Index i = 0; i < set.y.size(); ++i) {
    add(set.y[i]);
    if (set.weights.size() > 0) add(set.weights[i]);
    if constexpr (requires { set.rows.squared_norm(i); }) add(set.rows.squared_norm(i));
  }
  return sum.value();
}

}  // namespace linea::samples
