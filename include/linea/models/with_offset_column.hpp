// SPDX-License-Identifier: MIT
#pragma once
/// \file Fits recipes with a known number in each score.
#include <linea/core/extras.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/types.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/models/recipe.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties/penalty_factors.hpp>
#include <type_traits>  // remove_cvref_t

namespace linea {

/// Fits a recipe with a column of x that holds a known number for each sample. The weight of this
/// column is 1, without a penalty: see PenaltyFactors. WithOffsetColumn{PoissonRegression{}, 4}
/// takes column 4, counted from 0, for example the logarithms of exposures. This is the term
/// `offset` of R's glm. The samples to predict need this column, too.
///
/// Newton minimises smooth losses with the penalty L2. Supports all recipes but
/// PerceptronClassifier, those for softmax, and the closed forms RidgeRegression, RidgeRegressionCv
/// and LinearRegression. For a closed form, subtract the column from y. LinearSvm,
/// QuantileRegression and SupportVectorRegression need `.with(Sgd{})`. Standardised does not scale
/// the column.
template <class Recipe>
struct WithOffsetColumn : Recipe {
  Index offset_column{-1};  ///< the column of known numbers, −1 for none

  auto objective() const {
    const auto plain = Recipe::objective();
    PenaltyFactors<std::remove_cvref_t<decltype(plain.penalty)>> penalty{.penalty = plain.penalty};
    penalty.offset_column = offset_column;
    return Objective{plain.loss, penalty};
  }
  auto optimizer() const {
    const auto plain = Recipe::optimizer();
    using Solved = decltype(objective());
    if constexpr (requires { plain.tolerance; } &&
                  detail::Takes<Newton, Solved, Matrix<double>, Vector<double>>) {
      Newton newton{.tolerance = plain.tolerance, .offset = plain.offset};
      if constexpr (requires { plain.threads; }) newton.threads = plain.threads;
      return newton;
    } else {
      return plain;
    }
  }

  /// Fits x (n × d) to y as the recipe does.
  template <Samples X, detail::TargetsOf<Recipe> Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;

  /// Fits a classifier to each column of y (n × k), as ClassifierRecipe::fit_each does.
  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires requires(const Recipe& r) { r.class_weights; }
  [[nodiscard]] auto fit_each(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_each_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }

  /// Returns this recipe with another optimizer, as ClassifierRecipe::with does.
  template <class O>
  RecipeWith<WithOffsetColumn, O> with(const O& by) const {
    return detail::with(*this, by);
  }
};

template <class Recipe>
WithOffsetColumn(Recipe, Index) -> WithOffsetColumn<Recipe>;

}  // namespace linea
