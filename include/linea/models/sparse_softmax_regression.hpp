// SPDX-License-Identifier: MIT
#pragma once
/// \file Multinomial logistic regression with weights that are exactly 0.
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/optimizers/softmax_coordinate_descent.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <string_view>

namespace linea {

/// SoftmaxRegression with the penalty λ·(r·Σ|w| + (1 − r)/2·Σw²), where r = l1_ratio. Weights that
/// reduce the loss little become exactly 0. With C of scikit-learn's LogisticRegression, λ =
/// 1/(C·n).
struct SparseSoftmaxRegression {
  static constexpr std::string_view name = "SparseSoftmaxRegression";

  double lambda{1e-4};
  double l1_ratio{1};      ///< r in λ·(r·Σ|w| + (1 − r)/2·Σw²)
  double tolerance{1e-6};  ///< largest (F − F*)/|F| of a converged fit
  bool offset{true};
  ClassWeights class_weights{};  ///< `balanced`, or {{label, weight}, …}

  /// Throws std::invalid_argument unless 0 ≤ l1_ratio ≤ 1.
  ElasticNet penalty() const {
    return ElasticNet::mixed("SparseSoftmaxRegression::fit", lambda, l1_ratio);
  }
  SoftmaxCoordinateDescent optimizer() const { return {.tolerance = tolerance, .offset = offset}; }

  /// Fits x (n × d) to y (n) as SoftmaxRegression::fit does. Also throws std::invalid_argument
  /// unless l1_ratio is in [0, 1].
  template <Samples X, Numbers Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  SoftmaxClassifier<scalar_t<X>> fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
};

}  // namespace linea
