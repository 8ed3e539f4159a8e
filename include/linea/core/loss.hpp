// SPDX-License-Identifier: MIT
#pragma once
/// \file What a loss is, and what it may offer beyond: the concepts that optimizers ask for.
///
/// A loss is a copyable struct with no base class, its parameters doubles with defaults. p is the
/// score ⟨w, x⟩ + b, y the target; derivatives are with respect to p and carry their true sign. The
/// value at a score that is not a number is not a number, or a run gone wrong would look perfect. A
/// loss of predictions g(p) rather than of scores goes into Composed, losses/composed.hpp.
///
/// | expression                   | meaning                                 | concept            |
/// |------------------------------|-----------------------------------------|--------------------|
/// | loss.value(p, y)             | ℓ(p, y)                                 | Loss               |
/// | loss.derivative(p, y)        | one element of ∂ℓ/∂p                    | DifferentiableLoss |
/// | loss.curvature_bound()       | sup ℓ″, a double                        | SmoothLoss         |
/// | loss.second_derivative(p, y) | ℓ″(p, y), 0 where it does not exist     | CurvedLoss         |
/// | loss.proximal(v, y, s)       | argmin over p, ℓ(p, y) + (p − v)²/(2s)  | ProximalLoss       |
/// | loss.conjugate(u, y)         | sup over p, u·p − ℓ(p, y), ∞ off domain | ConjugateLoss      |
/// | loss.dual_boxes(y)           | ℓ* where it is of second degree, on box | BoxLoss            |
/// | loss.is_valid_target(y)      | may y be a target? (else: any finite y) | the door           |
/// | loss.is_valid()              | are its parameters allowed? (else: yes) | the door           |
/// | loss.parameters()            | a text "name = value, …" of them        | messages           |
/// | Loss::is_convex, is_smooth,  | see loss_facts.hpp                      | KinklessLoss       |
/// | is_of_residual               |                                         |                    |
/// | Loss::name, Loss::targets    | what messages call it and its targets   | messages           |
#include <cmath>  // isfinite
#include <concepts>
#include <linea/core/compiler.hpp>
#include <string_view>

namespace linea {

template <class L>
concept Loss = std::copyable<L> && requires(const L& loss, double score, double target) {
  { loss.value(score, target) } -> std::convertible_to<double>;
};

template <class L>
concept DifferentiableLoss = Loss<L> && requires(const L& loss, double score, double target) {
  { loss.derivative(score, target) } -> std::convertible_to<double>;
};

template <class L>
concept SmoothLoss = DifferentiableLoss<L> && requires(const L& loss) {
  { loss.curvature_bound() } -> std::convertible_to<double>;
};

template <class L>
concept CurvedLoss = DifferentiableLoss<L> && requires(const L& loss, double score, double target) {
  { loss.second_derivative(score, target) } -> std::convertible_to<double>;
};

template <class L>
concept ProximalLoss = Loss<L> && requires(const L& loss, double v, double target, double step) {
  { loss.proximal(v, target, step) } -> std::convertible_to<double>;
};

template <class L>
concept ConjugateLoss = Loss<L> && requires(const L& loss, double slope, double target) {
  { loss.conjugate(slope, target) } -> std::convertible_to<double>;
};

/// Whether the loss takes y as a target: its own answer where it gives one, else any finite number.
template <Loss L, class T>
constexpr bool is_valid_target(const L& loss, T y) {
  if constexpr (requires {
                  { loss.is_valid_target(y) } -> std::convertible_to<bool>;
                })
    return loss.is_valid_target(y);
  else
    return std::isfinite(y);
}

/// The loss's name in messages and programs: lower case with dashes.
template <Loss L>
constexpr std::string_view name_of(const L&) {
  if constexpr (requires {
                  { L::name } -> std::convertible_to<std::string_view>;
                })
    return L::name;
  else
    return "the loss";
}

/// The targets the loss takes, in words.
template <Loss L>
constexpr std::string_view targets_of(const L&) {
  if constexpr (requires {
                  { L::targets } -> std::convertible_to<std::string_view>;
                })
    return L::targets;
  else
    return "a finite number";
}

}  // namespace linea
