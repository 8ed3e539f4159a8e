// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of a loss, its derivatives and its curvature. Each function tries one law at many
/// scores and answers with the first violation it finds, or nothing. It throws
/// std::invalid_argument when `targets` is empty or holds one that the loss does not take.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, isnan
#include <limits>
#include <linea/check/points.hpp>
#include <linea/core/loss.hpp>
#include <optional>
#include <string>
#include <vector>

namespace linea::check {

/// The value is a number exactly where the score is one.
template <Loss L>
std::optional<Violation> nan_in_nan_out(const L& loss, const std::vector<double>& targets,
                                        const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> std::optional<std::string> {
    for (const double p : scores)
      if (std::isnan(static_cast<double>(loss.value(p, y))))
        return detail::written("the value at score ", p, " is NaN");
    const double hidden = loss.value(std::numeric_limits<double>::quiet_NaN(), y);
    if (!std::isnan(hidden)) return detail::written("the value at score NaN is ", hidden);
    return std::nullopt;
  };
  return detail::for_each_target("nan_in_nan_out", loss, targets, options, law);
}

/// ℓ(p + t, y + t) = ℓ(p, y).
template <Loss L>
std::optional<Violation> is_of_residual(const L& loss, const std::vector<double>& targets,
                                        const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> std::optional<std::string> {
    for (const double p : scores)
      for (const double t : {-0.75, 3.0, 64.0}) {
        const double here = loss.value(p, y);
        const double there = loss.value(p + t, y + t);
        const double scale = std::abs(p) + std::abs(y) + std::abs(t) + 1;
        const double rounding = 1e-12 * (scale + std::abs(loss.value(y + scale, y)));
        if (std::isfinite(here) && std::isfinite(there) && std::abs(here - there) > rounding)
          return detail::written("the value at score ", p, " is ", here, " but ", there, " with ",
                                 t,
                                 " added to score and target, but the loss says that it depends on "
                                 "their difference");
      }
    return std::nullopt;
  };
  return detail::for_each_target("is_of_residual", loss, targets, options, law);
}

/// ℓ(a·p + (1 − a)·q) ≤ a·ℓ(p) + (1 − a)·ℓ(q).
template <Loss L>
std::optional<Violation> is_convex(const L& loss, const std::vector<double>& targets,
                                   const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> std::optional<std::string> {
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

/// The derivative is the slope of the value; at kinks it lies between the slopes of the two sides.
/// Holds for losses that are not convex too.
template <DifferentiableLoss L>
std::optional<Violation> derivative_matches_value(const L& loss, const std::vector<double>& targets,
                                                  const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) {
    const auto value = [&](double p) { return static_cast<double>(loss.value(p, y)); };
    const auto derivative = [&](double p) { return static_cast<double>(loss.derivative(p, y)); };
    std::optional<std::string> message;
    for (const double p : scores)
      if (!message) message = detail::slope_mismatch(value, derivative, p, std::abs(y) + 1);
    return message;
  };
  return detail::for_each_target("derivative_matches_value", loss, targets, options, law);
}

/// ℓ(q) ≥ ℓ(p) + ℓ′(p)·(q − p): the derivative is a subgradient, at kinks too. Convex losses only.
template <DifferentiableLoss L>
std::optional<Violation> subgradient_inequality(const L& loss, const std::vector<double>& targets,
                                                const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> std::optional<std::string> {
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

/// ℓ′ does not jump: its change over a short stretch around each score falls with the length of the
/// stretch.
template <DifferentiableLoss L>
std::optional<Violation> is_smooth(const L& loss, const std::vector<double>& targets,
                                   const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> std::optional<std::string> {
    for (const double p : scores) {
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
    }
    return std::nullopt;
  };
  return detail::for_each_target("is_smooth", loss, targets, options, law);
}

/// ℓ″ is the slope of ℓ′, which must not jump: a loss with a kink has no second derivative to
/// offer.
template <CurvedLoss L>
std::optional<Violation> second_derivative_matches_derivative(const L& loss,
                                                              const std::vector<double>& targets,
                                                              const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) {
    const auto first = [&](double p) { return static_cast<double>(loss.derivative(p, y)); };
    const auto second = [&](double p) { return static_cast<double>(loss.second_derivative(p, y)); };
    std::optional<std::string> message;
    for (const double p : scores)
      if (!message) message = detail::slope_mismatch(first, second, p, std::abs(y) + 1);
    return message;
  };
  return detail::for_each_target("second_derivative_matches_derivative", loss, targets, options,
                                 law);
}

namespace detail {

/// The steepest rise of ℓ′ between neighbours 2⁻¹³ and 2⁻²⁰ apart, and where.
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

/// ℓ′ rises no faster than curvature_bound(), within one part in a million, and ℓ″ is no greater.
template <SmoothLoss L>
std::optional<Violation> curvature_bound_holds(const L& loss, const std::vector<double>& targets,
                                               const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> std::optional<std::string> {
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

/// Somewhere ℓ′ does rise by `share` of curvature_bound(), with every target. Not a law: a looser
/// bound is valid too and only makes steps smaller than need be.
template <SmoothLoss L>
std::optional<Violation> curvature_bound_is_tight(const L& loss, const std::vector<double>& targets,
                                                  const LossOptions& options = {},
                                                  double share = 0.99) {
  const auto law = [&](double y, const std::vector<double>& scores) -> std::optional<std::string> {
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

}  // namespace linea::check
