// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/dual/rounded_bound.hpp>
#include <linea/penalties/elastic_net.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

using Exact = long double;

/// D for the hinge loss and elastic nets, in long double and by its definition, at the multipliers
/// that one sign has too much of, less the share that is too much.
Exact exact_dual(const Matrix<double>& x, const Vector<double>& y, const Vector<double>& a,
                 double l1, double l2) {
  const auto n = static_cast<Exact>(x.rows());
  Exact sides[2] = {0, 0};
  for (const double multiplier : a) sides[multiplier > 0] += std::abs(multiplier);
  const auto less = [&](Index i) -> Exact {
    const Exact own = sides[a[i] > 0];
    const Exact other = sides[!(a[i] > 0)];
    return own > other ? a[i] * (other / own) : a[i];
  };
  Exact dual = 0;
  for (Index i = 0; i < x.rows(); ++i) dual += less(i) * y[i] / n;
  for (Index j = 0; j < x.cols(); ++j) {
    Exact sum = 0;
    for (Index i = 0; i < x.rows(); ++i) sum += less(i) * x(i, j) / n;
    const Exact beyond = std::max<Exact>(std::abs(sum) - l1, 0);
    dual -= beyond * beyond / (2 * static_cast<Exact>(l2));
  }
  return dual;
}

}  // namespace

TEST_CASE("Rounded bound: no higher than D in long double", "[optimizers]") {
  Random random(7);
  int naive_above = 0;
  for (int trial = 0; trial < 200; ++trial) {
    // Pairs of samples with opposite targets, so far from 0 that little of the sum is left.
    Matrix<double> x(8, 3);
    Vector<double> y(8), a(8);
    for (Index i = 0; i < 8; ++i) {
      for (Index j = 0; j < 3; ++j) x(i, j) = 1e5 + synthetic::normal(random);
      y[i] = i % 2 == 0 ? 1 : -1;
      a[i] = i % 2 == 0 ? random.uniform() : -a[i - 1];
    }
    const double l1 = trial % 2 == 0 ? 0 : 1e-3;
    const double l2 = 1e-2;
    const auto set = samples::admit_in_double("test", Hinge{}, x, y, Vector<double>{});
    const Objective objective{Hinge{}, ElasticNet{l1, l2}};
    const Exact exact = exact_dual(x, y, a, l1, l2);
    const double bound = dual::rounded_bound(objective, set, a, true);
    const Exact rounding = 1e-16L * (1 + std::abs(exact));
    CHECK(static_cast<Exact>(bound) <= exact + rounding);
    // A dozen roundings of terms of 1e5 in sums of 1, over an l2 of 1e-2.
    CHECK(static_cast<Exact>(bound) >= exact - 1e-6L * (1 + std::abs(exact)));
    const double naive = dual::dual_of_losses(Hinge{}, set, a) -
                         dual::conjugate_of(objective.penalty, dual::dual_sum_of(set, a));
    naive_above += static_cast<Exact>(naive) > exact + rounding;
    // Out of balance by a part in 1e10 to less than the last digit.
    const double excess = std::pow(10.0, -10 - trial % 8);
    a[0] *= 1 + excess;
    const Exact balanced = exact_dual(x, y, a, l1, l2);
    const double proven = dual::rounded_bound(objective, set, a, true);
    CHECK(static_cast<Exact>(proven) <= balanced + 1e-16L * (1 + std::abs(balanced)));
    const Exact lost = 1e-6L + 1e8L * static_cast<Exact>(excess);
    CHECK(static_cast<Exact>(proven) >= balanced - lost * (1 + std::abs(balanced)));
  }
  CHECK(naive_above > 20);
}
