// SPDX-License-Identifier: MIT
#pragma once
/// \file k-fold cross-validation: selects the λ that predicts held-out samples best.
#include <algorithm>  // min
#include <cmath>      // isfinite
#include <concepts>   // same_as
#include <cstdint>
#include <linea/core/by_rows.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/workers.hpp>
#include <linea/data/folds.hpp>
#include <linea/data/labels.hpp>
#include <linea/data/split.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/recipe.hpp>
#include <linea/models/validation_curve.hpp>
#include <linea/samples/scores.hpp>
#include <linea/samples/training_set.hpp>
#include <span>
#include <stdexcept>
#include <string_view>
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

/// Selects the default score: for a classifier the fraction of wrong labels, for other models the
/// mean loss of their recipe.
struct UsualScore {};

template <class R, class M, class X>
double usual_score(const R& recipe, const M& model, const X& x, const Vector<double>& y,
                   const Vector<double>& sample_weights) {
  if constexpr (requires { model.labels; })
    return error_rate(model.predict(x), y, sample_weights);
  else
    return held_out_score(MeanLoss{innermost(recipe).objective().loss},
                          Vector<double>(model.scores(x).template cast<double>()), y,
                          sample_weights);
}

template <class T>
Vector<T> take(const Vector<T>& from, std::span<const Index> rows) {
  if (from.size() == 0) return {};
  Vector<T> taken(static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) taken[static_cast<Index>(k)] = from[rows[k]];
  return taken;
}

/// A copy of some of the samples. Row i of x has target y[i].
template <class X, class Y>
struct Part {
  X x;
  Y y;
  Extras<scalar_t<X>> extras;

  Vector<double> sample_weights() const { return extras.sample_weights.template cast<double>(); }
};
template <class X, class Y, class T>
auto part_of(const X& x, const Y& y, const Extras<T>& extras, std::span<const Index> rows) {
  Extras<T> own = extras;
  own.sample_weights = take(extras.sample_weights, rows);
  own.start_multipliers = take(extras.start_multipliers, rows);
  return Part<decltype(take_rows(x, rows)), Y>{take_rows(x, rows), take(y, rows), std::move(own)};
}

/// A recipe whose penalty has a settable λ. Softmax recipes have penalty() in place of objective().
template <class R>
concept HasSettablePenalty = requires(const R& recipe) {
  requires PenaltyWithLambda<std::remove_cvref_t<decltype(recipe.objective().penalty)>>;
}
|| requires(const R& recipe) { recipe.penalty(), recipe.class_weights; };

}  // namespace detail

/// Returns 13 values of λ to try for a recipe: the values that automatic_lambdas returns for its
/// objective. For Standardised, these are the values for the scaled samples. For a classifier, the
/// function computes a list for each class against the rest, and returns the list with the largest
/// first λ; `balanced` weights balance all classes. Throws std::invalid_argument for a recipe
/// without an objective or penalty with a λ.
template <class R, Samples X, Numbers Y, class T>
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
    for (Index k = 0; k < of.labels.size(); ++k) {
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
    require(k >= 0 && k < mean.size(), "CrossValidated::refit: number ", k, " of ", mean.size());
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
    require(k >= 0 && k < mean.size(), "CrossValidatedRecipe::refit: number ", k, " of ",
            mean.size());
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
  /// If there is an observer, every run calls the observer, and one thread makes all runs. A list
  /// of lambdas from the largest to the smallest is fastest; an empty list stands for
  /// automatic_lambdas of all samples.
  ///
  /// x (n × d) is dense or sparse. Cost: folds·m fits to n − n/folds samples each, and one fit to n
  /// samples. Each thread stores two solutions and a copy of x, split into the two parts of its
  /// fold. Several threads call the score at the same time.
  ///
  /// Throws std::invalid_argument on invalid input, for lambdas that lambda_path rejects, for fewer
  /// than two folds or more folds than samples, for own folds of another number of samples, and for
  /// a fold whose sample weights are all 0. Validates all of x and y first. If the fit without a
  /// fold throws std::invalid_argument other than NoProof, the message names the fold, counted from
  /// 1.
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
    const bool in_classes = stratify && ClassLabels(targets).size() <= 2;
    ValidationCurve curve = curve_of(
        lambdas, x, targets, extras, in_classes,
        [&](const auto& seen, const auto& unseen, const auto& fitted, const auto& set) {
          const Vector<double> truth = unseen.y.template cast<double>();
          const Vector<double> weights = unseen.sample_weights();
          detail::follow_lambda_path(
              optimizer, objective, lambdas, seen.x, seen.y, seen.extras, fitted,
              [&](std::size_t k, const auto& solution) {
                const Vector<double> p =
                    detail::samples::scores_of_rows(function, rows_of(unseen.x),
                                                    Vector<T>(solution.weights),
                                                    static_cast<T>(solution.offset), 1)
                        .template cast<double>();
                if constexpr (HeldOutScore<F>)
                  set(k, detail::held_out_score(score, p, truth, weights));
                else
                  set(k, detail::held_out_score(MeanLoss{objective.loss}, p, truth, weights));
              });
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
  /// empty if there are no sample weights. Example: [](const auto& model, const auto& x, const
  /// auto& y, const auto& weights) { return mean_absolute_error(model.predict(x), y, weights); }.
  /// The default is the fraction of wrong labels of a classifier, or the mean loss of other
  /// recipes.
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
    const auto& numbers = detail::vector_of(y);
    const Vector<double> targets = numbers.template cast<double>();
    using Model = decltype(recipe.fit(x, targets, extras));
    constexpr bool has_labels = requires(const Model& model) { model.labels; };
    detail::require_lambdas(function, lambdas);
    require_well_formed<has_labels>(detail::innermost(recipe), x, numbers, extras);
    if (lambdas.empty()) lambdas = automatic_lambdas(recipe, x, targets, extras);
    const Extras<T> own{.sample_weights = extras.sample_weights, .observer = extras.observer};
    ValidationCurve curve = curve_of(
        lambdas, x, targets, own, stratify && has_labels,
        [&](const auto& seen, const auto& unseen, const auto& fitted, const auto& set) {
          for (std::size_t k = 0; k < lambdas.size(); ++k) {
            R one = detail::at_lambda(recipe, lambdas[k]);
            if constexpr (requires { detail::innermost(one).class_weights.are_equal(); })
              if (auto& factors = detail::innermost(one).class_weights; !factors.are_equal())
                factors = factors.among(ClassLabels(seen.y));  // omit labels seen only in fold k
            const auto model = fitted([&] { return one.fit(seen.x, seen.y, seen.extras); });
            if constexpr (std::same_as<F, detail::UsualScore>)
              set(k, detail::usual_score(one, model, unseen.x, unseen.y, unseen.sample_weights()));
            else
              set(k,
                  static_cast<double>(score(model, unseen.x, unseen.y, unseen.sample_weights())));
          }
        });
    const R best = detail::at_lambda(recipe, lambdas[static_cast<std::size_t>(curve.best)]);
    auto model = best.fit(x, targets, extras);
    return CrossValidatedRecipe<Model, R>{std::move(curve), best, std::move(model)};
  }

 private:
  static constexpr std::string_view function = "CrossValidation::choose";

  /// Validates all samples before any part of them is fitted, so that messages have the row numbers
  /// of x.
  template <bool has_labels, class R, class X, class Y, class T>
  static void require_well_formed(const R& recipe, const X& x, const Y& y,
                                  const Extras<T>& extras) {
    detail::samples::admit_samples(function, x, y.size(), extras.sample_weights);
    for (Index i = 0; i < y.size(); ++i)
      require(std::isfinite(static_cast<double>(y.coeff(i))), function, ": y(", i,
              ") is not finite");
    if constexpr (has_labels) {
      ClassWeights class_weights;
      if constexpr (requires { recipe.class_weights; }) class_weights = recipe.class_weights;
      detail::weighted_classes(function, class_weights, x, y, extras);
    } else if constexpr (requires { recipe.objective().loss; }) {
      detail::samples::admit_targets<T>(function, recipe.objective().loss, y);
    }
  }

  /// Calls score_fold(seen, unseen, fitted, set) for every fold and returns the curve. `seen` are
  /// the samples outside the fold, `unseen` those in the fold. score_fold calls set(j, score) for λ
  /// number j, and fitted(fit) for every fit, which returns fit_without_fold for this fold. With an
  /// observer, one thread scores all folds.
  template <class X, class Y, class T, class ScoreFold>
  ValidationCurve curve_of(const std::vector<double>& lambdas, const X& x, const Y& y,
                           const Extras<T>& extras, bool in_classes,
                           const ScoreFold& score_fold) const {
    require_threads(function, threads);
    const Folds dealt =
        own_folds.size() > 0
            ? own_folds
            : fold_indices(y, {.folds = folds, .seed = seed, .stratify = in_classes});
    require(dealt.samples == x.rows(), function, ": the folds are of ", dealt.samples,
            " samples, but x has ", x.rows(), " rows");
    const Index count = dealt.size();
    const Vector<double> fold_weights = weights_of_folds(dealt, extras);
    Matrix<double> scores(count, static_cast<Index>(lambdas.size()));
    Workers workers(extras.observer ? Index{1} : std::min(threads, count));
    workers.run([&](Index worker) {
      const auto [first, last] = share_of(count, worker, workers.count());
      for (Index k = first; k < last; ++k)
        score_fold(
            detail::part_of(x, y, extras, dealt.rest(k)),
            detail::part_of(x, y, Extras<T>{.sample_weights = extras.sample_weights},
                            dealt.held_out(k)),
            [&](const auto& fit) { return fit_without_fold(k, count, fit); },
            [&](std::size_t j, double score) { scores(k, static_cast<Index>(j)) = score; });
    });
    return validation_curve(lambdas, scores, fold_weights);
  }

  /// Returns fit(), a fit to all folds but fold k. If the fit throws std::invalid_argument other
  /// than NoProof, adds the fold to the message, because row numbers in the message count only the
  /// samples outside the fold.
  template <class F>
  static auto fit_without_fold(Index k, Index count, const F& fit) {
    try {
      return fit();
    } catch (const NoProof&) {
      throw;
    } catch (const std::invalid_argument& error) {
      refuse(function, ": fold ", k + 1, " of ", count, " cannot be fitted: ", error.what());
    }
  }

  /// Returns the total weight of each fold, where sample weights are scaled to mean 1 to avoid
  /// overflow, or all 1 if there are none. Throws if the total weight of a fold is 0.
  template <class T>
  Vector<double> weights_of_folds(const Folds& dealt, const Extras<T>& extras) const {
    const Vector<double> sample_weights = detail::samples::admit_weights(
        function, dealt.samples, Vector<double>(extras.sample_weights.template cast<double>()));
    Vector<double> sums(dealt.size());
    for (Index k = 0; k < sums.size(); ++k) {
      sums[k] = 0;
      for (const Index i : dealt.held_out(k))
        sums[k] += sample_weights.size() > 0 ? sample_weights[i] : 1.0;
      require(sums[k] > 0, function, ": all samples that fold ", k + 1, " of ", sums.size(),
              " holds out have weight 0");
    }
    return sums;
  }
};

}  // namespace linea
