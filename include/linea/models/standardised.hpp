// SPDX-License-Identifier: MIT
#pragma once
/// \file Fits recipes to scaled columns; the fitted models apply to the original columns.
#include <algorithm>  // max
#include <cmath>      // abs, isnan, sqrt
#include <limits>
#include <linea/core/by_rows.hpp>
#include <linea/core/extras.hpp>
#include <linea/core/numbers.hpp>
#include <linea/core/solution.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/features/standardise.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/recipe.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/samples/frame.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>
#include <type_traits>  // remove_cvref
#include <utility>      // move, pair
#include <vector>

namespace linea {
namespace detail {

/// Returns a reference to the offset of function k.
template <class S>
auto& offset_of(S& solution, Index k) {
  if constexpr (requires { solution.offset[k]; })
    return solution.offset[k];
  else
    return (void(k), solution.offset);
}

/// Returns the extras for a run on d scaled columns, with start and observer converted. The start
/// weights may be those of several functions, one after the other; a run rejects other numbers.
template <class T>
Extras<T> to_scaled(const samples::Frame<>& frame, const Extras<T>& extras, Index d) {
  Extras<T> inner = extras;
  inner.observer = samples::framed_observer(extras, frame);
  const Index size = extras.start_weights.size();
  if (!frame.scales(d) || size % d != 0) return inner;
  for (Index k = 0; k < size; k += d) {
    Vector<DoubleFor<T>> theta;
    frame.enter(Vector<T>(extras.start_weights.segment(k, d)), extras.start_offset, true, theta);
    inner.start_weights.segment(k, d) = theta.head(d).template cast<T>();
    if (size == d) inner.start_offset = static_cast<T>(theta[d]);
  }
  return inner;
}

/// Converts a solution of k linear functions of scaled columns to the original columns, rounded to
/// its scalar type T. Returns the rounded functions in terms of the scaled columns, as columns
/// (w, b) of a matrix (d + 1 × k), and the largest change of a weight or offset by rounding,
/// relative to the norm of the weights.
template <class S>
std::pair<ColumnMatrix<double>, double> from_scaled(const samples::Frame<>& frame, S& solution) {
  using T = typename std::remove_cvref_t<decltype(solution.weights)>::Scalar;
  const Index d = solution.weights.rows();
  using Real = DoubleFor<S>;
  ColumnMatrix<Real> rounded(d + 1, solution.weights.cols());
  double change = 0;
  for (Index k = 0; k < rounded.cols(); ++k) {
    Vector<Real> found(d + 1);
    for (Index j = 0; j < d; ++j) found[j] = static_cast<double>(solution.weights(j, k));
    found[d] = static_cast<double>(offset_of(solution, k));
    Vector<T> weights;
    T offset{};
    frame.leave(found, true, weights, offset);
    solution.weights.col(k) = weights;
    offset_of(solution, k) = offset;
    Vector<Real> theta;
    frame.enter(weights, offset, true, theta);
    rounded.col(k) = theta;
    change = std::max(change, (theta - found).cwiseAbs().maxCoeff() / found.head(d).norm());
  }
  return {std::move(rounded), change};
}

/// An optimizer on scaled columns, with solutions for the original columns. Objective and gap are
/// those of the scaled problem at the rounded weights. The frame must outlive this object.
template <class O>
struct OnScaled {
  O optimizer;
  const samples::Frame<>* frame;

  /// Minimises the objective. y holds targets, (n) or (n × k). For softmax y (n) holds class
  /// indices, and `objective` is only the penalty.
  template <class Obj, class X, class Y, class T>
    requires(Numbers<Y> || Takes<O, Obj, X, Y>)
  auto minimize(const Obj& objective, const X& x, const Y& y, const Extras<T>& extras) const {
    auto solution = optimizer.minimize(objective, x, y, to_scaled(*frame, extras, x.cols()));
    from_frame(solution, objective, x, y, extras);
    return solution;
  }

  template <class Obj, class X, class Y, class T>
    requires requires(const O& by, const Obj& f, const X& x, const Y& y, const Extras<T>& extras) {
      by.minimize_each(f, x, y, extras);
    }
  auto minimize_each(const Obj& objective, const X& x, const Y& y, const Extras<T>& extras) const {
    auto solutions = optimizer.minimize_each(objective, x, y, to_scaled(*frame, extras, x.cols()));
    for (std::size_t k = 0; k < solutions.size(); ++k)
      from_frame(solutions[k], objective, x, y.col(static_cast<Index>(k)), extras);
    return solutions;
  }

 private:
  /// Converts the solution to the original columns. Sets F and gap at the rounded functions, and
  /// the status if rounding moved F out of the tolerance.
  template <class S, class Obj, class X, class Y, class T>
  void from_frame(S& solution, const Obj& objective, const X& x, const Y& y,
                  const Extras<T>& extras) const {
    const auto functions = from_scaled(*frame, solution).first;
    auto set =
        samples::admit_samples_in_double("Standardised::fit", x, y.rows(), extras.sample_weights);
    const double before = solution.objective;
    const double value = value_at(objective, set, y, functions);
    if (std::isnan(before) || std::abs(value - before) <= 1e-13 * std::abs(before)) return;
    const auto bound = solution.bound();
    solution.objective = value;
    if (bound) solution.gap = std::max(value - *bound, 0.0);
    double tolerance = 1e-6;
    if constexpr (requires { optimizer.tolerance; }) tolerance = optimizer.tolerance;
    const bool has_proof = bound && solution.status == Status::converged;
    const double rise = has_proof ? *solution.gap : value - before;
    if (!has_proof)
      tolerance = std::max(tolerance, std::sqrt(std::numeric_limits<double>::epsilon()));
    using Functions = std::remove_cvref_t<decltype(functions)>;
    Functions zero = Functions::Zero(functions.rows(), functions.cols());
    if constexpr (requires { objective.penalty.offset_column; })
      if (objective.penalty.offset_column >= 0) zero.row(objective.penalty.offset_column).setOnes();
    const double at_zero = value_at(objective, set, y, zero);
    if (!(rise <= tolerance * std::abs(value) + std::numeric_limits<T>::epsilon() * at_zero))
      solution.status = std::max(solution.status, Status::precision_limit);
  }

  /// Returns F on the scaled columns for the weights and offset in `functions` (d + 1 × 1). For k
  /// targets, one in each column (d + 1 × k), returns the sum of the k objectives.
  template <class L, class P, class Set, class Y, class M>
  static double value_at(const Objective<L, P>& objective, Set& set, const Y& y,
                         const M& functions) {
    double sum = 0;
    for (Index k = 0; k < functions.cols(); ++k) {
      const Index d = set.rows.cols();
      const Vector<double> w = functions.col(k).head(d);
      set.y = y.col(k).template cast<double>();
      sum += samples::risk_of(objective.loss, set, w, functions(d, k)) +
             static_cast<double>(objective.penalty.value(w));
    }
    return sum;
  }
  template <class P, class Set, class Y, class M>
  static double value_at(const P& penalty, const Set& set, const Y& classes, const M& functions) {
    const Index d = set.rows.cols();
    const Matrix<double> w = functions.topRows(d);
    Matrix<double> logs = scores_of_columns("Standardised::fit", set.rows, w,
                                            Vector<double>(functions.row(d).transpose()), 1);
    to_log_probabilities(logs);
    double sums[2] = {0, 0};
    for (Index i = 0; i < logs.rows(); ++i) {
      if (!(set.weight(i) > 0)) continue;
      sums[0] -= set.weight(i) * logs(i, classes[i]);
      sums[1] += set.weight(i);
    }
    return sums[0] / sums[1] + penalty.value(w.reshaped());
  }
};

/// A recipe without `optimizer` on scaled columns. F is unknown, so the status depends on the
/// change of the weights by rounding, about whose square F rises. The frame must outlive this
/// object.
template <class Recipe>
struct RecipeOnScaled {
  Recipe recipe;
  const samples::Frame<>* frame;

  template <class X, class Y, class T>
  auto fit(const X& x, const Y& y, const Extras<T>& extras) const {
    auto model = recipe.fit(x, y, to_scaled(*frame, extras, x.cols()));
    const double change = from_scaled(*frame, model).second;
    if constexpr (requires { model.status; })
      if (!(change <= 1e-3)) model.status = std::max(model.status, Status::precision_limit);
    return model;
  }
};

template <class R>
auto on_scaled(const R& recipe, const samples::Frame<>& frame) {
  if constexpr (requires { recipe.optimizer(); })
    return RecipeWith<R, OnScaled<decltype(recipe.optimizer())>>{recipe,
                                                                 {recipe.optimizer(), &frame}};
  else
    return RecipeOnScaled<R>{recipe, &frame};
}
template <class R, class O>
auto on_scaled(const RecipeWith<R, O>& with, const samples::Frame<>& frame) {
  return RecipeWith<R, OnScaled<O>>{with.recipe, {with.optimizer, &frame}};
}
template <class R>
auto on_scaled(const OneVsRest<R>& all, const samples::Frame<>& frame) {
  return OneVsRest{on_scaled(all.recipe, frame)};
}

}  // namespace detail

/// Scales the columns to (x − mean)/scale (see `standardise`) and fits the recipe:
/// Standardised{LogisticRegression{.lambda = 1e-3}}.fit(x, y). The scaling is folded into the
/// weights and offset of the fitted model, which applies to the original columns. Start weights and
/// the iterates of an observer also refer to the original columns. The penalty acts on the weights
/// of the scaled columns, so objective and gap are those of the scaled problem, at the returned
/// weights and offset. If rounding the weights and offset to T moves F out of the tolerance, the
/// status is `precision_limit`. This happens for float x with a column whose mean is many thousand
/// standard deviations, or for columns so small that their weights exceed the largest T. Sparse x,
/// and any x if the recipe has no offset, is scaled but not centred. The offset column of
/// WithOffsetColumn is neither. The scaling uses the sample weights, but not the class weights.
///
/// Supports any recipe, including OneVsRest; in CrossValidation each fold has its own scaling.
/// Memory: a copy of x.
template <class Recipe>
struct Standardised {
  Recipe recipe{};

  /// Fits the recipe to scaled x (n × d) and y. Throws std::invalid_argument if `standardise` or
  /// the recipe throws it.
  template <SampleMatrix X, detail::TargetsOf<Recipe> Y,
            ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
  auto fit(const X& x, const Y& y, const E& given = {}) const {
    const auto& extras = extras_of<scalar_t<X>>(given);
    return scale(x, extras, [&](const auto& on_scaled, const auto& scaled) {
      return on_scaled.fit(scaled, y, extras);
    });
  }
  template <class X, class Y, class E = Extras<double>>
  detail::WrongCall<X, Y, E> fit(const X&, const Y&, const E& = {}) const;

  /// Calls the recipe's `fit_each`, if it has one, with scaled x and y (n × k).
  template <SampleMatrix X, TargetMatrix Y, ExtrasFor<scalar_t<X>> E = Extras<scalar_t<X>>>
    requires requires(const Recipe& inner, const X& x, const Y& y, const E& given) {
      inner.fit_each(x, y, given);
    }
  [[nodiscard]] auto fit_each(const X& x, const Y& y, const E& given = {}) const {
    const auto& extras = extras_of<scalar_t<X>>(given);
    return scale(x, extras, [&](const auto& on_scaled, const auto& scaled) {
      return on_scaled.fit_each(scaled, y, extras);
    });
  }

  /// Returns the λ to try for CrossValidation: those of the recipe for scaled x.
  template <Samples X, Numbers Y, class T>
  friend std::vector<double> automatic_lambdas(const Standardised& all, const X& x, const Y& y,
                                               const Extras<T>& extras) {
    return all.scale(x, extras, [&](const auto&, const auto& scaled) {
      return automatic_lambdas(all.recipe, scaled, y, extras);
    });
  }

  /// Returns Standardised{recipe.with(by)}.
  template <class O>
  auto with(const O& by) const {
    return linea::Standardised{recipe.with(by)};
  }

 private:
  template <class X, class T, class Fit>
  auto scale(const X& given, const Extras<T>& extras, const Fit& fit) const {
    const auto& x = detail::by_rows(given);
    auto scaling = standardise(x, extras.sample_weights.template cast<double>());
    if constexpr (requires { detail::innermost(recipe).offset; })
      if (!detail::innermost(recipe).offset) scaling.mean.setZero();
    if constexpr (requires { detail::innermost(recipe).offset_column; })
      if (const Index j = detail::innermost(recipe).offset_column; j >= 0 && j < x.cols()) {
        scaling.mean[j] = 0;
        scaling.scale[j] = 1;
      }
    const detail::samples::Frame<> frame(scaling.mean, scaling.scale);
    return fit(detail::on_scaled(recipe, frame), scaling.apply(x));
  }
};

template <class Recipe>
Standardised(Recipe) -> Standardised<Recipe>;

}  // namespace linea
