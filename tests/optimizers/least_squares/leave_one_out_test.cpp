// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <linea/optimizers/least_squares/leave_one_out.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/least_norm.hpp"
#include "support/leave_one_out.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// Returns the leave-one-out error by definition: the weighted mean of the squared error of each
/// sample at the minimum for all other samples. For λ = 0 this minimum is that of least norm.
double by_definition(const WideProblem& p, double lambda) {
  const WideVector share = p.shares();
  long double sum = 0;
  for (Index i = 0; i < p.x.rows(); ++i) {
    WideProblem rest = p;
    if (rest.weights.size() == 0) rest.weights = Vector<double>::Ones(p.x.rows());
    rest.weights[i] = 0;
    const auto minimum = wide_minimum(rest, lambda);
    const long double error = p.x.row(i).cast<long double>().dot(minimum.weights.transpose()) +
                              minimum.offset - static_cast<long double>(p.y[i]);
    sum += share[i] * error * error;
  }
  return static_cast<double>(sum);
}

WideProblem drawn(Index n, Index d, bool offset, std::uint64_t seed) {
  return {synthetic::features(n, d, seed), synthetic::features(n, 1, seed + 50).col(0), {}, offset};
}

void check(const WideProblem& p, const std::vector<double>& lambdas, double rounding = 1e-6) {
  const RidgePath fit{.lambdas = lambdas, .offset = p.offset};
  const auto dense = fit.fit(p.x, p.y, p.weights);
  const auto sparse = fit.fit(synthetic::sparse(p.x), p.y, p.weights);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    CAPTURE(lambdas[k]);
    const double expected = by_definition(p, lambdas[k]);
    CHECK_THAT(dense.leave_one_out[static_cast<Index>(k)], WithinRel(expected, rounding));
    CHECK_THAT(sparse.leave_one_out[static_cast<Index>(k)], WithinRel(expected, rounding));
  }
}

}  // namespace

TEST_CASE("RidgePath: leave-one-out equals n refits", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{30, 5}, {8, 20}, {12, 12}, {13, 12}, {12, 11}})
    for (const bool offset : {true, false})
      for (const auto& weights : {Vector<double>{}, synthetic::weights(n, 6)}) {
        CAPTURE(n, d, offset, weights.size());
        const auto x = synthetic::features(n, d, 4);
        check({x, synthetic::numbers(x, 5), weights, offset}, log_spaced(1e14, 1e-14, 15), 1e-9);
      }
}

// With λ = 0, the only sample with a feature has leverage 1 and residual 0. Without this sample,
// the solution is that of smallest norm for the other samples.
TEST_CASE("RidgePath: leaving out the only sample with a feature is exact", "[optimizers]") {
  const Index n = 100, alone = 10;
  Matrix<double> x(n, 3 + alone);
  x << synthetic::features(n, 3, 7), Matrix<double>::Zero(n, alone);
  for (Index j = 0; j < alone; ++j) x(2 * j, 3 + j) = 1 + 0.01 * static_cast<double>(j);
  const auto y = synthetic::numbers(Matrix<double>(x.leftCols(3)), 8);
  for (const bool offset : {true, false})
    for (const auto& weights : {Vector<double>{}, synthetic::weights(n, 9)}) {
      CAPTURE(offset, weights.size());
      check({x, y, weights, offset}, {0, 1e-14}, 1e-10);
      check({x, y, weights, offset}, {0}, 1e-12);
    }
}

TEST_CASE("RidgePath: leave-one-out at λ = 0 is that of smallest norm", "[optimizers]") {
  const auto base = synthetic::features(12, 4, 10);
  const auto y = synthetic::numbers(base, 11);
  Matrix<double> tall(12, 7);
  tall << base, base.col(0) + base.col(1), Vector<double>::Zero(12), base.col(3);
  Matrix<double> wide(12, 16);
  wide << base, base, base, base;
  Matrix<double> repeated = synthetic::features(6, 9, 12);
  repeated.row(4) = repeated.row(1);
  for (const bool offset : {true, false}) {
    const auto check_rank = [&](const Matrix<double>& x, const Vector<double>& weights) {
      const WideProblem p{x, y.head(x.rows()), weights, offset};
      const auto path = RidgePath{.lambdas = {0}, .offset = offset}.fit(p.x, p.y, weights);
      CHECK(path.decomposition == Decomposition::singular_values);
      const auto full = Ridge{.offset = offset}.minimize(ridge(0), p.x, p.y, weights);
      CHECK(path.rank == full.rank);
      CHECK((path.weights.col(0) - full.weights).norm() < 1e-12 * full.weights.norm());
      check(p, {0, 1e-3}, 1e-9);
    };
    check_rank(tall, Vector<double>::Ones(12));
    check_rank(wide, Vector<double>::Ones(12));
    check_rank(repeated, Vector<double>::Ones(6));
    check_rank(tall, synthetic::weights(12, 13));
    check_rank(wide, synthetic::weights(12, 14));
    check_rank(repeated, synthetic::weights(6, 15));
  }
}

TEST_CASE("RidgePath: leave-one-out with as many parameters as samples", "[optimizers]") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    for (Index d = 1; d <= 10; d += 3) check(drawn(d + 1, d, true, seed), {0});
    for (const Index d : {3, 6}) check(drawn(d, d, false, seed), {1, 0});
    auto p = drawn(10, 10, true, seed);
    p.x.col(0).array() += 1000;
    check(p, {1, 0});
    for (Index j = 0; j < 10; ++j) p.x.col(j) *= std::pow(10, static_cast<double>(j) - 5);
    check(p, {1, 1e-9, 0});
  }
}

TEST_CASE("RidgePath: a sample heavier than all others together is refitted", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{12, 3}, {3, 5}})
    for (const auto heavy : {1e3, 1e8, 1e149}) {
      auto p = drawn(n, d, true, 5);
      p.weights = Vector<double>::Ones(n);
      p.weights[n / 3] = heavy;
      check(p, {1, 1e-3, 1e-12});
    }
}

TEST_CASE("RidgePath: leave-one-out is NaN if it would take too long", "[optimizers]") {
  auto p = drawn(3000, 40, true, 7);
  for (Index j = 0; j < 40; ++j) p.x.col(j) *= std::pow(10, -0.4 * static_cast<double>(j));
  const auto path = RidgePath{.lambdas = {1, 0}}.fit(p.x, p.y);
  CHECK(std::isfinite(path.leave_one_out[0]));
  CHECK(std::isnan(path.leave_one_out[1]));
  CHECK(path.best == 0);
  CHECK(path.status == Status::converged);
}
