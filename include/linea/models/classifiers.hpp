// SPDX-License-Identifier: MIT
#pragma once
/// \file Recipes for two classes. OneVsRest extends these recipes to several classes.
#include <linea/core/wrong_call.hpp>
#include <linea/models/linear_svm.hpp>
#include <linea/models/logistic_regression.hpp>
#include <linea/models/recipe.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <utility>  // move

namespace linea {

/// The perceptron, plain or averaged, for any two labels. The perceptron has no objective: a run
/// ends after an epoch without a mistake, or at the limit of epochs.
struct PerceptronClassifier {
  static constexpr std::string_view name = "PerceptronClassifier";

  Index epochs{100};
  bool average{false};
  bool offset{true};
  ClassWeights class_weights{};  ///< `balanced`, or {{label, weight}, …}

  /// Fits x (n × d) to y (n), which holds two labels; samples of weight 0 may have other labels. A
  /// sample of weight k is presented up to k times in a row, until a presentation changes nothing;
  /// the fractional part of k is a shorter step.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Classifier<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const auto of = detail::two_weighted_classes("PerceptronClassifier::fit", class_weights, x,
                                                 detail::vector_of(y), extras_of<T>(given));
    const Perceptron perceptron{.epochs = epochs, .average = average, .offset = offset};
    LinearModel<T> model{Solution<T>(perceptron.fit(x, of.signs(1), of.extras))};
    model.loss = "zero-one";
    return Classifier<T>{std::move(model), of.labels};
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
};

}  // namespace linea
