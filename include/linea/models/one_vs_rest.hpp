// SPDX-License-Identifier: MIT
#pragma once
/// \file Extends recipes to several classes: one linear model separates each class from all others.
#include <algorithm>  // max
#include <cmath>      // isnan
#include <concepts>   // derived_from
#include <linea/core/by_rows.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/data/class_weights.hpp>
#include <linea/losses/log.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/recipe.hpp>
#include <optional>
#include <string_view>
#include <utility>  // move, swap
#include <vector>

namespace linea {

/// A classifier of k models, one for each class; model j is for labels[j].
template <Scalar T, class Model>
struct [[nodiscard]] OneVsRestClassifier {
  ClassLabels labels;
  std::vector<Model> models;

  /// Returns the scores (m × k) for x (m × d); column j has the scores of model j. Any number of
  /// threads gives the same bits.
  template <Samples X>
  [[nodiscard]] Matrix<T> scores(const X& x, Index threads = 1) const {
    const auto& by_rows = detail::by_rows(x);
    require_models("OneVsRestClassifier::scores");
    Matrix<T> scores(x.rows(), labels.size());
    for (std::size_t k = 0; k < models.size(); ++k)
      scores.col(static_cast<Index>(k)) = models[k].scores(by_rows, threads);
    return scores;
  }

  /// Returns the labels (m) with the highest scores for x (m × d), the smaller label of equal
  /// scores. predict<int>(x) returns integers. Throws std::invalid_argument if a score is NaN.
  template <class Label = double, SamplesOf<T> X>
  [[nodiscard]] Vector<Label> predict(const X& x, Index threads = 1) const {
    constexpr std::string_view function = "OneVsRestClassifier::predict";
    const Vector<Label> names = detail::labels_as<Label>(function, labels);
    return detail::highest_labels(function, names, rows_of(x), scores(x, threads));
  }
  template <class Label = double, class X>
  detail::WrongSamples<X, Vector<Label>> predict(const X&, Index = 1) const;

  /// Returns the label of one sample: a row or vector (d), dense or sparse. Throws
  /// std::invalid_argument unless the sample has d features, and if a score is NaN.
  template <class X>
  [[nodiscard]] double predict_one(const X& sample) const {
    constexpr std::string_view function = "OneVsRestClassifier::predict_one";
    require_models(function);
    const Index d = models.front().weights.size();
    return detail::with_row<T>(function, sample, d, [&](const auto& row) {
      Vector<T> all(labels.size());
      for (std::size_t k = 0; k < models.size(); ++k)
        all[static_cast<Index>(k)] = row.dot(0, models[k].weights) + models[k].offset;
      return labels[detail::highest_score(function, all, row, 0, "the sample")];
    });
  }

  /// Returns whether the gaps prove that the suboptimality of every model is at most tolerance·|F|.
  /// See Solution::is_proven.
  [[nodiscard]] bool is_proven(double tolerance) const {
    for (const Model& model : models)
      if (!model.is_proven(tolerance)) return false;
    return !models.empty();
  }

  /// Returns the worst status of the models.
  [[nodiscard]] Status status() const {
    Status worst = Status::converged;
    for (const Model& model : models) worst = std::max(worst, model.status);
    return worst;
  }

  /// Returns the largest gap of the models, or std::nullopt if the gap of a model is unknown.
  [[nodiscard]] std::optional<double> gap() const {
    double largest = 0;
    for (const Model& model : models) {
      if (!model.gap || std::isnan(*model.gap)) return std::nullopt;
      largest = std::max(largest, *model.gap);
    }
    return largest;
  }

  /// Returns probabilities (m × k) for x (m × d): qⱼ/Σq, with sum 1 in each row, where qⱼ is the
  /// probability of model j, also if all qⱼ underflow in T. A row with NaN gives NaN.
  template <Samples X>
    requires(std::derived_from<Model, ProbabilisticClassifier<T>>)
  [[nodiscard]] Matrix<T> probabilities(const X& x, Index threads = 1) const {
    Matrix<T> chances = scores(x, threads);
    detail::to_shares(chances);
    return chances;
  }

  /// Returns ln(qⱼ/Σq), (m × k), for the probabilities qⱼ of the models. The result is finite even
  /// if qⱼ underflows in T.
  template <Samples X>
    requires(std::derived_from<Model, ProbabilisticClassifier<T>>)
  Matrix<T> log_probabilities(const X& x, Index threads = 1)
  const {
    Matrix<T> logs = scores(x, threads);
    for (Index i = 0; i < logs.rows(); ++i)
      for (T& score : logs.row(i)) score = -Log{}.value(score, T(1));
    detail::to_log_probabilities(logs);
    return logs;
  }

  /// Throws, with `function` in the message, unless there is a model for each label, and all
  /// models have as many weights.
  void require_models(std::string_view function) const {
    require(static_cast<Index>(models.size()) == labels.size(), function, ": there are ",
            models.size(), " models for ", labels.size(), " labels");
    for (const Model& model : models)
      require(model.weights.size() == models.front().weights.size(), function, ": the models have ",
              models.front().weights.size(), " and ", model.weights.size(), " weights");
  }
};

/// Extends any recipe, classifier or regressor, to several classes: OneVsRest{LinearSvm{.lambda =
/// 1e-3}}.fit(x, y). A recipe with `fit_each` for a matrix of targets fits all classes in one call,
/// and may divide the classes among its threads. Class weights of the recipe refer to the labels of
/// y. With `balanced`, each class has the same total weight as the rest in its model.
template <class Recipe>
struct OneVsRest {
  Recipe recipe{};

  /// Fits x (n × d) to y (n), which holds two or more labels. Labels with a total weight of 0 are
  /// ignored. Throws std::invalid_argument for a single class, and whatever the recipe throws.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& given_x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const auto& x = detail::by_rows(given_x);
    Recipe one = recipe;
    ClassWeights named;  // weights of named labels become sample weights
    if constexpr (requires { detail::innermost(one).class_weights.are_balanced(); })
      if (auto& own = detail::innermost(one).class_weights; !own.are_balanced())
        std::swap(named, own);
    const auto of = detail::weighted_classes("OneVsRest::fit", named, x, detail::vector_of(y),
                                             extras_of<T>(given));
    const Index count = of.labels.size();
    using Targets = detail::ColumnMatrix<detail::TypeFor<X, signed char>>;
    if constexpr (requires(const Targets& targets) { one.fit_each(x, targets, of.extras); }) {
      Targets targets(x.rows(), count);
      for (Index k = 0; k < count; ++k)
        for (Index i = 0; i < x.rows(); ++i) targets(i, k) = of.classes[i] == k ? 1 : -1;
      auto models = one.fit_each(x, targets, of.extras);
      using Model = typename decltype(models)::value_type;
      return OneVsRestClassifier<T, Model>{of.labels, std::move(models)};
    } else {
      OneVsRestClassifier<T, decltype(one.fit(x, of.signs(0), of.extras))> fitted{of.labels, {}};
      for (Index k = 0; k < count; ++k) fitted.models.push_back(one.fit(x, of.signs(k), of.extras));
      return fitted;
    }
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
};

template <class Recipe>
OneVsRest(Recipe) -> OneVsRest<Recipe>;

}  // namespace linea
