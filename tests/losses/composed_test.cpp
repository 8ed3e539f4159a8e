// SPDX-License-Identifier: MIT
/// \file Losses of a prediction after an activation: the chain rule, and closed forms that go
/// before it.
#include <cmath>
#include <linea/check/loss.hpp>
#include <linea/losses/composed.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <tuple>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/golden_losses.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// ℓ and the targets to try it on; ℓ is finite at predictions between `low` and `high`.
template <class L>
struct OnTargets {
  L loss;
  std::vector<double> targets;
  double low{-infinity};
  double high{infinity};
};

/// Calls f(composed, loss and targets) for each loss with each activation.
template <class F>
void for_each_pair(const F& f) {
  const std::tuple losses{OnTargets<Squared>{{}, {-1.5, 0, 0.5, 2}},
                          OnTargets<Absolute>{{}, {-1.5, 0, 0.5, 2}},
                          OnTargets<CrossEntropy>{{}, {0, 0.25, 1}, 0, 1},
                          OnTargets<Poisson>{{}, {0, 0.5, 3}, 0, infinity},
                          OnTargets<Log>{{}, {-1, 1}},
                          OnTargets<Hinge>{{}, {-1, 1}}};
  const auto with = [&](const auto& activation) {
    std::apply(
        [&](const auto&... each) {
          (f(Composed{each.loss, activation}, each), ...);
        },
        losses);
  };
  with(Identity{});
  with(Sigmoid{});
  with(Tanh{});
  with(Exponential{});
}

/// A loss that tells which of its forms was used.
struct Told {
  template <class T>
  T value(T, T) const {
    return T(1);
  }
  template <class T>
  T derivative(T, T) const {
    return T(2);
  }
  template <class T>
  T value_after(const Sigmoid&, T, T) const {
    return T(10);
  }
  template <class T>
  T derivative_after(const HardThreshold&, T, T) const {
    return T(20);
  }
};

struct Nameless {
  double scale{1};
  double value(double p) const { return scale * p; }
  double derivative(double) const { return scale; }
  bool is_valid() const { return scale > 0; }
};

}  // namespace

static_assert(!DifferentiableLoss<Composed<Squared, HardThreshold>> &&
              Loss<Composed<Squared, HardThreshold>> &&
              !DifferentiableLoss<Composed<ZeroOne, Sigmoid>>);
static_assert(CurvedLoss<Composed<Squared, Tanh>> && !SmoothLoss<Composed<Squared, Tanh>> &&
              !ProximalLoss<Composed<Squared, Tanh>> && !ConjugateLoss<Composed<Squared, Tanh>>);
static_assert(DifferentiableLoss<Composed<Absolute, Sigmoid>> &&
              !CurvedLoss<Composed<Absolute, Sigmoid>>);
static_assert(SmoothLoss<Composed<Log, Identity>> && CurvedLoss<Composed<Log, Identity>> &&
              ProximalLoss<Composed<Log, Identity>> && ConjugateLoss<Composed<Log, Identity>>);
static_assert(!SmoothLoss<Composed<Hinge, Identity>> && !CurvedLoss<Composed<Hinge, Identity>>);
static_assert(Composed{Squared{}, Sigmoid{}}.name == "squared of sigmoid");

TEST_CASE("Composed: the chain rule by hand", "[losses]") {
  // σ(0) = 1/2, σ′(0) = 1/4, σ″(0) = 0; exp and its derivatives are 1 at 0.
  const Composed sigmoid{Squared{}, Sigmoid{}};
  CHECK(sigmoid.value(0.0, 1.0) == 0.125);
  CHECK(sigmoid.derivative(0.0, 1.0) == -0.125);
  CHECK(sigmoid.second_derivative(0.0, 1.0) == 0.0625);
  const Composed exponential{Squared{}, Exponential{}};
  CHECK(exponential.value(0.0F, 3.0F) == 2);
  CHECK(exponential.derivative(0.0F, 3.0F) == -2);
  CHECK(exponential.second_derivative(0.0F, 3.0F) == -1);
  CHECK(Composed{Absolute{}, Tanh{}}.derivative(0.0, 1.0) == -1);
  CHECK(Composed{Squared{}, HardThreshold{}}.value(-3.0, 1.0) == 0.5);
}

TEST_CASE("Composed: derivatives of every pair match differences in extended precision",
          "[losses]") {
  int pairs = 0;
  for_each_pair([&](const auto& composed, const auto& each) {
    using L = std::decay_t<decltype(composed)>;
    const auto slow = [&](long double p, double y) {
      return each.loss.value(composed.activation.value(p), static_cast<long double>(y));
    };
    for (const double y : each.targets)
      for (double p = -3.01; p < 3; p += 0.173) {
        const double prediction = composed.activation.value(p);
        if (prediction < each.low + 1e-3 || prediction > each.high - 1e-3) continue;
        if (std::abs(prediction - y) < 1e-3) continue;      // kink of the absolute loss
        if (std::abs(prediction * y - 1) < 1e-3) continue;  // kink of the hinge
        CAPTURE(composed.name, p, y);
        const long double h = 1e-6L;
        const long double ahead = slow(p + h, y);
        const long double here = slow(p, y);
        const long double behind = slow(p - h, y);
        // The rest is h²/6 times a third derivative, some 1e5 near the ends of a domain.
        const double size = static_cast<double>(std::abs(here)) + 1;
        CHECK_THAT(composed.value(p, y), WithinAbs(static_cast<double>(here), 1e-14 * size));
        const auto slope = static_cast<double>((ahead - behind) / (2 * h));
        CHECK_THAT(composed.derivative(p, y), WithinAbs(slope, 1e-8 * (std::abs(slope) + size)));
        if constexpr (CurvedLoss<L>) {
          const auto bend = static_cast<double>((ahead - 2 * here + behind) / (h * h));
          CHECK_THAT(composed.second_derivative(p, y),
                     WithinAbs(bend, 1e-6 * (std::abs(bend) + size)));
        }
        const auto pf = static_cast<float>(p);
        const auto yf = static_cast<float>(y);
        const double narrow = 1e-5 * (std::abs(slope) + size);
        CHECK_THAT(composed.value(pf, yf), WithinAbs(static_cast<double>(here), narrow));
        CHECK_THAT(composed.derivative(pf, yf), WithinAbs(slope, 10 * narrow));
      }
    ++pairs;
  });
  CHECK(pairs == 24);
}

TEST_CASE("Composed: a number at every score, and NaN at none", "[losses]") {
  for_each_pair([](const auto& composed, const auto& each) {
    using L = std::decay_t<decltype(composed)>;
    for (const double y : each.targets) {
      for (const double p :
           {-infinity, -1e300, -1000.0, -90.0, -20.0, -0.0, 0.0, 20.0, 90.0, 1000.0, infinity}) {
        CAPTURE(composed.name, p, y);
        CHECK_FALSE(std::isnan(composed.value(p, y)));
        CHECK_FALSE(std::isnan(composed.derivative(p, y)));
        CHECK_FALSE(std::isnan(composed.value(static_cast<float>(p), static_cast<float>(y))));
        CHECK_FALSE(std::isnan(composed.derivative(static_cast<float>(p), static_cast<float>(y))));
        if constexpr (CurvedLoss<L>) CHECK_FALSE(std::isnan(composed.second_derivative(p, y)));
      }
      CHECK(std::isnan(composed.value(not_a_number, y)));
    }
  });
}

TEST_CASE("Composed: the limits far out", "[losses]") {
  const Composed threshold{Squared{}, Sigmoid{}};
  for (const double p : {1000.0, infinity}) {
    CHECK(threshold.value(p, 0.0) == 0.5);
    CHECK(threshold.derivative(p, 0.0) == 0);
    CHECK(threshold.second_derivative(-p, 0.0) == 0);
    CHECK(Composed{Squared{}, Exponential{}}.derivative(p, 1.0) == infinity);
    CHECK(Composed{Squared{}, Exponential{}}.derivative(-p, 1.0) == 0);
    CHECK(Composed{Squared{}, Exponential{}}.second_derivative(p, 1.0) == infinity);
    CHECK(Composed{Log{}, Exponential{}}.derivative(p, 1.0) == 0);  // 0 · ∞
    CHECK(Composed{Hinge{}, Exponential{}}.derivative(p, 1.0) == 0);
    CHECK(Composed{Hinge{}, Exponential{}}.derivative(p, -1.0) == infinity);
  }
  CHECK(Composed{Squared{}, Identity{}}.second_derivative(infinity, 1.0) == 1);
}

TEST_CASE("Composed: a closed form of the loss goes before the chain rule", "[losses]") {
  const Composed sigmoid{Told{}, Sigmoid{}};
  CHECK(sigmoid.value(0.0, 0.0) == 10);
  CHECK(sigmoid.derivative(0.0, 0.0) == 0.5);  // 2 · σ′(0): no form of its own
  const Composed tanh{Told{}, Tanh{}};
  CHECK(tanh.value(0.0, 0.0) == 1);
  CHECK(tanh.derivative(0.0, 0.0) == 2);
  const Composed threshold{Told{}, HardThreshold{}};
  CHECK(threshold.value(0.0, 0.0) == 1);
  CHECK(threshold.derivative(0.0, 0.0) == 20);  // where there is no chain rule at all
}

TEST_CASE("Composed: after the identity everything of the loss passes through", "[losses]") {
  const Huber huber{0.5};
  const Composed same{huber, Identity{}};
  CHECK(same.curvature_bound() == huber.curvature_bound());
  for (const double y : {-1.0, 2.0})
    for (const double p : {-1e6, -0.7, 0.1, 1.9, 30.0}) {
      CHECK(same.value(p, y) == huber.value(p, y));
      CHECK(same.derivative(p, y) == huber.derivative(p, y));
      CHECK(same.second_derivative(p, y) == huber.second_derivative(p, y));
      CHECK(same.proximal(p, y, 0.7) == huber.proximal(p, y, 0.7));
      CHECK(same.conjugate(p, y) == huber.conjugate(p, y));
    }
}

TEST_CASE("Composed: passes on names, targets and which parameters are allowed", "[losses]") {
  const Composed composed{Quantile{}, Tanh{}};
  CHECK(name_of(composed) == "quantile of tanh");
  CHECK(name_of(Composed{Squared{}, HardThreshold{}}) == "squared of hard-threshold");
  CHECK(name_of(Composed{Told{}, Nameless{}}) == "the loss of the activation");
  CHECK(targets_of(composed) == "a finite number");
  CHECK(targets_of(Composed{Log{}, Tanh{}}) == "-1 or +1");
  CHECK(targets_of(Composed{Told{}, Tanh{}}) == "a finite number");
  CHECK(is_valid_target(composed, 0.5));
  CHECK_FALSE(is_valid_target(composed, infinity));
  CHECK_FALSE(is_valid_target(Composed{Log{}, Tanh{}}, 0.5));
  CHECK(composed.is_valid());
  CHECK_FALSE(Composed{Quantile{2}, Tanh{}}.is_valid());
  CHECK(Composed{Squared{}, Nameless{}}.is_valid());
  CHECK_FALSE(Composed{Squared{}, Nameless{-1}}.is_valid());
  CHECK_FALSE(Composed{Quantile{2}, Nameless{}}.is_valid());
}

TEST_CASE("Composed: the door refuses its targets and parameters by name", "[losses]") {
  const Matrix<double> x = Matrix<double>::Ones(3, 1);
  const Vector<double> y = Eigen::Vector3d(0, 0.5, 2);
  CHECK_THROWS_WITH(Sgd{}.minimize(Objective{SigmoidCrossEntropy{}, L2{0.1}}, x, y),
                    "Sgd::minimize: y(2) = 2 is no target of cross-entropy of sigmoid, which takes "
                    "a number from 0 to 1");
  CHECK_THROWS_WITH(Sgd{}.minimize(Objective{Composed{Poisson{}, Exponential{}}, L2{0.1}}, x, -y),
                    "Sgd::minimize: y(1) = -0.5 is no target of poisson of exponential, which "
                    "takes a number >= 0");
  CHECK_THROWS_WITH(Sgd{}.minimize(Objective{Composed{Huber{-1}, Tanh{}}, L2{0.1}}, x, y),
                    "Sgd::minimize: delta = -1 of the loss huber of tanh is out of its domain");
}
