// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/optimizers/newton/softmax_kernels.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

/// The same in long double, by the formula.
newton::RowLoss by_formula(const Vector<double>& p, Index y, Vector<double>& q) {
  Index top = 0;
  p.maxCoeff(&top);
  const auto below = [&](Index a) { return static_cast<long double>(p[a]) - p[top]; };
  long double others = 0;
  for (Index a = 0; a < p.size(); ++a)
    if (a != top) others += std::exp(below(a));
  long double entropy = -std::log1p(others);
  q.resize(p.size());
  for (Index a = 0; a < p.size(); ++a) {
    const long double chance = std::exp(below(a)) / (1 + others);
    q[a] = static_cast<double>(chance);
    entropy += chance * below(a);
  }
  long double rest = 0;  // of the sum, without class y, over the term of y
  for (Index a = 0; a < p.size(); ++a)
    if (a != y) rest += std::exp(static_cast<long double>(p[a]) - p[y]);
  return {static_cast<double>(std::log1p(rest)), static_cast<double>(entropy)};
}

}  // namespace

TEST_CASE("evaluate_row: loss, entropy and probabilities to their last digits", "[optimizers]") {
  for (const double size : {1e-8, 1.0, 40.0, 700.0})
    for (Index y = 0; y < 5; ++y) {
      const Vector<double> p = size * Vector<double>{{0.3, -1, 0.9, 0.2, -0.4}};
      Vector<double> q = Vector<double>::Constant(8, 7);
      Vector<double> expected;
      const auto wanted = by_formula(p, y, expected);
      const auto found = newton::evaluate_row(p.data(), 5, y, q.data(), 8);
      INFO("size " << size << ", class " << y);
      CHECK_THAT(found.loss, WithinRel(wanted.loss, 4e-15));
      CHECK_THAT(found.negative_entropy, WithinRel(wanted.negative_entropy, 4e-14));
      for (Index a = 0; a < 5; ++a) CHECK_THAT(q[a], WithinRel(expected[a], 1e-13));
      CHECK(q.tail(3).isZero(0));
    }
  // All of it is in one class.
  const Vector<double> p{{0, 1e6}};
  Vector<double> q(2);
  CHECK(newton::evaluate_row(p.data(), 2, 0, q.data(), 2).loss == 1e6);
  const auto sure = newton::evaluate_row(p.data(), 2, 1, q.data(), 2);
  CHECK(sure.loss == 0);
  CHECK(sure.negative_entropy == 0);
  CHECK(q == Vector<double>{{0, 1}});
}

TEST_CASE("slopes_of: sum to 0 and keep the digits of a probability near 1", "[optimizers]") {
  const Vector<double> p{{0, 60, 20, 0}};
  Vector<double> q(4);
  Vector<double> slopes = Vector<double>::Constant(4, 7);
  newton::evaluate_row(p.data(), 3, 1, q.data(), 4);
  newton::slopes_of(q.data(), 3, 1, 0.5, slopes.data(), 4);
  CHECK(slopes.sum() == 0);
  CHECK_THAT(slopes[1], WithinRel(-0.5 * (std::exp(-40.0) + std::exp(-60.0)), 1e-14));
  CHECK_THAT(slopes[2], WithinRel(0.5 * std::exp(-40.0), 1e-14));
  CHECK(slopes[3] == 0);
}
