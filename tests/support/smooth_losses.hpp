// SPDX-License-Identifier: MIT
#pragma once
/// \file Smooth losses with valid targets, and Newton and Lbfgs, which minimise them.
#include <cmath>
#include <cstdint>
#include <linea/activations/exponential.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <string>

#include "support/gradient.hpp"
#include "support/synthetic.hpp"

namespace linea::test {

using PoissonOfExponential = Composed<Poisson, Exponential>;

inline Vector<double> counts(const Matrix<double>& x, std::uint64_t seed) {
  Random random(seed);
  Vector<double> y(x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    y[i] = std::floor(3 * random.uniform() + std::exp(0.4 * x(i, 0)));
  return y;
}

inline Vector<double> shares(const Matrix<double>& x, std::uint64_t seed) {
  Random random(seed);
  Vector<double> y(x.rows());
  for (double& value : y) value = random.uniform() < 0.3 ? 1.0 : random.uniform();
  return y;
}

/// Calls f(loss, y) for seven losses with a continuous derivative, and valid targets y for x.
template <class F>
void for_each_smooth_loss(const Matrix<double>& x, const F& f) {
  f(Log{}, synthetic::signs(x, 2));
  f(SquaredHinge{}, synthetic::signs(x, 2));
  f(SmoothHinge{0.5}, synthetic::signs(x, 2));
  f(Squared{}, synthetic::numbers(x, 2));
  f(Huber{0.7}, synthetic::numbers(x, 2));
  f(PoissonOfExponential{}, counts(x, 2));
  f(SigmoidCrossEntropy{}, shares(x, 2));
}

/// Calls f(name, optimizer) for Newton and for Lbfgs, with these options.
template <class F>
void for_both(bool offset, double tolerance, const F& f) {
  f(std::string("Newton"), Newton{.tolerance = tolerance, .offset = offset});
  f(std::string("Lbfgs"), Lbfgs{.iterations = 5000, .tolerance = tolerance, .offset = offset});
}

}  // namespace linea::test
