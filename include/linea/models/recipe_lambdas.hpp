// SPDX-License-Identifier: MIT
#pragma once
/// \file The λ of a recipe, and values of λ to try for it.
#include <concepts>  // same_as
#include <linea/core/wrong_call.hpp>
#include <linea/losses/squared.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/recipe.hpp>
#include <type_traits>  // remove_cvref
#include <utility>      // move
#include <vector>

namespace linea {

namespace detail {

/// Returns the recipe with strength λ. For a wrapper, sets the λ of the innermost recipe.
template <class R>
  requires requires(R& recipe) { innermost(recipe).lambda = 0.0; }
R at_lambda(R recipe, double lambda) {
  innermost(recipe).lambda = lambda;
  return recipe;
}

/// A recipe with an objective whose penalty has a settable λ.
template <class R>
concept HasSettableObjective = requires(const R& recipe) {
  requires PenaltyWithLambda<std::remove_cvref_t<decltype(recipe.objective().penalty)>>;
};
/// A softmax recipe, which has penalty() in place of objective().
template <class R>
concept HasSettableClassPenalty = requires(const R& recipe) {
  recipe.penalty(), recipe.class_weights;
};
template <class R>
concept HasSettablePenalty = HasSettableObjective<R> || HasSettableClassPenalty<R>;

}  // namespace detail

/// Returns 13 values of λ to try for a recipe: those of its objective, for Standardised with the
/// scaled samples. For a classifier of more than two classes, computes a list for each class
/// against the rest, and returns the list with the largest first λ; `balanced` weights balance all
/// classes. Throws std::invalid_argument for a recipe without an objective or penalty with a λ.
template <class R, Samples X, Numbers Y, class T>
  requires(!detail::is_objective<R>)
[[nodiscard]] std::vector<double> automatic_lambdas(const R& recipe, const X& x, const Y& y,
                                                    const Extras<T>& extras) {
  if constexpr (requires { recipe.recipe; }) {
    return automatic_lambdas(recipe.recipe, x, y, extras);
  } else if constexpr (!detail::HasSettablePenalty<R>) {
    refuse("automatic_lambdas: the recipe has no objective with a lambda, so name the lambdas");
  } else if constexpr (requires { recipe.class_weights; }) {
    const auto of = detail::weighted_classes("automatic_lambdas", recipe.class_weights, x,
                                             detail::vector_of(y), extras);
    const auto at = detail::at_lambda(recipe, 1);
    std::vector<double> largest;
    // A fit to two labels has the larger one as +1. The other problem has another λ if the scores
    // contain known numbers.
    const bool is_pair = of.labels.size() == 2 && requires { at.objective(); };
    for (Index k = is_pair ? 1 : 0; k < of.labels.size(); ++k) {
      Vector<double> targets = of.signs(k);
      std::vector<double> next;
      if constexpr (requires { at.objective(); }) {
        next = automatic_lambdas(at.objective(), x, targets, of.extras, recipe.offset);
      } else {  // at w = 0 the softmax has the gradient of least squares with these targets
        const double least = recipe.offset ? 0 : 1 / static_cast<double>(of.labels.size());
        for (double& one : targets) one = (one + 1) / 2 - least;
        next = automatic_lambdas(Objective{Squared{}, at.penalty()}, x, targets, of.extras,
                                 recipe.offset);
      }
      if (largest.empty() || next.front() > largest.front()) largest = std::move(next);
    }
    return largest;
  } else {
    return automatic_lambdas(detail::at_lambda(recipe, 1).objective(), x, y, extras,
                             detail::has_offset(recipe));
  }
}

/// A recipe with a selectable λ: the recipe, or the recipe that it wraps, has a member `lambda`.
template <class R>
concept RecipeWithLambda = requires(const R& recipe) {
  { detail::at_lambda(recipe, 0.0) } -> std::same_as<R>;
};

}  // namespace linea
