// SPDX-License-Identifier: MIT
#pragma once
/// \file Proximal steps against closed-form coordinate steps of the dual, and conjugates against
/// closed-form terms.
///
/// With dual variable a, q = ‖x‖²/(λn) and score p, the step that maximises the dual in a is
/// a′ = (prox_q(v) − v)/q at v = p − a·q, and the dual's term is −ℓ*(−a).
#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"

namespace linea::test {

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

inline const std::vector<double> signs{-1, 1};
inline const std::vector<double> numbers{-1.7, 0, 0.4, 3};

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

inline const std::vector<double> sample{-4, 7.5, 0.25, 1.5, -1, 2, 0.5};

}  // namespace linea::test
