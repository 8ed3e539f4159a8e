// SPDX-License-Identifier: MIT
#pragma once
/// \file Compiler messages for arguments that an optimizer, recipe or model does not accept.
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/objective.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/types.hpp>
#include <type_traits>  // is_void

namespace linea::detail {

template <class F>
inline constexpr bool is_objective = std::is_void_v<F>;
template <class L, class P>
inline constexpr bool is_objective<Objective<L, P>> = true;
template <class F>
inline constexpr bool lacks_penalty = false;
template <class L>
inline constexpr bool lacks_penalty<Objective<L, void>> = true;
template <class F>
inline constexpr bool has_derivative = true;
template <class L, class P>
inline constexpr bool has_derivative<Objective<L, P>> = DifferentiableLoss<L>;

/// The return type of `minimize` and `fit` if no other overload accepts the call. X are the
/// samples, Y the targets, E the extras, and F the objective, or void without one. The type is a
/// solution, so that the lines after the call compile without further errors.
template <class X, class Y, class E, class F = void>
struct WrongCall : Solution<double> {
  // At least one of these conditions is false.
  static constexpr bool is_matrix = MatrixExpression<X> || SampleView<X> || is_divided<X>;
  static_assert(is_matrix,
                "x must be an Eigen matrix with a sample in each row; of a std::vector of numbers "
                "make an Eigen::Map<const linea::Matrix<double>>(data, rows, columns)");
  static constexpr bool is_real = !is_matrix || Scalar<scalar_t<X>>;
  static_assert(is_real, "x must be of float or double: pass x.cast<double>().eval()");
  static constexpr bool is_stored = !is_real || !is_unevaluated<X>;
  static_assert(is_stored,
                "x is an expression, which each pass would evaluate again: pass its eval()");
  static constexpr bool has_rows = !is_sparse_vector<X>;
  static_assert(has_rows,
                "a sparse vector is one sample: models take it in predict_one, learners in update");
  static constexpr bool has_objective = !AnySamples<X> || is_objective<F>;
  static_assert(has_objective,
                "the first argument must be an Objective{loss, penalty}, such as "
                "Objective{Hinge{}, L2{1e-4}}");
  static constexpr bool has_slope = !AnySamples<X> || has_derivative<F>;
  static_assert(has_slope,
                "the loss has no derivative(score, target), so that no optimizer takes it; "
                "objective_value and empirical_risk evaluate it");
  static constexpr bool has_form = AnySamples<X> && has_objective && has_slope;
  static constexpr bool has_targets = !has_form || Numbers<Y>;
  static_assert(has_targets,
                "y must be a vector with a number for each row of x: of a matrix pass y.col(0), "
                "and number classes that have names");
  static constexpr bool has_copy =
      !has_form || !has_targets || !Observer<E> || ExtrasFor<E, scalar_t<X>>;
  static_assert(has_copy, "the observer cannot be copied: pass std::ref(observer)");
  static constexpr bool has_extras =
      !has_form || !has_targets || Observer<E> || ExtrasFor<E, scalar_t<X>>;
  static_assert(has_extras,
                "the last argument must be sample weights, Extras of the scalar of x, or an "
                "observer: a callable that takes const linea::Progress& and returns "
                "linea::Control or nothing");
  static constexpr bool is_well_formed =
      has_form && has_targets && has_copy && has_extras && !lacks_penalty<F>;
  static constexpr bool is_undivided = !is_well_formed || !is_divided<X>;
  static_assert(is_undivided,
                "rows that are divided among processes are for Newton, Lbfgs, GradientDescent and "
                "Ridge");
  static constexpr bool is_supported = !is_well_formed || !is_undivided;
  static_assert(is_supported,
                "this optimizer does not take this loss with this penalty: Auto{} selects one that "
                "does; the table is in docs/choosing_an_optimizer.md");
};

/// Prints nothing. Without it, printing the result of a wrong call causes further errors.
template <class Stream, class X, class Y, class E, class F>
Stream& operator<<(Stream& out, const WrongCall<X, Y, E, F>&) {
  return out;
}

/// The return type of `predict` for samples X that the model does not accept; for other samples
/// `predict` returns a V.
template <class X, class V>
struct WrongSamples : V {
  static constexpr bool is_of_model = std::is_void_v<X>;
  static_assert(is_of_model,
                "x must be an Eigen matrix of the scalar of the model: x.cast<float>().eval() or "
                "x.cast<double>().eval(); of a std::vector of numbers make an "
                "Eigen::Map<const linea::Matrix<double>>(data, rows, columns)");
};

template <class S>
inline constexpr bool is_wrong_call = false;
template <class X, class Y, class E, class F>
inline constexpr bool is_wrong_call<WrongCall<X, Y, E, F>> = true;

/// Whether the optimizer accepts an objective F for samples X and targets Y. Use this concept
/// instead of a `requires` expression with the call, which is a hard error for a wrong call.
template <class Optimizer, class F, class X, class Y>
concept Takes = requires(const Optimizer& optimizer, const F& objective, const X& x, const Y& y,
                         const Extras<scalar_t<X>>& extras) {
  requires !is_wrong_call<decltype(optimizer.minimize(objective, x, y, extras))>;
};

}  // namespace linea::detail
