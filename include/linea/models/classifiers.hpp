// SPDX-License-Identifier: MIT
#pragma once
/// \file Recipes that tell two classes apart. OneVsRest makes several classes of them.
#include <cstdint>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared_hinge.hpp>
#include <linea/models/recipe.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea {

namespace models {

/// The name in messages of the classifier that is trained with loss L.
template <class L>
inline constexpr std::string_view recipe_name = "ClassifierRecipe";
template <>
inline constexpr std::string_view recipe_name<Hinge> = "LinearSvm";
template <>
inline constexpr std::string_view recipe_name<SquaredHinge> = "SquaredHingeSvm";
template <>
inline constexpr std::string_view recipe_name<Log> = "LogisticRegression";

}  // namespace models

/// A linear classifier: loss L + λ/2·‖w‖², minimised by what Auto takes, to a proven tolerance. C
/// of other libraries: λ = 1/(C·n). M<T> is the fitted value.
template <DifferentiableLoss L, template <class> class M>
struct ClassifierRecipe {
  static constexpr std::string_view name = models::recipe_name<L>;

  double lambda{1e-4};
  double tolerance{1e-6};  ///< of F above its minimum, relative to F; the model's `gap` proves it
  bool offset{true};
  ClassWeights class_weights{};  ///< `balanced`, or {{label, weight}, …}
  std::uint64_t seed{0};
  Index threads{1};  ///< they divide the samples of `fit` where Newton has them, or the columns of
                     ///< `fit_each`

  Objective<L, L2> objective() const { return {{}, {lambda}}; }
  ProvenAuto optimizer() const {
    return {.tolerance = tolerance, .offset = offset, .seed = seed, .threads = threads};
  }
  template <Scalar T>
  M<T> model(Classifier<T>&& fitted) const {
    return M<T>{std::move(fitted)};
  }

  /// x (n × d), y (n) of two labels: an Eigen vector, std::vector, std::span, …, of any numbers.
  /// Samples of weight 0 may have others. `given`: sample weights, an observer, or Extras. Throws
  /// std::invalid_argument on input that is not well-formed, and unless the samples of weight above
  /// 0 are of two classes.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return models::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }

  /// x (n × d), y (n × k) of two labels a column: the classifiers of the columns, as `fit` has
  /// each. Threads divide the columns; an observer sees them one after the other, on one thread.
  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  std::vector<M<scalar_t<X>>> fit_each(const X& x, const Y& y, const E& given = {}) const {
    return models::fit_each_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }

  /// This recipe by an optimizer of your choice: LinearSvm{}.with(Sgd{.epochs = 5}).fit(x, y). It
  /// says how, and both say whether there is an offset.
  template <class O>
  RecipeWith<ClassifierRecipe, O> with(const O& by) const {
    return models::with(*this, by);
  }
};

/// Support vector machine: hinge loss + λ/2·‖w‖². Each of many classes against its rest, it may
/// tell few apart: where most samples of a class lie among its rest, the minimum of the hinge loss
/// is to call all of them rest. SquaredHingeSvm, LogisticRegression or SoftmaxRegression are better
/// then.
using LinearSvm = ClassifierRecipe<Hinge, Classifier>;

/// Support vector machine with squared hinge loss, which LIBLINEAR and scikit-learn's LinearSVC
/// take unless told otherwise (theirs is twice linea's ½max(0, 1 − yp)²). Of many classes, each
/// against its rest, it tells more apart than the hinge.
using SquaredHingeSvm = ClassifierRecipe<SquaredHinge, Classifier>;

/// Logistic regression: log loss + λ/2·‖w‖².
using LogisticRegression = ClassifierRecipe<Log, ProbabilisticClassifier>;

/// The perceptron, plain or averaged, on any two labels. It minimises nothing: it ends when no
/// sample is on the wrong side, or when the epochs are over.
struct PerceptronClassifier {
  static constexpr std::string_view name = "PerceptronClassifier";

  Index epochs{100};
  bool average{false};
  bool offset{true};
  ClassWeights class_weights{};  ///< `balanced`, or {{label, weight}, …}

  /// x (n × d), y (n) of two labels; samples of weight 0 may have others. A sample of weight k
  /// counts as k presentations.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Classifier<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const auto of = models::two_weighted_classes("PerceptronClassifier::fit", class_weights, x,
                                                 core::vector_of(y), extras_of<T>(given));
    const Perceptron perceptron{.epochs = epochs, .average = average, .offset = offset};
    LinearModel<T> model{Solution<T>(perceptron.fit(x, of.signs(1), of.extras))};
    model.loss = "zero-one";
    return Classifier<T>{std::move(model), of.labels};
  }
};

}  // namespace linea
