// SPDX-License-Identifier: MIT
#pragma once
/// \file Models under the names people know them by: each a loss, a penalty and an optimizer.
///
/// A recipe is an immutable value; `fit` is const and returns a fitted value. Targets of
/// classifiers may be any two labels. All throw std::invalid_argument on input that is not
/// well-formed, and the classifiers when there are not two classes. Each takes what is given beside
/// x and y as optimizers do, see ExtrasFor.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

namespace models {

/// The two classes of y, after checking that x is not empty, that there are as many targets as
/// rows, and that there are two.
template <Samples X, VectorLike Y>
ClassLabels classes_of(std::string_view function, const X& x, const Y& y) {
  require(x.rows() > 0 && x.cols() > 0, function, ": x is empty (", x.rows(), " x ", x.cols(), ")");
  require(y.size() == x.rows(), function, ": x has ", x.rows(), " rows but y has ", y.size());
  const ClassLabels labels(y);
  require(labels.size() != 1, function, ": two classes are needed, but all ", y.size(),
          " samples are of class ", labels[0]);
  require(labels.size() == 2, function, ": two classes are needed, but y has ", labels.size(),
          "; OneVsRest takes more than two");
  return labels;
}

/// The name in messages of the classifier that is trained with loss L.
template <class L>
inline constexpr std::string_view recipe_name = "LinearClassifierRecipe";
template <>
inline constexpr std::string_view recipe_name<Hinge> = "LinearSvm";
template <>
inline constexpr std::string_view recipe_name<Log> = "LogisticRegression";

/// The optimizer of recipes whose options are lambda, epochs, tolerance, offset and seed, and
/// threads where they have them: stochastic gradient descent with averaging.
template <class Recipe>
Sgd averaging_sgd(const Recipe& recipe) {
  Sgd sgd{.epochs = recipe.epochs,
          .tolerance = recipe.tolerance,
          .offset = recipe.offset,
          .iterate = Iterate::average,
          .seed = recipe.seed};
  if constexpr (requires { recipe.threads; }) sgd.threads = recipe.threads;
  return sgd;
}

/// The fit of such a recipe: loss + λ/2·‖w‖².
template <class Recipe, DifferentiableLoss L, Samples X, VectorLike Y>
LinearModel<scalar_t<X>> fit_by_averaging(const Recipe& recipe, const L& loss, const X& x,
                                          const Y& y, const Extras<scalar_t<X>>& extras) {
  return {averaging_sgd(recipe).minimize(Objective{loss, L2{recipe.lambda}}, x, y, extras)};
}

/// The fits of such a recipe to the columns of y (n × k), of two labels each.
template <class Model, class Recipe, DifferentiableLoss L, Samples X, TargetMatrix Y>
std::vector<Model> fit_each_by_averaging(std::string_view function, const Recipe& recipe,
                                         const L& loss, const X& x, const Y& y,
                                         const Extras<scalar_t<X>>& extras) {
  require(y.cols() > 0, function, ": y has no columns");
  std::vector<ClassLabels> labels;
  core::ColumnMatrix<signed char> targets(y.rows(), y.cols());
  for (Index k = 0; k < y.cols(); ++k) {
    labels.push_back(classes_of(function, x, y.col(k)));
    targets.col(k) = labels.back().encode(y.col(k)).template cast<signed char>();
  }
  auto solutions =
      averaging_sgd(recipe).minimize_each(Objective{loss, L2{recipe.lambda}}, x, targets, extras);
  std::vector<Model> models;
  for (std::size_t k = 0; k < labels.size(); ++k)
    models.push_back(
        Model{Classifier<scalar_t<X>>{{std::move(solutions[k])}, std::move(labels[k])}});
  return models;
}

}  // namespace models

/// A linear classifier with loss L and an L2 penalty, by stochastic gradient descent with
/// averaging. M<T> is the fitted value; recipe_name<L> stands in messages.
template <DifferentiableLoss L, template <class> class M>
struct LinearClassifierRecipe {
  static constexpr std::string_view name = models::recipe_name<L>;

  double lambda{1e-4};
  Index epochs{100};
  double tolerance{1e-4};
  bool offset{true};
  std::uint64_t seed{0};
  Index threads{1};  ///< as in Sgd: they divide the samples of `fit`, the columns of `fit_each`

  /// x (n × d), y (n) of two labels.
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  M<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const auto labels = models::classes_of(std::string(name) + "::fit", x, y);
    return M<T>{Classifier<T>{
        models::fit_by_averaging(*this, L{}, x, labels.encode(y), extras_of<T>(given)), labels}};
  }

  /// x (n × d), y (n × k) of two labels a column: the classifiers of the columns, bit for bit as
  /// `fit` has them on one thread, in one pass over x an epoch (see Sgd::minimize_each).
  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  std::vector<M<scalar_t<X>>> fit_each(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    return models::fit_each_by_averaging<M<T>>(std::string(name) + "::fit_each", *this, L{}, x, y,
                                               extras_of<T>(given));
  }
};

/// Support vector machine: hinge loss + λ/2·‖w‖².
using LinearSvm = LinearClassifierRecipe<Hinge, Classifier>;

/// Logistic regression: log loss + λ/2·‖w‖².
using LogisticRegression = LinearClassifierRecipe<Log, ProbabilisticClassifier>;

/// The perceptron, plain or averaged, on any two labels.
struct PerceptronClassifier {
  Index epochs{100};
  bool average{false};
  bool offset{true};

  /// x (n × d), y (n) of two labels. A sample of weight k counts as k presentations.
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Classifier<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const auto labels = models::classes_of("PerceptronClassifier::fit", x, y);
    const Perceptron perceptron{.epochs = epochs, .average = average, .offset = offset};
    Solution<T> solution = perceptron.fit(x, labels.encode(y), extras_of<scalar_t<X>>(given));
    return Classifier<T>{LinearModel<T>{std::move(solution)}, labels};
  }
};

/// Ridge regression, exact: ½·squared loss + λ/2·‖w‖².
struct RidgeRegression {
  double lambda{1e-4};
  bool offset{true};

  /// x (n × d), y (n). Of the extras only the sample weights matter: the answer needs no start.
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Regressor<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const Objective objective{Squared{}, L2{lambda}};
    Solution<T> solution = Ridge{.offset = offset}.minimize(objective, x, y, given);
    return Regressor<T>{LinearModel<T>{std::move(solution)}};
  }

  /// The same for y (n × k), k targets at once.
  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  MultiTargetRegressor<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    const Objective objective{Squared{}, L2{lambda}};
    return {Ridge{.offset = offset}.minimize(objective, x, y, given)};
  }
};

/// Ridge regression at the λ whose leave-one-out error is least.
struct RidgeRegressionCv {
  std::vector<double> lambdas{};  ///< to choose from; empty: those of RidgePath
  bool offset{true};

  /// x (n × d), y (n). Of the extras only the sample weights matter.
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Regressor<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    using T = scalar_t<X>;
    const auto path = RidgePath{.lambdas = lambdas, .offset = offset}.fit(x, y, given);
    return Regressor<T>{LinearModel<T>{path.at(path.best)}};
  }
};

/// Linear regression: least squares, exact; of smallest norm where the samples leave a choice.
struct LinearRegression {
  bool offset{true};

  /// x (n × d), y (n).
  template <Samples X, VectorLike Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  Regressor<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    return RidgeRegression{.lambda = 0, .offset = offset}.fit(x, y, given);
  }

  /// The same for y (n × k), k targets at once.
  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  MultiTargetRegressor<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    return RidgeRegression{.lambda = 0, .offset = offset}.fit(x, y, given);
  }
};

}  // namespace linea
