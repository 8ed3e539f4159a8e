// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of activations: properties that every activation must have. Each function tests one
/// law at many scores and returns the first violation, or nothing.
#include <cmath>  // isnan
#include <limits>
#include <linea/check/points.hpp>
#include <linea/core/activation.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>  // move
#include <vector>

namespace linea::check {

struct ActivationOptions {
  /// Scores to test. Include the kinks of your activation.
  std::vector<double> scores{-800, -100, -50, -30, -20,  -10, -5,  -3, -2, -1.5, -1,  -0.9, -.75,
                             -.5,  -.37, -.2, -.1, -.01, 0,   .01, .1, .2, .37,  .5,  .75,  0.9,
                             1,    1.5,  2,   3,   5,    10,  20,  30, 50, 100,  700, 800};
};

namespace detail {

/// Calls law(score), which returns a message or nothing, for each score until it returns a message.
template <Activation G, class Law>
std::optional<Violation> for_each_score(std::string_view law_name, const G& activation,
                                        const ActivationOptions& options, const Law& law) {
  for (const double score : options.scores)
    if (Finding message = law(score))
      return Violation{std::string(law_name), written(name_of(activation), ": ", *message)};
  return std::nullopt;
}

}  // namespace detail

/// Tests that g(p) is NaN if and only if p is NaN.
template <Activation G>
std::optional<Violation> activation_nan_in_nan_out(const G& activation,
                                                   const ActivationOptions& options = {}) {
  const double hidden = activation.value(std::numeric_limits<double>::quiet_NaN());
  const auto law = [&](double p) -> detail::Finding {
    if (!std::isnan(hidden)) return detail::written("the value at score NaN is ", hidden);
    if (std::isnan(static_cast<double>(activation.value(p))))
      return detail::written("the value at score ", p, " is NaN");
    return std::nullopt;
  };
  return detail::for_each_score("activation_nan_in_nan_out", activation, options, law);
}

/// Tests that g′ is the slope of g and that g has no jumps. At kinks g′ must lie between the
/// one-sided slopes.
template <DifferentiableActivation G>
std::optional<Violation> activation_derivative_matches_value(
    const G& activation, const ActivationOptions& options = {}) {
  const auto value = [&](double p) { return static_cast<double>(activation.value(p)); };
  const auto derivative = [&](double p) { return static_cast<double>(activation.derivative(p)); };
  const auto law = [&](double p) { return detail::slope_mismatch(value, derivative, p, 1); };
  return detail::for_each_score("activation_derivative_matches_value", activation, options, law);
}

/// Tests that g″ is the slope of g′ and that g′ has no jumps: an activation with a kink has no
/// second derivative.
template <CurvedActivation G>
std::optional<Violation> activation_second_derivative_matches_derivative(
    const G& activation, const ActivationOptions& options = {}) {
  const auto first = [&](double p) { return static_cast<double>(activation.derivative(p)); };
  const auto second = [&](double p) {
    return static_cast<double>(activation.second_derivative(p));
  };
  const auto law = [&](double p) { return detail::slope_mismatch(first, second, p, 1); };
  return detail::for_each_score("activation_second_derivative_matches_derivative", activation,
                                options, law);
}

/// Tests that value and derivatives agree in float and double, up to roundings relative to the
/// result.
template <Activation G>
std::optional<Violation> activation_float_agrees_with_double(
    const G& activation, const ActivationOptions& options = {}) {
  const auto law = [&](double p) {
    detail::Finding message;
    const auto compare = [&](std::string_view what, const auto& function) {
      if (!message)
        message = detail::float_mismatch(what, function, function, static_cast<float>(p), 0);
    };
    compare("value", [&](auto x) { return activation.value(x); });
    if constexpr (DifferentiableActivation<G>)
      compare("derivative", [&](auto x) { return activation.derivative(x); });
    if constexpr (CurvedActivation<G>)
      compare("second derivative", [&](auto x) { return activation.second_derivative(x); });
    return message;
  };
  return detail::for_each_score("activation_float_agrees_with_double", activation, options, law);
}

/// Returns the first violation of each law that applies to the members of the activation. In a
/// test: `REQUIRE(linea::check::activation(Softplus{}).empty())`.
template <Activation G>
std::vector<Violation> activation(const G& activation, const ActivationOptions& options = {}) {
  std::vector<Violation> found;
  const auto add = [&](std::optional<Violation> violation) {
    if (violation) found.push_back(std::move(*violation));
  };
  if constexpr (requires { activation.is_valid(); })
    if (!activation.is_valid())
      return {{"is_valid",
               detail::written(name_of(activation), " calls its own parameters not valid")}};
  add(activation_nan_in_nan_out(activation, options));
  add(activation_float_agrees_with_double(activation, options));
  if constexpr (DifferentiableActivation<G>)
    add(activation_derivative_matches_value(activation, options));
  if constexpr (CurvedActivation<G>)
    add(activation_second_derivative_matches_derivative(activation, options));
  return found;
}

}  // namespace linea::check
