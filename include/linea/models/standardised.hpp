// SPDX-License-Identifier: MIT
#pragma once
/// \file A recipe on columns of one scale, whose fitted values take the columns as they are.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, isnan, sqrt
#include <concepts>   // same_as
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/solution.hpp>
#include <linea/data/class_weights.hpp>
#include <linea/features/standardise.hpp>
#include <linea/losses/zero_one.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/highest_score.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/recipe.hpp>
#include <linea/models/require_samples.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/wrapped.hpp>
#include <linea/penalties/none.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/samples/best_constant.hpp>
#include <linea/samples/framed_observer.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>
#include <utility>  // move, pair
#include <vector>

namespace linea {
namespace models {

/// The objective that a recipe states, be it with an optimizer of the user's choice.
template <class R>
auto objective_of(const R& recipe) requires requires {
  recipe.objective();
}
{ return recipe.objective(); }
template <class R, class O>
auto objective_of(const RecipeWith<R, O>& recipe) requires requires {
  recipe.recipe.objective();
}
{ return recipe.recipe.objective(); }
inline Objective<ZeroOne, NoPenalty> objective_of(const PerceptronClassifier&) { return {}; }

/// The tolerance of a recipe, or of the optimizer that it is given.
template <class R>
double tolerance_of(const R& recipe) {
  if constexpr (requires { recipe.optimizer.tolerance; })
    return static_cast<double>(recipe.optimizer.tolerance);
  else if constexpr (requires { recipe.tolerance; })
    return static_cast<double>(recipe.tolerance);
  else
    return 1e-6;
}

/// Linear functions of a model as columns (w, b): (d + 1) × k, of one function k = 1.
using LinearFunctions = core::ColumnMatrix<double>;

/// The offset of function k.
template <class S>
auto& offset_of(S& solution, Index k) {
  if constexpr (requires { solution.offset[k]; })
    return solution.offset[k];
  else
    return (void(k), solution.offset);
}

/// F as it is without features, and where: at the best constants.
struct BestConstants {
  Vector<double> offsets{};  // (k)
  double objective{0};
};

/// F of the scaled columns, for the recipes of one loss: of k targets the sum.
template <class L, class P, class Rows>
struct LinearGoal {
  Objective<L, P> objective;
  samples::TrainingSet<Rows> set;
  std::vector<Vector<double>> targets;  // k
  bool has_offset;

  double value(const LinearFunctions& functions) {
    double sum = 0;
    for (Index k = 0; k < functions.cols(); ++k) {
      const Vector<double> w = functions.col(k).head(set.rows.cols());
      set.y = targets[static_cast<std::size_t>(k)];
      sum += samples::risk_of(objective.loss, set, w, functions(w.size(), k)) +
             static_cast<double>(objective.penalty.value(w));
    }
    return sum;
  }
  BestConstants constants() {
    LinearFunctions functions =
        LinearFunctions::Zero(set.rows.cols() + 1, static_cast<Index>(targets.size()));
    for (std::size_t k = 0; k < targets.size(); ++k) {
      set.y = targets[k];
      if constexpr (DifferentiableLoss<L>)
        if (has_offset)
          functions(set.rows.cols(), static_cast<Index>(k)) =
              samples::best_constant(objective.loss, set);
    }
    return {functions.row(set.rows.cols()).transpose(), value(functions)};
  }
};

/// The same for softmax regression of k classes.
template <class Rows>
struct SoftmaxGoal {
  double lambda;
  samples::TrainingSet<Rows> set;
  Vector<Index> classes;  // (n)
  Index count;            // k
  bool has_offset;

  double value(const LinearFunctions& functions) {
    const Index n = set.rows.rows();
    const Index d = set.rows.cols();
    Matrix<double> scores(n, count);
    for (Index k = 0; k < count; ++k) {
      Vector<double> of_class(n);
      set.rows.scores(0, n, Vector<double>(functions.col(k).head(d)), of_class.data());
      scores.col(k) = of_class.array() + functions(d, k);
    }
    to_log_probabilities(scores);
    double sums[2] = {0, 0};
    for (Index i = 0; i < n; ++i) {
      if (!(set.weight(i) > 0)) continue;
      sums[0] -= set.weight(i) * scores(i, classes[i]);
      sums[1] += set.weight(i);
    }
    return sums[0] / sums[1] + lambda / 2 * functions.topRows(d).squaredNorm();
  }
  BestConstants constants() {
    Vector<double> shares = core::filled(count, 0.0);
    for (Index i = 0; i < classes.size(); ++i)
      if (set.weight(i) > 0) shares[classes[i]] += set.weight(i);
    LinearFunctions functions = LinearFunctions::Zero(set.rows.cols() + 1, count);
    for (Index k = 0; k < count && has_offset; ++k) functions(set.rows.cols(), k) = shares[k];
    if (has_offset) {
      auto offsets = functions.row(set.rows.cols());
      offsets = offsets.array().log();
      offsets.array() -= offsets.mean();
    }
    return {functions.row(set.rows.cols()).transpose(), value(functions)};
  }
};

/// Takes a solution out of a frame and rounds it to its own numbers T. Answers with the functions
/// that the rounded numbers are in the frame, and how far they are from what was found there: the
/// largest change of a weight or offset, relative to the length of the weights.
template <class S>
std::pair<LinearFunctions, double> leave_frame(const samples::Frame<>& frame, S& solution) {
  using T = typename decltype(solution.weights)::Scalar;
  const Index d = solution.weights.rows();
  LinearFunctions rounded(d + 1, solution.weights.cols());
  double change = 0;
  for (Index k = 0; k < rounded.cols(); ++k) {
    Vector<double> found(d + 1);
    found.head(d) = solution.weights.col(k).template cast<double>();
    found[d] = static_cast<double>(offset_of(solution, k));
    Vector<T> weights;
    T offset{};
    frame.leave(found, true, weights, offset);
    solution.weights.col(k) = weights;
    offset_of(solution, k) = offset;
    Vector<double> theta;
    frame.enter(weights, offset, true, theta);
    rounded.col(k) = theta;
    change = std::max(change, (theta - found).cwiseAbs().maxCoeff() / found.head(d).norm());
  }
  return {std::move(rounded), change};
}

/// A recipe for samples that are scaled: what passes through it, starts and iterates, is for the
/// samples as they were, and so is the fitted value. The frame must outlive it.
template <class Recipe>
struct OnScaled {
  Recipe recipe;
  const samples::Frame<>* frame;

  template <class X, class Y, class T>
  auto fit(const X& x, const Y& y, const Extras<T>& extras) const {
    auto model = recipe.fit(x, y, entered(extras));
    leave(model, x, y, extras);
    return model;
  }

  template <class X, class Y, class T>
    requires requires(const Recipe& inner, const X& x, const Y& y, const Extras<T>& extras) {
      inner.fit_each(x, y, extras);
    }
  auto fit_each(const X& x, const Y& y, const Extras<T>& extras) const {
    auto models = recipe.fit_each(x, y, entered(extras));
    for (std::size_t k = 0; k < models.size(); ++k)
      leave(models[k], x, y.col(static_cast<Index>(k)), extras);
    return models;
  }

 private:
  static constexpr const char* function = "Standardised::fit";

  /// The extras of the run: start and observer in the frame. A start of another size is left to be
  /// refused.
  template <class T>
  Extras<T> entered(const Extras<T>& extras) const {
    Extras<T> inner = extras;
    inner.observer = samples::framed_observer(extras, *frame);
    if (frame->scales(extras.start_weights.size())) {
      Vector<double> theta;
      frame->enter(extras.start_weights, extras.start_offset, true, theta);
      inner.start_weights = theta.head(theta.size() - 1).template cast<T>();
      inner.start_offset = static_cast<T>(theta[theta.size() - 1]);
    }
    return inner;
  }

  /// Makes a fitted value one for the samples as they were.
  template <class Model, class X, class Y, class T>
  void leave(Model& model, const X& x, const Y& y, const Extras<T>& extras) const {
    if constexpr (requires { model.models; }) {
      for (auto& one : model.models) leave(one, x, y, extras);
    } else {
      const auto [rounded, change] = models::leave_frame(*frame, model);
      if constexpr (requires { goal_of(model, x, y, extras); })
        judge(model, rounded, goal_of(model, x, y, extras));
      else if constexpr (requires { model.status; })
        if (!(change <= 1e-3))  // F is not known here, but rises by about the square of it
          model.status = std::max(model.status, Status::precision_limit);
    }
  }

  /// As the recipe weighs them.
  template <class X, class Y, class T>
  auto classes_of(const X& x, const Y& y, const Extras<T>& extras) const {
    ClassWeights class_weights;
    if constexpr (requires { innermost(recipe).class_weights; })
      class_weights = innermost(recipe).class_weights;
    return weighted_classes(function, class_weights, x, core::vector_of(y), extras);
  }

  template <class L, class P, class X, class T>
  auto linear_goal(const Objective<L, P>& objective, const X& x,
                   std::vector<Vector<double>> targets, const Extras<T>& extras) const {
    auto set = samples::admit_samples_in_double(function, x, x.rows(), extras.sample_weights);
    return LinearGoal<L, P, decltype(set.rows)>{objective, std::move(set), std::move(targets),
                                                has_offset(recipe)};
  }

  template <class T, class X, class Y>
    requires requires(const Recipe& inner) { models::objective_of(inner); }
  auto goal_of(const LinearModel<T>&, const X& x, const Y& y, const Extras<T>& extras) const {
    const Vector<double> targets = core::vector_of(y).template cast<double>();
    return linear_goal(models::objective_of(recipe), x, {targets}, extras);
  }
  template <class T, class X, class Y>
    requires requires(const Recipe& inner) { models::objective_of(inner); }
  auto goal_of(const Classifier<T>&, const X& x, const Y& y, const Extras<T>& extras) const {
    const auto weighted = classes_of(x, y, extras);
    return linear_goal(models::objective_of(recipe), x, {signs_of(weighted.classes)},
                       weighted.extras);
  }
  template <class T, class X, class Y>
    requires requires(const Recipe& inner) { models::objective_of(inner); }
  auto goal_of(const MultiTargetRegressor<T>&, const X& x, const Y& y,
               const Extras<T>& extras) const {
    std::vector<Vector<double>> targets;
    for (Index k = 0; k < y.cols(); ++k) targets.push_back(y.col(k).template cast<double>());
    return linear_goal(models::objective_of(recipe), x, std::move(targets), extras);
  }
  template <class T, class X, class Y>
    requires std::same_as<Recipe, SoftmaxRegression>
  auto goal_of(const SoftmaxClassifier<T>& model, const X& x, const Y& y,
               const Extras<T>& extras) const {
    auto weighted = classes_of(x, y, extras);
    auto set =
        samples::admit_samples_in_double(function, x, x.rows(), weighted.extras.sample_weights);
    return SoftmaxGoal<decltype(set.rows)>{recipe.lambda, std::move(set),
                                           std::move(weighted.classes), model.labels.size(),
                                           recipe.offset};
  }

  /// Enters F at the rounded functions. Where they have lost so much that F is not within the
  /// tolerance any more, the status says so, and the best constants are taken where these are
  /// better.
  template <class Model, class Goal>
  void judge(Model& model, const LinearFunctions& rounded, Goal goal) const {
    using T = typename decltype(model.weights)::Scalar;
    const double before = model.objective;
    const double value = goal.value(rounded);
    if (std::isnan(before) || std::abs(value - before) <= 1e-13 * std::abs(before)) return;
    const auto bound = model.bound();
    const auto enter = [&](double objective) {
      model.objective = objective;
      if (bound) model.gap = std::max(objective - *bound, 0.0);
    };
    enter(value);
    if (value <= before) return;
    const BestConstants best = goal.constants();
    const bool has_proof = bound && model.status == Status::converged;
    const double least = has_proof ? 0 : std::sqrt(std::numeric_limits<double>::epsilon());
    const double allowed = std::max(std::max(tolerance_of(recipe), least) * std::abs(value),
                                    std::numeric_limits<T>::epsilon() * best.objective);
    if (std::isfinite(value) && (has_proof ? *model.gap : value - before) <= allowed) return;
    model.status = std::max(model.status, Status::precision_limit);
    if (value <= best.objective || !std::isfinite(best.objective)) return;
    model.weights.setZero();
    for (Index k = 0; k < rounded.cols(); ++k)
      offset_of(model, k) = static_cast<T>(best.offsets[k]);
    enter(best.objective);
  }
};

template <class R>
auto on_scaled(const R& recipe, const samples::Frame<>& frame) {
  return OnScaled<R>{recipe, &frame};
}
/// Each class by itself, so that its F is known.
template <class R>
auto on_scaled(const OneVsRest<R>& all, const samples::Frame<>& frame) {
  return OneVsRest{on_scaled(all.recipe, frame)};
}

}  // namespace models

/// Learns mean and scale of the columns (see `standardise`) and fits the recipe to (x −
/// mean)/scale: Standardised{LogisticRegression{.lambda = 1e-3}}.fit(x, y). The fitted value takes
/// raw columns, because the scaling is folded into its weights and offset. Start weights, and the
/// iterates that an observer is shown, are for raw columns too. The penalty is on the weights of
/// the scaled columns, so objective and gap are those of the scaled problem, at the weights and
/// offset that are returned. Where rounding these to T takes F out of the tolerance, the status is
/// `precision_limit`: float x whose mean is many thousand deviations, or columns so small that
/// their weights exceed the largest T. Columns of sparse x, and all where the recipe has no offset,
/// are scaled but not centred. Sample weights enter the scaling too.
///
/// Any recipe will do, OneVsRest of one too; inside CrossValidation the scaling is learnt fold by
/// fold. Memory: a copy
/// of x.
template <class Recipe>
struct Standardised {
  Recipe recipe{};

  /// x (n × d), y as the recipe takes it. Throws std::invalid_argument for whatever `standardise`
  /// and the recipe refuse.
  template <SampleMatrix X, class Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const Extras<T>& extras = extras_of<T>(given);
    const auto scaling = scaling_of(x, extras);
    const samples::Frame<> frame(scaling.mean, scaling.scale);
    return models::on_scaled(recipe, frame).fit(scaling.apply(x), y, extras);
  }

  /// The recipe's own, where it has one: y (n × k).
  template <SampleMatrix X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires requires(const Recipe& inner, const X& x, const Y& y, const E& given) {
      inner.fit_each(x, y, given);
    }
  auto fit_each(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const Extras<T>& extras = extras_of<T>(given);
    const auto scaling = scaling_of(x, extras);
    const samples::Frame<> frame(scaling.mean, scaling.scale);
    return models::on_scaled(recipe, frame).fit_each(scaling.apply(x), y, extras);
  }

 private:
  template <class X, class T>
  Standardisation<T> scaling_of(const X& x, const Extras<T>& extras) const {
    auto scaling = standardise(x, extras.sample_weights.template cast<double>());
    if (!models::has_offset(recipe)) scaling.mean.setZero();
    return scaling;
  }
};

template <class Recipe>
Standardised(Recipe) -> Standardised<Recipe>;

}  // namespace linea
