// SPDX-License-Identifier: MIT
#pragma once
/// \file Recipes that tell two classes apart. OneVsRest makes several classes of them.
#include <algorithm>  // min
#include <cstdint>
#include <linea/core/workers.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared_hinge.hpp>
#include <linea/models/recipe.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/penalties/l2.hpp>
#include <optional>
#include <string>
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

  /// x (n × d), y (n) of two labels: an Eigen vector, std::vector, std::span, …, of any numbers.
  /// Samples of weight 0 may have others. `given`: sample weights, an observer, or Extras. Throws
  /// std::invalid_argument on input that is not well-formed, and unless the samples of weight above
  /// 0 are of two classes.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return fit_by(optimizer(), x, y, given);
  }

  /// The same by another optimizer of the objective.
  template <class O, Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  M<scalar_t<X>> fit_by(const O& by, const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const std::string function = std::string(name) + "::fit";
    require_threads(function, threads);
    const auto& numbers = core::vector_of(y);
    const Extras<T>& extras = extras_of<T>(given);
    return fit_classes(by, x,
                       models::two_weighted_classes(function, class_weights, x, numbers, extras));
  }

  /// x (n × d), y (n × k) of two labels a column: the classifiers of the columns, as `fit` has
  /// each. Threads divide the columns; an observer sees them one after the other, on one thread.
  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  std::vector<M<scalar_t<X>>> fit_each(const X& x, const Y& y, const E& given = {}) const {
    ClassifierRecipe alone = *this;
    alone.threads = 1;
    return fit_each_by(alone.optimizer(), x, y, given);
  }

  /// The same by another optimizer of the objective.
  template <class O, Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  std::vector<M<scalar_t<X>>> fit_each_by(const O& by, const X& x, const Y& y,
                                          const E& given = {}) const {
    using T = scalar_t<X>;
    const std::string function = std::string(name) + "::fit_each";
    require(y.cols() > 0, function, ": y has no columns");
    require_threads(function, threads);
    return fit_columns(function, by, x, y, extras_of<T>(given));
  }

  /// This recipe by an optimizer of your choice: LinearSvm{}.with(Sgd{.epochs = 5}).fit(x, y). It
  /// may say how; whether there is an offset is said by both.
  template <class O>
  RecipeWith<ClassifierRecipe, O> with(const O& by) const {
    return models::with(*this, by);
  }

 private:
  template <class O, class X, class Y, class T>
  std::vector<M<T>> fit_columns(const std::string& function, const O& by, const X& x, const Y& y,
                                const Extras<T>& extras) const {
    const auto classes_of = [&](Index k) {
      return models::two_weighted_classes(function, class_weights, x, y.col(k), extras);
    };
    std::vector<ClassLabels> labels;  // all columns are checked before one is fitted
    for (Index k = 0; k < y.cols(); ++k) labels.push_back(classes_of(k).labels);
    using Targets = core::ColumnMatrix<core::TypeFor<X, signed char>>;
    if constexpr (requires(const Targets& all) { by.minimize_each(objective(), x, all, extras); })
      if (class_weights.are_equal()) return fit_in_one_pass(by, x, labels, extras, classes_of);
    std::vector<std::optional<M<T>>> found(labels.size());
    const bool is_one_by_one = static_cast<bool>(extras.observer);
    Workers workers(std::min(is_one_by_one ? Index{1} : threads, y.cols()));
    workers.run([&](Index worker) {
      const auto [first, last] = share_of(y.cols(), worker, workers.count());
      for (Index k = first; k < last; ++k)
        found[static_cast<std::size_t>(k)] = fit_classes(by, x, classes_of(k));
    });
    std::vector<M<T>> fitted;
    fitted.reserve(found.size());
    for (auto& one : found) fitted.push_back(std::move(*one));
    return fitted;
  }

  /// By an optimizer that visits the samples of all targets in one pass over x.
  template <class O, class X, class T, class ClassesOf>
  std::vector<M<T>> fit_in_one_pass(const O& by, const X& x, const std::vector<ClassLabels>& labels,
                                    const Extras<T>& extras, const ClassesOf& classes_of) const {
    core::ColumnMatrix<core::TypeFor<X, signed char>> targets(x.rows(),
                                                              static_cast<Index>(labels.size()));
    for (Index k = 0; k < targets.cols(); ++k) {
      const Vector<Index> classes = classes_of(k).classes;
      for (Index i = 0; i < targets.rows(); ++i) targets(i, k) = classes[i] > 0 ? 1 : -1;
    }
    auto solutions = by.minimize_each(objective(), x, targets, extras);
    std::vector<M<T>> fitted;
    for (std::size_t k = 0; k < labels.size(); ++k)
      fitted.push_back(M<T>{Classifier<T>{
          models::linear_model_of<T>(std::move(solutions[k]), objective()), labels[k]}});
    return fitted;
  }

  template <class O, class X, class T>
  M<T> fit_classes(const O& by, const X& x, const models::WeightedClasses<T>& of) const {
    const auto targets = models::signs_of(of.classes);
    return M<T>{Classifier<T>{
        models::linear_model_of<T>(by.minimize(objective(), x, targets, of.extras), objective()),
        of.labels}};
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
    const auto targets = models::signs_of(of.classes);
    LinearModel<T> model{Solution<T>(perceptron.fit(x, targets, of.extras))};
    model.loss = "zero-one";
    return Classifier<T>{std::move(model), of.labels};
  }
};

}  // namespace linea
