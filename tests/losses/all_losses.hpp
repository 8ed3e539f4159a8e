// SPDX-License-Identifier: MIT
#pragma once
/// \file Every loss with a derivative, with its default and with other parameters, and targets for it.
#include <linea/losses.hpp>
#include <vector>

namespace linea::test {

/// Calls f(loss, targets) for one after the other.
template <class F>
void for_each_loss(const F& f) {
  const std::vector<double> signs{-1, 1};
  const std::vector<double> numbers{-3.7, -1, 0, 0.1, 2, 40};
  f(Hinge{}, signs);
  f(SquaredHinge{}, signs);
  for (const double width : {1.0, 0.01, 0.5, 3.0}) f(SmoothHinge{width}, signs);
  f(Log{}, signs);
  f(PerceptronLoss{}, signs);
  f(Squared{}, numbers);
  f(Absolute{}, numbers);
  for (const double delta : {1.0, 0.1, 7.0}) f(Huber{delta}, numbers);
  for (const double epsilon : {0.1, 0.0, 1.5}) f(EpsilonInsensitive{epsilon}, numbers);
  for (const double level : {0.5, 0.01, 0.9}) f(Quantile{level}, numbers);
}

}  // namespace linea::test
