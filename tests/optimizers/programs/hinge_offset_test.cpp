// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/optimizers/programs/hinge_offset.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Hinge offset: no b is better, and the interval of the best is kept to", "[optimizers]") {
  Random random(28);
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = 1 + static_cast<Index>(random.below(6));
    Eigen::VectorXd p(n), y(n), s(n);
    for (Index i = 0; i < n; ++i) {
      p[i] = std::round(4 * synthetic::normal(random)) / 2;
      y[i] = random.uniform() < 0.5 ? -1 : 1;
      s[i] = static_cast<double>(random.below(3));
    }
    const auto loss = [&](double b) {
      return s.dot(Eigen::VectorXd((1 - y.array() * (p.array() + b)).max(0)));
    };
    // Convex and linear between kinks: the smallest is at a kink, or far out if it is flat there.
    double smallest = std::min(loss(-1e3), loss(1e3));
    for (Index i = 0; i < n; ++i) smallest = std::min(smallest, loss(y[i] - p[i]));
    for (const double near : {-1e3, -1.0, 0.25, 1e3}) {
      const double b = programs::hinge_offset(p, y, s, near);
      CHECK_THAT(loss(b), WithinAbs(smallest, 1e-9));
      if (loss(near) <= smallest) CHECK(b == near);
      // Nothing nearer is as good.
      CHECK((b == near || loss(b + 1e-3 * (near > b ? 1 : -1)) > smallest + 1e-9));
    }
  }
}
