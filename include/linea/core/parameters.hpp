// SPDX-License-Identifier: MIT
#pragma once
/// \file Validation of the parameters of losses, penalties and activations, and of lists of λ.
///
/// | expression         | meaning                          | default             |
/// |--------------------|----------------------------------|---------------------|
/// | owner.is_valid()   | are all parameters valid?        | true                |
/// | owner.parameters() | the text "name = value, …"       | "a parameter"       |
/// | Owner::domain      | the valid parameters in words    | "out of its domain" |
#include <cmath>                      // abs, exp, isfinite, isnan, log
#include <linea/core/activation.hpp>  // name_of, for activations in any namespace
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace linea {

/// Returns `count` numbers in geometric progression, with `first` as the first number and `last` as
/// the last. Throws std::invalid_argument unless `first` and `last` are positive and finite, and
/// count ≥ 2 (or count = 1 and first = last).
inline std::vector<double> log_spaced(double first, double last, Index count) {
  require(std::isfinite(first) && first > 0 && std::isfinite(last) && last > 0, "log_spaced: from ",
          first, " to ", last, ", but both must be finite and > 0");
  require(count >= 2 || (count == 1 && first == last), "log_spaced: ", count, " numbers from ",
          first, " to ", last);
  std::vector<double> numbers(static_cast<std::size_t>(count), first);
  const double steps = static_cast<double>(count - 1);
  for (Index k = 1; k < count; ++k) {
    const double share = static_cast<double>(k) / steps;
    numbers[static_cast<std::size_t>(k)] =
        k + 1 < count ? std::exp((1 - share) * std::log(first) + share * std::log(last)) : last;
  }
  return numbers;
}

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

/// Returns "name, parameters" of a penalty inside another penalty, or "name" if the inner penalty
/// has no parameters.
template <class P>
std::string described(const P& part) {
  std::string text(name_of(part));
  if constexpr (requires { part.parameters(); })
    if (const std::string own = part.parameters(); !own.empty()) text += ", " + own;
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

/// Throws when a λ is negative or not finite. The message contains the index of this λ, from 0.
inline void require_lambdas(std::string_view function, const std::vector<double>& lambdas) {
  for (std::size_t k = 0; k < lambdas.size(); ++k)
    require(std::isfinite(lambdas[k]) && lambdas[k] >= 0, function, ": lambda ", k, " is ",
            lambdas[k], ", but must be finite and >= 0");
}

/// Returns the index of the largest λ whose error equals the least error up to rounding. Error k
/// has a rounding error of at most roundings[k] ≥ 0; errors j and k count as equal if they differ
/// by at most roundings[j] + roundings[k]. NaN counts as larger than every number.
template <class Errors>
Index best_lambda(const std::vector<double>& lambdas, const Errors& errors,
                  const Errors& roundings) {
  Index least = 0;
  for (Index k = 1; k < errors.size(); ++k)
    if (errors[k] < errors[least] || (std::isnan(errors[least]) && !std::isnan(errors[k])))
      least = k;
  Index best = least;
  for (Index k = 0; k < errors.size(); ++k)
    if (errors[k] <= errors[least] + (roundings[k] + roundings[least]) &&
        lambdas[static_cast<std::size_t>(k)] > lambdas[static_cast<std::size_t>(best)])
      best = k;
  return best;
}

/// Returns whether a λ outside the range of `lambdas` may be better. The conditions are that
/// lambdas[best] is positive, that it is the least or the largest of at least two different λ, and
/// that every other error exceeds errors[best] by more than a millionth of |errors[best]|.
template <class Errors>
bool is_at_edge(const std::vector<double>& lambdas, const Errors& errors, Index best) {
  const double chosen = lambdas[static_cast<std::size_t>(best)];
  bool is_least = true;
  bool is_largest = true;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    is_least = is_least && chosen <= lambdas[k];
    is_largest = is_largest && chosen >= lambdas[k];
    const auto other = static_cast<Index>(k);
    if (other != best && errors[other] - errors[best] <= 1e-6 * std::abs(errors[best]))
      return false;
  }
  return is_least != is_largest && chosen > 0;
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
