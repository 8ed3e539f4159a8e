// SPDX-License-Identifier: MIT
#pragma once
/// \file Random data for losses of signs or of real numbers.
#include <string_view>

#include "support/synthetic.hpp"

namespace synthetic {

template <class L>
constexpr bool takes_signs = L::targets == std::string_view("-1 or +1");

struct Problem {
  linea::Matrix<double> x;
  linea::Vector<double> y;
  linea::Vector<double> weights{};  ///< empty if all weights are 1

  /// Returns the sample weights, divided by their sum.
  linea::Vector<double> parts() const {
    if (weights.size() == 0)
      return linea::Vector<double>::Constant(y.size(), 1.0 / double(y.size()));
    return weights / weights.sum();
  }
};

/// Returns random x (n × d), and targets that depend on x with noise: ±1 if the loss requires them,
/// else real numbers. With `weighted`, the sample weights are random, and one of them is 0.
template <class L>
Problem problem_for(const L&, linea::Index n, linea::Index d, std::uint64_t seed,
                    bool weighted = false) {
  Problem p{features(n, d, seed, 0.8), {}};
  if constexpr (takes_signs<L>)
    p.y = signs(p.x, seed + 1, 1.0);
  else
    p.y = numbers(p.x, seed + 1, 1.0);
  if (weighted) {
    p.weights = synthetic::weights(n, seed + 2);
    p.weights[n / 2] = 0;
  }
  return p;
}

}  // namespace synthetic
