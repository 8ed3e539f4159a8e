// SPDX-License-Identifier: MIT
#pragma once
/// \file A loss computed in float must tell what it tells in double. Arguments, answers and errors
/// as in loss.hpp.
#include <algorithm>  // max
#include <cmath>      // abs, isfinite, isinf, isnan
#include <limits>
#include <linea/check/points.hpp>
#include <linea/core/loss.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linea::check {
namespace detail {

/// Does `single(x)`, computed in float, lie among the values of `exact` within a few roundings of
/// x? That forgives float the side of a kink it takes there, and asks for relative accuracy
/// elsewhere. `size` is the size of the numbers computed with, `extra` an absolute error that is
/// forgiven too.
template <class Single, class Exact>
std::optional<std::string> float_mismatch(std::string_view what, const Single& single,
                                          const Exact& exact, float x, double size,
                                          double extra = 0) {
  constexpr double rounding = std::numeric_limits<float>::epsilon();
  constexpr double largest = std::numeric_limits<float>::max() / 16;
  constexpr double smallest = std::numeric_limits<float>::min();
  const auto at = static_cast<double>(x);
  const double reach = 16 * rounding * (std::abs(at) + size);
  Range range;
  bool infinite = false;
  for (const double place : {-1.0, -0.5, -0.0625, 0.0, 0.0625, 0.5, 1.0}) {
    const auto value = static_cast<double>(exact(at + place * reach));
    if (std::isnan(value)) return written("the ", what, " at ", at + place * reach, " is NaN");
    if (std::isinf(value))
      infinite = true;
    else
      range.include(value);
  }
  const auto answer = static_cast<double>(single(x));
  const auto differs = [&] {
    return written("the ", what, " at ", at, " is ", answer, " in float and ", exact(at),
                   " in double");
  };
  const bool finite = range.low <= range.high;
  if (finite && range.size() > largest) return std::nullopt;
  if (std::isinf(answer) || !finite)
    return std::isinf(answer) && infinite ? std::nullopt : std::optional(differs());
  // At the edge of a domain part of the range is missing: as much again is allowed for.
  const double missing = infinite ? range.width() : 0;
  if (range.contains(answer, missing + 32 * rounding * range.size() + smallest + extra))
    return std::nullopt;
  return differs();
}

}  // namespace detail

/// Everything the loss offers is the same in float as in double, up to roundings of float relative
/// to the result.
template <Loss L>
std::optional<Violation> float_agrees_with_double(const L& loss, const std::vector<double>& targets,
                                                  const LossOptions& options = {}) {
  const auto law = [&](double target, const std::vector<double>& scores) {
    const auto yf = static_cast<float>(target);
    const auto y = static_cast<double>(yf);
    const double size = std::abs(y) + 1;
    std::optional<std::string> message;
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

}  // namespace linea::check
