// SPDX-License-Identifier: MIT
#pragma once
/// \file The concepts of activations. An activation g turns a score into a prediction.
///
/// An activation is a copyable struct with no base class. Its parameters are doubles with defaults,
/// and its methods are templated on the scalar. p is the score ⟨w, x⟩ + b. g(NaN) must be NaN.
///
/// | expression             | meaning                               | concept                  |
/// |------------------------|---------------------------------------|--------------------------|
/// | g.value(p)             | g(p)                                  | Activation               |
/// | g.derivative(p)        | g′(p); between both slopes at a kink  | DifferentiableActivation |
/// | g.second_derivative(p) | g″(p); 0 where it does not exist      | CurvedActivation         |
/// | g.is_valid()           | optional: are the parameters valid?   | input validation         |
/// | g.parameters()         | optional: the text "name = value, …"  | messages                 |
/// | G::name                | optional: the name of the activation  | messages                 |
#include <concepts>
#include <linea/core/types.hpp>
#include <string_view>

namespace linea {

template <class G>
concept Activation = detail::Copyable<G> && requires(const G& activation, double score) {
  { activation.value(score) } -> std::convertible_to<double>;
};

template <class G>
concept DifferentiableActivation = Activation<G> && requires(const G& activation, double score) {
  { activation.derivative(score) } -> std::convertible_to<double>;
};

template <class G>
concept CurvedActivation = DifferentiableActivation<G> &&
    requires(const G& activation, double score) {
  { activation.second_derivative(score) } -> std::convertible_to<double>;
};

/// Returns G::name, the name in messages (lower case with dashes), or "the activation" if G has no
/// name.
template <Activation G>
constexpr std::string_view name_of(const G&) {
  if constexpr (requires { G::name; })
    return G::name;
  else
    return "the activation";
}

}  // namespace linea
