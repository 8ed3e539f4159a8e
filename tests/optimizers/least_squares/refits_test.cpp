// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/optimizers/least_squares/refits.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/least_norm.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// By its definition: for each sample the minimum, at λ = 0 of least norm, of all others.
double by_definition(const HardProblem& p, double lambda) {
  const WideVector share = p.shares();
  long double sum = 0;
  for (Index i = 0; i < p.x.rows(); ++i) {
    HardProblem rest = p;
    if (rest.weights.size() == 0) rest.weights = Vector<double>::Ones(p.x.rows());
    rest.weights[i] = 0;
    const auto minimum = wide_minimum(rest, lambda);
    const long double error = p.x.row(i).cast<long double>().dot(minimum.weights.transpose()) +
                              minimum.offset - static_cast<long double>(p.y[i]);
    sum += share[i] * error * error;
  }
  return static_cast<double>(sum);
}

HardProblem drawn(Index n, Index d, bool offset, std::uint64_t seed) {
  Random random(seed);
  HardProblem p;
  p.offset = offset;
  p.x.resize(n, d);
  p.y.resize(n);
  for (Index k = 0; k < n * d; ++k) p.x.data()[k] = normal(random);
  for (double& target : p.y) target = normal(random);
  return p;
}

void check(const HardProblem& p, const std::vector<double>& lambdas) {
  const auto path = RidgePath{.lambdas = lambdas, .offset = p.offset}.fit(p.x, p.y, p.weights);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    CAPTURE(lambdas[k]);
    CHECK_THAT(path.leave_one_out[static_cast<Index>(k)],
               WithinRel(by_definition(p, lambdas[k]), 1e-6));
  }
}

}  // namespace

TEST_CASE("RidgePath: leave-one-out at λ = 0 where parameters are as many as samples",
          "[optimizers]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    for (Index d = 1; d <= 10; d += 3) check(drawn(d + 1, d, true, seed), {0});
    for (const Index d : {3, 6}) check(drawn(d, d, false, seed), {1, 0});
  }
}

TEST_CASE("RidgePath: a λ of 0 beside large ones does not spoil their leave-one-out",
          "[optimizers]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    auto p = drawn(10, 10, true, seed);
    p.x.col(0).array() += 1000;
    check(p, {1, 0});
    for (Index j = 0; j < 10; ++j) p.x.col(j) *= std::pow(10, static_cast<double>(j) - 5);
    check(p, {1, 1e-9, 0});
  }
}

TEST_CASE("RidgePath: a sample that outweighs all others is left out by a refit", "[optimizers]") {
  for (const auto heavy : {1e6, 1e300}) {
    auto p = drawn(12, 3, true, 5);
    p.weights = Vector<double>::Ones(12);
    p.weights[4] = heavy;
    check(p, {1, 1e-3});
    p = drawn(3, 5, true, 6);
    p.weights = Vector<double>::Ones(3);
    p.weights[0] = heavy;
    check(p, {1, 1e-3});
  }
}

TEST_CASE("RidgePath: what too many refits would take is not a number, or known to three digits",
          "[optimizers]") {
  auto p = drawn(3000, 40, true, 7);
  for (Index j = 0; j < 40; ++j) p.x.col(j) *= std::pow(10, -0.4 * static_cast<double>(j));
  const auto path = RidgePath{.lambdas = {1, 0}}.fit(p.x, p.y);
  CHECK(std::isfinite(path.leave_one_out[0]));
  CHECK(std::isnan(path.leave_one_out[1]));
  CHECK(path.best == 0);
  CHECK(path.status == Status::converged);
}
