// SPDX-License-Identifier: MIT
#pragma once
/// \file Every loss with a derivative, with its default and other parameters, and with valid
/// targets.
#include <linea/activations.hpp>
#include <linea/check/points.hpp>
#include <linea/losses.hpp>
#include <vector>

namespace linea::test {

/// Calls f(loss, targets) for every convex loss of the score.
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

/// Calls f(loss, targets, options) for the losses of a prediction, alone and after activations.
/// Losses that the chain rule composes are tested only at scores where the activation is accurate.
template <class F>
void for_each_loss_of_prediction(const F& f) {
  const std::vector<double> chances{0, 0.25, 0.5, 0.999, 1};
  const std::vector<double> counts{0, 1, 7, 40, 0.3};
  const std::vector<double> numbers{-2, 0, 0.5, 3};
  check::LossOptions convex;
  convex.scores.insert(convex.scores.end(), {-700, 700});
  f(CrossEntropy{}, chances, convex);
  f(Poisson{}, counts, convex);
  f(SigmoidCrossEntropy{}, chances, convex);
  f(Composed{Poisson{}, Exponential{}}, counts, convex);
  f(Composed{Huber{0.5}, Identity{}}, numbers, convex);
  f(Composed{Absolute{}, Identity{}}, numbers, convex);
  check::LossOptions near;
  near.convex = false;
  near.scores = {-2, -1.1, -0.75, -0.2, -1e-3, 0, 1e-3, 0.1, 0.37, 0.9, 1, 1.5, 2};
  f(Composed{Squared{}, Sigmoid{}}, chances, near);
  f(Composed{Squared{}, Tanh{}}, numbers, near);
  f(Composed{Squared{}, Exponential{}}, counts, near);
  f(Composed{Absolute{}, Exponential{}}, std::vector<double>{0.25, 1, 3}, near);
  f(Composed{Log{}, Tanh{}}, std::vector<double>{-1, 1}, near);
  f(Composed{Poisson{}, Sigmoid{}}, chances, near);
}

}  // namespace linea::test
