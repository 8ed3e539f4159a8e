// SPDX-License-Identifier: MIT
#pragma once
/// \file What an activation is: the function g that turns a score into a prediction, and the
/// concepts that say how smooth it is.
///
/// An activation is a copyable struct with no base class, its parameters doubles with defaults, its
/// methods templated on the scalar. p is the score ⟨w, x⟩ + b. The value at a score that is not a
/// number is not a number.
///
/// | expression             | meaning                              | concept                  |
/// |------------------------|--------------------------------------|--------------------------|
/// | g.value(p)             | g(p)                                 | Activation               |
/// | g.derivative(p)        | g′(p), at a kink any slope between   | DifferentiableActivation |
/// | g.second_derivative(p) | g″(p), 0 where it does not exist     | CurvedActivation         |
/// | g.is_valid()           | are its parameters allowed? else yes | checked at the door      |
/// | G::name                | what messages call it                | messages                 |
#include <concepts>
#include <linea/core/compiler.hpp>
#include <string_view>

namespace linea {

template <class G>
concept Activation = std::copyable<G> && requires(const G& activation, double score) {
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

/// The activation's name in messages: lower case with dashes.
template <Activation G>
constexpr std::string_view name_of(const G&) {
  if constexpr (requires { G::name; })
    return G::name;
  else
    return "the activation";
}

}  // namespace linea
