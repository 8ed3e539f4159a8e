// SPDX-License-Identifier: MIT
/// \file Tests the chapter empirical-risk-and-sgd of the lectures, equations (3)–(12), and section
/// 1.2 of parametric-models.
#include <cmath>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/margins.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>
#include <linea/step_sizes/inverse_time.hpp>
#include <linea/step_sizes/safe.hpp>
#include <vector>

#include "losses/all_losses.hpp"
#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE(
    "Lectures: the empirical risk of any loss is its mean over the samples, and zero-one is "
    "never above hinge",
    "[lectures]") {
  Random random(1);
  Vector<double> scores(300);
  Vector<double> y(300);
  for (Index i = 0; i < 300; ++i) {
    scores[i] = i < 2 ? static_cast<double>(i) : 3 * synthetic::normal(random);
    y[i] = random.below(2) ? 1 : -1;
    REQUIRE(ZeroOne{}.value(scores[i], y[i]) <= Hinge{}.value(scores[i], y[i]));
  }
  // The chapter states the two risks by the agreements z: the fraction of z ≤ 0, and the mean of
  // max(1 − z, 0).
  const Vector<double> z = agreements(scores, y);
  REQUIRE_THAT(empirical_risk(ZeroOne{}, scores, y),
               WithinAbs((z.array() <= 0).cast<double>().mean(), 1e-15));
  REQUIRE_THAT(empirical_risk(Hinge{}, scores, y), WithinAbs((1 - z.array()).max(0).mean(), 1e-14));
  // The chapter makes the update "if the agreement is ≤ 1". At an agreement of 1, the hinge loss
  // still has a slope; above 1, its slope is 0.
  REQUIRE(Hinge{}.derivative(1.0, 1.0) == -1);
  REQUIRE(Hinge{}.derivative(-1.0, -1.0) == 1);
  REQUIRE(Hinge{}.derivative(1.0 + 1e-15, 1.0) == 0);
  const Vector<double> three{{0.5, -1, 2}};
  test::for_each_loss([&](const auto& loss, const std::vector<double>& targets) {
    const double target = targets.back();
    double sum = 0;
    for (const double score : three) sum += loss.value(score, target);
    REQUIRE_THAT(empirical_risk(loss, three, Vector<double>::Constant(3, target)),
                 WithinRel(sum / 3, 1e-14));
  });
}

TEST_CASE(
    "Lectures: batch (sub)gradient descent works on any differentiable loss, and falls at "
    "every step when the step is safe",
    "[lectures]") {
  test::for_each_loss([](const auto& loss, const std::vector<double>& targets) {
    using L = std::decay_t<decltype(loss)>;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      Matrix<double> x = synthetic::features(60, 3, seed);
      x.col(1) *= 5;
      Random random(seed);
      Vector<double> y(60);
      for (double& target : y)
        target = targets[static_cast<std::size_t>(random.below(targets.size()))];
      double before = objective_value(Objective{loss, L2{0.01}}, x, y, Vector<double>::Zero(3), 0);
      const double start = before;
      const GradientDescent descent{.epochs = 60, .tolerance = 0};
      const auto solution =
          descent.minimize(Objective{loss, L2{0.01}}, x, y, [&](const Progress& now) {
            // F is a sum of 60 terms and may rise by rounding.
            if (SmoothLoss<L>) REQUIRE(now.objective() <= before * (1 + 1e-13));
            before = now.objective();
          });
      // At w = 0 the perceptron's loss is 0. This is a trivial minimum that no run returns.
      REQUIRE((start == 0 || solution.objective <= start));
      if (!SmoothLoss<L>) continue;
      REQUIRE(solution.restarts == 0);
      REQUIRE(solution.objective < start);
    }
  });
}

TEST_CASE(
    "Lectures: SGD on hinge with step 1/(k + 1), drawn uniformly with replacement, converges "
    "to the minimum of the empirical risk",
    "[lectures]") {
  // As in the chapter, there is no offset. The risk alone has no unique minimiser. Its minimum is
  // the limit of the quadratic program's minimum as λ falls to 0.
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto x = synthetic::features(200, 3, seed);
    const auto y = synthetic::signs(x, seed + 1, 1.5);
    const double lambda = 1e-7;
    const auto exact =
        SvmQuadraticProgram{.offset = false}.minimize(Objective{Hinge{}, L2{lambda}}, x, y);
    // At the minimum of F the penalty is negligible, so F approximates the least risk.
    const double minimum = exact.objective;
    REQUIRE(0.5 * lambda * exact.weights.squaredNorm() < 1e-6);
    const Objective risk{Hinge{}, NoPenalty{}};
    BasicSgd<InverseTime, WithReplacement> sgd{
        .tolerance = 0, .offset = false, .step = {1, 1}, .retries = 0, .seed = seed};
    const auto after = [&](Index epochs) {
      sgd.epochs = epochs;
      return sgd.minimize(risk, x, y).current.objective - minimum;
    };
    REQUIRE(after(1) < 0.1);
    REQUIRE(after(100) < 5e-3);
    const double last = after(2000);
    // Convergence is slow, as the chapter states: the noise falls with the step.
    REQUIRE(last < 2e-3);
    REQUIRE(last > -1e-6);
  }
}

TEST_CASE("Lectures: a step-size type states whether Ση = ∞ and Ση² < ∞ hold", "[lectures]") {
  REQUIRE(satisfies_robbins_monro(InverseTime{1, 1}));  // the step size of the chapter, 1/(k + 1)
  REQUIRE(satisfies_robbins_monro(InverseScaling{0.1, 0.75}));
  REQUIRE(!satisfies_robbins_monro(InverseScaling{0.1, 0.5}));
  REQUIRE(!satisfies_robbins_monro(InverseScaling{0.1, 1.25}));
  REQUIRE(!satisfies_robbins_monro(ConstantStep{0.1}));

  // Cauchy's condensation: for falling η, Ση and Σ2ᵏη(2ᵏ) diverge together. If η falls as t^(−p),
  // the ratio of successive terms of the second series tends to 2^(1 − p), and the series diverges
  // if this limit is 1 or more. The same holds for Ση², with the limit 2^(1 − 2p).
  const auto check = [](const auto& step) {
    const double t = sizeof(Index) == 8 ? 0x1p40 : 0x1p28;
    const auto at = [&](double steps) {
      return static_cast<double>(step(static_cast<Index>(steps)));
    };
    const double ratio = 2 * at(2 * t) / at(t);
    const double ratio_of_squares = 2 * std::pow(at(2 * t) / at(t), 2);
    REQUIRE(step.sum_diverges() == (ratio > 1 - 1e-6));
    REQUIRE(step.sum_of_squares_converges() == (ratio_of_squares < 1 - 1e-6));
  };
  check(ConstantStep{0.3});
  check(InverseTime{2, 1});
  check(InverseLambda{0.01, 100});
  for (const double power : {0.25, 0.5, 0.75, 1.0, 1.5}) check(InverseScaling{0.2, power});
  for (const double lambda : {0.0, 0.1}) {
    AutomaticStep automatic(0.5);
    check(automatic.bound_to({lambda, 1, true}));
    check(SafeStep{0.5}.bound_to({lambda, 1, true}));
  }
}

TEST_CASE(
    "Lectures: the best iterate so far stands beside the current one, and its risk never "
    "rises from epoch to epoch",
    "[lectures]") {
  const auto x = synthetic::features(100, 4, 3);
  const auto y = synthetic::signs(x, 4, 2);
  const Objective risk{Hinge{}, NoPenalty{}};
  const BasicSgd<ConstantStep, WithReplacement> sgd{.epochs = 40, .tolerance = 0, .step = {0.3}};
  std::vector<double> current;
  const auto solution =
      sgd.minimize(risk, x, y, [&](const Progress& now) { current.push_back(now.objective()); });
  Index rises = 0;
  for (std::size_t k = 1; k < current.size(); ++k) rises += current[k] > current[k - 1];
  REQUIRE(rises > 5);  // the noise makes the current risk rise at times
  REQUIRE(solution.iterate == Iterate::best);
  // The solution is the best of the iterates at which the run evaluates the risk.
  REQUIRE(solution.objective >= *std::min_element(current.begin(), current.end()));
  REQUIRE(solution.objective <= std::min({current[9], current[19], current[29], current[39]}));
  REQUIRE(solution.current.objective == current.back());
  REQUIRE(objective_value(risk, x, y, solution.weights, solution.offset) == solution.objective);
  REQUIRE(objective_value(risk, x, y, solution.current.weights, solution.current.offset) ==
          solution.current.objective);
}
