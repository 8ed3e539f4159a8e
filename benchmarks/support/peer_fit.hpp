// SPDX-License-Identifier: MIT
#pragma once
/// \file What a peer of linea answers with.
#include <Eigen/Core>
#include <optional>

namespace bench {

struct PeerFit {
  double seconds{0};  ///< of the fit alone: no reading, no copy into the peer's own format
  Eigen::VectorXd weights{};
};

/// The largest tolerance, but for steps of a fifth, at which `fit`(tolerance) answers with weights
/// that `is_near` finds near enough; the search starts at `first`. Nothing where smaller ones do not
/// change the weights any more, where they are below 1e-12, or where the search has taken `most`
/// seconds.
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
