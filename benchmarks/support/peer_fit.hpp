// SPDX-License-Identifier: MIT
#pragma once
/// \file The result of a fit by another program.
#include <Eigen/Core>
#include <optional>

namespace bench {

struct PeerFit {
  double seconds{0};  ///< the time of the fit alone, without reading or copying the samples
  Eigen::VectorXd weights{};
};

/// Returns the largest tolerance, searched in steps of a fifth, for which the weights of
/// `fit`(tolerance) satisfy `is_near`. The search starts at `first`. Returns none if smaller
/// tolerances no longer change the weights, if the tolerance falls below 1e-12, or if the search
/// has taken `most` seconds.
std::optional<double> largest_tolerance(double first, double most, auto&& fit, auto&& is_near) {
  double taken = 0;
  int same = 0;
  Eigen::VectorXd last;
  const auto suffices = [&](double tolerance) {
    const PeerFit found = fit(tolerance);
    taken += found.seconds;
    same = last.size() > 0 && found.weights == last ? same + 1 : 0;
    last = found.weights;
    return is_near(last);
  };
  double tolerance = first;
  while (!suffices(tolerance)) {
    tolerance *= 0.1;
    if (tolerance < 1e-12 || taken >= most || (tolerance < 1e-4 && same >= 3)) return std::nullopt;
  }
  if (tolerance < first)
    for (tolerance *= 8; !suffices(tolerance); tolerance *= 0.8) continue;
  return tolerance;
}

}  // namespace bench
