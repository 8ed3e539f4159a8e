// SPDX-License-Identifier: MIT
/// \file Tests the chapter parametric-models of the lectures: sections 1.1 (feature maps), 1.2
/// (starts), 3.1 (likelihood) and 4 (generalised linear models).
#include <cmath>
#include <linea/activations.hpp>
#include <linea/core/extras.hpp>
#include <linea/features.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/metrics/probabilities.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE(
    "Lectures: a generalised linear model, any differentiable activation g with any loss, has "
    "gradient ℓ′(g(p))·g′(p), as finite differences agree",
    "[lectures]") {
  const auto x = synthetic::features(1, 3, 4);
  const auto check = [&](const auto& loss, const auto& activation, double target) {
    const Composed composed{loss, activation};
    const Vector<double> w{{0.3, -0.5, 0.8}};
    const auto value = [&](const Vector<double>& at) {
      return static_cast<double>(loss.value(activation.value(x.row(0).dot(at)), target));
    };
    const double p = x.row(0).dot(w);
    const double factor = loss.derivative(activation.value(p), target) * activation.derivative(p);
    REQUIRE_THAT(composed.derivative(p, target), WithinAbs(factor, 1e-12));
    REQUIRE_THAT(composed.value(p, target), WithinAbs(value(w), 1e-12));
    for (Index j = 0; j < 3; ++j) {
      // Central differences have truncation errors of about 1e-10, and rounding errors of about
      // 1e-11.
      const Vector<double> step = 1e-5 * Vector<double>::Unit(3, j);
      REQUIRE_THAT(composed.derivative(p, target) * x(0, j),
                   WithinAbs((value(w + step) - value(w - step)) / 2e-5, 1e-8));
    }
  };
  for (const double target : {0.0, 1.0}) {
    check(CrossEntropy{}, Sigmoid{}, target);
    check(Squared{}, Sigmoid{}, target);
    check(Absolute{}, Sigmoid{}, target);
  }
  check(Squared{}, Identity{}, 1.7);
  check(Huber{0.3}, Identity{}, 5.0);
  check(Poisson{}, Exponential{}, 3.0);
  check(Squared{}, Exponential{}, 3.0);
  check(Squared{}, Tanh{}, -1.0);
  check(Hinge{}, Tanh{}, 1.0);

  // A loss after HardThreshold has no derivative, but it can be evaluated.
  static_assert(!DifferentiableLoss<Composed<Squared, HardThreshold>>);
  REQUIRE(Composed{Absolute{}, HardThreshold{}}.value(0.0, 1.0) == 0);
  REQUIRE(Composed{Absolute{}, HardThreshold{}}.value(0.0, 0.0) == 1);
}

TEST_CASE(
    "Lectures: feature maps: all monomials up to a degree, any set of feature functions, and "
    "K₀ = 1: xor separates after the quadratic one, and sparse input stays sparse",
    "[lectures]") {
  // Equation (5) maps (x₁, x₂) to (x₁², x₁x₂, x₂², x₁, x₂, 1). Polynomial sorts the monomials by
  // degree.
  const Matrix<double> x{{2, 3}, {-1, 5}};
  const auto quadratic = Polynomial{.degree = 2, .constant = true}.apply(x);
  const Matrix<double> expected{{1, 2, 3, 4, 6, 9}, {1, -1, 5, 1, -5, 25}};
  REQUIRE(quadratic == expected);
  const auto functions = feature_functions(
      [](const auto&) { return 1.0; }, [](const auto& e) { return e[0]; },
      [](const auto& e) { return e[1]; }, [](const auto& e) { return e[0] * e[0]; },
      [](const auto& e) { return e[0] * e[1]; }, [](const auto& e) { return e[1] * e[1]; });
  REQUIRE(functions.apply(x) == expected);
  REQUIRE(feature_functions([](const auto& e) { return std::sin(e[0]); }).apply(x)(1, 0) ==
          std::sin(-1.0));

  const Matrix<double> square{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  const Vector<double> exclusive{{-1, 1, 1, -1}};
  REQUIRE(Perceptron{.epochs = 1000}.fit(square, exclusive).status == Status::epoch_limit);
  const auto raised = Polynomial{.degree = 2}.apply(square);
  const auto separator = Perceptron{.epochs = 1000}.fit(raised, exclusive);
  REQUIRE(separator.status == Status::converged);
  REQUIRE(separator.objective == 0);
  REQUIRE(MaximumMargin{}.fit(raised, exclusive).separability == Separability::separable);

  const auto sparse = Polynomial{.degree = 2}.apply(synthetic::sparse(square));
  REQUIRE(sparse.nonZeros() == (raised.array() != 0).count());
}

TEST_CASE(
    "Lectures: the log loss is the negative log-likelihood of the labelling, whose likelihood "
    "is the product of the probabilities",
    "[lectures]") {
  const auto x = synthetic::features(25, 2, 6);
  const auto signs = synthetic::signs(x, 7);
  const Vector<double> y = (signs.array() + 1) / 2;
  const Vector<double> w{{0.7, -1.2}};
  const Vector<double> scores = x * w;
  const Vector<double> f = scores.unaryExpr([](double p) { return Sigmoid{}.value(p); });
  double product = 1;  // the likelihood, equation (21)
  for (Index i = 0; i < 25; ++i) product *= std::pow(f[i], y[i]) * std::pow(1 - f[i], 1 - y[i]);
  REQUIRE_THAT(likelihood(f, y), WithinRel(product, 1e-12));
  REQUIRE_THAT(log_likelihood(f, y), WithinRel(std::log(product), 1e-12));
  for (const double loss : {empirical_risk(SigmoidCrossEntropy{}, scores, y),
                            empirical_risk(Log{}, scores, signs), log_loss(f, y)})
    REQUIRE_THAT(25 * loss, WithinRel(-log_likelihood(f, y), 1e-12));
}

TEST_CASE(
    "Lectures: weights start at zero, or at small random values that are the same for the same "
    "seed",
    "[lectures]") {
  const auto x = synthetic::features(30, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const auto began = [&](const Extras<double>& extras) {
    return BasicSgd<ConstantStep>{.epochs = 0}.minimize(Objective{Log{}, NoPenalty{}}, x, y,
                                                        extras);
  };
  REQUIRE(began({}).weights.isZero(0));
  REQUIRE(began({}).offset == 0);
  const auto start = random_start<double>(3, 5);
  REQUIRE(began(start).weights == start.start_weights);
  REQUIRE(began(start).offset == start.start_offset);
  REQUIRE(random_start<double>(3, 5).start_weights == start.start_weights);
  // "Quite stable with different initializations": the minimum of a convex risk does not depend on
  // the start.
  const Objective objective{Log{}, L2{0.1}};
  const auto from = [&](const Extras<double>& extras) {
    return BasicSgd<InverseLambda>{.epochs = 500, .tolerance = 0, .step = {0, 100}}.minimize(
        objective, x, y, extras);
  };
  REQUIRE((from({}).weights - from(start).weights).norm() < 1e-3);
  // An online learner may start at the same weights.
  REQUIRE(Sgd{}.start<double>(objective, 3, start).solution().weights == start.start_weights);
}
