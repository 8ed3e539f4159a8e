// SPDX-License-Identifier: MIT
#pragma once
/// \file Generalised linear models: a linear score, an activation that turns it into a prediction,
/// and a loss of the prediction.
#include <cstdint>
#include <linea/activations/exponential.hpp>
#include <linea/core/activation.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/models/recipe.hpp>
#include <utility>  // move

namespace linea {

/// ℓ(g(⟨w, x⟩ + b), y) + λ/2·‖w‖², by what Auto takes. Logistic regression is {CrossEntropy{},
/// Sigmoid{}} with targets 0 and 1, Poisson regression {Poisson{}, Exponential{}}. Pairs that are
/// not convex may end in a local minimum, or where the activation is flat.
template <DifferentiableLoss L, DifferentiableActivation G>
struct GeneralisedLinearModel {
  L loss{};
  G activation{};
  double lambda{1e-4};
  /// Of F above its minimum, relative to F. Where the loss has a conjugate and λ > 0 the model's
  /// `gap` proves it.
  double tolerance{1e-6};
  bool offset{true};
  std::uint64_t seed{0};

  Objective<Composed<L, G>, L2> objective() const { return {{loss, activation}, {lambda}}; }
  Auto optimizer() const { return {.tolerance = tolerance, .offset = offset, .seed = seed}; }
  template <Scalar T>
  ActivatedModel<T, G> model(LinearModel<T>&& fitted) const {
    return {std::move(fitted), activation};
  }

  /// x (n × d), y (n) of targets that the loss takes. Throws std::invalid_argument on input that is
  /// not well-formed.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return fit_by(optimizer(), x, y, given);
  }

  /// The same by another optimizer of the objective.
  template <class O, Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit_by(const O& by, const X& x, const Y& y, const E& given = {}) const {
    return models::fit_numbers(*this, by, x, y, extras_of<scalar_t<X>>(given));
  }

  /// This recipe by an optimizer of your choice.
  template <class O>
  RecipeWith<GeneralisedLinearModel, O> with(const O& by) const {
    return models::with(*this, by);
  }
};

template <class L, class G, class... Options>
GeneralisedLinearModel(L, G, Options...) -> GeneralisedLinearModel<L, G>;

/// Regression on counts y ≥ 0 whose mean is exp(⟨w, x⟩ + b): half the Poisson deviance + λ/2·‖w‖².
/// λ is alpha of scikit-learn's PoissonRegressor. McCullagh and Nelder, Generalized Linear Models
/// (1989).
using PoissonRegression = GeneralisedLinearModel<Poisson, Exponential>;

}  // namespace linea
