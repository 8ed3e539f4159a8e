// SPDX-License-Identifier: MIT
#pragma once
/// \file Validation of the parameters of losses, penalties and activations.
///
/// | expression         | meaning                          | default             |
/// |--------------------|----------------------------------|---------------------|
/// | owner.is_valid()   | are all parameters valid?        | true                |
/// | owner.parameters() | the text "name = value, …"       | "a parameter"       |
/// | Owner::domain      | the valid parameters in words    | "out of its domain" |
#include <linea/core/activation.hpp>  // name_of, for activations in any namespace
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>

namespace linea {
namespace detail {

template <class P>
constexpr bool has_valid_parameters(const P& owner) {
  if constexpr (requires { owner.is_valid(); })
    return owner.is_valid();
  else
    return true;
}

/// Returns "name = value, …": parameter_text("l1", 0.5, "l2", 1.0) is "l1 = 0.5, l2 = 1".
template <class... Rest>
std::string parameter_text(std::string_view name, double value, const Rest&... rest) {
  std::string text = detail::text_of({name, " = ", value});
  if constexpr (sizeof...(rest) > 0) text += ", " + parameter_text(rest...);
  return text;
}

template <class P>
std::string parameters_of(const P& owner) {
  std::string text;
  if constexpr (requires { owner.parameters(); }) text = owner.parameters();
  return text.empty() ? "a parameter" : text;
}

/// Returns "name, parameters" of a loss, a penalty or an activation, or "name" if it has no
/// parameters. Other texts may stand before and after the parameters.
template <class P>
std::string described(const P& part, std::string_view before = ", ", std::string_view after = "") {
  std::string text(name_of(part));
  if constexpr (requires { part.parameters(); })
    if (const std::string own = part.parameters(); !own.empty())
      text.append(before).append(own).append(after);
  return text;
}

/// Throws when is_valid() of `owner` is false. `kind` is "loss" or "penalty".
template <class P>
void require_valid_parameters(std::string_view function, std::string_view kind, const P& owner) {
  if (has_valid_parameters(owner)) [[likely]]
    return;
  if constexpr (requires { P::domain; })
    refuse(function, ": the ", kind, "'s ", parameters_of(owner), " must be ", P::domain);
  else if (const std::string_view name = name_of(owner); name.starts_with("the "))  // has no name
    refuse(function, ": ", parameters_of(owner), " of ", name, " is out of its domain");
  else
    refuse(function, ": ", parameters_of(owner), " of the ", kind, " ", name,
           " is out of its domain");
}

/// Throws when a parameter of a penalty on d weights is not valid.
template <class P>
void require_valid_penalty(std::string_view function, const P& penalty, Index d) {
  require_valid_parameters(function, "penalty", penalty);
  if constexpr (requires { penalty.validate(function, d); }) penalty.validate(function, d);
}

/// Throws when a parameter of an objective for d weights is not valid.
template <class O>
void require_valid(std::string_view function, const O& objective, Index d) {
  require_valid_parameters(function, "loss", objective.loss);
  require_valid_penalty(function, objective.penalty, d);
}

}  // namespace detail
}  // namespace linea
