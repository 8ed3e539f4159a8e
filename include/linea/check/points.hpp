// SPDX-License-Identifier: MIT
#pragma once
/// \file Violations of laws, and the points at which laws are tested.
#include <algorithm>  // max, min
#include <cmath>      // abs, isfinite, isinf, isnan
#include <limits>
#include <linea/core/loss.hpp>
#include <linea/core/text_stream.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace linea::check {

/// A violation of a law: the name of the law, and a message with the place and the numbers.
struct Violation {
  std::string law;
  std::string message;

  friend bool operator==(const Violation&, const Violation&) = default;

  friend std::ostream& operator<<(std::ostream& out, const Violation& violation) {
    return out << violation.law << ": " << violation.message;
  }
};

namespace detail {

/// A message about a violation, or nothing.
using Finding = std::optional<std::string>;

/// Adds a violation of `law` if there is a message.
inline void add(std::vector<Violation>& found, std::string_view law, const Finding& message) {
  if (message) found.push_back({std::string(law), *message});
}

/// Returns the texts of all parts one after another. Numbers have 17 significant digits.
template <class... Parts>
std::string written(const Parts&... parts) {
  linea::detail::TextStream text;
  text.precision(17);
  (text << ... << parts);
  return text.str();
}

}  // namespace detail

struct LossOptions {
  /// False omits the laws of convex losses, unless the loss states that it is convex, or has a
  /// conjugate and states nothing.
  bool convex{true};
  /// Scores to test, as they are and as distances from the target. Include the kinks of your loss.
  std::vector<double> scores{-100, -50, -30,  -20,  -10,  -5,   -3,   -2,   -1.62, -1.5,
                             -1.1, -1,  -0.9, -.75, -0.5, -.37, -0.2, -0.1, -1e-3, 0,
                             1e-3, 0.1, 0.2,  .37,  0.5,  .75,  0.9,  1,    1.1,   1.5,
                             1.62, 2,   3,    5,    10,   20,   30,   50,   100};
  /// Slopes u at which to test conjugates.
  std::vector<double> slopes{-5, -2,  -1.5, -1, -.9, -.75, -.5, -.37, -.25, -.1, 0,
                             .1, .25, .37,  .5, .75, .9,   1,   1.5,  2,    5};
  /// Step sizes s at which to test proximal steps.
  std::vector<double> steps{0.01, 0.1, 0.5, 1, 2, 10, 100, 1e4};
};

namespace detail {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Returns the scores to test with this target.
inline std::vector<double> scores_for(double target, const LossOptions& options) {
  std::vector<double> scores = options.scores;
  for (const double distance : options.scores) scores.push_back(target + distance);
  return scores;
}

struct Range {
  double low{std::numeric_limits<double>::infinity()};
  double high{-std::numeric_limits<double>::infinity()};

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double width() const { return high - low; }
  double size() const { return std::max(std::abs(low), std::abs(high)); }
  bool contains(double value, double slack) const {
    return value >= low - slack && value <= high + slack;
  }
};

/// Tests whether f(p) is NaN if and only if p is NaN.
template <class F>
Finding nan_mismatch(const F& f, double p) {
  if (std::isnan(f(p))) return written("the value at score ", p, " is NaN");
  const double hidden = f(std::numeric_limits<double>::quiet_NaN());
  if (!std::isnan(hidden)) return written("the value at score NaN is ", hidden);
  return std::nullopt;
}

/// Tests whether g is the derivative of f around `at`. f may have kinks and need not be convex. The
/// slope of f over a short interval beside `at` must lie between the least and the largest value of
/// g in the interval (mean value theorem, with one-sided derivatives at kinks). g(at) must lie in
/// the range of the values of g on both sides, widened by its width. `size` is the size of the
/// numbers that f computes with, which determines its rounding error. Skips infinite values.
template <class F, class G>
Finding slope_mismatch(const F& f, const G& g, double at, double size) {
  constexpr double places[] = {0,    0x1p-24,    0x1p-16,     0x1p-8,      0.25, 0.5,
                               0.75, 1 - 0x1p-8, 1 - 0x1p-16, 1 - 0x1p-24, 1};
  const double length = 0x1p-13 * std::max(1.0, std::abs(at));
  const double here = g(at);
  Range around;
  for (const double side : {-length, length}) {
    Range range;
    for (const double place : places) {
      const double value = g(at + place * side);
      if (std::isnan(value)) return written("the derivative at ", at + place * side, " is NaN");
      range.include(value);
      if (place > 0) around.include(value);
    }
    const double end = at + side;
    const double difference = f(end) - f(at);
    if (!std::isfinite(difference) || !std::isfinite(range.width())) continue;
    const double slope = difference / (end - at);
    const double rounding =
        16 * epsilon / length *
        (std::abs(f(end)) + std::abs(f(at)) + (size + std::abs(at)) * range.size());
    if (!range.contains(slope, rounding + 1e-9 * range.size()))
      return written("from score ", at, " to ", end, " the slope is ", slope,
                     ", the derivative between ", range.low, " and ", range.high);
  }
  if (std::isfinite(around.width()) &&
      !around.contains(here, around.width() + 1e-6 * around.size()))
    return written("at score ", at, " the derivative is ", here, ", beside it between ", around.low,
                   " and ", around.high);
  return std::nullopt;
}

/// Tests whether f(x), computed in float, is among the values of f in double within a few roundings
/// of x, as at a kink; elsewhere the relative error must be small. `size` is the size of the
/// numbers in the computation, and `extra` an additional absolute error that is allowed.
template <class F>
Finding float_mismatch(std::string_view what, const F& f, float x, double size, double extra = 0) {
  constexpr double rounding = static_cast<double>(std::numeric_limits<float>::epsilon());
  constexpr double largest = static_cast<double>(std::numeric_limits<float>::max() / 16);
  constexpr double smallest = static_cast<double>(std::numeric_limits<float>::min());
  const auto at = static_cast<double>(x);
  const double reach = 16 * rounding * (std::abs(at) + size);
  Range range;
  bool infinite = false;
  for (const double place : {-1.0, -0.5, -0.0625, 0.0, 0.0625, 0.5, 1.0}) {
    const auto value = static_cast<double>(f(at + place * reach));
    if (std::isnan(value)) return written("the ", what, " at ", at + place * reach, " is NaN");
    if (std::isinf(value))
      infinite = true;
    else
      range.include(value);
  }
  const auto answer = static_cast<double>(f(x));
  const auto differs = [&] {
    return written("the ", what, " at ", at, " is ", answer, " in float and ", f(at), " in double");
  };
  const bool finite = range.low <= range.high;
  if (finite && range.size() > largest) return std::nullopt;
  if (std::isinf(answer) || !finite)
    return std::isinf(answer) && infinite ? std::nullopt : std::optional(differs());
  // At the edge of a domain a part of the range is missing, so twice its width is allowed.
  const double missing = infinite ? range.width() : 0;
  if (range.contains(answer, missing + 32 * rounding * range.size() + smallest + extra))
    return std::nullopt;
  return differs();
}

}  // namespace detail
}  // namespace linea::check
