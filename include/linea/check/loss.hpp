// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of losses: properties that a loss must have if it has certain members or declares
/// certain properties, such as being convex.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite, isinf, isnan
#include <limits>
#include <linea/check/points.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/parameters.hpp>
#include <linea/core/require.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace linea::check {

namespace detail {

/// Returns the largest slope (ℓ′(q) − ℓ′(p))/(q − p) over the scores p and points q on both sides
/// of p, at a distance of 2⁻¹³ or 2⁻²⁰ times max(1, |p|). Returns NaN if a slope is NaN.
template <DifferentiableLoss L>
double steepest_rise(const L& loss, double y, const std::vector<double>& scores) {
  double steepest = -std::numeric_limits<double>::infinity();
  for (const double p : scores)
    for (const double side : {-0x1p-13, 0x1p-13, -0x1p-20, 0x1p-20}) {
      const double q = p + side * std::max(1.0, std::abs(p));
      const double change = static_cast<double>(loss.derivative(q, y) - loss.derivative(p, y));
      if (!(change / (q - p) <= steepest)) steepest = change / (q - p);
      if (std::isnan(steepest)) return steepest;
    }
  return steepest;
}

/// The laws of a loss. Each function that returns a Finding tests one law at the score p for the
/// target y: the Finding is a message about a violation, or nothing.
template <Loss L>
struct LossLaws {
  const L& loss;
  const LossOptions& options;

  double value(double p, double y) const { return static_cast<double>(loss.value(p, y)); }
  double derivative(double p, double y) const { return static_cast<double>(loss.derivative(p, y)); }

  /// ℓ(p, y) is NaN if and only if p is NaN.
  Finding nan_in_nan_out(double p, double y) const {
    return nan_mismatch([&](double at) { return value(at, y); }, p);
  }

  /// ℓ(p + t, y + t) = ℓ(p, y).
  Finding is_of_residual(double p, double y) const {
    for (const double t : {-0.75, 3.0, 64.0}) {
      const double here = value(p, y);
      const double there = value(p + t, y + t);
      const double scale = std::abs(p) + std::abs(y) + std::abs(t) + 1;
      const double rounding = 1e-12 * (scale + std::abs(value(y + scale, y)));
      if (std::isfinite(here) && std::isfinite(there) && std::abs(here - there) > rounding)
        return written("the value at score ", p, " is ", here, " but ", there, " with ", t,
                       " added to score and target, but the loss says that it depends on their "
                       "difference");
    }
    return std::nullopt;
  }

  /// ℓ(a·p + (1 − a)·q) ≤ a·ℓ(p) + (1 − a)·ℓ(q).
  Finding is_convex(double p, double y) const {
    for (const double q : scores_for(y, options))
      for (const double a : {0.25, 0.5}) {
        const double scale = std::abs(p) + std::abs(q) + std::abs(y);
        if (!(q - p > 1e-9 * scale)) continue;
        const double between = a * p + (1 - a) * q;
        const double left = value(p, y);
        const double right = value(q, y);
        const double middle = value(between, y);
        const double chord = a * left + (1 - a) * right;
        if (!std::isfinite(chord)) continue;
        const double slope = std::max(std::abs((middle - left) / (between - p)),
                                      std::abs((right - middle) / (q - between)));
        const double rounding = 16 * epsilon * (std::abs(left) + std::abs(right) + scale * slope);
        if (!(std::isfinite(middle) && middle <= chord + rounding))
          return written("the value at score ", between, " is ", middle, ", above the chord from ",
                         p, " to ", q, ", which is ", chord);
      }
    return std::nullopt;
  }

  /// ℓ′ is the slope of ℓ, or lies between the one-sided slopes at kinks. ℓ need not be convex.
  Finding derivative_matches_value(double at, double y) const {
    return slope_mismatch([&](double p) { return value(p, y); },
                          [&](double p) { return derivative(p, y); }, at, std::abs(y) + 1);
  }

  /// The derivative of a convex loss is a subgradient: ℓ(q) ≥ ℓ(p) + ℓ′(p)·(q − p).
  Finding subgradient_inequality(double p, double y) const {
    for (const double q : scores_for(y, options)) {
      const double at_p = value(p, y);
      const double at_q = value(q, y);
      const double slope = derivative(p, y);
      const double line = at_p + slope * (q - p);
      if (std::isinf(at_p) || std::isinf(at_q) || std::isinf(line)) continue;
      const double scale = std::abs(p) + std::abs(q) + std::abs(y) + 1;
      const double rounding =
          16 * epsilon * (std::abs(at_p) + std::abs(at_q) + scale * std::abs(slope));
      if (!(at_q >= line - rounding))
        return written("the value at score ", q, " is ", at_q, ", below the tangent at score ", p,
                       ", which is ", line);
    }
    return std::nullopt;
  }

  /// ℓ′ has no jumps: its change over an interval around a score shrinks with the interval.
  Finding is_smooth(double p, double y) const {
    const double length = 1e-6 * (std::abs(p) + std::abs(y) + 1);
    const auto jump = [&](double h) {
      return std::abs(derivative(p + h, y) - derivative(p - h, y));
    };
    const double wide = jump(length);
    const double narrow = jump(1e-3 * length);
    const double rounding = 1e-8 * std::abs(derivative(p, y));
    if (std::isfinite(wide) && narrow > 0.5 * wide && narrow > 1e-8 + rounding)
      return written("the derivative jumps by ", narrow, " at score ", p,
                     "; a loss with kinks declares static constexpr bool is_smooth = false");
    return std::nullopt;
  }

  /// ℓ″ is the slope of ℓ′, and ℓ′ has no jumps: a loss with a kink has no ℓ″.
  Finding second_derivative_matches_derivative(double at, double y) const {
    const auto second = [&](double p) { return static_cast<double>(loss.second_derivative(p, y)); };
    return slope_mismatch([&](double p) { return derivative(p, y); }, second, at, std::abs(y) + 1);
  }

  /// ℓ″ is at most curvature_bound(). The slope of ℓ′ between p and points beside p is at most
  /// curvature_bound(), up to one part in a million.
  Finding curvature_bound_holds(double p, double y) const {
    const double bound = loss.curvature_bound();
    if (!(std::isfinite(bound) && bound >= 0)) return written("the curvature bound is ", bound);
    if (const double rise = steepest_rise(loss, y, {p}); !(rise <= bound * (1 + 1e-6)))
      return written("beside score ", p, " the derivative rises by ", rise,
                     ", above the curvature bound ", bound);
    if constexpr (CurvedLoss<L>)
      if (const double second = loss.second_derivative(p, y); !(second <= bound * (1 + 1e-12)))
        return written("at score ", p, " the second derivative is ", second,
                       ", above the curvature bound ", bound);
    return std::nullopt;
  }

  /// p = proximal(v, y, s) minimises ℓ(p) + (p − v)²/(2s). Compares p with the scores and with
  /// points around p, near and far. The loss need not be convex.
  Finding proximal_is_optimal(double v, double y) const {
    for (const double s : options.steps) {
      const double answer = loss.proximal(v, y, s);
      const double pull = (answer - v) / s;
      const double best = value(answer, y) + pull * (answer - v) / 2;
      const double scale = std::abs(answer) + std::abs(v) + std::abs(y) + 1;
      Range near;
      for (const double side : {-1e-6, 0.0, 1e-6}) near.include(value(answer + side * scale, y));
      const double steepness = std::abs(pull) + near.width() / (1e-6 * scale);
      const double rounding = 16 * epsilon * (std::abs(best) + scale * steepness);
      std::vector<double> others = scores_for(y, options);
      for (double distance = 1; distance > 1e-6; distance /= 8)
        for (const double side : {-distance, distance})
          others.push_back(answer + side * (std::abs(answer) + std::abs(pull * s)));
      for (const double p : others)
        if (!(best <= value(p, y) + (p - v) * (p - v) / (2 * s) + rounding))
          return written("the proximal step of size ", s, " from score ", v, " goes to ", answer,
                         " and ", p, " is better");
    }
    return std::nullopt;
  }

  /// ℓ(p) is the sum over the dual boxes of the largest u·(p − at) − curvature/2·u² for u in [low,
  /// high]. low and high are finite, and low ≤ 0 ≤ high.
  Finding dual_boxes_make_the_value(double p, double y) const {
    double sum = 0;
    double size = 0;
    for (const DualBox& box : loss.dual_boxes(y)) {
      if (!(std::isfinite(box.low) && std::isfinite(box.high) && box.low <= 0 && box.high >= 0))
        return written("a dual box from ", box.low, " to ", box.high);
      const double r = p - box.at;
      double u = r > 0 ? box.high : box.low;
      if (box.curvature > 0) u = std::min(std::max(r / box.curvature, box.low), box.high);
      sum += u * (r - box.curvature / 2 * u);
      size += std::abs(u) * (std::abs(p) + std::abs(box.at) + box.curvature * std::abs(u));
    }
    const double expected = value(p, y);
    if (std::isfinite(expected) && !(std::abs(sum - expected) <= 64 * epsilon * (size + 1)))
      return written("the value at score ", p, " is ", expected, ", of the dual boxes ", sum);
    return std::nullopt;
  }

  /// conjugate(u) + ℓ(q) ≥ u·q for all finite slopes and scores (Fenchel and Young), with equality
  /// for u = ℓ′(q) if the loss is convex. The tolerance allows for terms of size 1 that cancel.
  Finding fenchel_young(double p, double y) const {
    const auto wrong = [&](double u, double q, bool equal) -> Finding {
      const double conjugate = loss.conjugate(u, y);
      const double at_q = value(q, y);
      if (std::isinf(at_q) || std::isinf(u * q)) return std::nullopt;
      const double excess = conjugate + at_q - u * q;
      const double rounding =
          64 * epsilon * (std::abs(at_q) + std::abs(u) * (std::abs(q) + std::abs(y) + 1) + u * u) +
          4 * epsilon;
      if (excess >= -rounding && (!equal || excess <= rounding)) return std::nullopt;
      return written("at slope ", u, " and score ", q, " conjugate plus value is ",
                     conjugate + at_q, equal ? ", not slope times score, " : ", below ", u * q);
    };
    const double slope = derivative(p, y);
    if (options.convex && std::isfinite(slope))
      if (auto message = wrong(slope, p, true)) return message;
    for (const double u : options.slopes)
      if (auto message = wrong(u, p, false)) return message;
    for (const double q : scores_for(y, options))
      if (std::isfinite(slope))
        if (auto message = wrong(slope, q, false)) return message;
    return std::nullopt;
  }

  /// Value, derivatives, proximal step and conjugate agree in float and double, up to roundings.
  Finding float_agrees_with_double(double p, double target) const {
    const auto y = static_cast<double>(static_cast<float>(target));
    const double size = std::abs(y) + 1;
    constexpr double rounding = static_cast<double>(8 * std::numeric_limits<float>::epsilon());
    Finding message;
    const auto compare = [&](std::string_view what, double at, double extra, const auto& f) {
      if (!message)
        message = float_mismatch(
            what, [&](auto x) { return f(x, static_cast<decltype(x)>(y)); }, static_cast<float>(at),
            size, extra);
    };
    compare("value", p, 0, [&](auto q, auto t) { return loss.value(q, t); });
    if constexpr (DifferentiableLoss<L>)
      compare("derivative", p, 0, [&](auto q, auto t) { return loss.derivative(q, t); });
    if constexpr (CurvedLoss<L>)
      compare("second derivative", p, 0,
              [&](auto q, auto t) { return loss.second_derivative(q, t); });
    if constexpr (ProximalLoss<L>)
      for (const double s : options.steps)
        compare("proximal step", p, rounding * (std::abs(p) + size), [&](auto v, auto t) {
          return loss.proximal(v, t, static_cast<decltype(v)>(static_cast<float>(s)));
        });
    if constexpr (ConjugateLoss<L>)
      for (const double u : options.slopes)
        compare("conjugate", u, rounding * std::abs(u) * size,
                [&](auto v, auto t) { return loss.conjugate(v, t); });
    return message;
  }
};

/// Throws std::invalid_argument if there is no target or no score, or for an invalid target.
template <Loss L>
void require_targets(const L& loss, const std::vector<double>& targets,
                     const LossOptions& options) {
  require(!targets.empty() && !options.scores.empty(), "check::loss: given ", targets.size(),
          " targets and ", options.scores.size(), " scores");
  for (const double y : targets)
    require(is_valid_target(loss, y), "check::loss: ", name_of(loss), " takes ", targets_of(loss),
            " as target, not ", y);
}

}  // namespace detail

/// Returns the first violation of each law that applies to the loss, because of its members or of
/// the properties that it declares. If is_valid() is false, returns only this violation. In a test:
/// `REQUIRE(linea::check::loss(Cauchy{}, {-2, 0.5}, {.convex = false}).empty())`. Throws
/// std::invalid_argument if `targets` or `options.scores` is empty, or for an invalid target.
template <Loss L>
std::vector<Violation> loss(const L& loss, const std::vector<double>& targets,
                            const LossOptions& options = {}) {
  using Laws = detail::LossLaws<L>;
  std::vector<Violation> found;
  const Laws laws{loss, options};
  const auto add = [&](std::string_view law, auto member) {
    for (const double y : targets)
      for (const double p : detail::scores_for(y, options))
        if (const auto message = (laws.*member)(p, y))
          return detail::add(found, law,
                             detail::written(name_of(loss), " with target ", y, ": ", *message));
  };
  if (!linea::detail::has_valid_parameters(loss))
    return {{"is_valid", detail::written(name_of(loss), " calls its own parameters not valid")}};
  detail::require_targets(loss, targets, options);
  const bool convex = options.convex || is_convex_loss<L>;
  add("nan_in_nan_out", &Laws::nan_in_nan_out);
  add("float_agrees_with_double", &Laws::float_agrees_with_double);
  if constexpr (is_residual_loss<L>) add("is_of_residual", &Laws::is_of_residual);
  if (convex) add("is_convex", &Laws::is_convex);
  if constexpr (DifferentiableLoss<L>) {
    add("derivative_matches_value", &Laws::derivative_matches_value);
    if (convex) add("subgradient_inequality", &Laws::subgradient_inequality);
  }
  if constexpr (KinklessLoss<L> && DifferentiableLoss<L>) add("is_smooth", &Laws::is_smooth);
  if constexpr (CurvedLoss<L>)
    add("second_derivative_matches_derivative", &Laws::second_derivative_matches_derivative);
  if constexpr (SmoothLoss<L>) add("curvature_bound_holds", &Laws::curvature_bound_holds);
  if constexpr (ProximalLoss<L>) add("proximal_is_optimal", &Laws::proximal_is_optimal);
  if constexpr (BoxLoss<L>) add("dual_boxes_make_the_value", &Laws::dual_boxes_make_the_value);
  if constexpr (ConjugateLoss<L> && DifferentiableLoss<L>)
    add("fenchel_young", &Laws::fenchel_young);
  return found;
}

}  // namespace linea::check
