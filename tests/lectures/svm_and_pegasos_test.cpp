// SPDX-License-Identifier: MIT
/// \file Tests the chapter svm-and-pegasos of the lectures: equations (3)–(19), Algorithm 1 and
/// Figures 1–3.
#include <linea/core/objective.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/margins.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties/l2.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/separable.hpp"
#include "support/shipped.hpp"
#include "support/visits.hpp"

using namespace linea;

TEST_CASE(
    "Lectures: margins of all samples, the reference margin 1/‖w‖, the margin boundaries, and "
    "which samples violate or touch them",
    "[lectures]") {
  const auto& set = shipped::breast_cancer();
  const auto solution = SvmQuadraticProgram{}.minimize(Objective{Hinge{}, L2{0.05}}, set.x, set.y);
  const auto seen = margins(solution, set.x, set.y);
  const double norm = solution.weights.norm();
  REQUIRE_THAT(seen.reference, WithinRel(1 / norm, 1e-14));
  // The distance of sample i from the hyperplane ⟨w, x⟩ + b = boundary, positive if the score of
  // the sample is below `boundary`.
  const auto distance = [&](Index i, double boundary) {
    const double score = set.x.row(i).dot(solution.weights) + solution.offset;
    return (boundary - score) / norm;
  };
  std::vector<Index> violating;
  std::vector<Index> touching;
  for (Index i = 0; i < set.x.rows(); ++i) {
    REQUIRE_THAT(seen.margins[i], WithinAbs(-set.y[i] * distance(i, 0), 1e-10));
    // The distance of sample i beyond the margin boundary of its class, negative if the sample
    // violates the margin.
    const double beyond = -set.y[i] * distance(i, set.y[i]);
    if (std::abs(beyond) < 1e-6 * seen.reference)
      touching.push_back(i);
    else if (beyond < 0)
      violating.push_back(i);
    // Only samples that violate the margin have a positive hinge loss.
    const double score = set.x.row(i).dot(solution.weights) + solution.offset;
    if (beyond > 0) REQUIRE(Hinge{}.value(score, set.y[i]) < 1e-6);
  }
  REQUIRE(seen.violating == violating);
  REQUIRE(seen.touching == touching);
  REQUIRE(violating.size() > 10);
  REQUIRE(touching.size() >= 2);
  // The support vectors are among the samples that touch or violate the margin.
  REQUIRE(solution.support.size() <= violating.size() + touching.size());
  for (const Index i : solution.support) REQUIRE(seen.agreements[i] < 1 + 1e-6);
}

TEST_CASE(
    "Lectures: Pegasos with η = 1/t, exactly as printed, and with η = 1/(λt) reach the same "
    "minimum, with and without offset",
    "[lectures]") {
  // Algorithm 1, line by line.
  const auto x = synthetic::features(150, 3, 1);
  const auto y = synthetic::signs(x, 2, 1);
  const double lambda = 0.5;
  Random random(9);
  Vector<double> theta = Vector<double>::Zero(3);
  Index t = 0;
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (const auto i : visits_of(WithReplacement{}, 150, 24, random)) {
      const double eta = 1 / static_cast<double>(++t);
      const bool violates = y[i] * theta.dot(x.row(i)) <= 1;
      theta = (1 - eta * lambda) * theta;
      if (violates) theta += eta * y[i] * x.row(i).transpose();
    }
  }
  const Objective objective{Hinge{}, L2{lambda}};
  const auto printed =
      LecturePegasos{
          .epochs = 3, .tolerance = 0, .offset = false, .iterate = Iterate::last, .seed = 9}
          .minimize(objective, x, y);
  REQUIRE((printed.weights - theta).norm() < 1e-12);

  for (const bool offset : {false, true})
    for (const double strength : {0.5, 2.0}) {
      const Objective problem{Hinge{}, L2{strength}};
      const double minimum =
          SvmQuadraticProgram{.offset = offset}.minimize(problem, x, y).objective;
      const auto reaches_it = [&](const auto& pegasos) {
        const double reached = pegasos.minimize(problem, x, y).objective;
        REQUIRE(reached < minimum * (1 + 1e-3));
        REQUIRE(reached > minimum * (1 - 1e-9));
      };
      reaches_it(LecturePegasos{.epochs = 1000, .tolerance = 0, .offset = offset});
      reaches_it(Pegasos{.epochs = 1000, .tolerance = 0, .offset = offset});
    }
}

TEST_CASE(
    "Lectures: the quadratic program is solved exactly, offset included: primal = dual, and the "
    "slacks returned equal the hinge losses",
    "[lectures]") {
  for (const bool offset : {true, false})
    for (const double lambda : {1e-4, 0.01, 1.0}) {
      const auto& set = shipped::breast_cancer();
      const Objective objective{Hinge{}, L2{lambda}};
      const auto solution = SvmQuadraticProgram{.offset = offset}.minimize(objective, set.x, set.y);
      REQUIRE(solution.status == Status::converged);
      const Vector<double> scores = (set.x * solution.weights).array() + solution.offset;
      const double n = static_cast<double>(set.x.rows());
      // Compute the primal objective with the slacks of equation (10).
      const double primal =
          solution.slacks.sum() / n + 0.5 * lambda * solution.weights.squaredNorm();
      REQUIRE(solution.slacks.minCoeff() >= 0);
      // Compute the dual objective from the dual variables alone.
      const Eigen::VectorXd& alpha = solution.multipliers;
      const Vector<double> signed_sum = set.x.transpose() * alpha.cwiseProduct(set.y);
      const double dual = alpha.sum() - signed_sum.squaredNorm() / (2 * lambda);
      REQUIRE(alpha.minCoeff() >= 0);
      REQUIRE(alpha.maxCoeff() <= 1 / n + 1e-15);
      if (offset) REQUIRE(std::abs(alpha.dot(set.y)) < 1e-14);
      REQUIRE_THAT(primal, WithinRel(dual, 1e-8));
      REQUIRE_THAT(solution.objective, WithinRel(dual, 1e-8));
      for (Index i = 0; i < set.x.rows(); ++i) {
        REQUIRE(set.y[i] * scores[i] >= 1 - solution.slacks[i] - 1e-5);
        REQUIRE_THAT(solution.slacks[i], WithinAbs(Hinge{}.value(scores[i], set.y[i]), 1e-5));
      }
    }
}

TEST_CASE(
    "Lectures: C = 1/(λn) names the same solution, and as C grows it becomes the separator of "
    "largest margin",
    "[lectures]") {
  const auto set = synthetic::separable(40, 2, 0.2, 3);
  const Index n = set.x.rows();
  REQUIRE_THAT(c_from_lambda(0.02, n), WithinRel(1 / (0.02 * 40), 1e-15));
  // Equation (17) is equation (9) divided by λ: F/λ equals C·Σ Loss + ‖θ‖²/2, for any θ.
  const Vector<double> theta{{0.3, -0.7}};
  const double c = 5;
  const double lambda = lambda_from_c(c, n);
  const Vector<double> scores = set.x * theta;
  const double sum = (1 - scores.array() * set.y.array()).max(0).sum();
  REQUIRE_THAT(objective_value(Objective{Hinge{}, L2{lambda}}, set.x, set.y, theta, 0.0) / lambda,
               WithinRel(c * sum + 0.5 * theta.squaredNorm(), 1e-13));

  const auto widest = MaximumMargin{}.fit(set.x, set.y);
  REQUIRE(widest.separability == Separability::separable);
  double before = std::numeric_limits<double>::infinity();
  for (const double large : {1e-2, 1.0, 1e2, 1e4}) {
    const auto soft = SvmQuadraticProgram{}.minimize(
        Objective{Hinge{}, L2{lambda_from_c(large, n)}}, set.x, set.y);
    const double away = (soft.weights - widest.weights).norm();
    REQUIRE((away < before || away < 1e-7 * widest.weights.norm()));
    before = away;
  }
  REQUIRE(before < 1e-6 * widest.weights.norm());
}

TEST_CASE(
    "Lectures: the maximum-margin separator is unique, with its support vectors, and data that "
    "are not separable are reported as such",
    "[lectures]") {
  int tried = 0;
  for (std::uint64_t seed = 0; tried < 10; ++seed) {
    const auto set = synthetic::separable(30, 2 + static_cast<Index>(seed % 3), 0.1, seed);
    if (std::abs(set.y.sum()) == 30) continue;  // there is only one class
    ++tried;
    const auto widest = MaximumMargin{}.fit(set.x, set.y);
    REQUIRE(widest.separability == Separability::separable);
    REQUIRE(widest.margin >= set.margin);  // the margin of a known separator
    const auto seen = margins(widest, set.x, set.y);
    REQUIRE_THAT(seen.smallest, WithinRel(widest.margin, 1e-9));
    REQUIRE(seen.violating.empty());
    for (const Index i : widest.support)
      REQUIRE(std::find(seen.touching.begin(), seen.touching.end(), i) != seen.touching.end());
    REQUIRE(widest.support.size() >= 2);

    // The solution is unique: the support vectors alone give the same weights.
    const Index n = set.x.rows();
    const std::vector<Index>& touching = widest.support;
    const auto alone = MaximumMargin{}.fit(Matrix<double>(set.x(touching, Eigen::indexing::all)),
                                           Vector<double>(set.y(touching)));
    REQUIRE((alone.weights - widest.weights).norm() < 1e-7 * widest.weights.norm());

    // With one sample in both classes, no hyperplane separates them.
    Matrix<double> doubled(n + 1, set.x.cols());
    doubled << set.x, set.x.row(0);
    Vector<double> both(n + 1);
    both << set.y, -set.y[0];
    const auto none = MaximumMargin{}.fit(doubled, both);
    REQUIRE(none.separability == Separability::not_separable);
  }
}
