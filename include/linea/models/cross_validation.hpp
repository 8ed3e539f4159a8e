// SPDX-License-Identifier: MIT
#pragma once
/// \file k-fold cross-validation: selects the λ that predicts held-out samples best.
#include <algorithm>  // min
#include <concepts>   // same_as
#include <cstdint>
#include <iterator>  // ssize
#include <limits>
#include <linea/core/by_rows.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/workers.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/data/folds.hpp>
#include <linea/data/labels.hpp>
#include <linea/data/split.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/recipe.hpp>
#include <linea/models/recipe_lambdas.hpp>
#include <linea/models/validation_curve.hpp>
#include <linea/samples/scores.hpp>
#include <linea/samples/training_set.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>  // remove_cvref
#include <utility>      // move
#include <vector>

namespace linea {
namespace detail {

/// Returns a recipe for the other folds: without class weights of labels that only a fold has.
template <class R, class Y>
R for_labels_of(R recipe, const Y& y) {
  if constexpr (requires { innermost(recipe).class_weights.are_equal(); })
    if (auto& factors = innermost(recipe).class_weights; !factors.are_equal())
      factors = factors.among(ClassLabels(y));
  return recipe;
}

/// Selects the default score: for a classifier the fraction of wrong labels, for other models the
/// mean loss of their recipe.
struct UsualScore {};

/// A copy of some of the samples.
template <class X, class Y>
struct Part {
  X x;
  Y y;
  Extras<scalar_t<X>> extras;

  Vector<double> sample_weights() const { return extras.sample_weights.template cast<double>(); }

  /// Returns the score of these samples with p = ⟨w, x⟩ + b.
  template <class F, class V>
  double score_of(const F& score, const V& p) const {
    return held_out_score(score, p.template cast<double>(), y.template cast<double>(),
                          sample_weights());
  }
};
template <class X, class Y, class T>
auto part_of(const X& x, const Y& y, const Extras<T>& extras, const std::vector<Index>& rows) {
  Extras<T> own = extras;
  if (own.sample_weights.size() > 0) own.sample_weights = extras.sample_weights(rows);
  if (own.start_multipliers.size() > 0) own.start_multipliers = extras.start_multipliers(rows);
  return Part<decltype(take_rows(x, rows)), Y>{take_rows(x, rows), y(rows), std::move(own)};
}

}  // namespace detail

/// The curve, the optimizer and objective as given, and the solution for the best λ. S is the type
/// of the optimizer's solutions.
template <class S, class O, class Obj>
struct [[nodiscard]] CrossValidated : ValidationCurve {
  O optimizer;
  Obj objective;
  S solution;  ///< fitted to all samples, for lambdas[best]

  /// Minimises the objective with lambdas[k], 0 ≤ k < m, on x (n × d) and y (n). Use this function
  /// for a λ other than the best, such as lambdas[one_standard_error].
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  S refit(Index k, const X& x, const Y& y, const E& given = {}) const {
    require(k >= 0 && k < std::ssize(lambdas), "CrossValidated::refit: number ", k, " of ",
            lambdas.size());
    return detail::minimize_at(lambdas[static_cast<std::size_t>(k)], optimizer, objective, x, y,
                               extras_of<scalar_t<X>>(given));
  }
};

/// The curve of a recipe, with the recipe and model for the best λ. M is the type that `fit`
/// returns.
template <class M, class R>
struct [[nodiscard]] CrossValidatedRecipe : ValidationCurve {
  R recipe;  ///< with lambdas[best]
  M model;   ///< fitted to all samples, for lambdas[best]

  /// Fits x (n × d) to y (n) with lambdas[k], 0 ≤ k < m. Use this function for a λ other than the
  /// best, such as lambdas[one_standard_error].
  template <Samples X, class Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  M refit(Index k, const X& x, const Y& y, const E& given = {}) const {
    require(k >= 0 && k < std::ssize(lambdas), "CrossValidatedRecipe::refit: number ", k, " of ",
            lambdas.size());
    return detail::at_lambda(recipe, lambdas[static_cast<std::size_t>(k)]).fit(x, y, given);
  }
};

/// Holds out each fold once and scores it with weights fitted to the other folds.
struct CrossValidation {
  Index folds{5};  ///< number of folds, from 2 to n; their sizes differ by at most one sample
  std::uint64_t seed{0};
  /// Divide each class evenly among the folds. Has no effect if `choose` gets a recipe for numbers,
  /// or if it gets an optimizer and y has more than two different values.
  bool stratify{true};
  Index threads{1};  ///< threads divide the folds; any number gives the same bits
  /// Your own folds, in place of `folds`, `seed` and `stratify`. `folds_of(v)` puts sample i
  /// into fold v[i]; `folds_by_group(g, 5)` keeps the samples of a group together.
  Folds own_folds{};

  /// Scores each of m values of λ: for each fold, runs lambda_path on the other folds, and
  /// evaluates the mean loss of the objective, or your own score, on the fold. Then fits all
  /// samples with the best λ, from the start in the extras. Fits and scores use the sample weights.
  /// With an observer, which every run calls, one thread makes all runs. A list of lambdas from the
  /// largest to the smallest is fastest; an empty list stands for automatic_lambdas.
  ///
  /// x (n × d) is dense or sparse. Cost: folds·m fits to n − n/folds samples each, and one fit to n
  /// samples. Each thread stores two solutions and a copy of x, split into the two parts of its
  /// fold. Several threads call the score at the same time.
  ///
  /// Throws std::invalid_argument on invalid input, for lambdas that lambda_path rejects, for fewer
  /// than two folds or more folds than samples, for invalid own folds or those of another number of
  /// samples, and for a fold whose sample weights are all 0. Validates all of x and y first. If the
  /// fit without a fold throws it, except for NoProof, the message names the fold, counted from 1.
  template <class O, Loss L, PenaltyWithLambda P, Samples X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>, class F = detail::UsualScore>
    requires(HeldOutScore<F> || std::same_as<F, detail::UsualScore>)
  auto choose(const O& optimizer, const Objective<L, P>& objective, std::vector<double> lambdas,
              const X& given_x, const Y& y, const E& given = {}, const F& score = {}) const {
    using T = scalar_t<X>;
    const auto& x = detail::by_rows(given_x);
    const Extras<T>& extras = extras_of<T>(given);
    detail::require_lambdas(function, lambdas);
    const Vector<T> targets =
        detail::samples::admit(function, objective.loss, x, y, extras.sample_weights).y;
    require(extras.start_multipliers.size() == 0 || extras.start_multipliers.size() == x.rows(),
            function, ": ", extras.start_multipliers.size(), " start multipliers but y has ",
            x.rows());
    if (lambdas.empty())
      lambdas = automatic_lambdas(objective, x, targets, extras, detail::has_offset(optimizer));
    ValidationCurve curve = curve_of(
        function, lambdas, x, targets, extras, 2,
        [&](const auto& seen, const auto& fitted, const auto& visit) {
          detail::follow_lambda_path(optimizer, objective, lambdas, seen.x, seen.y, seen.extras,
                                     fitted, visit);
        },
        [&](const auto& solution, const auto& unseen) {
          const Vector<T> p = detail::samples::scores_of_rows(function, rows_of(unseen.x),
                                                              Vector<T>(solution.weights),
                                                              static_cast<T>(solution.offset), 1);
          if constexpr (HeldOutScore<F>)
            return unseen.score_of(score, p);
          else
            return unseen.score_of(MeanLoss{objective.loss}, p);
        });
    auto solution = detail::minimize_at(lambdas[static_cast<std::size_t>(curve.best)], optimizer,
                                        objective, x, targets, extras);
    return CrossValidated<decltype(solution), O, Objective<L, P>>{std::move(curve), optimizer,
                                                                  objective, std::move(solution)};
  }

  /// Scores every λ for a recipe, which may be Standardised or OneVsRest: for each fold, fits the
  /// recipe, including the scaling, to the other folds, and evaluates the score of the fold. Then
  /// fits all samples with the best λ. An empty list stands for automatic_lambdas of all samples.
  ///
  /// x (n × d) is dense or sparse. y (n) holds the targets or labels that the recipe accepts. The
  /// score of held-out samples is score(model, x, y, weights), and lower is better; `weights` is
  /// empty if there are no sample weights. The default is the fraction of wrong labels of a
  /// classifier, else the mean loss.
  ///
  /// The fits without a fold use only the sample weights and the observer of the extras; the last
  /// fit uses all extras. Cost, memory and exceptions are those of `choose` for an optimizer.
  template <RecipeWithLambda R, SampleMatrix X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>, class F = detail::UsualScore>
  auto choose(const R& recipe, std::vector<double> lambdas, const X& given_x, const Y& y,
              const E& given = {}, const F& score = {}) const {
    using T = scalar_t<X>;
    const auto& x = detail::by_rows(given_x);
    const auto& extras = extras_of<T>(given);
    auto curve = curve_of_recipe(function, recipe, std::move(lambdas), x, y, extras, score);
    const R best = detail::at_lambda(recipe, curve.lambdas[static_cast<std::size_t>(curve.best)]);
    auto model = best.fit(x, detail::vector_of(y).template cast<double>().eval(), extras);
    return CrossValidatedRecipe<decltype(model), R>{std::move(curve), best, std::move(model)};
  }

  /// Scores every λ for a recipe as `choose` does, without the fit of all samples.
  template <RecipeWithLambda R, SampleMatrix X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>, class F = detail::UsualScore>
  ValidationCurve curve(const R& recipe, std::vector<double> lambdas, const X& x, const Y& y,
                        const E& given = {}, const F& score = {}) const {
    return curve_of_recipe("CrossValidation::curve", recipe, std::move(lambdas), detail::by_rows(x),
                           y, extras_of<scalar_t<X>>(given), score);
  }

  /// Returns the scores of each sample by the model that the recipe fits to the other folds: (n),
  /// or (n × k) for the k labels of all samples, −∞ for a label that those folds do not have. They
  /// serve to choose a threshold, to calibrate, or as features of another model. The scores of
  /// samples of weight 0 are NaN, unless own_folds has them. Arguments, cost and exceptions are
  /// those of `choose` for a recipe with one λ, without the fit of all samples.
  template <class R, SampleMatrix X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto held_out_scores(const R& recipe, const X& given_x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    constexpr std::string_view name = "CrossValidation::held_out_scores";
    const auto& x = detail::by_rows(given_x);
    const auto& extras = extras_of<T>(given);
    const auto& numbers = detail::vector_of(y);
    const Vector<double> targets = numbers.template cast<double>();
    using Model = decltype(recipe.fit(x, targets, extras));
    using Scores = decltype(std::declval<const Model&>().scores(x));
    constexpr bool has_labels = requires(const Model& model) { model.labels; };
    constexpr bool is_one = bool(Scores::IsVectorAtCompileTime);
    require_well_formed<has_labels>(detail::innermost(recipe), x, numbers, extras, name);
    const Extras<T> own{.sample_weights = extras.sample_weights, .observer = extras.observer};
    const Folds dealt = folds_of(name, x, targets, own, has_labels ? targets.size() : 0);
    std::conditional_t<is_one, Vector<double>, Matrix<double>> scores;
    std::optional<ClassLabels> labels;
    if constexpr (!is_one) labels.emplace(targets);
    scores.resize(x.rows(), is_one ? 1 : labels->size());
    scores.setConstant(std::numeric_limits<double>::quiet_NaN());
    for_each_fold(name, dealt, extras, [&](Index k, const auto& fitted) {
      const auto seen = detail::part_of(x, targets, own, dealt.rest(k));
      const R one = detail::for_labels_of(recipe, seen.y);
      const Model model = fitted([&] { return one.fit(seen.x, seen.y, seen.extras); });
      const std::vector<Index> rows = dealt.held_out(k);
      const auto found = model.scores(take_rows(x, rows)).template cast<double>().eval();
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto at = static_cast<Index>(i);
        if constexpr (is_one) {
          scores[rows[i]] = found[at];
        } else {
          scores.row(rows[i]).setConstant(-std::numeric_limits<double>::infinity());
          for (Index j = 0; j < found.cols(); ++j)
            scores(rows[i], labels->index_of(model.labels[j])) = found(at, j);
        }
      }
    });
    return scores;
  }

 private:
  static constexpr std::string_view function = "CrossValidation::choose";

  /// Returns the curve of a recipe: see `choose`.
  template <class R, class X, class Y, class T, class F>
  ValidationCurve curve_of_recipe(std::string_view name, const R& recipe,
                                  std::vector<double> lambdas, const X& x, const Y& y,
                                  const Extras<T>& extras, const F& score) const {
    const Vector<double> targets = detail::vector_of(y).template cast<double>();
    using Model = decltype(recipe.fit(x, targets, extras));
    constexpr bool has_labels = requires(const Model& model) { model.labels; };
    detail::require_lambdas(name, lambdas);
    require_well_formed<has_labels>(detail::innermost(recipe), x, detail::vector_of(y), extras,
                                    name);
    if (lambdas.empty()) lambdas = automatic_lambdas(recipe, x, targets, extras);
    const Extras<T> own{.sample_weights = extras.sample_weights, .observer = extras.observer};
    return curve_of(
        name, lambdas, x, targets, own, has_labels ? targets.size() : 0,
        [&](const auto& seen, const auto& fitted, const auto& visit) {
          for (std::size_t k = 0; k < lambdas.size(); ++k) {
            const R one = detail::for_labels_of(detail::at_lambda(recipe, lambdas[k]), seen.y);
            visit(k, fitted([&] { return one.fit(seen.x, seen.y, seen.extras); }));
          }
        },
        [&](const auto& model, const auto& unseen) {
          if constexpr (!std::same_as<F, detail::UsualScore>)
            return score(model, unseen.x, unseen.y, unseen.sample_weights());
          else if constexpr (has_labels)
            return error_rate(model.predict(unseen.x), unseen.y, unseen.sample_weights());
          else
            return unseen.score_of(MeanLoss{detail::innermost(recipe).objective().loss},
                                   model.scores(unseen.x));
        });
  }

  /// Validates all samples before any part of them is fitted, so that messages have the row numbers
  /// of x.
  template <bool has_labels, class R, class X, class Y, class T>
  static void require_well_formed(const R& recipe, const X& x, const Y& y, const Extras<T>& extras,
                                  std::string_view name = function) {
    detail::samples::admit_samples(name, x, y.size(), extras.sample_weights);
    detail::require_numbers(name, y);
    if constexpr (has_labels) {
      ClassWeights class_weights;
      if constexpr (requires { recipe.class_weights; }) class_weights = recipe.class_weights;
      detail::weighted_classes(name, class_weights, x, y, extras);
    } else if constexpr (requires { recipe.objective().loss; }) {
      detail::samples::admit_targets<T>(name, recipe.objective().loss, y);
    }
  }

  /// Deals the samples to folds, by class if there are at most `most_classes` targets. Samples of
  /// weight 0 are in no fold, so that the folds are those without these samples.
  template <class Y, class Weights>
  Folds deal(const Y& y, const Weights& sample_weights, Index most_classes) const {
    std::vector<Index> present;
    for (Index i = 0; i < y.size(); ++i)
      if (sample_weights.size() == 0 || sample_weights[i] > 0) present.push_back(i);
    const Y targets = y(present);
    const bool in_classes = most_classes > 0 && ClassLabels(targets).size() <= most_classes;
    Folds dealt = fold_indices(targets, {.folds = folds, .seed = seed, .stratify = in_classes});
    dealt.samples = y.size();
    for (std::vector<Index>& fold : dealt.rows)
      for (Index& i : fold) i = present[static_cast<std::size_t>(i)];
    return dealt;
  }

  /// Returns the curve. For every fold, fit_all(seen, fitted, visit) fits the samples outside the
  /// fold with each λ: it makes each fit by fitted(fit), which returns fit(), and passes the result
  /// for λ number j to visit(j, model). score(model, unseen) scores the samples in the fold. With
  /// an observer, one thread scores all folds.
  template <class X, class Y, class T, class FitAll, class Score>
  ValidationCurve curve_of(std::string_view name, const std::vector<double>& lambdas, const X& x,
                           const Y& y, const Extras<T>& extras, Index most_classes,
                           const FitAll& fit_all, const Score& score) const {
    const Folds dealt = folds_of(name, x, y, extras, most_classes);
    const Vector<double> fold_weights = weights_of_folds(name, dealt, extras);
    Matrix<double> scores(dealt.size(), static_cast<Index>(lambdas.size()));
    for_each_fold(name, dealt, extras, [&](Index k, const auto& fitted) {
      const auto unseen = detail::part_of(x, y, Extras<T>{.sample_weights = extras.sample_weights},
                                          dealt.held_out(k));
      fit_all(detail::part_of(x, y, extras, dealt.rest(k)), fitted,
              [&](std::size_t j, const auto& model) {
                scores(k, static_cast<Index>(j)) = static_cast<double>(score(model, unseen));
              });
    });
    return validation_curve(lambdas, scores, fold_weights);
  }

  /// Returns the folds of the samples, after validation.
  template <class X, class Y, class T>
  Folds folds_of(std::string_view name, const X& x, const Y& y, const Extras<T>& extras,
                 Index most_classes) const {
    require_threads(name, threads);
    Folds dealt = own_folds.size() > 0
                      ? own_folds
                      : deal(y, extras.sample_weights, stratify ? most_classes : 0);
    require(dealt.samples == x.rows(), name, ": the folds are of ", dealt.samples,
            " samples, but x has ", x.rows(), " rows");
    dealt.validate(name);
    return dealt;
  }

  /// Calls task(k, fitted) for each fold, on the threads, or on one thread with an observer.
  /// fitted(fit) returns fit(), the fit without fold k.
  template <class T, class Task>
  void for_each_fold(std::string_view name, const Folds& dealt, const Extras<T>& extras,
                     const Task& task) const {
    const Index count = dealt.size();
    Workers workers(extras.observer ? Index{1} : std::min(threads, count));
    workers.run([&](Index worker) {
      const auto [first, last] = share_of(count, worker, workers.count());
      for (Index k = first; k < last; ++k)
        task(k, [&](const auto& fit) { return fit_without_fold(name, k, count, fit); });
    });
  }

  /// Returns fit(), a fit to all folds but fold k. Adds the fold to the message of an error, in
  /// which row numbers count only the samples outside the fold.
  template <class F>
  static auto fit_without_fold(std::string_view name, Index k, Index count, const F& fit) {
    try {
      return fit();
    } catch (const NoProof&) {
      throw;
    } catch (const std::invalid_argument& error) {
      refuse(name, ": fold ", k + 1, " of ", count, " cannot be fitted: ", error.what());
    }
  }

  /// Returns the total weight of each fold. Throws if it is 0.
  template <class T>
  static Vector<double> weights_of_folds(std::string_view name, const Folds& dealt,
                                         const Extras<T>& extras) {
    const auto& sample_weights = extras.sample_weights;
    Vector<double> sums(dealt.size());
    for (Index k = 0; k < sums.size(); ++k) {
      sums[k] = 0;
      for (const Index i : dealt.held_out(k))
        sums[k] += sample_weights.size() > 0 ? static_cast<double>(sample_weights[i]) : 1.0;
      require(sums[k] > 0, name, ": all samples that fold ", k + 1, " of ", sums.size(),
              " holds out have weight 0");
    }
    return sums;
  }
};

}  // namespace linea
