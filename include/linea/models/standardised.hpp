// SPDX-License-Identifier: MIT
#pragma once
/// \file A recipe on columns of one scale, whose fitted values take the columns as they are.
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/features/standardise.hpp>
#include <linea/models/wrapped.hpp>
#include <vector>

namespace linea {
namespace models {

/// The function of x that the model is of (x − mean)/scale: of weights (d) and an offset, or of
/// weights (d × k) and offsets (k).
template <class S, class T>
void take_raw_columns(const Standardisation<T>& scaling, S& solution) {
  using Weights = decltype(solution.weights);
  if constexpr (bool(Weights::IsVectorAtCompileTime)) {
    const Vector<double> raw =
        solution.weights.template cast<double>().cwiseQuotient(scaling.scale);
    solution.offset = static_cast<T>(static_cast<double>(solution.offset) - raw.dot(scaling.mean));
    solution.weights = raw.template cast<T>();
  } else {
    using Reals = Matrix<core::DoubleFor<T>>;
    const Reals raw =
        scaling.scale.cwiseInverse().asDiagonal() * solution.weights.template cast<double>();
    const Vector<double> shift = raw.transpose() * scaling.mean;
    solution.offset = (solution.offset.template cast<double>() - shift).template cast<T>();
    solution.weights = raw.template cast<T>();
  }
}

/// The same for a fitted value: a linear model, or several.
template <class Model, class T>
void unscale(const Standardisation<T>& scaling, Model& model) {
  if constexpr (requires { model.models; })
    for (auto& one : model.models) unscale(scaling, one);
  else
    take_raw_columns(scaling, model);
}

}  // namespace models

/// Learns mean and scale of the columns (see `standardise`) and fits the recipe to (x −
/// mean)/scale: Standardised{LogisticRegression{.lambda = 1e-3}}.fit(x, y). The fitted value takes
/// raw columns, for the scaling is folded into its weights and offset; objective and gap are of the
/// weights of the scaled columns, which are the ones that the penalty is on. Columns of sparse x,
/// and all where the recipe has no offset, are scaled but not centred. Sample weights enter the
/// scaling too.
///
/// Any recipe will do, OneVsRest of one too; inside CrossValidation the scaling is learnt fold by
/// fold. Of rows that are divided among processes the scaling is that of all rows. Memory: a copy
/// of x.
template <class Recipe>
struct Standardised {
  Recipe recipe{};

  /// x (n × d), y as the recipe takes it. Throws std::invalid_argument for whatever `standardise`
  /// and the recipe refuse.
  template <SampleMatrix X, class Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const Extras<T>& own = extras_of<T>(given);
    return in_step(own, [&](const Extras<T>& extras) {
      const auto scaling = scaling_of(x, extras);
      auto model = recipe.fit(scaling.apply(x), y, extras);
      models::unscale(scaling, model);
      return model;
    });
  }

  /// The recipe's own, where it has one: y (n × k).
  template <SampleMatrix X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires requires(const Recipe& inner, const X& x, const Y& y, const E& given) {
      inner.fit_each(x, y, given);
    }
  auto fit_each(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const Extras<T>& own = extras_of<T>(given);
    return in_step(own, [&](const Extras<T>& extras) {
      const auto scaling = scaling_of(x, extras);
      auto models = recipe.fit_each(scaling.apply(x), y, extras);
      for (auto& model : models) models::unscale(scaling, model);
      return models;
    });
  }

 private:
  template <class X, class T>
  Standardisation<T> scaling_of(const X& x, const Extras<T>& extras) const {
    auto scaling = standardise(x, extras.sample_weights.template cast<double>(), extras.processes);
    if (!models::has_offset(recipe)) scaling.mean.setZero();
    return scaling;
  }
};

template <class Recipe>
Standardised(Recipe) -> Standardised<Recipe>;

}  // namespace linea
