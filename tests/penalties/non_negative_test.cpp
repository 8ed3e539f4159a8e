// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties.hpp>
#include <vector>

#include "golden/models.hpp"
#include "support/catch.hpp"
#include "support/gradient.hpp"
#include "support/problems.hpp"
#include "support/shipped.hpp"

namespace non_negative_test {

using namespace linea;
using namespace linea::test;
using synthetic::problem_for;

TEST_CASE("NonNegative: scikit-learn's minima", "[penalties]") {
  const auto& [x, y] = shipped::diabetes();
  const auto check = [&, &x = x, &y = y](const auto& penalty, Status status, double golden) {
    const auto s =
        CoordinateDescent{.tolerance = 1e-11}.minimize(Objective{Squared{}, penalty}, x, y);
    CHECK(s.status == status);
    CHECK(s.weights.minCoeff() == 0);
    CHECK_THAT(s.objective, WithinRel(golden, 1e-10));
  };
  check(NonNegative{NoPenalty{}}, Status::settled, golden::non_negative_least_squares);
  check(NonNegative{L1{1}}, Status::converged, golden::non_negative_lasso_1);
  check(NonNegative{ElasticNet{0.3, 0.7}}, Status::converged, golden::non_negative_elastic_net_1);
}

TEST_CASE("NonNegative: the conditions of a minimum hold, and so does the gap", "[penalties]") {
  const auto check = [](const auto& loss) {
    for (const bool offset : {false, true})
      for (const auto& net : {ElasticNet{0.02, 0}, ElasticNet{0, 0.05}, ElasticNet{0.01, 0.01}}) {
        const auto p = problem_for(loss, 60, 12, 7, true);
        CAPTURE(loss.name, offset, net.l1, net.l2);
        const Objective objective{loss, NonNegative{net}};
        const CoordinateDescent exact{.tolerance = 1e-13, .offset = offset};
        const auto s = exact.minimize(objective, p.x, p.y, p.weights);
        CHECK(s.status == Status::converged);
        CHECK_THAT(s.objective,
                   WithinRel(objective_value(objective, s, p.x, p.y, p.weights), 1e-13));
        const auto slopes = gradient_of(Objective{loss, L2{0}}, s, p.x, p.y, p.weights, true);
        for (Index j = 0; j < 12; ++j) {
          const double slope = slopes[j] + net.l1 + net.l2 * s.weights[j];
          REQUIRE(s.weights[j] >= 0);
          CHECK(slope >= -1e-6);
          if (s.weights[j] > 0) CHECK(slope <= 1e-6);
        }
        if (offset) CHECK(std::abs(slopes[12]) <= 1e-6);
        // A run from infeasible weights ends at the same minimum, and a truncated run has a correct
        // gap.
        const Extras<double> start{.sample_weights = p.weights,
                                   .start_weights = Vector<double>::Constant(12, -3)};
        const auto few = CoordinateDescent{.iterations = 1, .offset = offset}.minimize(
            objective, p.x, p.y, start);
        CHECK(few.weights.minCoeff() >= 0);
        CHECK(few.objective - *few.gap <= s.objective * (1 + 1e-13));
        CHECK_THAT(exact.minimize(objective, p.x, p.y, start).objective,
                   WithinRel(s.objective, 1e-12));
        const auto certificate =
            certify(objective, s, p.x, p.y, {.offset = offset, .sample_weights = p.weights});
        CHECK(certificate.dual <= s.objective);
        CHECK_THAT(certificate.dual, WithinRel(s.objective, 1e-6));
      }
  };
  check(Squared{});
  check(Log{});
  check(SquaredHinge{});
}

TEST_CASE("NonNegative: least squares are the best of all sets of columns", "[penalties]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Matrix<double> x = synthetic::features(12, 5, seed);
    x.col(3) = 0.9 * x.col(1) + 0.1 * x.col(2);
    const Vector<double> y = synthetic::numbers(x, seed + 100);
    double best = std::numeric_limits<double>::infinity();
    for (unsigned columns = 0; columns < 32; ++columns) {
      std::vector<Index> chosen;
      for (Index j = 0; j < 5; ++j)
        if (columns >> j & 1) chosen.push_back(j);
      if ((columns & 14) == 14) continue;  // columns 1, 2 and 3 are linearly dependent
      const Matrix<double> part = x(Eigen::indexing::all, chosen);
      const Vector<double> w = (part.transpose() * part).ldlt().solve(part.transpose() * y);
      if (chosen.empty() || w.minCoeff() >= 0)
        best = std::min(best, 0.5 * (part * w - y).squaredNorm() / 12);
    }
    const auto s = CoordinateDescent{.tolerance = 1e-12, .offset = false}.minimize(
        Objective{Squared{}, NonNegative{NoPenalty{}}}, x, y);
    CAPTURE(seed);
    CHECK(s.status == Status::settled);
    CHECK_THAT(s.objective, WithinRel(best, 1e-10));
  }
}

TEST_CASE("NonNegative: columns that depend on each other take few sweeps", "[penalties]") {
  // The columns are wide, overlapping bumps, like spectra. y is a mixture of three of them, with
  // noise.
  Matrix<double> x(300, 40);
  for (Index i = 0; i < 300; ++i)
    for (Index j = 0; j < 40; ++j) {
      const double away = (static_cast<double>(i) / 300 - static_cast<double>(j) / 40) / 0.08;
      x(i, j) = std::exp(-away * away / 2);
    }
  Vector<double> mixture = Vector<double>::Zero(40);
  mixture[5] = 1;
  mixture[6] = 2;
  mixture[20] = 0.5;
  const Vector<double> y = x * mixture + 0.01 * synthetic::features(300, 1, 3).col(0);
  const SparseMatrix<double> sparse = x.sparseView();
  for (const bool offset : {false, true}) {
    const CoordinateDescent exact{.tolerance = 1e-9, .offset = offset};
    const Objective objective{Squared{}, NonNegative{L1{1e-6}}};
    const auto s = exact.minimize(objective, x, y);
    CAPTURE(offset, s.epochs, s.iterations);
    CHECK(s.status == Status::converged);
    CHECK(s.epochs <= 400);
    CHECK_THAT(exact.minimize(objective, sparse, y).objective, WithinRel(s.objective, 2e-9));
  }
}

TEST_CASE("NonNegative: floats, Sgd and wrong strengths", "[penalties]") {
  const auto p = problem_for(Log{}, 80, 6, 31);
  const Objective objective{Log{}, NonNegative{L1{0.01}}};
  const auto exact = CoordinateDescent{.tolerance = 1e-12}.minimize(objective, p.x, p.y);
  const auto floats =
      CoordinateDescent{}.minimize(objective, Matrix<float>(p.x.cast<float>()), p.y);
  CHECK(floats.status == Status::converged);
  CHECK_THAT(floats.objective, WithinRel(exact.objective, 1e-5));
  const auto descent = Sgd{.epochs = 300}.minimize(objective, p.x, p.y);
  CHECK(descent.weights.minCoeff() >= 0);
  CHECK_THAT(descent.objective, WithinRel(exact.objective, 1e-2));
  CHECK_THROWS_WITH(
      CoordinateDescent{}.minimize(Objective{Log{}, NonNegative{L1{-1}}}, p.x, p.y),
      "CoordinateDescent::minimize: the penalty's lambda = -1 must be finite and >= 0");
  CHECK(NonNegative{L1{0.5}}.parameters() == "l1, lambda = 0.5");
}

}  // namespace non_negative_test
