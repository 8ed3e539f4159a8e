// SPDX-License-Identifier: MIT
#pragma once
/// \file The concepts of penalties. A penalty is a function of the weights, never of the offset.
///
/// | expression                 | meaning                              | concept               |
/// |----------------------------|--------------------------------------|-----------------------|
/// | penalty.value(w)           | Ω(w) for a vector w, inf Ω = 0       | Penalty               |
/// | penalty.proximal(v, s)     | argmin over u, Ω(u) + (u − v)²/(2s)  | Penalty               |
/// | penalty.column(j)          | a penalty, Ωⱼ of the weight wⱼ alone | ColumnPenalty         |
/// | penalty.strong_convexity() | λ such that Ω − λ/2‖·‖² is convex    | StronglyConvexPenalty |
/// | penalty.decay(s)           | factor of the squared part           | LazyPenalty           |
/// | penalty.threshold(s)       | soft threshold of the absolute part  | ThresholdPenalty      |
/// | penalty.conjugate(v)       | sup over u, u·v − Ω(u); ∞ off domain | ConjugatePenalty      |
/// | penalty.scaled(f)          | the penalty f·Ω of a factor f ≥ 0    | ScalablePenalty       |
/// | penalty.squared_term(d)    | Ω of d weights as a SquaredTerm      | QuadraticPenalty      |
/// | penalty.is_valid()         | optional: are the parameters valid?  | input validation      |
/// | penalty.validate(name, d)  | optional: throws if d weights do not fit | input validation |
/// | penalty.parameters()       | optional: the text "name = value, …" | messages              |
/// | Penalty::name              | optional: the name of the penalty    | messages              |
///
/// `proximal` and `conjugate` are functions of one weight. A penalty that differs by column,
/// Ω(w) = Σⱼ Ωⱼ(wⱼ), has `column` instead; `of_column` returns the Ωⱼ of any penalty.
///
/// A step of size s with a LazyPenalty is w ← soft(decay(s)·w − s·gradient, threshold(s)), with
/// threshold 0 if the penalty has no `threshold`. On a sparse row the step costs O(non-zeros of the
/// row). With any other penalty, a step makes a gradient step on the loss and then applies
/// `proximal` to every weight, which costs O(d).
#include <algorithm>  // max
#include <cmath>      // isnan
#include <concepts>
#include <limits>
#include <linea/core/types.hpp>
#include <string_view>

namespace linea {

/// A penalty that treats columns differently.
template <class P>
concept ColumnPenalty = requires(const P& penalty, Index j) {
  penalty.column(j);
};

/// Returns the penalty of weight j: column(j) if the penalty has this member, else the penalty
/// itself.
template <class P>
constexpr decltype(auto) of_column(const P& penalty, Index j) {
  if constexpr (ColumnPenalty<P>)
    return penalty.column(j);
  else
    return (penalty);
}

template <class P>
concept Penalty = detail::Copyable<P> &&
    requires(const P& penalty, const Eigen::VectorXd& w, double v, Index j) {
  { penalty.value(w) } -> std::convertible_to<double>;
  { of_column(penalty, j).value(w) } -> std::convertible_to<double>;
  { of_column(penalty, j).proximal(v, v) } -> std::convertible_to<double>;
};

template <class P>
concept StronglyConvexPenalty = Penalty<P> && requires(const P& penalty) {
  { penalty.strong_convexity() } -> std::convertible_to<double>;
};

template <class P>
concept LazyPenalty = Penalty<P> && requires(const P& penalty, double step) {
  { penalty.decay(step) } -> std::convertible_to<double>;
};

template <class P>
concept ThresholdPenalty = LazyPenalty<P> && requires(const P& penalty, double step) {
  { penalty.threshold(step) } -> std::convertible_to<double>;
};

/// The penalty λ/2·‖w‖² for some λ ≥ 0. Its gradient is λw.
template <class P>
concept SquaredPenalty = LazyPenalty<P> && !ThresholdPenalty<P>;

/// The penalty λ/2·Σⱼ fⱼ·wⱼ² of weights w (d). It may hold one weight at 1, without a penalty.
struct SquaredTerm {
  double lambda{0};
  Vector<double> factors{};  ///< f (d), 0 for the held weight; empty: all 1, and no weight is held
  Index held{-1};            ///< the index of the held weight, −1 for none
};

/// A penalty that squared_term_of converts to a SquaredTerm.
template <class P>
concept QuadraticPenalty = SquaredPenalty<P> ||(Penalty<P>&& requires(const P& penalty, Index d) {
  { penalty.squared_term(d) } -> std::same_as<SquaredTerm>;
});

template <class P>
concept ConjugatePenalty = Penalty<P> && requires(const P& penalty, double v, Index j) {
  { of_column(penalty, j).conjugate(v) } -> std::convertible_to<double>;
};

/// A penalty that PenaltyFactors can multiply. The factor changes the strengths of the penalty
/// instead of its values: strength and factor may be extreme where their product is not.
template <class P>
concept ScalablePenalty = Penalty<P> && requires(const P& penalty, double factor) {
  { penalty.scaled(factor) } -> std::same_as<P>;
};

/// Returns P::name, the name in messages and programs (lower case with dashes), or "the penalty" if
/// P has no name.
template <Penalty P>
constexpr std::string_view name_of(const P&) {
  if constexpr (requires { P::name; })
    return P::name;
  else
    return "the penalty";
}

/// Returns penalty.strong_convexity(), or 0 if the penalty does not have this member.
template <Penalty P>
constexpr double strong_convexity_of(const P& penalty) {
  if constexpr (StronglyConvexPenalty<P>)
    return static_cast<double>(penalty.strong_convexity());
  else
    return 0;
}

/// Returns the penalty of d weights as a SquaredTerm.
template <QuadraticPenalty P>
SquaredTerm squared_term_of(const P& penalty, Index d) {
  if constexpr (SquaredPenalty<P>)
    return {strong_convexity_of(penalty)};
  else
    return penalty.squared_term(d);
}

/// Returns the weights of finite penalty that are nearest to w.
template <Penalty P, class T>
Vector<T> nearest_of_finite_penalty(const P& penalty, Vector<T> w) {
  for (Index j = 0; j < w.size(); ++j)
    w[j] = of_column(penalty, j).proximal(w[j], std::numeric_limits<T>::min());
  return w;
}

/// Returns λ/2·square, where square = ‖w‖² may overflow and λ/2 may underflow.
template <class T>
T squared_penalty(T lambda, T square) {
  if (lambda == T(0) && !std::isnan(square)) return T(0);  // 0·∞ is NaN
  return lambda * (square / T(2));
}

/// Returns v moved towards 0 by at most `threshold` ≥ 0, which is the minimiser over u of
/// threshold·|u| + (u − v)²/2.
template <class T>
constexpr T soft_threshold(T v, T threshold) {
  return std::max(v - threshold, T(0)) - std::max(-v - threshold, T(0));
}

/// Returns the conjugate of l1·|u| + l2/2·u² at v: max(|v| − l1, 0)²/(2·l2). If l2 = 0, the
/// conjugate is 0 for |v| ≤ l1, else ∞. The square of max(|v| − l1, 0) could underflow.
template <class T>
constexpr T elastic_conjugate(T v, T l1, T l2) {
  const T beyond = soft_threshold(v, l1);
  if (beyond == T(0)) return T(0);
  return l2 > T(0) ? beyond * (beyond / l2) / T(2) : std::numeric_limits<T>::infinity();
}

}  // namespace linea
