// SPDX-License-Identifier: MIT
#pragma once
/// \file Sparse logistic regression of two classes.
#include <linea/losses/log.hpp>
#include <linea/models/recipe.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/solver/basic_auto.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <string_view>
#include <utility>  // move

namespace linea {

namespace detail {

struct CoordinatesAlone {
  using CoordinateDescent = linea::CoordinateDescent;
};

}  // namespace detail

/// Logistic regression with sparse weights: log loss + λ·(r·‖w‖₁ + (1 − r)/2·‖w‖²) with r =
/// l1_ratio. Use OneVsRest{SparseLogisticRegression{}} for several classes. With C of
/// scikit-learn's LogisticRegression, λ = 1/(C·n).
struct SparseLogisticRegression {
  static constexpr std::string_view name = "SparseLogisticRegression";

  double lambda{1e-4};
  double l1_ratio{1};      ///< r in λ·(r·‖w‖₁ + (1 − r)/2·‖w‖²)
  double tolerance{1e-6};  ///< largest (F − F*)/|F| of a converged fit
  bool offset{true};
  ClassWeights class_weights{};  ///< `balanced`, or {{label, weight}, …}
  Index threads{1};              ///< threads divide the columns of y in `fit_each`

  /// Throws std::invalid_argument unless 0 ≤ l1_ratio ≤ 1.
  Objective<Log, ElasticNet> objective() const {
    return {{}, ElasticNet::mixed("SparseLogisticRegression::fit", lambda, l1_ratio)};
  }
  auto optimizer() const {
    return BasicAuto<detail::CoordinatesAlone>{.tolerance = tolerance, .offset = offset};
  }
  template <Scalar T>
  ProbabilisticClassifier<T> model(Classifier<T>&& fitted) const {
    return ProbabilisticClassifier<T>{std::move(fitted)};
  }

  /// Fits x (n × d) to y (n) as ClassifierRecipe::fit does.
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
  template <Samples X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  [[nodiscard]] auto fit_each(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_each_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class O>
  RecipeWith<SparseLogisticRegression, O> with(const O& by) const {
    return detail::with(*this, by);
  }
};

}  // namespace linea
