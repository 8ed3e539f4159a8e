// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares, with a squared penalty or none.
#include <linea/losses/squared.hpp>
#include <linea/models/recipe.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>
#include <utility>  // move

namespace linea {

/// Ridge regression, exact: ½·squared loss + λ/2·‖w‖². alpha of scikit-learn's Ridge is λ·n.
struct RidgeRegression {
  double lambda{1e-4};
  bool offset{true};
  Index threads{1};  ///< for dense x; the same bits for the same number

  Objective<Squared, L2> objective() const { return {{}, {lambda}}; }
  Ridge optimizer() const { return {.offset = offset, .threads = threads}; }

  template <Scalar T>
  Regressor<T> model(LinearModel<T>&& fitted) const {
    fitted.reason = "least squares have a closed form";
    return {std::move(fitted)};
  }

  /// x (n × d), y (n): a Regressor; y (n × k), k targets at once: a MultiTargetRegressor. Of the
  /// extras only the sample weights matter: the answer needs no start.
  template <Samples X, AnyTargets Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return models::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  core::Slip<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
};

/// Linear regression: least squares, exact; of smallest norm where the samples leave a choice.
struct LinearRegression {
  bool offset{true};
  Index threads{1};  ///< for dense x; the same bits for the same number

  RidgeRegression ridge() const { return {.lambda = 0, .offset = offset, .threads = threads}; }
  Objective<Squared, L2> objective() const { return ridge().objective(); }
  Ridge optimizer() const { return ridge().optimizer(); }
  template <Scalar T>
  Regressor<T> model(LinearModel<T>&& fitted) const {
    return ridge().model(std::move(fitted));
  }

  /// x (n × d), y (n), or y (n × k) for k targets at once.
  template <Samples X, AnyTargets Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return ridge().fit(x, y, given);
  }
  template <class X, class Y, class E = Extras<double>>
  core::Slip<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
};

}  // namespace linea
