// SPDX-License-Identifier: MIT
#pragma once
/// \file A recipe's scores on samples that it has not seen, for one λ after the other.
#include <cmath>  // isfinite
#include <concepts>
#include <limits>
#include <linea/core/auto_solution.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/data/split.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/held_out_score.hpp>
#include <linea/models/require_samples.hpp>
#include <linea/models/validation_curve.hpp>
#include <linea/models/wrapped.hpp>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace linea {
namespace models {

/// The recipe with strength λ: of wrappers, the recipe inside.
template <class R>
  requires requires(R& recipe) { innermost(recipe).lambda = 0.0; }
R at_lambda(R recipe, double lambda) {
  innermost(recipe).lambda = lambda;
  return recipe;
}

}  // namespace models

/// A recipe whose λ can be chosen: it, or the recipe that it wraps, has a member `lambda`.
template <class R>
concept RecipeWithLambda = requires(const R& recipe) {
  { models::at_lambda(recipe, 0.0) } -> std::same_as<R>;
};

namespace models {

/// The share of wrong labels of a classifier; of other models, the mean loss that their recipe
/// minimises, at their scores.
struct UsualScore {};

template <class R, class M, class X>
double usual_score(const R& recipe, const M& model, const X& x, const Vector<double>& y,
                   const Vector<double>& sample_weights) {
  if constexpr (requires { model.labels; }) {
    return error_rate(model.predict(x), y, sample_weights);
  } else {
    const auto scores = model.scores(x);
    if (scores.hasNaN()) return std::numeric_limits<double>::quiet_NaN();
    return empirical_risk(innermost(recipe).objective().loss, scores, y, sample_weights);
  }
}

template <class T>
Vector<T> take(const Vector<T>& from, std::span<const Index> rows) {
  Vector<T> taken(static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) taken[static_cast<Index>(k)] = from[rows[k]];
  return taken;
}

/// Validates the samples of which a recipe is to be fitted to parts, by the rows of all of them. M
/// is what the recipe fits.
template <class M, class R, class X, class Y, class T>
void require_well_formed(std::string_view function, const R& recipe, const X& x, const Y& y,
                         const Extras<T>& extras) {
  samples::admit_samples(function, x, y.size(), extras.sample_weights);
  const auto& one = innermost(recipe);
  for (Index i = 0; i < y.size(); ++i)
    require(std::isfinite(static_cast<double>(y.coeff(i))), function, ": y(", i, ") is not finite");
  if constexpr (requires(const M& model) { model.labels; }) {
    ClassWeights class_weights;
    if constexpr (requires { one.class_weights; }) class_weights = one.class_weights;
    weighted_classes(function, class_weights, x, y, extras);
  } else if constexpr (requires { one.objective().loss; }) {
    samples::admit_targets<T>(function, one.objective().loss, y);
  }
}

/// fit(), for samples of which fold k (from 0) is held out. What it refuses is said to be of that
/// fold: rows and numbers of samples are those of the others then.
template <class F>
auto fit_without_fold(std::string_view function, Index k, Index folds, F&& fit) {
  try {
    return fit();
  } catch (const NoProof&) {
    throw;
  } catch (const std::invalid_argument& error) {
    refuse(function, ": fold ", k + 1, " of ", folds, " cannot be fitted: ", error.what());
  }
}

/// The scores (m) on the rows `held_out` of fits to `rest`, one for each λ (m). `fitted(fit)` is
/// fit().
template <class R, class X, class T, class F, class Fitted>
std::vector<double> recipe_scores(const R& recipe, const std::vector<double>& lambdas, const X& x,
                                  const Vector<double>& y, const Extras<T>& extras,
                                  std::span<const Index> rest, std::span<const Index> held_out,
                                  const F& score, const Fitted& fitted) {
  const auto seen_x = take_rows(x, rest);
  const auto unseen_x = take_rows(x, held_out);
  const Vector<double> seen_y = take(y, rest);
  const Vector<double> unseen_y = take(y, held_out);
  Extras<T> seen{.observer = extras.observer};
  Vector<double> unseen_weights;
  if (extras.sample_weights.size() > 0) {
    seen.sample_weights = take(extras.sample_weights, rest);
    unseen_weights = take(extras.sample_weights, held_out).template cast<double>();
  }
  std::vector<double> scores(lambdas.size());
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    R one = at_lambda(recipe, lambdas[k]);
    if constexpr (requires { innermost(one).class_weights.are_equal(); })  // some may be held out
      if (auto& own = innermost(one).class_weights; !own.are_equal())
        own = own.among(ClassLabels(seen_y));
    const auto model = fitted([&] { return one.fit(seen_x, seen_y, seen); });
    double& found = scores[k];
    if constexpr (std::same_as<F, UsualScore>)
      found = usual_score(one, model, unseen_x, unseen_y, unseen_weights);
    else
      found = static_cast<double>(score(model, unseen_x, unseen_y, unseen_weights));
  }
  return scores;
}

}  // namespace models

/// The curve of a recipe, with the means to act on it. M is what the recipe fits.
template <class M, class R>
struct [[nodiscard]] CrossValidatedRecipe : ValidationCurve {
  R recipe;  ///< with lambdas[best]
  M model;   ///< on all samples, for lambdas[best]

  /// The model for λ number k, 0 ≤ k < m, on x (n × d) and y (n): for another choice than the best.
  template <Samples X, class Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  M refit(Index k, const X& x, const Y& y, const E& given = {}) const {
    require(k >= 0 && k < mean.size(), "CrossValidatedRecipe::refit: number ", k, " of ",
            mean.size());
    return models::at_lambda(recipe, lambdas[static_cast<std::size_t>(k)]).fit(x, y, given);
  }
};

}  // namespace linea
