// SPDX-License-Identifier: MIT
#pragma once
/// \file The common parts of recipes: validation of samples and classes, the fit of an objective by
/// an optimizer, and the fitted model.
///
/// A recipe is a plain struct whose members are its options. The functions of this header use these
/// members:
///
/// | member               | meaning                                                             |
/// |----------------------|---------------------------------------------------------------------|
/// | recipe.objective()   | loss and penalty                                                    |
/// | recipe.penalty()     | in place of objective(), for softmax: the penalty alone             |
/// | recipe.optimizer()   | the optimizer of a plain fit                                        |
/// | recipe.model(fitted) | converts a LinearModel<T> or, for classifiers, a Classifier<T>      |
/// | recipe.lambda        | optional: the strength, which CrossValidation selects               |
/// | recipe.class_weights | for classifiers: a ClassWeights. Classifiers also need a `name`.    |
#include <algorithm>  // max, min
#include <concepts>   // default_initializable, same_as
#include <linea/core/entries.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/workers.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/data/class_weights.hpp>
#include <linea/data/labels.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/samples/training_set.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // forward, move
#include <vector>

namespace linea {

struct Log;
template <Scalar T>
struct SoftmaxClassifier;  // softmax_regression.hpp defines it

namespace detail {

/// Returns the innermost recipe, which has the options. A wrapper has the wrapped recipe as its
/// member `recipe`.
template <class R>
auto& innermost(R& recipe) {
  if constexpr (requires { recipe.recipe; })
    return innermost(recipe.recipe);
  else
    return recipe;
}

/// Targets that the recipe accepts: a vector or, if its scores are predicted numbers, a matrix.
template <class Y, class R>
concept TargetsOf = Numbers<Y> ||(
    AnyTargets<Y> && !requires(const R& recipe) { innermost(recipe).class_weights; } &&
    !requires(const R& recipe) { innermost(recipe).activation; });

/// Returns the linear model of a solution, with the details of its training.
template <class T, class S, class L, class P>
LinearModel<T> linear_model_of(S&& solution, const Objective<L, P>& objective) {
  LinearModel<T> model;
  if constexpr (requires { solution.reason; }) model.reason = solution.reason;
  static_cast<Solution<T>&>(model) = std::forward<S>(solution);
  model.loss = described(objective.loss, " (", ")");
  model.penalty = described(objective.penalty, " (", ")");
  return model;
}

}  // namespace detail

/// Returns the fitted model of a solution: a Classifier of the labels −1 and +1 if these are the
/// targets of the loss, with probabilities for Log; an ActivatedModel for a composition with an
/// activation; a MultiTargetRegressor for a matrix of targets; else a Regressor.
///
///     const Objective objective{Hinge{}, L2{1e-4}};
///     const auto model = model_of(Sgd{}.minimize(objective, x, y), objective);
template <class S, Loss L, Penalty P>
auto model_of(S solution, const Objective<L, P>& objective) {
  using Weights = decltype(solution.weights);
  using T = typename Weights::Scalar;
  if constexpr (!Weights::IsVectorAtCompileTime) {
    return MultiTargetRegressor<T>{std::move(solution)};
  } else {
    auto model = detail::linear_model_of<T>(std::move(solution), objective);
    if constexpr (is_loss_of_labels<L>) {
      Classifier<T> of_signs{std::move(model), ClassLabels{-1, 1}};
      if constexpr (std::same_as<L, Log>)
        return ProbabilisticClassifier<T>{std::move(of_signs)};
      else
        return of_signs;
    } else if constexpr (requires { objective.loss.activation; }) {
      return ActivatedModel<T, decltype(objective.loss.activation)>{std::move(model),
                                                                    objective.loss.activation};
    } else {
      return Regressor<T>{std::move(model)};
    }
  }
}

namespace detail {

/// The classes of a classifier's training samples.
template <class T>
struct WeightedClasses {
  ClassLabels labels;       ///< the labels of samples whose weight times class weight is positive
  Vector<Index> classes{};  ///< (n) index in `labels` of each sample's label, 0 for other labels
  Extras<T> extras{};       ///< the given extras, with sample weights times class weights

  /// Returns targets (n): +1 for samples of class k, −1 for all other samples.
  Vector<double> signs(Index k) const {
    Vector<double> targets(classes.size());
    for (Index i = 0; i < targets.size(); ++i) targets[i] = classes[i] == k ? 1 : -1;
    return targets;
  }
};

/// Applies the class weights and then determines the classes. Throws for invalid samples, labels,
/// sample weights and class weights, and for fewer than two classes.
template <class X, VectorLike Y, class T>
WeightedClasses<T> weighted_classes(std::string_view function, const ClassWeights& class_weights,
                                    const X& x, const Y& y, const Extras<T>& given) {
  require(x.rows() > 0 && x.cols() > 0, function, ": x is empty (", x.rows(), " x ", x.cols(), ")");
  require_targets(function, x.rows(), x.cols(), y.size());
  if (given.sample_weights.size() > 0) largest_weight(function, y.size(), given.sample_weights);
  const ClassLabels all(y);
  WeightedClasses<T> found{all, all.indices_of(y), given};
  Vector<T>& weights = found.extras.sample_weights;
  if (!class_weights.are_equal())
    weights = class_weights.times(function, all, found.classes, weights);
  Vector<double> counts = filled(all.size(), 0.0);
  for (Index i = 0; i < y.size(); ++i)
    if (weights.size() == 0 || weights[i] > T(0)) ++counts[found.classes[i]];
  found.labels = all.present(counts);
  const Index size = found.labels.size();
  require(size > 0, function, ": all sample weights are zero");
  require(size > 1, function,
          ": two classes are needed, but all samples of weight above 0 are of class ",
          found.labels[0]);
  for (Index i = 0; i < y.size() && size < all.size(); ++i) {
    const Index k = found.classes[i];
    found.classes[i] = counts[k] > 0 ? found.labels.index_of(all[k]) : 0;
  }
  return found;
}

/// Returns weighted_classes(…). Also throws for more than two classes.
template <class X, VectorLike Y, class T>
WeightedClasses<T> two_weighted_classes(std::string_view function,
                                        const ClassWeights& class_weights, const X& x, const Y& y,
                                        const Extras<T>& given) {
  auto found = weighted_classes(function, class_weights, x, y, given);
  require(found.labels.size() == 2, function, ": two classes are needed, but y has ",
          found.labels.size(), "; OneVsRest takes more than two");
  return found;
}

/// Fits a classifier to x (n × d) and y (n) of two labels.
template <class Recipe, class O, class X, VectorLike Y, class T>
auto fit_classes(std::string_view function, const Recipe& recipe, const O& by, const X& x,
                 const Y& y, const Extras<T>& extras) {
  const auto objective = recipe.objective();
  const auto of = two_weighted_classes(function, recipe.class_weights, x, y, extras);
  return recipe.model(Classifier<T>{
      linear_model_of<T>(by.minimize(objective, x, of.signs(1), of.extras), objective), of.labels});
}

/// Requires that the recipe accepts targets Y, and that the optimizer O accepts the recipe's
/// objective, if the recipe has one, for samples X and a column of Y.
template <class Recipe, class O, class X, class Y>
concept FitsTo = TargetsOf<Y, Recipe> && !requires(const Recipe& recipe) {
  requires !Takes<O, decltype(recipe.objective()), X, Vector<double>>;
};

/// Minimises F for each column of y (n × k) alone.
template <class O, class F, class X, class Y, class T>
Solution<T, Matrix<T>, Vector<T>> minimize_columns(const O& by, const F& objective, const X& x,
                                                   const Y& y, const Extras<T>& extras) {
  require(y.cols() > 0, "fit: y has no columns");
  std::vector<Solution<T>> solutions;
  for (Index k = 0; k < y.cols(); ++k)
    solutions.push_back(
        by.minimize(objective, x, Vector<double>(y.col(k).template cast<double>()), extras));
  return joined<T>(solutions);
}

/// Fits any recipe by the optimizer `by`.
template <class Recipe, class O, class X, class Y, class T>
auto fit_by(const Recipe& recipe, const O& by, const X& x, const Y& y, const Extras<T>& extras) {
  if constexpr (!requires { recipe.objective(); }) {  // softmax: recipe.penalty() alone
    const std::string function = std::string(Recipe::name).append("::fit");
    auto of = weighted_classes(function, recipe.class_weights, x, vector_of(y), extras);
    SoftmaxClassifier<T> fitted{by.minimize(recipe.penalty(), x, of.classes, of.extras),
                                std::move(of.labels)};
    fitted.penalty = described(recipe.penalty(), " (", ")");
    return fitted;
  } else if constexpr (requires { recipe.class_weights; }) {
    const std::string function = std::string(Recipe::name).append("::fit");
    require_threads(function, recipe.threads);
    return fit_classes(function, recipe, by, x, vector_of(y), extras);
  } else if constexpr (TargetMatrix<Y>) {
    if constexpr (Takes<O, decltype(recipe.objective()), X, Y>)
      return MultiTargetRegressor<T>{by.minimize(recipe.objective(), x, y, extras)};
    else
      return MultiTargetRegressor<T>{minimize_columns(by, recipe.objective(), x, y, extras)};
  } else {
    const auto objective = recipe.objective();
    auto model = linear_model_of<T>(by.minimize(objective, x, vector_of(y), extras), objective);
    if constexpr (requires { recipe.model(std::move(model)); })
      return recipe.model(std::move(model));
    else
      return Regressor<T>{std::move(model)};
  }
}

/// Fits a classifier to each column of y (n × k); each column holds two labels. An optimizer with
/// `minimize_each` fits all columns together if there are no class weights. Otherwise threads
/// divide the columns; with an observer, one thread fits them all.
template <class Recipe, class O, class X, class Y, class T>
auto fit_each_by(const Recipe& recipe, const O& by, const X& x, const Y& y,
                 const Extras<T>& extras) {
  using Model = decltype(fit_classes("", recipe, by, x, y.col(0), extras));
  const std::string function = std::string(Recipe::name).append("::fit_each");
  require(y.cols() > 0, function, ": y has no columns");
  require_threads(function, recipe.threads);
  std::vector<Model> fitted;
  fitted.reserve(static_cast<std::size_t>(y.cols()));
  using Targets = ColumnMatrix<TypeFor<X, signed char>>;
  if constexpr (requires(const Targets& all) {
                  by.minimize_each(recipe.objective(), x, all, extras);
                })
    if (recipe.class_weights.are_equal()) {
      Targets targets(x.rows(), y.cols());
      std::vector<ClassLabels> labels;
      for (Index k = 0; k < y.cols(); ++k) {
        const auto of = two_weighted_classes(function, {}, x, y.col(k), extras);
        labels.push_back(of.labels);
        for (Index i = 0; i < x.rows(); ++i) targets(i, k) = of.classes[i] == 1 ? 1 : -1;
      }
      auto solutions = by.minimize_each(recipe.objective(), x, targets, extras);
      for (std::size_t k = 0; k < labels.size(); ++k)
        fitted.push_back(recipe.model(Classifier<T>{
            linear_model_of<T>(std::move(solutions[k]), recipe.objective()), labels[k]}));
      return fitted;
    }
  O alone = by;
  if (recipe.threads > 1) {
    if constexpr (requires { alone.threads = 1; }) alone.threads = 1;
    if constexpr (requires { alone.optimizer.threads = 1; }) alone.optimizer.threads = 1;
  }
  std::vector<std::optional<Model>> found(static_cast<std::size_t>(y.cols()));
  Workers workers(extras.observer ? Index{1} : std::min(recipe.threads, y.cols()));
  workers.run([&](Index worker) {
    const auto [first, last] = share_of(y.cols(), worker, workers.count());
    for (Index k = first; k < last; ++k)
      found[static_cast<std::size_t>(k)] =
          fit_classes(function, recipe, alone, x, y.col(k), extras);
  });
  for (auto& one : found) fitted.push_back(std::move(*one));
  return fitted;
}

}  // namespace detail

/// A recipe with another optimizer: the result of `with`.
template <class Recipe, class O>
struct RecipeWith {
  Recipe recipe{};
  O optimizer{};

  template <Samples X, AnyTargets Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires detail::FitsTo<Recipe, O, X, Y>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(recipe, optimizer, x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;

  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires requires(const Recipe& r) { r.class_weights, r.name; }
  [[nodiscard]] auto fit_each(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_each_by(recipe, optimizer, x, y, extras_of<scalar_t<X>>(given));
  }
};

namespace detail {

/// Combines a recipe and an optimizer: see ClassifierRecipe::with. An optimizer with a
/// change_tolerance, such as Sgd, keeps its own tolerance, which compares F with earlier epochs.
template <class Recipe, class O>
RecipeWith<Recipe, O> with(Recipe recipe, O optimizer) {
  const auto hand_down = [](auto& to, auto usual, auto from, auto from_usual) {
    if (to == usual && from != from_usual) to = from;
  };
  if constexpr (std::default_initializable<Recipe> && std::default_initializable<O>) {
    if constexpr (
        requires { optimizer.tolerance = recipe.tolerance; } &&
        !requires { optimizer.change_tolerance; })
      hand_down(optimizer.tolerance, O{}.tolerance, recipe.tolerance, Recipe{}.tolerance);
    if constexpr (requires { optimizer.seed = recipe.seed; })
      hand_down(optimizer.seed, O{}.seed, recipe.seed, Recipe{}.seed);
    if constexpr (requires { optimizer.threads = recipe.threads; })
      hand_down(optimizer.threads, O{}.threads, recipe.threads, Recipe{}.threads);
  }
  if constexpr (requires { optimizer.offset = recipe.offset = optimizer.offset && recipe.offset; })
    optimizer.offset = recipe.offset = optimizer.offset && recipe.offset;
  return {std::move(recipe), std::move(optimizer)};
}

}  // namespace detail
}  // namespace linea
