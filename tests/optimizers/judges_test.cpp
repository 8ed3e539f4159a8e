// SPDX-License-Identifier: MIT
/// \file Compares minima found by LIBLINEAR, LIBSVM and scikit-learn with linea's solutions and
/// bounds.
#include <algorithm>  // max
#include <linea/activations/exponential.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>

#include "golden/judges.hpp"
#include "support/catch.hpp"
#include "support/judged_sets.hpp"

namespace judges_test {

using namespace linea;
using golden::Judged;
using golden::JudgedLoss;

namespace {

/// linea's result: F of its solution, and a lower bound on F.
struct Proof {
  double objective;
  double bound;
};

template <class S>
Proof proof_of(const S& solution) {
  REQUIRE(solution.gap);
  return {solution.objective, solution.objective - *solution.gap};
}

constexpr double tolerance = 1e-11;

bool is_kinked(const Judged& row) {
  return row.loss == JudgedLoss::hinge || row.loss == JudgedLoss::epsilon ||
         row.loss == JudgedLoss::quantile;
}

Proof by_smooth(const Judged& row, const test::Set& set) {
  const AnySmoothLoss loss = row.loss == JudgedLoss::log             ? AnySmoothLoss(Log{})
                             : row.loss == JudgedLoss::squared_hinge ? SquaredHinge{}
                             : row.loss == JudgedLoss::huber ? AnySmoothLoss(Huber{row.parameter})
                                                             : Squared{};
  if (row.l1 > 0) {
    const CoordinateDescent descent{
        .iterations = 20000, .tolerance = tolerance, .offset = row.offset};
    return proof_of(descent.minimize(Objective{loss, ElasticNet{row.l1, row.l2}}, set.x, set.y));
  }
  const Newton newton{.tolerance = tolerance, .offset = row.offset};
  return proof_of(newton.minimize(Objective{loss, L2{row.l2}}, set.x, set.y));
}

Proof by_linea(const Judged& row, const test::Set& set) {
  const InteriorPoint point{.tolerance = tolerance, .offset = row.offset};
  const Newton newton{.tolerance = tolerance, .offset = row.offset};
  switch (row.loss) {
    case JudgedLoss::hinge: {
      const Objective objective{Hinge{}, L2{row.l2}};
      const SvmQuadraticProgram program{.tolerance = tolerance, .offset = row.offset};
      const double exact = program.minimize(objective, set.x, set.y).objective;
      const Proof proof = proof_of(point.minimize(objective, set.x, set.y));
      CHECK_THAT(exact, WithinRel(proof.objective, 2 * tolerance));
      return proof;
    }
    case JudgedLoss::epsilon:
    case JudgedLoss::quantile: {
      const AnyKinkedLoss loss = row.loss == JudgedLoss::quantile
                                     ? AnyKinkedLoss(Quantile{row.parameter})
                                     : EpsilonInsensitive{row.parameter};
      return proof_of(point.minimize(Objective{loss, ElasticNet{row.l1, row.l2}}, set.x, set.y));
    }
    case JudgedLoss::poisson:
      return proof_of(
          newton.minimize(Objective{Composed{Poisson{}, Exponential{}}, L2{row.l2}}, set.x, set.y));
    case JudgedLoss::softmax:
      return proof_of(SoftmaxNewton{.tolerance = tolerance}.minimize(L2{row.l2}, set.x, set.y));
    default:
      return by_smooth(row, set);
  }
}

}  // namespace

TEST_CASE("Minima: other programs end within the certified gap", "[optimizers]") {
  const auto sets = test::judged_sets();
  for (const Judged& row : golden::judged) {
    CAPTURE(row.set, row.command, row.offset, row.l1, row.l2, row.parameter);
    const auto [objective, bound] = by_linea(row, sets.at(row.set));
    const double rounding = 4e-14 * std::max(1.0, objective);
    // For a loss with kinks and no squared penalty, the rounding of the bound matters.
    const double proven = is_kinked(row) && row.l2 == 0 ? 1e-9 : tolerance;
    CHECK((objective - bound) / objective <= 2 * proven + rounding / objective);
    CHECK(row.objective >= bound - rounding);
    CHECK(row.objective <= objective * (1 + row.tolerance) + rounding);
  }
}

}  // namespace judges_test
