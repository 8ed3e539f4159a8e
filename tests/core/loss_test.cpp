// SPDX-License-Identifier: MIT
/// \file Convexity and smoothness: what losses state, and what is taken of those that state
/// nothing.
#include <algorithm>
#include <cmath>
#include <linea/activations.hpp>
#include <linea/check/loss.hpp>
#include <linea/core/loss.hpp>
#include <linea/losses.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace linea;

namespace {

struct Silent {
  template <class T>
  T value(T p, T y) const {
    return (p - y) * (p - y) / 2;
  }
  template <class T>
  T derivative(T p, T y) const {
    return p - y;
  }
};

struct WithConjugate : Silent {
  double conjugate(double u, double y) const { return u * y + u * u / 2; }
};

struct WithProximal : Silent {
  double proximal(double v, double y, double s) const { return (v + s * y) / (1 + s); }
};

/// Says of itself what it is not.
struct Boaster {
  static constexpr bool is_convex = true;
  static constexpr bool is_smooth = true;
  static constexpr bool is_of_residual = true;
  template <class T>
  T value(T p, T y) const {
    return std::min(std::abs(p - T(1.5) * y), T(2));
  }
  template <class T>
  T derivative(T p, T y) const {
    const T r = p - T(1.5) * y;
    return std::abs(r) > T(2) || r == T(0) ? T(0) : r > T(0) ? T(1) : T(-1);
  }
};

}  // namespace

static_assert(!is_convex_loss<Silent> && is_convex_loss<WithConjugate>);
static_assert(KinklessLoss<Silent> && KinklessLoss<WithProximal>);
static_assert(is_convex_loss<Hinge> && !is_smooth_loss<Hinge> && !KinklessLoss<Hinge>);
static_assert(!KinklessLoss<Absolute> && !KinklessLoss<Quantile> && KinklessLoss<Huber>);
static_assert(!is_convex_loss<ZeroOne> && !KinklessLoss<ZeroOne>);
static_assert(is_residual_loss<Squared> && is_residual_loss<Huber> && !is_residual_loss<Hinge>);
static_assert(!is_residual_loss<Silent> && !is_residual_loss<Composed<Squared, Tanh>>);
static_assert(is_convex_loss<SigmoidCrossEntropy> && KinklessLoss<SigmoidCrossEntropy>);
static_assert(is_convex_loss<Composed<Poisson, Exponential>>);
static_assert(!is_convex_loss<Composed<Poisson, Sigmoid>>);
static_assert(!is_convex_loss<Composed<Squared, Tanh>> && KinklessLoss<Composed<Squared, Tanh>>);
static_assert(is_convex_loss<Composed<Absolute, Identity>>);
static_assert(!KinklessLoss<Composed<Absolute, Sigmoid>>);

TEST_CASE("check::loss: a loss that states facts of itself is held to them", "[core]") {
  std::vector<std::string> broken;
  for (const auto& violation : check::loss(Boaster{}, {0, 1}, {.convex = false}))
    broken.push_back(violation.law);
  CHECK(broken == std::vector<std::string>{"is_of_residual", "is_convex", "subgradient_inequality",
                                           "is_smooth"});
  CHECK(check::loss(Silent{}, {0, 1}).empty());
}
