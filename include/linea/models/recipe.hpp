// SPDX-License-Identifier: MIT
#pragma once
/// \file What recipes share: they minimise their objective by what Auto takes, or by an optimizer
/// of your choice, and answer with a fitted value.
///
/// A recipe is a plain struct, its options the members. The functions here ask it for
///
/// | member               | meaning                                                             |
/// |----------------------|---------------------------------------------------------------------|
/// | recipe.objective()   | loss and penalty                                                    |
/// | recipe.model(linear) | optional: the fitted value of a LinearModel<T>; else Regressor<T>   |
/// | recipe.lambda        | optional: the strength, which CrossValidation chooses               |
/// | recipe.class_weights | classifiers, optional: a ClassWeights                               |
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/optimizer.hpp>
#include <linea/core/parameters.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/require_samples.hpp>
#include <linea/optimizers/auto.hpp>
#include <string>
#include <string_view>
#include <utility>  // forward, move

namespace linea {

template <class Recipe, class O>
struct RecipeWith;

namespace models {

/// The linear model of a solution, and what it says of how it came about.
template <class T, class S, class L, class P>
LinearModel<T> linear_model_of(S&& solution, const Objective<L, P>& objective) {
  auto reason = [&] {
    if constexpr (requires { solution.reason; })
      return solution.reason;
    else
      return std::string{};
  }();
  LinearModel<T> model{Solution<T>(std::forward<S>(solution))};
  model.reason = std::move(reason);
  model.loss = name_of(objective.loss);
  if constexpr (requires { objective.loss.parameters(); })
    if (const std::string own = objective.loss.parameters(); !own.empty())
      model.loss += " (" + own + ")";
  model.penalty = name_of(objective.penalty);
  if constexpr (requires { objective.penalty.parameters(); })
    model.penalty += " (" + objective.penalty.parameters() + ")";
  return model;
}

/// The same for two classes: refuses more of them too.
template <class X, VectorLike Y, class T>
WeightedClasses<T> two_weighted_classes(std::string_view function,
                                        const ClassWeights& class_weights, const X& x, const Y& y,
                                        const Extras<T>& given) {
  auto found = weighted_classes(function, class_weights, x, y, given);
  require(found.labels.size() == 2, function, ": two classes are needed, but y has ",
          found.labels.size(), "; OneVsRest takes more than two");
  return found;
}

/// −1 and +1 for the classes 0 and 1, (n).
template <class Classes>
Vector<double> signs_of(const Classes& classes) {
  Vector<double> signs(classes.size());
  for (Index i = 0; i < signs.size(); ++i) signs[i] = classes[i] > 0 ? 1 : -1;
  return signs;
}

/// The recipe by this optimizer. There is an offset if both have one.
template <class Recipe, class O>
RecipeWith<Recipe, O> with(Recipe recipe, O optimizer) {
  if constexpr (requires { optimizer.offset = recipe.offset = optimizer.offset && recipe.offset; })
    optimizer.offset = recipe.offset = optimizer.offset && recipe.offset;
  return {std::move(recipe), std::move(optimizer)};
}

/// The fit of a recipe that predicts numbers.
template <class Recipe, class O, class X, Numbers Y, class T>
auto fit_numbers(const Recipe& recipe, const O& optimizer, const X& x, const Y& y,
                 const Extras<T>& extras) {
  const auto objective = recipe.objective();
  auto model =
      linear_model_of<T>(optimizer.minimize(objective, x, core::vector_of(y), extras), objective);
  if constexpr (requires { recipe.model(std::move(model)); })
    return recipe.model(std::move(model));
  else
    return Regressor<T>{std::move(model)};
}

}  // namespace models

/// A recipe with the optimizer that is to minimise its objective: what `with` of a recipe makes.
template <class Recipe, class O>
struct RecipeWith {
  Recipe recipe{};
  O optimizer{};

  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return recipe.fit_by(optimizer, x, y, given);
  }

  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires requires(const Recipe& r, const O& by, const X& x, const Y& y, const E& given) {
      r.fit_each_by(by, x, y, given);
    }
  auto fit_each(const X& x, const Y& y, const E& given = {}) const {
    return recipe.fit_each_by(optimizer, x, y, given);
  }
};

}  // namespace linea
