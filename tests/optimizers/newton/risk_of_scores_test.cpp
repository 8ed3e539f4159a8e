// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/core/types.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/newton/risk_of_scores.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("Risk of scores: log loss at many scores keeps the digits of one by one",
          "[optimizers]") {
  for (const double scale : {1e-3, 1.0, 30.0, 800.0})
    for (const double sign : {1.0, -1.0})
      for (const bool weighted : {true, false}) {
        Eigen::ArrayXd p(5), y(5), parts(5), slopes(5), curvatures(5), others(5), bends(5);
        p << 0.1, -0.7, 0.9, 0.35, 1;
        p *= scale;
        y = sign * p.sign();
        parts << 1, 2, 0, 0.5, 3;
        double expected = 0;
        for (Index k = 0; k < 5; ++k)
          expected += (weighted ? parts[k] : 1) * Log{}.value(p[k], y[k]);
        const auto total = [&](const auto& loss, const Eigen::ArrayXd& targets,
                               Eigen::ArrayXd& first, Eigen::ArrayXd& second) {
          return newton::total_loss(loss, p.data(), targets.data(),
                                    weighted ? parts.data() : nullptr, 5, first.data(),
                                    second.data());
        };
        CHECK_THAT(total(Log{}, y, slopes, curvatures), WithinRel(expected, 1e-14));
        CHECK_THAT(total(SigmoidCrossEntropy{}, (1 + y) / 2, others, bends),
                   WithinRel(expected, 1e-14));
        for (Index k = 0; k < 5; ++k) {
          CHECK_THAT(slopes[k], WithinRel(Log{}.derivative(p[k], y[k]), 1e-14) ||
                                    WithinAbs(Log{}.derivative(p[k], y[k]), 1e-305));
          CHECK_THAT(curvatures[k], WithinRel(Log{}.second_derivative(p[k], y[k]), 1e-14) ||
                                        WithinAbs(Log{}.second_derivative(p[k], y[k]), 1e-305));
          CHECK_THAT(others[k], WithinRel(slopes[k], 1e-14));
          CHECK(bends[k] == curvatures[k]);
        }
      }
  const double p[3] = {NAN, NAN, NAN};
  const double y[3] = {1, 1, 1};
  double slopes[3], curvatures[3];
  CHECK(std::isnan(newton::total_loss(Log{}, p, y, nullptr, 3, slopes, curvatures)));
  CHECK(std::isnan(newton::total_loss(SigmoidCrossEntropy{}, p, y, y, 3, slopes, curvatures)));
}
