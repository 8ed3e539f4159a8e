// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of losses: properties that every loss must have. Each function tests one law at many
/// targets and scores and returns the first violation, or nothing.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite, isnan
#include <limits>
#include <linea/check/points.hpp>
#include <linea/core/loss.hpp>
#include <optional>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea::check {

/// Tests that ℓ(p, y) is NaN if and only if p is NaN.
template <Loss L>
std::optional<Violation> nan_in_nan_out(const L& loss, const std::vector<double>& targets,
                                        const LossOptions& options = {}) {
  const auto law = [&](double p, double y) -> detail::Finding {
    if (std::isnan(static_cast<double>(loss.value(p, y))))
      return detail::written("the value at score ", p, " is NaN");
    const double hidden = loss.value(std::numeric_limits<double>::quiet_NaN(), y);
    if (!std::isnan(hidden)) return detail::written("the value at score NaN is ", hidden);
    return std::nullopt;
  };
  return detail::for_each_score("nan_in_nan_out", loss, targets, options, law);
}

/// Tests that ℓ(p + t, y + t) = ℓ(p, y).
template <Loss L>
std::optional<Violation> is_of_residual(const L& loss, const std::vector<double>& targets,
                                        const LossOptions& options = {}) {
  const auto law = [&](double p, double y) -> detail::Finding {
    for (const double t : {-0.75, 3.0, 64.0}) {
      const double here = loss.value(p, y);
      const double there = loss.value(p + t, y + t);
      const double scale = std::abs(p) + std::abs(y) + std::abs(t) + 1;
      const double rounding = 1e-12 * (scale + std::abs(loss.value(y + scale, y)));
      if (std::isfinite(here) && std::isfinite(there) && std::abs(here - there) > rounding)
        return detail::written("the value at score ", p, " is ", here, " but ", there, " with ", t,
                               " added to score and target, but the loss says that it depends on "
                               "their difference");
    }
    return std::nullopt;
  };
  return detail::for_each_score("is_of_residual", loss, targets, options, law);
}

/// Tests that ℓ(a·p + (1 − a)·q) ≤ a·ℓ(p) + (1 − a)·ℓ(q).
template <Loss L>
std::optional<Violation> is_convex(const L& loss, const std::vector<double>& targets,
                                   const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> detail::Finding {
    for (const double p : scores)
      for (const double q : scores)
        for (const double a : {0.25, 0.5}) {
          const double scale = std::abs(p) + std::abs(q) + std::abs(y);
          if (!(q - p > 1e-9 * scale)) continue;
          const double between = a * p + (1 - a) * q;
          const double left = loss.value(p, y);
          const double right = loss.value(q, y);
          const double value = loss.value(between, y);
          const double chord = a * left + (1 - a) * right;
          if (!std::isfinite(chord)) continue;
          const double slope = std::max(std::abs((value - left) / (between - p)),
                                        std::abs((right - value) / (q - between)));
          const double rounding =
              16 * detail::epsilon * (std::abs(left) + std::abs(right) + scale * slope);
          if (!(std::isfinite(value) && value <= chord + rounding))
            return detail::written("the value at score ", between, " is ", value,
                                   ", above the chord from ", p, " to ", q, ", which is ", chord);
        }
    return std::nullopt;
  };
  return detail::for_each_target("is_convex", loss, targets, options, law);
}

/// Tests that ℓ′ is the slope of ℓ, or lies between the one-sided slopes at kinks. ℓ need not be
/// convex.
template <DifferentiableLoss L>
std::optional<Violation> derivative_matches_value(const L& loss, const std::vector<double>& targets,
                                                  const LossOptions& options = {}) {
  const auto law = [&](double at, double y) {
    const auto value = [&](double p) { return static_cast<double>(loss.value(p, y)); };
    const auto derivative = [&](double p) { return static_cast<double>(loss.derivative(p, y)); };
    return detail::slope_mismatch(value, derivative, at, std::abs(y) + 1);
  };
  return detail::for_each_score("derivative_matches_value", loss, targets, options, law);
}

/// Tests that the derivative of a convex loss is a subgradient: ℓ(q) ≥ ℓ(p) + ℓ′(p)·(q − p).
template <DifferentiableLoss L>
std::optional<Violation> subgradient_inequality(const L& loss, const std::vector<double>& targets,
                                                const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> detail::Finding {
    for (const double p : scores)
      for (const double q : scores) {
        const double at_p = loss.value(p, y);
        const double at_q = loss.value(q, y);
        const double slope = loss.derivative(p, y);
        const double line = at_p + slope * (q - p);
        if (std::isinf(at_p) || std::isinf(at_q) || std::isinf(line)) continue;
        const double scale = std::abs(p) + std::abs(q) + std::abs(y) + 1;
        const double rounding =
            16 * detail::epsilon * (std::abs(at_p) + std::abs(at_q) + scale * std::abs(slope));
        if (!(at_q >= line - rounding))
          return detail::written("the value at score ", q, " is ", at_q,
                                 ", below the tangent at score ", p, ", which is ", line);
      }
    return std::nullopt;
  };
  return detail::for_each_target("subgradient_inequality", loss, targets, options, law);
}

/// Tests that ℓ′ has no jumps: its change over an interval around a score shrinks with the
/// interval.
template <DifferentiableLoss L>
std::optional<Violation> is_smooth(const L& loss, const std::vector<double>& targets,
                                   const LossOptions& options = {}) {
  const auto law = [&](double p, double y) -> detail::Finding {
    const double length = 1e-6 * (std::abs(p) + std::abs(y) + 1);
    const auto jump = [&](double h) -> double {
      return std::abs(loss.derivative(p + h, y) - loss.derivative(p - h, y));
    };
    const double wide = jump(length);
    const double narrow = jump(1e-3 * length);
    const double rounding = 1e-8 * std::abs(static_cast<double>(loss.derivative(p, y)));
    if (std::isfinite(wide) && narrow > 0.5 * wide && narrow > 1e-8 + rounding)
      return detail::written("the derivative jumps by ", narrow, " at score ", p,
                             ", but the loss says that it is smooth");
    return std::nullopt;
  };
  return detail::for_each_score("is_smooth", loss, targets, options, law);
}

/// Tests that ℓ″ is the slope of ℓ′ and that ℓ′ has no jumps: a loss with a kink has no ℓ″.
template <CurvedLoss L>
std::optional<Violation> second_derivative_matches_derivative(const L& loss,
                                                              const std::vector<double>& targets,
                                                              const LossOptions& options = {}) {
  const auto law = [&](double at, double y) {
    const auto first = [&](double p) { return static_cast<double>(loss.derivative(p, y)); };
    const auto second = [&](double p) { return static_cast<double>(loss.second_derivative(p, y)); };
    return detail::slope_mismatch(first, second, at, std::abs(y) + 1);
  };
  return detail::for_each_score("second_derivative_matches_derivative", loss, targets, options,
                                law);
}

namespace detail {

/// The steepest rise of ℓ′ between scores that are 2⁻¹³ or 2⁻²⁰ apart, and its score.
struct Steepest {
  double rise{-std::numeric_limits<double>::infinity()};
  double score{0};
};

template <DifferentiableLoss L>
Steepest steepest_rise(const L& loss, double y, const std::vector<double>& scores) {
  Steepest steepest;
  for (const double p : scores)
    for (const double side : {-0x1p-13, 0x1p-13, -0x1p-20, 0x1p-20}) {
      const double q = p + side * std::max(1.0, std::abs(p));
      const double change = static_cast<double>(loss.derivative(q, y) - loss.derivative(p, y));
      const double rise = change / (q - p);
      if (std::isnan(rise) || rise > steepest.rise) steepest = {rise, p};
      if (std::isnan(rise)) return steepest;
    }
  return steepest;
}

}  // namespace detail

/// Tests that ℓ″ and the rise of ℓ′ are at most curvature_bound(), up to one part in a million.
template <SmoothLoss L>
std::optional<Violation> curvature_bound_holds(const L& loss, const std::vector<double>& targets,
                                               const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> detail::Finding {
    const double bound = loss.curvature_bound();
    if (!(std::isfinite(bound) && bound >= 0))
      return detail::written("the curvature bound is ", bound);
    const detail::Steepest steepest = detail::steepest_rise(loss, y, scores);
    if (!(steepest.rise <= bound * (1 + 1e-6)))
      return detail::written("beside score ", steepest.score, " the derivative rises by ",
                             steepest.rise, ", above the curvature bound ", bound);
    if constexpr (CurvedLoss<L>)
      for (const double p : scores)
        if (const double second = loss.second_derivative(p, y); !(second <= bound * (1 + 1e-12)))
          return detail::written("at score ", p, " the second derivative is ", second,
                                 ", above the curvature bound ", bound);
    return std::nullopt;
  };
  return detail::for_each_target("curvature_bound_holds", loss, targets, options, law);
}

/// Tests that for every target ℓ′ somewhere rises by at least `share` of curvature_bound(). This is
/// not a law: a looser bound is also valid, but makes steps shorter than necessary.
template <SmoothLoss L>
std::optional<Violation> curvature_bound_is_tight(const L& loss, const std::vector<double>& targets,
                                                  const LossOptions& options = {},
                                                  double share = 0.99) {
  const auto law = [&](double y, const std::vector<double>& scores) -> detail::Finding {
    const double bound = loss.curvature_bound();
    const detail::Steepest steepest = detail::steepest_rise(loss, y, scores);
    if (!(steepest.rise >= share * bound))
      return detail::written("the derivative rises by no more than ", steepest.rise,
                             " (beside score ", steepest.score, "), the curvature bound is ",
                             bound);
    return std::nullopt;
  };
  return detail::for_each_target("curvature_bound_is_tight", loss, targets, options, law);
}

/// Tests that p = proximal(v, y, s) minimises ℓ(p) + (p − v)²/(2s): compares p with the scores and
/// with points close to p on both sides. The loss need not be convex.
template <ProximalLoss L>
std::optional<Violation> proximal_is_optimal(const L& loss, const std::vector<double>& targets,
                                             const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> detail::Finding {
    for (const double v : scores)
      for (const double s : options.steps) {
        const double answer = loss.proximal(v, y, s);
        const double pull = (answer - v) / s;
        const double best = static_cast<double>(loss.value(answer, y)) + pull * (answer - v) / 2;
        const double scale = std::abs(answer) + std::abs(v) + std::abs(y) + 1;
        detail::Range near;
        for (const double side : {-1e-6, 0.0, 1e-6})
          near.include(loss.value(answer + side * scale, y));
        const double steepness = std::abs(pull) + near.width() / (1e-6 * scale);
        const double rounding = 16 * detail::epsilon * (std::abs(best) + scale * steepness);
        const auto beaten_by = [&](double p) {
          const double other = static_cast<double>(loss.value(p, y)) + (p - v) * (p - v) / (2 * s);
          return !(best <= other + rounding);
        };
        const auto message = [&](double p) {
          return detail::written("the proximal step of size ", s, " from score ", v, " goes to ",
                                 answer, " and ", p, " is better");
        };
        for (const double p : scores)
          if (beaten_by(p)) return message(p);
        for (double distance = 1; distance > 1e-6; distance /= 8)
          for (const double side : {-distance, distance})
            if (const double p = answer + side * (std::abs(answer) + std::abs(pull * s));
                beaten_by(p))
              return message(p);
      }
    return std::nullopt;
  };
  return detail::for_each_target("proximal_is_optimal", loss, targets, options, law);
}

/// Tests that ℓ(p) is the sum of the dual boxes.
template <BoxLoss L>
std::optional<Violation> dual_boxes_make_the_value(const L& loss,
                                                   const std::vector<double>& targets,
                                                   const LossOptions& options = {}) {
  const auto law = [&](double p, double y) -> detail::Finding {
    const double value = loss.value(p, y);
    double sum = 0;
    double size = 0;
    for (const DualBox& box : loss.dual_boxes(y)) {
      if (!(std::isfinite(box.low) && std::isfinite(box.high) && box.low <= 0 && box.high >= 0))
        return detail::written("a dual box from ", box.low, " to ", box.high);
      const double r = p - box.at;
      double u = r > 0 ? box.high : box.low;
      if (box.curvature > 0) u = std::min(std::max(r / box.curvature, box.low), box.high);
      sum += u * (r - box.curvature / 2 * u);
      size += std::abs(u) * (std::abs(p) + std::abs(box.at) + box.curvature * std::abs(u));
    }
    if (std::isfinite(value) && !(std::abs(sum - value) <= 64 * detail::epsilon * (size + 1)))
      return detail::written("the value at score ", p, " is ", value, ", of the dual boxes ", sum);
    return std::nullopt;
  };
  return detail::for_each_score("dual_boxes_make_the_value", loss, targets, options, law);
}

/// Tests that conjugate(u) + ℓ(p) ≥ u·p for all finite slopes and scores (Fenchel and Young), with
/// equality for u = ℓ′(p) if the loss is convex.
template <ConjugateLoss L>
  requires(DifferentiableLoss<L>)
std::optional<Violation> fenchel_young(const L& loss, const std::vector<double>& targets,
                                       const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> detail::Finding {
    const auto wrong = [&](double u, double p, bool equal) -> detail::Finding {
      const double conjugate = loss.conjugate(u, y);
      const double value = loss.value(p, y);
      if (std::isinf(value) || std::isinf(u * p)) return std::nullopt;
      const double excess = conjugate + value - u * p;
      const double rounding =
          64 * detail::epsilon *
          (std::abs(value) + std::abs(u) * (std::abs(p) + std::abs(y) + 1) + u * u);
      if (excess >= -rounding && (!equal || excess <= rounding)) return std::nullopt;
      return detail::written("at slope ", u, " and score ", p, " conjugate plus value is ",
                             conjugate + value, equal ? ", not slope times score, " : ", below ",
                             u * p);
    };
    std::vector<double> slopes = options.slopes;
    for (const double p : scores) {
      const double u = loss.derivative(p, y);
      if (!std::isfinite(u)) continue;
      if (options.convex)
        if (auto message = wrong(u, p, true)) return message;
      slopes.push_back(u);
    }
    for (const double u : slopes)
      for (const double p : scores)
        if (auto message = wrong(u, p, false)) return message;
    return std::nullopt;
  };
  return detail::for_each_target("fenchel_young", loss, targets, options, law);
}

/// Tests that all members of the loss agree in float and double, up to roundings relative to the
/// result.
template <Loss L>
std::optional<Violation> float_agrees_with_double(const L& loss, const std::vector<double>& targets,
                                                  const LossOptions& options = {}) {
  const auto law = [&](double target, const std::vector<double>& scores) {
    const auto yf = static_cast<float>(target);
    const auto y = static_cast<double>(yf);
    const double size = std::abs(y) + 1;
    detail::Finding message;
    const auto compare = [&](std::string_view what, const auto& function, double at,
                             double extra = 0) {
      if (!message)
        message = detail::float_mismatch(
            what, [&](float x) { return function(x, yf); },
            [&](double x) { return function(x, y); }, static_cast<float>(at), size, extra);
    };
    for (const double p : scores) {
      compare(
          "value", [&](auto x, auto t) { return loss.value(x, t); }, p);
      if constexpr (DifferentiableLoss<L>)
        compare(
            "derivative", [&](auto x, auto t) { return loss.derivative(x, t); }, p);
      if constexpr (CurvedLoss<L>)
        compare(
            "second derivative", [&](auto x, auto t) { return loss.second_derivative(x, t); }, p);
      if constexpr (ProximalLoss<L>)
        for (const double s : options.steps) {
          const auto sf = static_cast<float>(s);
          const double error = 8 * std::numeric_limits<float>::epsilon() * (std::abs(p) + size);
          compare(
              "proximal step",
              [&](auto x, auto t) { return loss.proximal(x, t, static_cast<decltype(x)>(sf)); }, p,
              error);
        }
    }
    if constexpr (ConjugateLoss<L>)
      for (const double u : options.slopes) {
        const double error = 8 * std::numeric_limits<float>::epsilon() * std::abs(u) * size;
        compare(
            "conjugate", [&](auto x, auto t) { return loss.conjugate(x, t); }, u, error);
      }
    return message;
  };
  return detail::for_each_target("float_agrees_with_double", loss, targets, options, law);
}

/// Returns the first violation of each law that applies to the members of the loss and to the facts
/// that it states. In a test: `REQUIRE(linea::check::loss(Cauchy{}, {-2, 0.5}, {.convex =
/// false}).empty())`. Throws std::invalid_argument if `targets` is empty or contains a number that
/// is not a target of the loss.
template <Loss L>
std::vector<Violation> loss(const L& loss, const std::vector<double>& targets,
                            const LossOptions& options = {}) {
  std::vector<Violation> found;
  const auto add = [&](std::optional<Violation> violation) {
    if (violation) found.push_back(std::move(*violation));
  };
  if constexpr (requires { loss.is_valid(); })
    if (!loss.is_valid())
      return {{"is_valid", detail::written(name_of(loss), " calls its own parameters not valid")}};
  const bool convex = options.convex || is_convex_loss<L>;
  add(nan_in_nan_out(loss, targets, options));
  add(float_agrees_with_double(loss, targets, options));
  if constexpr (is_residual_loss<L>) add(is_of_residual(loss, targets, options));
  if (convex) add(is_convex(loss, targets, options));
  if constexpr (DifferentiableLoss<L>) {
    add(derivative_matches_value(loss, targets, options));
    if (convex) add(subgradient_inequality(loss, targets, options));
  }
  if constexpr (KinklessLoss<L> && (SmoothLoss<L> || requires { L::is_smooth; }))
    add(is_smooth(loss, targets, options));
  if constexpr (CurvedLoss<L>) add(second_derivative_matches_derivative(loss, targets, options));
  if constexpr (SmoothLoss<L>) add(curvature_bound_holds(loss, targets, options));
  if constexpr (ProximalLoss<L>) add(proximal_is_optimal(loss, targets, options));
  if constexpr (BoxLoss<L>) add(dual_boxes_make_the_value(loss, targets, options));
  if constexpr (ConjugateLoss<L> && DifferentiableLoss<L>)
    add(fenchel_young(loss, targets, options));
  return found;
}

}  // namespace linea::check
