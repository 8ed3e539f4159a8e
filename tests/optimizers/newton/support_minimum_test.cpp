// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <linea/optimizers/newton/support_minimum.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

using Square = core::ColumnMatrix<double>;

struct Quadratic {
  Square curvature;
  Vector<double> slopes, start;

  double value(const Vector<double>& w, double l1) const {
    const Vector<double> change = w - start;
    return 0.5 * change.dot(curvature * change) + slopes.dot(change) + l1 * w.cwiseAbs().sum();
  }
  Vector<double> minimum(double l1, Index steps = 100) const {
    newton::SupportMinimum<> minimum(curvature, l1, slopes, start);
    minimum.descend(steps);
    return minimum.weights();
  }
};

/// Of this rank; the slopes lie in the range of the curvature.
Quadratic made_up(Index size, Index rank, std::uint64_t seed) {
  Random random(seed);
  const auto draw = [&] { return 2 * random.uniform() - 1; };
  Square factor(rank, size);
  Quadratic q{{}, Vector<double>(rank), Vector<double>(size)};
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < rank; ++i) factor(i, j) = draw();
    q.start[j] = draw();
  }
  for (Index i = 0; i < rank; ++i) q.slopes[i] = draw();
  q.slopes = Vector<double>(factor.transpose() * q.slopes);
  q.curvature = factor.transpose() * factor;
  return q;
}

}  // namespace

TEST_CASE("SupportMinimum: without an L1 term one step is the minimum", "[optimizers]") {
  const auto q = made_up(6, 6, 1);
  const Vector<double> w = q.minimum(0, 1);
  CHECK((q.slopes + q.curvature * (w - q.start)).norm() < 1e-9 * q.slopes.norm());
}

TEST_CASE("SupportMinimum: the slopes of weights that are not 0 are balanced by the L1 term",
          "[optimizers]") {
  for (const Index rank : {9, 6, 3})
    for (const double l1 : {1e-6, 1e-2, 0.3}) {
      const auto q = made_up(9, rank, static_cast<std::uint64_t>(rank));
      CAPTURE(rank, l1);
      const Vector<double> w = q.minimum(l1);
      const Vector<double> slopes = q.slopes + q.curvature * (w - q.start);
      Index present = 0;
      for (Index k = 0; k < 9; ++k) {
        if (w[k] == 0) continue;
        ++present;
        CHECK(std::abs(slopes[k] + (w[k] > 0 ? l1 : -l1)) < 1e-10 + 1e-6 * l1);
      }
      CHECK(present <= rank);  // along a null space the L1 term falls until a weight is 0
      CHECK(q.value(w, l1) < q.value(q.start, l1));
    }
}

TEST_CASE("SupportMinimum: every step lowers the function", "[optimizers]") {
  const auto q = made_up(12, 5, 4);
  double last = q.value(q.start, 0.1);
  for (Index steps = 1; steps < 15; ++steps) {
    const double value = q.value(q.minimum(0.1, steps), 0.1);
    CAPTURE(steps);
    CHECK(value <= last + 1e-14 * std::abs(last));
    last = value;
  }
  CHECK(last < q.value(q.start, 0.1));
}
