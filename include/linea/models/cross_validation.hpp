// SPDX-License-Identifier: MIT
#pragma once
/// \file Which λ predicts samples best that were not learnt from: k-fold cross-validation.
#include <algorithm>  // min
#include <cstdint>
#include <linea/core/workers.hpp>
#include <linea/data/folds.hpp>
#include <linea/data/split.hpp>
#include <linea/models/held_out_score.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/recipe_scores.hpp>
#include <linea/models/validation_curve.hpp>
#include <linea/samples/training_set.hpp>
#include <span>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea {

/// The curve with the means to act on it. S is the optimizer's solution.
template <class S, class O, class Obj>
struct [[nodiscard]] CrossValidated : ValidationCurve {
  O optimizer;
  Obj objective;
  S solution;  ///< on all samples, for lambdas[best]

  /// The minimum for λ number k, 0 ≤ k < m, on x (n × d) and y (n): for another choice than the
  /// best.
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  S refit(Index k, const X& x, const Y& y, const E& given = {}) const {
    require(k >= 0 && k < mean.size(), "CrossValidated::refit: number ", k, " of ", mean.size());
    return models::minimize_at(lambdas[static_cast<std::size_t>(k)], optimizer, objective, x, y,
                               extras_of<scalar_t<X>>(given));
  }
};

/// Each sample is held out once, with its fold, and scored by weights that the other folds gave.
struct CrossValidation {
  Index folds{5};  ///< from 2 to n; their sizes differ by at most one
  std::uint64_t seed{0};
  bool stratify{
      true};         ///< deal out each class evenly; of an optimizer, where y has two values only
  Index threads{1};  ///< they divide the folds: the same bits with any number

  /// Scores every λ: for each fold a lambda_path on the other folds, and the mean loss of the
  /// objective on the fold, or your own score of it. Then fits all samples with the best λ, from
  /// the extras' start. Sample weights go with their samples, in fits and scores; an observer sees
  /// every run, one after the other on one thread. Lambdas are best from the largest to the
  /// smallest.
  ///
  /// x (n × d) dense or sparse, y (n). Cost: folds·m fits on n − n/folds samples, and one on n.
  /// Memory of each thread: a copy of x, for a fold's rows and those of the others are taken out of
  /// it once a fold; two solutions. Several threads call the score at the same time.
  ///
  /// Throws std::invalid_argument on input that is not well-formed, for lambdas as lambda_path
  /// does, for fewer than two folds or more than samples, and for a fold whose sample weights are
  /// all 0. All of x and y is validated before it is divided. A fold without which the others
  /// cannot be fitted is named, counted from 1.
  template <class O, Loss L, PenaltyWithLambda P, Samples X, VectorLike Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto choose(const O& optimizer, const Objective<L, P>& objective,
              const std::vector<double>& lambdas, const X& x, const Y& y,
              const E& given = {}) const {
    return choose(optimizer, objective, lambdas, x, y, given, MeanLoss<L>{objective.loss});
  }

  template <class O, Loss L, PenaltyWithLambda P, Samples X, VectorLike Y, HeldOutScore F,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto choose(const O& optimizer, const Objective<L, P>& objective,
              const std::vector<double>& lambdas, const X& x, const Y& y, const E& given,
              const F& score) const {
    const auto& extras = extras_of<scalar_t<X>>(given);
    return chosen(optimizer, objective, lambdas, x, y, extras, score);
  }

  /// Scores every λ for a recipe, plain, Standardised or OneVsRest: for each fold a fit on the
  /// other folds, scaling included, and the score of the fold. Then fits all samples with the best
  /// λ.
  ///
  /// x (n × d) dense or sparse, y (n) as the recipe takes it: a classifier's own labels. The score,
  /// lower being better, is score(model, x, y, weights) of held-out samples, `weights` empty if
  /// there are none: [](const auto& model, const auto& x, const auto& y, const auto& weights) {
  /// return mean_absolute_error(model.predict(x), y, weights); }, say. Without one it is the share
  /// of wrong labels of a classifier, or the mean loss of what else the recipe is for.
  ///
  /// Of the extras the sample weights count; an observer sees every run. Cost, memory and errors as
  /// above.
  template <RecipeWithLambda R, SampleMatrix X, Numbers Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>, class F = models::UsualScore>
  auto choose(const R& recipe, const std::vector<double>& lambdas, const X& x, const Y& y,
              const E& given = {}, const F& score = {}) const {
    const auto& extras = extras_of<scalar_t<X>>(given);
    return chosen_recipe(recipe, lambdas, x, core::vector_of(y), extras, score);
  }

 private:
  static constexpr std::string_view function = "CrossValidation::choose";

  /// A function that calls the fit it is given, and names fold k, which is held out, where that
  /// refuses.
  auto fitted_without(Index k) const {
    return [this, k](const auto& fit) { return models::fit_without_fold(function, k, folds, fit); };
  }

  template <class O, Loss L, PenaltyWithLambda P, Samples X, VectorLike Y, HeldOutScore F,
            class T = scalar_t<X>>
  auto chosen(const O& optimizer, const Objective<L, P>& objective,
              const std::vector<double>& lambdas, const X& x, const Y& y, const Extras<T>& extras,
              const F& score) const {
    models::require_some_lambdas(function, lambdas);
    const auto set = samples::admit(function, objective.loss, x, y, extras.sample_weights);
    const Vector<T>& targets = set.y;
    require_options(x.rows());
    require(extras.start_multipliers.size() == 0 || extras.start_multipliers.size() == x.rows(),
            function, ": ", extras.start_multipliers.size(), " start multipliers but y has ",
            x.rows());
    const Vector<core::DoubleFor<X>> numbers = targets.template cast<double>();
    const Folds dealt = deal(numbers);
    Matrix<core::DoubleFor<X>> scores(folds, static_cast<Index>(lambdas.size()));
    const auto fold_weights = weights_of_folds(dealt, extras);
    for_each_fold(extras, [&](Index k) {
      score_fold(optimizer, objective, lambdas, x, targets, extras, dealt.held_out(k),
                 dealt.rest(k), score, fitted_without(k),
                 [&](std::size_t j, double value) { scores(k, static_cast<Index>(j)) = value; });
    });

    ValidationCurve curve = validation_curve(lambdas, scores, fold_weights);
    const double best = lambdas[static_cast<std::size_t>(curve.best)];
    auto solution = models::minimize_at(best, optimizer, objective, x, targets, extras);
    return CrossValidated<decltype(solution), O, Objective<L, P>>{std::move(curve), optimizer,
                                                                  objective, std::move(solution)};
  }

  template <class R, class X, class Y, class T, class F>
  auto chosen_recipe(const R& recipe, const std::vector<double>& lambdas, const X& x,
                     const Y& numbers, const Extras<T>& extras, const F& score) const {
    const Vector<core::DoubleFor<X>> y = numbers.template cast<double>();
    using Model = decltype(recipe.fit(x, y, extras));
    models::require_some_lambdas(function, lambdas);
    models::require_well_formed<Model>(function, recipe, x, numbers, extras);
    require_options(x.rows());
    constexpr bool has_classes = requires(const Model& model) { model.labels; };
    const Folds dealt =
        fold_indices(y, {.folds = folds, .seed = seed, .stratify = stratify && has_classes});
    const auto fold_weights = weights_of_folds(dealt, extras);
    Matrix<core::DoubleFor<X>> scores(folds, static_cast<Index>(lambdas.size()));
    for_each_fold(extras, [&](Index k) {
      const std::vector<double> found =
          models::recipe_scores(recipe, lambdas, x, y, extras, dealt.rest(k), dealt.held_out(k),
                                score, fitted_without(k));
      for (std::size_t j = 0; j < found.size(); ++j) scores(k, static_cast<Index>(j)) = found[j];
    });
    ValidationCurve curve = validation_curve(lambdas, scores, fold_weights);
    const R best = models::at_lambda(recipe, lambdas[static_cast<std::size_t>(curve.best)]);
    auto model = best.fit(x, y, extras);
    return CrossValidatedRecipe<Model, R>{std::move(curve), best, std::move(model)};
  }

  /// Refuses another number of folds than samples allow.
  void require_options(Index n) const {
    require(folds >= 2, function, ": ", folds, " folds, but two at least are needed");
    require(folds <= n, function, ": ", folds, " folds of ", n, " samples");
    require_threads(function, threads);
  }

  /// visit(k) for every fold; an observer is not called from several threads.
  template <class T, class Visit>
  void for_each_fold(const Extras<T>& extras, const Visit& visit) const {
    const bool is_single = static_cast<bool>(extras.observer);
    Workers workers(is_single ? Index{1} : std::min(threads, folds));
    workers.run([&](Index worker) {
      const auto [first, last] = share_of(folds, worker, workers.count());
      for (Index k = first; k < last; ++k) visit(k);
    });
  }

  /// What the samples of each fold weigh, which is not to be 0, of weights that are
  /// well-formed. Scaled to mean 1, so that no sum overflows.
  template <class T>
  Vector<core::DoubleFor<T>> weights_of_folds(const Folds& dealt, const Extras<T>& extras) const {
    const Vector<core::DoubleFor<T>> sample_weights = samples::admit_weights(
        function, dealt.samples,
        Vector<core::DoubleFor<T>>(extras.sample_weights.template cast<double>()));
    Vector<core::DoubleFor<T>> sums(folds);
    for (Index k = 0; k < folds; ++k) {
      const auto held_out = dealt.held_out(k);
      sums[k] = static_cast<double>(held_out.size());
      if (sample_weights.size() > 0) sums[k] = models::take(sample_weights, held_out).sum();
    }
    for (Index k = 0; k < folds; ++k)
      require(sums[k] > 0, function, ": all samples that fold ", k + 1, " of ", folds,
              " holds out have weight 0");
    return sums;
  }

  /// Has y (n) two values at most?
  template <class Real>
  static bool has_two_values(const Vector<Real>& y) {
    const double low = y.minCoeff();
    const double high = y.maxCoeff();
    bool is_other = false;
    for (const double value : y) is_other = is_other || (value != low && value != high);
    return !is_other;
  }

  /// Stratified where y has two values only.
  template <class Real>
  Folds deal(const Vector<Real>& y) const {
    const bool in_classes = stratify && has_two_values(y);
    const FoldOptions options{.folds = folds, .seed = seed, .stratify = in_classes};
    return fold_indices(y, options);
  }

  template <class O, class Obj, class X, class T, class F, class Fitted, class Visit>
  static void score_fold(const O& optimizer, const Obj& objective,
                         const std::vector<double>& lambdas, const X& x, const Vector<T>& y,
                         const Extras<T>& extras, std::span<const Index> held_out,
                         std::span<const Index> rest, const F& score, const Fitted& fitted,
                         const Visit& visit) {
    Extras<T> of_rest = extras;
    if (extras.sample_weights.size() > 0)
      of_rest.sample_weights = models::take(extras.sample_weights, rest);
    if (extras.start_multipliers.size() > 0)
      of_rest.start_multipliers = models::take(extras.start_multipliers, rest);
    Eigen::VectorXd weights;
    if (extras.sample_weights.size() > 0)
      weights = models::take(extras.sample_weights, held_out).template cast<double>();
    const models::HeldOut<F> unseen(score, models::take(y, held_out).template cast<double>(),
                                    std::move(weights));
    const auto held_out_x = take_rows(x, held_out);
    const auto rows = rows_of(held_out_x);
    models::follow_lambda_path(
        optimizer, objective, lambdas, take_rows(x, rest), models::take(y, rest),
        std::move(of_rest), fitted, [&](std::size_t k, const auto& solution) {
          const Eigen::VectorXd scores =
              samples::scores_of_rows(function, rows, solution.weights, solution.offset, 1)
                  .template cast<double>();
          visit(k, unseen.score(scores));
        });
  }
};

}  // namespace linea
