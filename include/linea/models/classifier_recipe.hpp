// SPDX-License-Identifier: MIT
#pragma once
/// \file A recipe for two classes, with any loss.
#include <cstdint>
#include <linea/models/recipe.hpp>
#include <linea/optimizers/solver/basic_auto.hpp>
#include <linea/penalties/l2.hpp>
#include <string_view>
#include <vector>

namespace linea {

namespace detail {

/// The name of a classifier with loss L in messages, and the optimizers that Auto selects from. For
/// a loss of your own these are ProvenOptimizers, which classifiers.hpp includes.
template <class L>
struct ClassifierOf {
  static constexpr std::string_view name = "ClassifierRecipe";
  using Among = ProvenOptimizers;
};

}  // namespace detail

/// A linear classifier that minimises loss L + λ/2·‖w‖² with the optimizer that Auto selects, to a
/// proven tolerance. With C of LIBLINEAR or scikit-learn, λ = 1/(C·n), or 1/(2·C·n) for
/// SquaredHinge. `fit` returns M<T>.
template <DifferentiableLoss L, template <class> class M>
struct ClassifierRecipe {
  static constexpr std::string_view name = detail::ClassifierOf<L>::name;

  double lambda{1e-4};
  double tolerance{1e-6};  ///< largest (F − F*)/|F| of a converged fit
  bool offset{true};
  ClassWeights class_weights{};  ///< `balanced`, or {{label, weight}, …}
  std::uint64_t seed{0};
  Index threads{1};  ///< threads divide the samples in Newton, and the columns in `fit_each`

  Objective<L, L2> objective() const { return {{}, {lambda}}; }
  auto optimizer() const {
    return BasicAuto<typename detail::ClassifierOf<L>::Among>{
        .tolerance = tolerance, .offset = offset, .seed = seed, .threads = threads};
  }
  template <Scalar T>
  M<T> model(Classifier<T>&& fitted) const {
    return M<T>{std::move(fitted)};
  }

  /// Fits x (n × d) to two labels y (n), an Eigen vector, std::vector, std::span, … of any number
  /// type. Samples of weight 0 may have other labels. `given` holds sample weights, an observer, or
  /// Extras. Throws std::invalid_argument on invalid input, and for another number of labels.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;

  /// Returns, for each column of y (n × k), the classifier that `fit` returns. Each column holds
  /// two labels. Threads divide the columns; with an observer, one thread fits all columns.
  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  std::vector<M<scalar_t<X>>> fit_each(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_each_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }

  /// Returns this recipe with another optimizer: LinearSvm{}.with(Sgd{.epochs = 5}).fit(x, y). A
  /// seed, threads or tolerance of the recipe that is not the default replaces a default in the
  /// optimizer; the tolerance only if that of the optimizer bounds F − F*, unlike that of Sgd. The
  /// model has an offset only if both the recipe and the optimizer enable it.
  template <class O>
  RecipeWith<ClassifierRecipe, O> with(const O& by) const {
    return detail::with(*this, by);
  }
};

}  // namespace linea
