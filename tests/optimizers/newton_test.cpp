// SPDX-License-Identifier: MIT
#include <linea/losses/log.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/smooth_losses.hpp"
#include "support/synthetic.hpp"

namespace newton_test {

using namespace linea;
using namespace linea::test;

TEST_CASE("Newton: many samples, of which it may begin with some", "[optimizers]") {
  const auto x = synthetic::features(20000, 10, 26, 0.5);
  const auto sparse = synthetic::sparse(x);
  for_each_smooth_loss(x, [&](const auto& loss, const Vector<double>& y) {
    const Objective objective{loss, L2{1e-4}};
    INFO(name_of(loss));
    const Newton newton{.offset = true, .tolerance = 1e-12};
    const auto one = newton.minimize(objective, sparse, y);
    const auto other = Lbfgs{.tolerance = 1e-12}.minimize(objective, x, y);
    CHECK(one.status == Status::converged);
    CHECK(one.epochs <= 80);
    CHECK_THAT(one.objective, WithinRel(other.objective, 1e-10));
    CHECK((one.weights - other.weights).norm() < 1e-4 * other.weights.norm());
    auto threaded = newton;
    threaded.threads = 3;
    const auto same = threaded.minimize(objective, sparse, y);
    CHECK(one.weights == same.weights);
    CHECK(one.epochs == same.epochs);
  });
  // Samples in an order that meets every eighth of them: one class there, the other elsewhere.
  Matrix<double> ordered = x;
  Vector<double> y(20000);
  for (Index i = 0; i < 20000; ++i) {
    y[i] = i % 8 == 0 ? 1 : -1;
    ordered(i, 0) = (i % 8 == 0 ? 20 : 1) * x(i, 1) + y[i];
  }
  const auto periodic = Newton{.tolerance = 1e-10}.minimize(Objective{Log{}, L2{1e-4}}, ordered, y);
  CHECK(periodic.status == Status::converged);
  CHECK(periodic.epochs <= 80);
}

}  // namespace newton_test
