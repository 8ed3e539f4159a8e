// SPDX-License-Identifier: MIT
/// \file Proximal steps against closed-form coordinate steps of the dual, conjugates against closed-form
/// dual terms, and the best constant score against the statistic that it is known to be.
///
/// With dual variable a, q = ‖x‖²/(λn) and score p, the step that maximises the dual in a is
/// a′ = (prox_q(v) − v)/q at v = p − a·q, and the dual's term is −ℓ*(−a).
#include <algorithm>  // clamp, max, min_element, sort
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <vector>

#include "support/catch.hpp"

using namespace linea;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Runs f(p, y, a, q) over scores, dual variables of the box yₐ in [0, 1] or [−1, 1], and q.
template <class F>
void for_each_coordinate(const std::vector<double>& targets, bool classes, const F& f) {
  for (const double y : targets)
    for (const double a : {-1.0, -0.7, -0.25, 0.0, 0.25, 0.7, 1.0})
      for (const double p : {-30.0, -2.0, -1.0, -0.3, 0.0, 0.4, 0.95, 1.0, 1.3, 2.2, 25.0})
        for (const double q : {0.01, 0.3, 1.0, 4.0, 100.0})
          if (!classes || a * y >= 0) f(p, y, a, q);
}

template <class L, class Step>
void check_steps(const L& loss, const std::vector<double>& targets, bool classes,
                 const Step& step) {
  for_each_coordinate(targets, classes, [&](double p, double y, double a, double q) {
    const double v = p - a * q;
    const double answer = (loss.proximal(v, y, q) - v) / q;
    INFO(loss.name << " p " << p << " y " << y << " a " << a << " q " << q);
    // The difference prox − v loses digits of v and y; dividing by q makes that loss larger.
    CHECK_THAT(answer, WithinAbs(step(p, y, a, q),
                                 1e-15 * (std::abs(v) + std::abs(y) + 1) * (1 + 1 / q) * 4));
  });
}

template <class L, class Term>
void check_terms(const L& loss, const std::vector<double>& targets, const Term& term) {
  for (const double y : targets)
    for (const double a : {-2.0, -1.0, -0.6, -0.1, 0.0, 0.1, 0.6, 1.0, 2.0}) {
      INFO(loss.name << " y " << y << " a " << a);
      const double expected = term(a, y);
      const double answer = -loss.conjugate(-a, y);
      if (std::isfinite(expected))
        CHECK_THAT(answer, WithinAbs(expected, 1e-14));
      else
        CHECK(answer == expected);
    }
}

double soft(double v, double by) { return v > by ? v - by : (v < -by ? v + by : 0); }

const std::vector<double> signs{-1, 1};
const std::vector<double> numbers{-1.7, 0, 0.4, 3};

}  // namespace

TEST_CASE("Hinge: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(Hinge{}, signs, true, [](double p, double y, double a, double q) {
    return y * std::clamp(y * a + (1 - y * p) / q, 0.0, 1.0);
  });
  check_terms(Hinge{}, signs,
              [](double a, double y) { return y * a >= 0 && y * a <= 1 ? y * a : -infinity; });
}

TEST_CASE("SquaredHinge: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(SquaredHinge{}, signs, true, [](double p, double y, double a, double q) {
    return y * std::max(0.0, y * a + (1 - y * p - y * a) / (q + 1));
  });
  check_terms(SquaredHinge{}, signs,
              [](double a, double y) { return y * a >= 0 ? y * a - a * a / 2 : -infinity; });
}

TEST_CASE("SmoothHinge: dual step and dual term in closed form", "[losses][dual]") {
  for (const double width : {1.0, 0.2, 3.0}) {
    check_steps(SmoothHinge{width}, signs, true, [&](double p, double y, double a, double q) {
      return y * std::clamp(y * a + (1 - y * p - width * y * a) / (q + width), 0.0, 1.0);
    });
    check_terms(SmoothHinge{width}, signs, [&](double a, double y) {
      return y * a >= 0 && y * a <= 1 ? y * a - width * a * a / 2 : -infinity;
    });
  }
}

TEST_CASE("Log: dual step and dual term in closed form", "[losses][dual]") {
  for_each_coordinate(signs, true, [](double p, double y, double a, double q) {
    const double v = p - a * q;
    const double chance = y * (Log{}.proximal(v, y, q) - v) / q;
    INFO("p " << p << " y " << y << " a " << a << " q " << q);
    CHECK((chance >= 0 && chance <= 1 + 1e-13 / q));
    // The equation of the dual: log(c/(1 − c)) + q·(c − y·a) + y·p = 0, where c is not at an end.
    if (chance > 1e-3 && chance < 1 - 1e-3)
      CHECK_THAT(std::log(chance / (1 - chance)) + q * (chance - y * a), WithinAbs(-y * p, 1e-9));
  });
  check_terms(Log{}, signs, [](double a, double y) {
    const double c = y * a;
    if (c < 0 || c > 1) return -infinity;
    return c == 0 || c == 1 ? 0 : -c * std::log(c) - (1 - c) * std::log(1 - c);
  });
}

TEST_CASE("PerceptronLoss: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(PerceptronLoss{}, signs, true, [](double p, double y, double a, double q) {
    return y * std::clamp(y * a - y * p / q, 0.0, 1.0);
  });
  check_terms(PerceptronLoss{}, signs,
              [](double a, double y) { return y * a >= 0 && y * a <= 1 ? 0 : -infinity; });
}

TEST_CASE("Squared: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(Squared{}, numbers, false,
              [](double p, double y, double a, double q) { return a + (y - p - a) / (1 + q); });
  check_terms(Squared{}, numbers, [](double a, double y) { return y * a - a * a / 2; });
}

TEST_CASE("Huber: dual step and dual term in closed form", "[losses][dual]") {
  for (const double delta : {1.0, 0.3, 2.0}) {
    check_steps(Huber{delta}, numbers, false, [&](double p, double y, double a, double q) {
      return std::clamp(a + (y - p - a) / (1 + q), -delta, delta);
    });
    check_terms(Huber{delta}, numbers, [&](double a, double y) {
      return std::abs(a) <= delta ? y * a - a * a / 2 : -infinity;
    });
  }
}

TEST_CASE("Absolute: dual step and dual term in closed form", "[losses][dual]") {
  check_steps(Absolute{}, numbers, false, [](double p, double y, double a, double q) {
    return std::clamp(a + (y - p) / q, -1.0, 1.0);
  });
  check_terms(Absolute{}, numbers,
              [](double a, double y) { return std::abs(a) <= 1 ? y * a : -infinity; });
}

TEST_CASE("EpsilonInsensitive: dual step and dual term in closed form", "[losses][dual]") {
  for (const double epsilon : {0.1, 0.0, 0.8}) {
    check_steps(EpsilonInsensitive{epsilon}, numbers, false,
                [&](double p, double y, double a, double q) {
                  return std::clamp(soft(q * a + y - p, epsilon) / q, -1.0, 1.0);
                });
    check_terms(EpsilonInsensitive{epsilon}, numbers, [&](double a, double y) {
      return std::abs(a) <= 1 ? y * a - epsilon * std::abs(a) : -infinity;
    });
  }
}

TEST_CASE("Quantile: dual step and dual term in closed form", "[losses][dual]") {
  for (const double level : {0.5, 0.25, 0.875}) {
    check_steps(Quantile{level}, numbers, false, [&](double p, double y, double a, double q) {
      return std::clamp(a + (y - p) / q, level - 1, level);
    });
    check_terms(Quantile{level}, numbers, [&](double a, double y) {
      return a >= level - 1 && a <= level ? y * a : -infinity;
    });
  }
}

namespace {

/// The score on a grid of hundredths with the least mean loss.
template <class L>
double best_constant(const L& loss, const std::vector<double>& targets) {
  double best = 0;
  double least = infinity;
  for (int k = -1000; k <= 1000; ++k) {
    double sum = 0;
    for (const double y : targets) sum += loss.value(k / 100.0, y);
    if (sum < least) {
      least = sum;
      best = k / 100.0;
    }
  }
  return best;
}

const std::vector<double> sample{-4, 7.5, 0.25, 1.5, -1, 2, 0.5};

}  // namespace

TEST_CASE("Squared: the best constant score is the mean", "[losses]") {
  double sum = 0;
  for (const double y : {-4.0, 7.5, 0.25, 1.5, -1.0, 2.0, 0.75}) sum += y;
  CHECK(best_constant(Squared{}, {-4, 7.5, 0.25, 1.5, -1, 2, 0.75}) == sum / 7);
}

TEST_CASE("Absolute: the best constant score is the median", "[losses]") {
  CHECK(best_constant(Absolute{}, sample) == 0.5);
}

TEST_CASE("Quantile: the best constant score is the quantile", "[losses]") {
  // Sorted: −4, −1, 0.25, 0.5, 1.5, 2, 7.5; the optimum is number ⌈7·level⌉.
  CHECK(best_constant(Quantile{0.1}, sample) == -4);
  CHECK(best_constant(Quantile{0.25}, sample) == -1);
  CHECK(best_constant(Quantile{0.5}, sample) == 0.5);
  CHECK(best_constant(Quantile{0.75}, sample) == 2);
  CHECK(best_constant(Quantile{0.95}, sample) == 7.5);
}
