// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of penalties: properties that a penalty with given members must have.
#include <cmath>  // abs, isfinite
#include <linea/check/points.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace linea::check {

struct PenaltyOptions {
  /// False omits the laws of convex penalties: strong_convexity_holds and
  /// lazy_steps_rest_at_minimisers.
  bool convex{true};
  /// Weights and steps s to test. s·λ should range from far below 1 to far above 1.
  std::vector<double> weights{-100, -3, -1, -0.5, -0.1, -1e-3, 0, 1e-3, 0.1, 0.5, 1, 3, 100};
  std::vector<double> steps{0x1p-10, 0x1p-6, 0.25, 0.75, 1, 4, 64, 0x1p10, 0x1p20};
  /// Number of columns to test, if the penalty treats columns differently.
  Index columns{3};
};

namespace detail {

/// Returns Ω of a single weight.
template <Penalty P>
double penalty_of(const P& penalty, double weight) {
  return static_cast<double>(penalty.value(Eigen::VectorXd::Constant(1, weight).eval()));
}

inline Vector<double> random_vector(Random& random, Index size) {
  Vector<double> vector(size);
  for (Index j = 0; j < size; ++j) vector[j] = 6 * random.uniform() - 3;
  return vector;
}

// Each function below tests the law in its comment, and returns a message about a violation, or
// nothing.

/// Ω(0) = 0 and Ω ≥ 0.
template <Penalty P>
Finding penalty_is_nonnegative(const P& penalty, const PenaltyOptions& options) {
  if (const double zero = penalty_of(penalty, 0); !(zero == 0))
    return written("the penalty of 0 is ", zero);
  for (const double w : options.weights)
    if (const double value = penalty_of(penalty, w); !(value >= 0))
      return written("the penalty of weight ", w, " is ", value);
  return std::nullopt;
}

/// Ω(w) is the sum of the penalties of single weights, as proximal steps assume.
template <Penalty P>
Finding penalty_is_separable(const P& penalty, const PenaltyOptions& options) {
  Random random(1);
  const Index first = ColumnPenalty<P> ? options.columns : 1;
  const Index last = ColumnPenalty<P> ? options.columns : 36;
  for (Index size = first; size <= last; size += 7) {
    const Vector<double> w = random_vector(random, size);
    const double whole = penalty.value(w);
    double sum = 0;
    for (Index j = 0; j < size; ++j) sum += penalty_of(of_column(penalty, j), w[j]);
    if (whole == sum) continue;  // both may be infinite outside the domain
    if (!(std::abs(whole - sum) <= 1e-13 * std::abs(sum)))
      return written("the penalty of ", size, " weights is ", whole,
                     ", that of each in turn adds up to ", sum);
  }
  return std::nullopt;
}

/// u = proximal(v, s) minimises Ω(u) + (u − v)²/(2s). Compares u with all weights, with a grid from
/// 0 to v, and with points on both sides of u, close to u and far from it.
template <Penalty P>
Finding penalty_proximal_is_optimal(const P& penalty, const PenaltyOptions& options) {
  for (const double v : options.weights)
    for (const double s : options.steps) {
      const auto cost = [&](double u) {
        return penalty_of(penalty, u) + (u - v) * (u - v) / (2 * s);
      };
      const double answer = penalty.proximal(v, s);
      const double best = cost(answer);
      const double rounding =
          16 * epsilon * (std::abs(best) + std::abs(answer) * std::abs(answer - v) / s);
      std::vector<double> others = options.weights;
      for (int k = 0; k <= 1000; ++k) others.push_back(v * k / 1000);
      for (double distance = 1; distance > 1e-6; distance /= 8)
        for (const double side : {-distance, distance}) {
          others.push_back(answer + side * std::abs(answer));
          others.push_back(answer + side * std::abs(v));
        }
      for (const double u : others)
        if (!(best <= cost(u) + rounding))
          return written("the proximal step of size ", s, " from weight ", v, " goes to ", answer,
                         " at cost ", best, " and ", u, " costs ", cost(u));
    }
  return std::nullopt;
}

/// Ω((u + v)/2) ≤ (Ω(u) + Ω(v))/2 − λ/8·‖u − v‖², with λ = strong_convexity() or, if there is no
/// such member, λ = 0.
template <Penalty P>
Finding strong_convexity_holds(const P& penalty) {
  const double lambda = strong_convexity_of(penalty);
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const Vector<double> u = random_vector(random, 3);
    const Vector<double> v = random_vector(random, 3);
    const Vector<double> middle = (u + v) / 2;
    const double ends = static_cast<double>(penalty.value(u) + penalty.value(v)) / 2;
    const double bound = ends - lambda / 8 * (u - v).squaredNorm();
    const double value = penalty.value(middle);
    if (!(lambda >= 0 && value <= bound + 1e-13 * std::abs(ends)))
      return written("halfway between two points the penalty is ", value, ", above ", bound,
                     ", which strong convexity ", lambda, " allows");
  }
  return std::nullopt;
}

/// Minimisers are fixed points of the lazy step of size s, v ← soft(decay(s)·v − s·g,
/// threshold(s)). v = proximal(c, 1/a) minimises a/2·(v − c)² + Ω(v), whose first term has the
/// gradient g = a·(v − c). Steps whose decay is cut off at 0 are skipped.
template <LazyPenalty P>
Finding lazy_steps_rest_at_minimisers(const P& penalty, const PenaltyOptions& options) {
  for (const double c : options.weights)
    for (const double inverse : options.steps)
      for (const double s : options.steps) {
        const double v = penalty.proximal(c, inverse);
        const double gradient = (v - c) / inverse;
        const double decay = penalty.decay(s);
        if (decay <= 0 && s * std::abs(gradient) > 0) continue;
        double threshold = 0;
        if constexpr (ThresholdPenalty<P>) threshold = penalty.threshold(s);
        const double moved = soft_threshold(decay * v - s * gradient, threshold);
        const double rounding =
            16 * epsilon * (std::abs(v) + s / inverse * (std::abs(v) + std::abs(c)) + threshold);
        if (!(decay <= 1 && std::abs(moved - v) <= rounding))
          return written("the proximal step of size ", inverse, " from ", c, " goes to ", v,
                         ", but a lazy step of size ", s, " (decay ", decay, ", threshold ",
                         threshold, ") goes from there to ", moved);
      }
  return std::nullopt;
}

/// conjugate(v) + Ω(u) ≥ u·v for all u and v (Fenchel and Young), with equality if v is a slope of
/// Ω at u. At u = proximal(c, s) the number (c − u)/s is a slope. The test shrinks each slope by
/// its rounding error, which may have moved the slope out of the domain of the conjugate.
template <ConjugatePenalty P>
Finding penalty_fenchel_young(const P& penalty, const PenaltyOptions& options) {
  const auto excess = [&](double u, double v) {
    return static_cast<double>(penalty.conjugate(v)) + penalty_of(penalty, u) - u * v;
  };
  for (const double v : options.weights)
    for (const double s : options.steps) {
      const double u = penalty.proximal(v, s);
      const double rounding = 32 * epsilon * std::abs(v) / s;
      const double slope = soft_threshold((v - u) / s, rounding);
      const double size = penalty_of(penalty, u) + std::abs(u * slope);
      if (!(excess(u, slope) <= 1e-13 * size + 2 * std::abs(u) * rounding))
        return written("at weight ", u, " and its slope ", slope,
                       " conjugate plus penalty exceed their product by ", excess(u, slope));
      for (const double other : options.weights)
        for (const double a_slope : {slope, other})
          if (!(excess(other, a_slope) >=
                -1e-13 * (penalty_of(penalty, other) + std::abs(other * a_slope))))
            return written("at weight ", other, " and slope ", a_slope,
                           " conjugate plus penalty fall short of their product "
                           "by ",
                           -excess(other, a_slope));
    }
  return std::nullopt;
}

/// scaled(f) is f·Ω, and its conjugate at f·v is f·Ω*(v), even for an f whose square overflows or
/// underflows. The factors are powers of 2, which round nothing.
template <ScalablePenalty P>
Finding scaled_is_a_multiple(const P& penalty, const PenaltyOptions& options) {
  const auto differ = [](double one, double other) {
    return !(one == other || std::abs(one - other) <= 1e-13 * std::abs(other));
  };
  for (const double f : {0.0, 0x1p-960, 0x1p-530, 0x1p-3, 1.0, 0x1p5, 0x1p530, 0x1p960}) {
    const P multiple = penalty.scaled(f);
    for (const double v : options.weights) {
      const double value = penalty_of(penalty, v);
      if (std::isfinite(value) && differ(penalty_of(multiple, v), f * value))
        return written("scaled by ", f, " the penalty of weight ", v, " is ",
                       penalty_of(multiple, v), " instead of ", f * value);
      if constexpr (ConjugatePenalty<P>)
        if (const double conjugate = static_cast<double>(penalty.conjugate(v));
            f > 0 && differ(multiple.conjugate(f * v), f * conjugate))
          return written("scaled by ", f, " the conjugate at ", f * v, " is ",
                         multiple.conjugate(f * v), " instead of ", f * conjugate);
    }
  }
  return std::nullopt;
}

/// Value, proximal step, decay and threshold agree in float and double, up to a few roundings.
template <Penalty P>
Finding penalty_float_agrees_with_double(const P& penalty, const PenaltyOptions& options) {
  Finding message;
  const auto compare = [&](std::string_view what, const auto& function, double at, double size) {
    if (!message) message = float_mismatch(what, function, static_cast<float>(at), size);
  };
  const auto value = [&](auto w) {
    return penalty.value(Vector<decltype(w)>::Constant(1, w).eval());
  };
  for (const double w : options.weights) {
    compare("value", value, w, 0);
    for (const double s : options.steps)
      compare(
          "proximal step", [&](auto v) { return penalty.proximal(v, static_cast<decltype(v)>(s)); },
          w, std::abs(w));
  }
  for (const double s : options.steps) {
    if constexpr (LazyPenalty<P>)
      compare(
          "decay", [&](auto step) { return penalty.decay(step); }, s, 0);
    if constexpr (ThresholdPenalty<P>)
      compare(
          "threshold", [&](auto step) { return penalty.threshold(step); }, s, 0);
  }
  return message;
}

}  // namespace detail

/// Returns the first violation of each law that applies to the members of the penalty. If its
/// parameters are not valid, returns only this violation.
template <Penalty P>
std::vector<Violation> penalty(const P& penalty, const PenaltyOptions& options = {}) {
  std::vector<Violation> found;
  const auto add = [&](std::string_view law, const detail::Finding& message) {
    detail::add(found, law, message);
  };
  if (!linea::detail::has_valid_parameters(penalty))
    return {{"is_valid", "the penalty calls its own parameters not valid"}};
  add("penalty_is_nonnegative", detail::penalty_is_nonnegative(penalty, options));
  add("penalty_is_separable", detail::penalty_is_separable(penalty, options));
  add("penalty_proximal_is_optimal", detail::penalty_proximal_is_optimal(penalty, options));
  add("penalty_float_agrees_with_double",
      detail::penalty_float_agrees_with_double(penalty, options));
  if (options.convex) add("strong_convexity_holds", detail::strong_convexity_holds(penalty));
  if constexpr (ConjugatePenalty<P>)
    add("penalty_fenchel_young", detail::penalty_fenchel_young(penalty, options));
  if constexpr (ScalablePenalty<P>)
    add("scaled_is_a_multiple", detail::scaled_is_a_multiple(penalty, options));
  if constexpr (LazyPenalty<P>)
    if (options.convex)
      add("lazy_steps_rest_at_minimisers", detail::lazy_steps_rest_at_minimisers(penalty, options));
  return found;
}

/// Returns the violation of penalty_is_separable by the whole penalty, if any, and all violations
/// by the penalties of the first `columns` columns.
template <Penalty P>
  requires ColumnPenalty<P> std::vector<Violation> penalty(const P& penalty,
                                                           const PenaltyOptions& options = {}) {
    std::vector<Violation> found;
    detail::add(found, "penalty_is_separable", detail::penalty_is_separable(penalty, options));
    for (Index j = 0; j < options.columns; ++j)
      for (const Violation& each : check::penalty(penalty.column(j), options))
        found.push_back({each.law, detail::written("column ", j, ": ", each.message)});
    return found;
  }

}  // namespace linea::check
