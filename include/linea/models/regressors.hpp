// SPDX-License-Identifier: MIT
#pragma once
/// \file Recipes for regression: least squares, robust regression, generalised linear models.
#include <cstdint>
#include <linea/activations/exponential.hpp>
#include <linea/core/activation.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/epsilon_insensitive.hpp>
#include <linea/losses/huber.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/losses/quantile.hpp>
#include <linea/models/recipe.hpp>
#include <linea/models/ridge_regression.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <utility>  // move
#include <vector>

namespace linea {

/// Ridge regression at the λ whose leave-one-out error is least.
struct RidgeRegressionCv {
  std::vector<double> lambdas{};  ///< candidates; empty: those of RidgePath
  bool offset{true};
  Index threads{1};  ///< not used if x is sparse and d > n; the same number gives the same bits

  /// Fits x (n × d) to y (n). Uses only the sample weights of the extras.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Regressor<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const RidgePath by{.lambdas = lambdas, .offset = offset, .threads = threads};
    const auto path = by.fit(x, detail::vector_of(y), given);
    const double best = path.lambdas[static_cast<std::size_t>(path.best)];
    auto model = detail::linear_model_of<T>(path.at(path.best), Objective{Squared{}, L2{best}});
    model.reason = path.is_at_edge ? "the least leave-one-out error, at the edge of the lambdas"
                                   : "the least leave-one-out error";
    return {std::move(model)};
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
};

/// A linear regression that minimises loss L + a penalty P of strength λ with the optimizer that
/// Auto selects, to a proven tolerance.
template <DifferentiableLoss L, class P = L2>
struct RegressionRecipe {
  L loss{};  ///< with its parameter, if any: {.delta = 2}
  double lambda{1e-4};
  double tolerance{1e-6};  ///< largest (F − F*)/|F| of a converged fit
  bool offset{true};

  Objective<L, P> objective() const { return {loss, {lambda}}; }
  ProvenAuto optimizer() const { return {.tolerance = tolerance, .offset = offset}; }

  /// Fits x (n × d) to y (n), an Eigen vector, std::vector, std::span, … of any number type, whose
  /// elements are valid targets of the loss. Fits a matrix y (n × k) column by column, and then
  /// returns a MultiTargetRegressor. `given` holds sample weights, an observer, or Extras. Throws
  /// std::invalid_argument on invalid input.
  template <Samples X, AnyTargets Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;

  /// Returns this recipe with another optimizer, as ClassifierRecipe::with does:
  /// HuberRegression{}.with(Lbfgs{}).fit(x, y).
  template <class O>
  RecipeWith<RegressionRecipe, O> with(const O& by) const {
    return detail::with(*this, by);
  }
};

/// Least squares with sparse weights: minimises the mean of ½(p − y)² plus λ·‖w‖₁. λ equals alpha
/// of scikit-learn's Lasso. Tibshirani, Journal of the Royal Statistical Society B 58 (1996).
using Lasso = RegressionRecipe<Squared, L1>;

/// Robust regression: Huber loss + λ/2·‖w‖². The loss of residuals beyond δ is linear instead of
/// quadratic. HuberRegression{.loss = {.delta = 2}} sets δ, in units of the target. (scikit-learn's
/// epsilon is in units of the estimated deviation of the residuals.) Huber, Annals of Mathematical
/// Statistics 35 (1964).
using HuberRegression = RegressionRecipe<Huber>;

/// Regression for a quantile of y given x: quantile loss + λ/2·‖w‖². QuantileRegression{.loss =
/// {.level = 0.5}} predicts the median. Koenker and Bassett, Econometrica 46 (1978).
using QuantileRegression = RegressionRecipe<Quantile>;

/// Support vector regression: ε-insensitive loss + λ/2·‖w‖². The loss of residuals up to ε is 0;
/// SupportVectorRegression{.loss = {.epsilon = 0.1}} sets ε. Smola and Schölkopf, Statistics and
/// Computing 14 (2004).
using SupportVectorRegression = RegressionRecipe<EpsilonInsensitive>;

/// Lasso and ridge together: minimises the mean of ½(p − y)² plus λ·(r·‖w‖₁ + (1 − r)/2·‖w‖²) with
/// r = l1_ratio. λ equals alpha of scikit-learn's ElasticNet. Zou and Hastie, Journal of the Royal
/// Statistical Society B 67 (2005).
struct ElasticNetRegression {
  double lambda{1e-4};
  double l1_ratio{0.5};    ///< from 0 (ridge regression) to 1 (Lasso)
  double tolerance{1e-6};  ///< largest (F − F*)/|F| of a converged fit
  bool offset{true};

  /// Throws std::invalid_argument unless 0 ≤ l1_ratio ≤ 1.
  Objective<Squared, ElasticNet> objective() const {
    return {{}, ElasticNet::mixed("ElasticNetRegression::fit", lambda, l1_ratio)};
  }
  ProvenAuto optimizer() const { return {.tolerance = tolerance, .offset = offset}; }

  /// Fits x (n × d) to y (n) or (n × k) as RegressionRecipe::fit does.
  template <Samples X, AnyTargets Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
  template <class O>
  RecipeWith<ElasticNetRegression, O> with(const O& by) const {
    return detail::with(*this, by);
  }
};

/// Minimises the mean of ℓ(g(⟨w, x⟩ + b), y) plus λ/2·‖w‖² with the optimizer that Auto selects.
/// Logistic regression is {CrossEntropy{}, Sigmoid{}} with targets 0 and 1, Poisson regression is
/// {Poisson{}, Exponential{}}. If ℓ(g(p), y) is not convex in p, the fit may end in a local minimum
/// or where the activation is flat.
template <DifferentiableLoss L, DifferentiableActivation G>
struct GeneralisedLinearModel {
  L loss{};
  G activation{};
  double lambda{1e-4};
  /// Largest F − F*, relative to F. If the loss has a conjugate and λ > 0, the model's `gap` bounds
  /// F − F*.
  double tolerance{1e-6};
  bool offset{true};
  std::uint64_t seed{0};

  Objective<Composed<L, G>, L2> objective() const { return {{loss, activation}, {lambda}}; }
  Auto optimizer() const { return {.tolerance = tolerance, .offset = offset, .seed = seed}; }
  template <Scalar T>
  ActivatedModel<T, G> model(LinearModel<T>&& fitted) const {
    return {std::move(fitted), activation};
  }

  /// Fits x (n × d) to y (n), whose elements are valid targets of the loss. Throws
  /// std::invalid_argument on invalid input.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;

  /// Returns this recipe with another optimizer, as ClassifierRecipe::with does.
  template <class O>
  RecipeWith<GeneralisedLinearModel, O> with(const O& by) const {
    return detail::with(*this, by);
  }
};

template <class L, class G, class... Options>
GeneralisedLinearModel(L, G, Options...) -> GeneralisedLinearModel<L, G>;

/// Regression of counts y ≥ 0 with mean exp(⟨w, x⟩ + b): half the mean Poisson deviance +
/// λ/2·‖w‖². λ equals alpha of scikit-learn's PoissonRegressor. McCullagh and Nelder, Generalized
/// Linear Models (1989).
using PoissonRegression = GeneralisedLinearModel<Poisson, Exponential>;

}  // namespace linea
