// SPDX-License-Identifier: MIT
#pragma once
/// \file What the interior point method carries from one iteration to the next.
#include <limits>
#include <linea/optimizers/programs/box_newton.hpp>

namespace linea::programs {

template <class Real = double>
struct InteriorState {
  BoxPoint<Real> point{};
  BoxPoint<Real> best{};                                  ///< where `least` was found
  double least{std::numeric_limits<double>::infinity()};  ///< least of what was left
  double mark{std::numeric_limits<double>::infinity()};   ///< what was left when `since` was 0
  Index since{0};  ///< rounds since what is left last fell by a hundredth
  Index iterations{0};
  BoxFactor factor{BoxFactor::cholesky};

  /// From the point on, as if nothing had been before.
  void begin() {
    best = point;
    least = mark = std::numeric_limits<double>::infinity();
    since = 0;
  }

  /// Takes note of what is left at the point.
  void note(double left) {
    if (left < least) {
      best = point;
      least = left;
    }
    ++since;
    if (left < 0.99 * mark) {
      mark = left;
      since = 0;
    }
  }

  /// For the state of a run.
  template <class Archive>
  void keep(Archive& archive) {
    archive(point, best, least, mark, since, iterations, factor);
  }
};

}  // namespace linea::programs
