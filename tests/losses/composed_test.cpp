// SPDX-License-Identifier: MIT
/// \file Losses of a prediction, alone and after an activation: golden values and limits, the chain
/// rule, and closed forms that replace it.
#include <cmath>
#include <initializer_list>
#include <linea/check/loss.hpp>
#include <linea/losses/composed.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <type_traits>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"

using namespace linea;
using namespace linea::test;

namespace {

struct Golden {
  double score, target, value, derivative;
};
struct GoldenConjugate {
  double slope, target, conjugate;
};

/// Compares with values that mpmath 1.3.0 computes with 50 digits from the formulas in the headers,
/// at the given doubles. With a rounding error ε, values may differ by 8ε(value + |p·derivative|),
/// derivatives by 8ε(|derivative| + |y|), and conjugates by 2ε(|conjugate| + |u|).
template <class L>
void check_golden(const L& loss, std::initializer_list<Golden> table,
                  std::initializer_list<GoldenConjugate> conjugates = {}) {
  for (const auto& [p, y, value, derivative] : table) {
    CAPTURE(loss.name, p, y);
    const double moved = std::abs(p * derivative);
    CHECK_THAT(loss.value(p, y), WithinAbs(value, 8 * epsilon * (value + moved)));
    CHECK_THAT(loss.derivative(p, y),
               WithinAbs(derivative, 8 * epsilon * (std::abs(derivative) + std::abs(y))));
  }
  if constexpr (ConjugateLoss<L>)
    for (const auto& [u, y, value] : conjugates) {
      CAPTURE(loss.name, u, y);
      CHECK_THAT(loss.conjugate(u, y),
                 WithinAbs(value, 2 * epsilon * (std::abs(value) + std::abs(u))));
    }
}

/// Calls f(composed, targets) for six losses, each after four activations.
template <class F>
void for_each_pair(const F& f) {
  const auto after = [&](const auto& loss, const std::vector<double>& targets) {
    f(Composed{loss, Identity{}}, targets);
    f(Composed{loss, Sigmoid{}}, targets);
    f(Composed{loss, Tanh{}}, targets);
    f(Composed{loss, Exponential{}}, targets);
  };
  after(Squared{}, {-1.5, 0, 0.5, 2});
  after(Absolute{}, {-1.5, 0, 0.5, 2});
  after(CrossEntropy{}, {0, 0.25, 1});
  after(Poisson{}, {0, 0.5, 3});
  after(Log{}, {-1, 1});
  after(Hinge{}, {-1, 1});
}

/// A loss whose results show which of its functions was called.
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

TEST_CASE("Composed: the chain rule, computed by hand", "[losses]") {
  // At 0, σ, σ′ and σ″ are 1/2, 1/4 and 0; exp and its derivatives are 1.
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

TEST_CASE("Composed: the loss of the prediction for every pair, finite at every score",
          "[losses]") {
  for_each_pair([](const auto& composed, const std::vector<double>& targets) {
    const auto is_number_at = [&](auto p, auto y) {
      CHECK_FALSE(std::isnan(composed.value(p, y)));
      CHECK_FALSE(std::isnan(composed.derivative(p, y)));
      if constexpr (CurvedLoss<std::decay_t<decltype(composed)>>)
        CHECK_FALSE(std::isnan(composed.second_derivative(p, y)));
    };
    for (const double y : targets) {
      for (const double p :
           {-infinity, -1e300, -1000.0, -90.0, -20.0, -0.0, 0.0, 20.0, 90.0, 1000.0, infinity}) {
        CAPTURE(composed.name, p, y);
        is_number_at(p, y);
        is_number_at(static_cast<float>(p), static_cast<float>(y));
      }
      CHECK(std::isnan(composed.value(not_a_number, y)));
      for (double p = -3.01; p < 3; p += 0.173) {
        const double value = composed.loss.value(composed.activation.value(p), y);
        CAPTURE(composed.name, p, y);
        if (std::isfinite(value))
          CHECK_THAT(composed.value(p, y), WithinAbs(value, 1e-13 * (std::abs(value) + 1)));
      }
    }
  });
}

TEST_CASE("Composed: the limits for large scores", "[losses]") {
  const Composed threshold{Squared{}, Sigmoid{}};
  const Composed power{Squared{}, Exponential{}};
  for (const double p : {1000.0, infinity}) {
    CHECK(threshold.value(p, 0.0) == 0.5);
    CHECK(threshold.derivative(p, 0.0) == 0);
    CHECK(threshold.second_derivative(-p, 0.0) == 0);
    CHECK(power.derivative(p, 1.0) == infinity);
    CHECK(power.derivative(-p, 1.0) == 0);
    CHECK(power.second_derivative(p, 1.0) == infinity);
    CHECK(Composed{Log{}, Exponential{}}.derivative(p, 1.0) == 0);  // not 0 · ∞, which is NaN
    CHECK(Composed{Hinge{}, Exponential{}}.derivative(p, 1.0) == 0);
    CHECK(Composed{Hinge{}, Exponential{}}.derivative(p, -1.0) == infinity);
  }
  CHECK(Composed{Squared{}, Identity{}}.second_derivative(infinity, 1.0) == 1);
}

TEST_CASE("Composed: a closed form of the loss replaces the chain rule", "[losses]") {
  const Composed sigmoid{Told{}, Sigmoid{}};
  CHECK(sigmoid.value(0.0, 0.0) == 10);
  // The chain rule gives 2·σ′(0): after Sigmoid, Told has a closed form only of its value.
  CHECK(sigmoid.derivative(0.0, 0.0) == 0.5);
  CHECK(Composed{Told{}, Tanh{}}.value(0.0, 0.0) == 1);
  CHECK(Composed{Told{}, Tanh{}}.derivative(0.0, 0.0) == 2);
  CHECK(Composed{Told{}, HardThreshold{}}.value(0.0, 0.0) == 1);
  // After HardThreshold, Told has a closed form of its derivative, which needs no chain rule.
  CHECK(Composed{Told{}, HardThreshold{}}.derivative(0.0, 0.0) == 20);
}

TEST_CASE("Composed: with the identity all members are those of the loss", "[losses]") {
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

TEST_CASE("Composed: passes on names, targets and valid parameters", "[losses]") {
  const Composed composed{Quantile{}, Tanh{}};
  CHECK(name_of(composed) == "quantile of tanh");
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

TEST_CASE("SigmoidCrossEntropy: Log with targets 0 and 1", "[losses]") {
  const SigmoidCrossEntropy loss;
  CHECK(loss.curvature_bound() == Log{}.curvature_bound());
  const auto compare = [&](auto p) {
    using T = decltype(p);
    const T rounding = 2 * std::numeric_limits<T>::epsilon();
    for (const T y : {T(0), T(1)}) {
      const T sign = 2 * y - 1;
      CAPTURE(p, y);
      const auto same = [&](T a, T b) {
        return a == b || std::abs(a - b) <= rounding * std::abs(b);
      };
      CHECK(same(loss.value(p, y), Log{}.value(p, sign)));
      CHECK(same(loss.derivative(p, y), Log{}.derivative(p, sign)));
      CHECK(same(loss.second_derivative(p, y), Log{}.second_derivative(p, sign)));
    }
  };
  for (double p = -45; p < 45; p += 0.271) {
    compare(p);
    compare(static_cast<float>(p));
  }
  for (const double p : {1e-300, 740.0, 1000.0, 1e300, infinity}) {
    compare(p);
    compare(-p);
  }
  CHECK(loss.value(infinity, 0.5) == infinity);
}

TEST_CASE("SigmoidCrossEntropy: golden values, least where the sigmoid meets the target",
          "[losses]") {
  const SigmoidCrossEntropy loss;
  check_golden(loss,
               {{2.5, 0.25, 1.9538897342925496, 0.6741418199787564},
                {-40, 0.25, 10, -0.25},
                {40, 0.75, 10, 0.25},
                {700, 0.5, 350, 0.5},
                {-1.5, 1, 1.7014132779827524, -0.8175744761936437},
                {-1.5, 0, 0.2014132779827524, 0.18242552380635635},
                {50, 1, 1.9287498479639178e-22, -1.9287498479639178e-22},
                {0.125, 0.0625, 0.7497865353171691, 0.46870937337375623}},
               {{0.25, 0.25, -0.693147180559945309},
                {1e-9, 0, -2.17232658364464124e-8},
                {-0.125, 1, -0.376770161256436786},
                {0, 0.3, -0.610864302054893454}});
  CHECK_THAT(loss.derivative(std::log(3.0), 0.75), WithinAbs(0, 1e-16));
  for (const double y : {0.0, 0.25, 0.5, 1.0}) {
    CHECK(loss.conjugate(-y, y) == 0);
    CHECK(loss.conjugate(1 - y, y) == 0);
    CHECK(loss.conjugate(std::nextafter(-y, -infinity), y) == infinity);
    CHECK(loss.conjugate(std::nextafter(1 - y, infinity), y) == infinity);
  }
}

TEST_CASE("CrossEntropy: golden values, and infinite outside of 0 to 1", "[losses]") {
  const CrossEntropy loss;
  check_golden(loss, {{0.5, 0.25, 0.6931471805599453, 1},
                      {1e-12, 0.75, 20.723265836946663, -749999999999.75},
                      {0.999, 0.5, 3.45437788965786, 499.49949949949905},
                      {0.25, 1, 1.3862943611198906, -4},
                      {0.25, 0, 0.2876820724517809, 1.3333333333333333}});
  CHECK(loss.second_derivative(0.5, 0.25) == 4);
  CHECK(loss.second_derivative(0.25, 1.0) == 16);
  CHECK(loss.value(1e-300, 0.0) == 1e-300);
  for (const double y : {0.0, 0.5, 1.0}) {
    for (const double q : {-1e-300, -2.0, 1 + epsilon, 5.0}) {
      CHECK(loss.value(q, y) == infinity);
      CHECK(loss.derivative(q, y) == (q < 0 ? -infinity : infinity));
      CHECK(loss.second_derivative(q, y) == 0);
    }
    CHECK(loss.second_derivative(0.0, y) == (y > 0 ? 0 : 1));
    CHECK(loss.second_derivative(1.0, y) == (y < 1 ? 0 : 1));
    CHECK(loss.value(y, y) == (y == 0.5 ? std::log(2.0) : 0));
    CHECK(loss.value(0.0, y) == (y > 0 ? infinity : 0));
    CHECK(loss.value(1.0, y) == (y < 1 ? infinity : 0));
    CHECK(loss.derivative(0.0, y) == (y > 0 ? -infinity : 1));
    CHECK(loss.derivative(-0.0, y) == (y > 0 ? -infinity : 1));
    CHECK(loss.derivative(1.0, y) == (y < 1 ? infinity : -1));
  }
}

TEST_CASE("Poisson: golden values, 0 where the mean is the target", "[losses]") {
  const Poisson loss;
  check_golden(loss, {{1, 3, 1.2958368660043291, -2},
                      {2.999, 3, 1.6670371296539606e-07, -0.00033344448149379456},
                      {1e-9, 0.5, 9.515059329193233, -499999998.99999994},
                      {1000.5, 1000, 0.00012495834895208594, 0.0004997501249375312},
                      {7, 0, 7, 1},
                      {30, 7, 12.812989371752106, 0.7666666666666667},
                      {0.25, 2, 2.408883083359672, -7}});
  CHECK(loss.second_derivative(2.0, 3.0) == 0.75);
  for (const double y : {0.0, 1e-12, 0.3, 1.0, 7.0, 1e6}) {
    CHECK(loss.value(y, y) == 0);
    CHECK(loss.derivative(y, y) == (y > 0 ? 0 : 1));
    CHECK(loss.value(0.0, y) == (y > 0 ? infinity : 0));
    CHECK(loss.derivative(-0.0, y) == (y > 0 ? -infinity : 1));
    CHECK(loss.value(-1e-300, y) == infinity);
    CHECK(loss.derivative(-2.0, y) == -infinity);
    CHECK(loss.second_derivative(-2.0, y) == 0);
    CHECK(loss.value(infinity, y) == infinity);
    CHECK(loss.derivative(infinity, y) == 1);
  }
}

TEST_CASE("Poisson of exponential: golden values and limits, least at the logarithm of the target",
          "[losses]") {
  const Composed loss{Poisson{}, Exponential{}};
  check_golden(loss,
               {{1, 3, 0.014118694463374309, -0.28171817154095474},
                {1.0986, 3, 2.2651611800303129e-10, -3.68657778128933e-05},
                {-20, 0.5, 9.153426411781181, -0.49999999793884636},
                {6.9, 1000, 0.029994587162926283, -7.72528439497377},
                {7, 0, 1096.6331584284585, 1096.6331584284585},
                {-30, 7, 216.62137104338728, -6.999999999999907},
                {3.5, 2, 25.501746319812206, 31.115451958692315}},
               {{-1, 3, -0.909542504884438455},
                {2.5, 0, -0.209273170314612337},
                {-0.5, 0.5, 0.846573590279972655},
                {1e-6, 1000, 6.90775527948213674e-6},
                {300, 7, 1444.52088746588233},
                {-1e-3, 1, 5.00166750050033378e-7}});
  CHECK(loss.second_derivative(0.0, 5.0) == 1);
  for (const double y : {0.25, 1.0, 7.0, 1e6}) {
    CHECK_THAT(loss.value(std::log(y), y), WithinAbs(0, 1e-15 * y));
    CHECK(loss.derivative(-1000.0, y) == -y);
    CHECK(loss.value(-infinity, y) == infinity);
    CHECK(loss.value(infinity, y) == infinity);
    CHECK(loss.derivative(1000.0, y) == infinity);
  }
  for (const double y : {0.0, 0.25, 7.0, 1e6}) {
    CHECK(loss.conjugate(0.0, y) == 0);
    CHECK(loss.conjugate(std::nextafter(-y, -infinity), y) == infinity);
    CHECK(std::isfinite(loss.conjugate(-y, y)));
  }
  CHECK(loss.value(-infinity, 0.0) == 0);
  CHECK(loss.derivative(-1000.0, 0.0) == 0);
  // exp(85 − ln 0.001) exceeds the largest float, but exp(85) does not.
  CHECK_THAT(loss.value(85.0F, 1e-3F), WithinRel(std::exp(85.0F), 1e-6F));
}

TEST_CASE("Poisson: never below 0, in double and in float, close to the target too", "[losses]") {
  const auto check = [](auto y, auto off) {
    CAPTURE(y, off);
    CHECK(Poisson{}.value(y * (1 + off), y) >= 0);
    CHECK(Composed{Poisson{}, Exponential{}}.value(std::log(y) + off, y) >= 0);
  };
  for (const double y : {0.3, 1.0, 7.0, 1000.0})
    for (int k = -400; k <= 400; ++k) {
      const double off = (1 + k * 1e-17 * std::pow(1.1, std::abs(k))) - 1;
      check(y, off);
      check(static_cast<float>(y), static_cast<float>(off));
    }
}
