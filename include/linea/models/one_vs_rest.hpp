// SPDX-License-Identifier: MIT
#pragma once
/// \file Several classes by one linear model each: that class against all others.
#include <algorithm>  // all_of
#include <concepts>   // derived_from
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/data/class_weights.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/highest_score.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/require_samples.hpp>
#include <linea/models/wrapped.hpp>
#include <string_view>
#include <utility>  // move, swap
#include <vector>

namespace linea {

/// k models: model j is for labels[j].
template <Scalar T, class Model>
struct [[nodiscard]] OneVsRestClassifier {
  ClassLabels labels;
  std::vector<Model> models;

  /// (m × k) for x (m × d), the same bits with any number of threads.
  template <Samples X>
  [[nodiscard]] Matrix<T> scores(const X& x, Index threads = 1) const {
    Matrix<T> scores(x.rows(), labels.size());
    for (std::size_t k = 0; k < models.size(); ++k)
      scores.col(static_cast<Index>(k)) = models[k].scores(x, threads);
    return scores;
  }

  /// The label with the highest score, the smaller of two that are equal: (m) for x (m × d).
  template <Samples X>
  [[nodiscard]] Vector<double> predict(const X& x, Index threads = 1) const {
    return linea::models::highest_labels("OneVsRestClassifier::predict", labels, rows_of(x),
                                         scores(x, threads));
  }

  /// The label of one sample: a row or vector (d), dense or sparse. Throws std::invalid_argument
  /// for another d, and where a score is not a number.
  template <class X>
  double predict_one(const X& sample) const {
    if constexpr (NumberRange<X>) {
      return predict_one(core::vector_of(sample));
    } else {
      constexpr std::string_view function = "OneVsRestClassifier::predict_one";
      const auto& row = row_of(sample);
      samples::require_one_sample(function, row, models.front().weights.size());
      Vector<T> all(labels.size());
      for (std::size_t k = 0; k < models.size(); ++k)
        all[static_cast<Index>(k)] = models[k].score(sample);
      return labels[linea::models::highest_score(function, all, row, 0, "the sample")];
    }
  }

  /// Is every model at most tolerance·|F| above the minimum of its own F? See Solution::is_proven.
  bool is_proven(double tolerance) const requires requires(const Model& model) {
    model.is_proven(1.0);
  }
  {
    return std::all_of(models.begin(), models.end(),
                       [&](const Model& model) { return model.is_proven(tolerance); });
  }

  /// Probabilities that sum to 1 in each row, qⱼ/Σq of the models' own: (m × k) for x (m × d). Not
  /// numbers where the row is not.
  template <Samples X>
    requires requires(const Model& model, const X& x) { model.probabilities(x, Index{1}); }
  [[nodiscard]] Matrix<T> probabilities(const X& x, Index threads = 1) const {
    Matrix<T> chances(x.rows(), labels.size());
    for (std::size_t k = 0; k < models.size(); ++k)
      chances.col(static_cast<Index>(k)) = models[k].probabilities(x, threads);
    for (Index i = 0; i < chances.rows(); ++i) {
      const T sum = chances.row(i).sum();
      if (sum == T(0))  // every model is sure of its rest: nothing is known
        chances.row(i).setConstant(T(1) / static_cast<T>(labels.size()));
      else
        chances.row(i) /= sum;
    }
    return chances;
  }

  /// ln(qⱼ/Σq) of the models' own probabilities q (m × k), finite where qⱼ itself is 0 in T.
  template <Samples X>
    requires(std::derived_from<Model, ProbabilisticClassifier<T>>)
  Matrix<T> log_probabilities(const X& x, Index threads = 1)
  const {
    Matrix<T> logs = scores(x, threads);
    for (Index i = 0; i < logs.rows(); ++i)
      for (T& score : logs.row(i)) score = -Log{}.value(score, T(1));
    linea::models::to_log_probabilities(logs);
    return logs;
  }
};

/// Wraps any recipe, classifier or regressor: OneVsRest{LinearSvm{.lambda = 1e-3}}.fit(x, y). One
/// that has a `fit_each` for targets in columns is asked for all classes at once, and may divide
/// them among its threads. Class weights of the recipe are by the labels of y; `balanced` lets each
/// class weigh as much as its rest.
template <class Recipe>
struct OneVsRest {
  Recipe recipe{};

  /// x (n × d), y (n) of two labels or more. A label whose samples or whose class have weight 0 is
  /// no class. Throws std::invalid_argument for a single class, and whatever the recipe refuses.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    return fit_classes(x, core::vector_of(y), extras_of<T>(given));
  }

 private:
  template <class X, class Y, class T>
  auto fit_classes(const X& x, const Y& numbers, const Extras<T>& given) const {
    Recipe one = recipe;
    const auto of =
        models::weighted_classes("OneVsRest::fit", take_named_weights(one), x, numbers, given);
    const ClassLabels& labels = of.labels;
    const Vector<Index>& classes = of.classes;
    core::ColumnMatrix<core::TypeFor<X, signed char>> targets(numbers.size(), labels.size());
    for (Index k = 0; k < labels.size(); ++k)
      for (Index i = 0; i < classes.size(); ++i) targets(i, k) = classes[i] == k ? 1 : -1;
    if constexpr (requires { one.fit_each(x, targets, of.extras); }) {
      auto models = one.fit_each(x, targets, of.extras);
      using Model = typename decltype(models)::value_type;
      return OneVsRestClassifier<T, Model>{labels, std::move(models)};
    } else {
      const auto fit_one = [&](Index k) {
        Vector<double> signs(classes.size());
        for (Index i = 0; i < signs.size(); ++i) signs[i] = classes[i] == k ? 1 : -1;
        return one.fit(x, signs, of.extras);
      };
      OneVsRestClassifier<T, decltype(fit_one(0))> classifier{labels, {}};
      for (Index k = 0; k < labels.size(); ++k) classifier.models.push_back(fit_one(k));
      return classifier;
    }
  }

  /// Takes the class weights that name labels out of the recipe: they become weights of the
  /// samples.
  static ClassWeights take_named_weights(Recipe& one) {
    ClassWeights named;
    if constexpr (requires { models::innermost(one).class_weights.are_balanced(); })
      if (auto& own = models::innermost(one).class_weights; !own.are_balanced())
        std::swap(named, own);
    return named;
  }
};

template <class Recipe>
OneVsRest(Recipe) -> OneVsRest<Recipe>;

}  // namespace linea
