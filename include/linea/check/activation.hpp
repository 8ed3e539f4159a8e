// SPDX-License-Identifier: MIT
#pragma once
/// \file Laws of activations: properties that an activation with given members must have.
#include <linea/check/points.hpp>
#include <linea/core/activation.hpp>
#include <linea/core/parameters.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace linea::check {

struct ActivationOptions {
  /// Scores to test. Include the kinks of your activation.
  std::vector<double> scores{-800, -100, -50, -30, -20,  -10, -5,  -3, -2, -1.5, -1,  -0.9, -.75,
                             -.5,  -.37, -.2, -.1, -.01, 0,   .01, .1, .2, .37,  .5,  .75,  0.9,
                             1,    1.5,  2,   3,   5,    10,  20,  30, 50, 100,  700, 800};
};

namespace detail {

/// The laws of an activation. Each function that returns a Finding tests one law at a score: the
/// Finding is a message about a violation, or nothing.
template <Activation G>
struct ActivationLaws {
  const G& activation;

  double value(double p) const { return static_cast<double>(activation.value(p)); }
  double slope(double p) const { return static_cast<double>(activation.derivative(p)); }

  /// g(p) is NaN if and only if p is NaN.
  Finding nan_in_nan_out(double p) const {
    return nan_mismatch([&](double at) { return value(at); }, p);
  }

  /// g′ is the slope of g, and g has no jumps. At kinks g′ lies between the one-sided slopes.
  Finding derivative_matches_value(double at) const {
    return slope_mismatch([&](double p) { return value(p); }, [&](double p) { return slope(p); },
                          at, 1);
  }

  /// g″ is the slope of g′, and g′ has no jumps: an activation with a kink has no g″.
  Finding second_derivative_matches_derivative(double at) const {
    const auto second = [&](double p) {
      return static_cast<double>(activation.second_derivative(p));
    };
    return slope_mismatch([&](double p) { return slope(p); }, second, at, 1);
  }

  /// Value and derivatives agree in float and double, up to roundings relative to the result.
  Finding float_agrees_with_double(double p) const {
    Finding message;
    const auto compare = [&](std::string_view what, const auto& function) {
      if (!message) message = float_mismatch(what, function, static_cast<float>(p), 0);
    };
    compare("value", [&](auto x) { return activation.value(x); });
    if constexpr (DifferentiableActivation<G>)
      compare("derivative", [&](auto x) { return activation.derivative(x); });
    if constexpr (CurvedActivation<G>)
      compare("second derivative", [&](auto x) { return activation.second_derivative(x); });
    return message;
  }
};

}  // namespace detail

/// Returns the first violation of each law that applies to the members of the activation. If
/// is_valid() is false, returns only this violation. In a test:
/// `REQUIRE(linea::check::activation(Softplus{}).empty())`.
template <Activation G>
std::vector<Violation> activation(const G& activation, const ActivationOptions& options = {}) {
  using Laws = detail::ActivationLaws<G>;
  std::vector<Violation> found;
  const Laws laws{activation};
  const auto add = [&](std::string_view law, auto member) {
    for (const double p : options.scores)
      if (const auto message = (laws.*member)(p))
        return detail::add(found, law, detail::written(name_of(activation), ": ", *message));
  };
  if (!linea::detail::has_valid_parameters(activation))
    return {
        {"is_valid", detail::written(name_of(activation), " calls its own parameters not valid")}};
  add("activation_nan_in_nan_out", &Laws::nan_in_nan_out);
  add("activation_float_agrees_with_double", &Laws::float_agrees_with_double);
  if constexpr (DifferentiableActivation<G>)
    add("activation_derivative_matches_value", &Laws::derivative_matches_value);
  if constexpr (CurvedActivation<G>)
    add("activation_second_derivative_matches_derivative",
        &Laws::second_derivative_matches_derivative);
  return found;
}

}  // namespace linea::check
