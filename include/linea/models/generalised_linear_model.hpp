// SPDX-License-Identifier: MIT
#pragma once
/// \file Generalised linear models: a linear score, an activation that turns it into a prediction,
/// and a loss of the prediction.
#include <linea/core/activation.hpp>
#include <linea/losses/composed.hpp>
#include <linea/models/recipes.hpp>

namespace linea {

/// ℓ(g(⟨w, x⟩ + b), y) + λ/2·‖w‖², by stochastic gradient descent with averaging. Logistic
/// regression is {CrossEntropy{}, Sigmoid{}} with targets 0 and 1, Poisson regression {Poisson{},
/// Exponential{}}. Pairs that are not convex may end in a local minimum, or where the activation is
/// flat.
template <DifferentiableLoss L, DifferentiableActivation G>
struct GeneralisedLinearModel {
  L loss{};
  G activation{};
  double lambda{1e-4};
  Index epochs{100};
  double tolerance{1e-4};
  bool offset{true};
  std::uint64_t seed{0};

  /// x (n × d), y (n) of targets that the loss takes. Throws std::invalid_argument on input that is
  /// not well-formed.
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  ActivatedModel<scalar_t<X>, G> fit(const X& x, const Y& y, const E& given = {}) const {
    return {models::fit_by_averaging(*this, Composed{loss, activation}, x, y,
                                     extras_of<scalar_t<X>>(given)),
            activation};
  }
};

template <class L, class G, class... Options>
GeneralisedLinearModel(L, G, Options...) -> GeneralisedLinearModel<L, G>;

}  // namespace linea
