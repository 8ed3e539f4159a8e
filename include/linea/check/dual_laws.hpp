// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of the two things that dual methods ask of a loss: its proximal step and its
/// conjugate. Arguments, answers and errors as in slope_laws.hpp.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite
#include <linea/check/points.hpp>
#include <linea/core/dual_box.hpp>
#include <linea/core/loss.hpp>
#include <optional>
#include <string>
#include <vector>

namespace linea::check {

/// ℓ(p) + (p − v)²/(2s) is no less anywhere than at p = proximal(v, y, s): it is compared with its
/// value at every score tried and close by on both sides. Holds for losses that are not convex too.
template <ProximalLoss L>
std::optional<Violation> proximal_is_optimal(const L& loss, const std::vector<double>& targets,
                                             const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> std::optional<std::string> {
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

/// ℓ(p) is the sum of what the dual boxes say.
template <BoxLoss L>
std::optional<Violation> dual_boxes_make_the_value(const L& loss,
                                                   const std::vector<double>& targets,
                                                   const LossOptions& options = {}) {
  const auto law = [&](double y, const std::vector<double>& scores) -> std::optional<std::string> {
    for (const double p : scores) {
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
        return detail::written("the value at score ", p, " is ", value, ", of the dual boxes ",
                               sum);
    }
    return std::nullopt;
  };
  return detail::for_each_target("dual_boxes_make_the_value", loss, targets, options, law);
}

/// conjugate(u) + ℓ(p) ≥ u·p at every finite slope and score, with equality where u = ℓ′(p) if the
/// loss is convex (Fenchel and Young).
template <class L>
  requires ConjugateLoss<L> && DifferentiableLoss<L> std::optional<Violation> fenchel_young(
      const L& loss, const std::vector<double>& targets, const LossOptions& options = {}) {
    const auto law = [&](double y,
                         const std::vector<double>& scores) -> std::optional<std::string> {
      const auto wrong = [&](double u, double p, bool equal) -> std::optional<std::string> {
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

}  // namespace linea::check
