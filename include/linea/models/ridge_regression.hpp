// SPDX-License-Identifier: MIT
#pragma once
/// \file Least squares, with or without a squared penalty.
#include <linea/losses/squared.hpp>
#include <linea/models/recipe.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l2.hpp>
#include <utility>  // move

namespace linea {

/// Ridge regression, computed directly: minimises the mean of ½(p − y)² plus λ/2·‖w‖². For
/// scikit-learn's Ridge, alpha = λ·n.
struct RidgeRegression {
  double lambda{1e-4};
  bool offset{true};
  Index threads{1};  ///< not used if x is sparse and d > n; the same number gives the same bits

  Objective<Squared, L2> objective() const { return {{}, {lambda}}; }
  Ridge optimizer() const { return {.offset = offset, .threads = threads}; }

  template <Scalar T>
  Regressor<T> model(LinearModel<T>&& fitted) const {
    fitted.reason = "least squares have a closed form";
    return {std::move(fitted)};
  }

  /// Fits x (n × d) to y (n) and returns a Regressor, or to k targets y (n × k) and returns a
  /// MultiTargetRegressor. Uses only the sample weights of the extras.
  template <Samples X, AnyTargets Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return detail::fit_by(*this, optimizer(), x, y, extras_of<scalar_t<X>>(given));
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
};

/// Linear regression by least squares, computed directly. If the solution is not unique, `fit`
/// returns the solution with the smallest ‖w‖.
struct LinearRegression {
  bool offset{true};
  Index threads{1};  ///< not used if x is sparse and d > n; the same number gives the same bits

  RidgeRegression ridge() const { return {.lambda = 0, .offset = offset, .threads = threads}; }
  Objective<Squared, L2> objective() const { return ridge().objective(); }
  Ridge optimizer() const { return ridge().optimizer(); }
  template <Scalar T>
  Regressor<T> model(LinearModel<T>&& fitted) const {
    return ridge().model(std::move(fitted));
  }

  /// Fits x (n × d) to y (n), or to k targets y (n × k), as RidgeRegression::fit does.
  template <Samples X, AnyTargets Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    return ridge().fit(x, y, given);
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;
};

}  // namespace linea
