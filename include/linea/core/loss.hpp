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
/// | Loss::is_convex, is_smooth,  | facts, see the table below              | KinklessLoss       |
/// | is_of_residual               |                                         |                    |
/// | Loss::name, Loss::targets    | what messages call it and its targets   | messages           |
///
/// Of a loss that is chosen at run time, see losses/any_loss.hpp, name(), targets() and
/// is_of_residual() are member functions.
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

/// A loss that is chosen at run time: loss.visit(f) answers f(that loss).
template <class L>
concept ChosenLoss = Loss<L> && L::is_chosen_at_run_time;

/// Whether the loss takes y as a target: its own answer where it gives one, else any finite number.
template <Loss L, class T>
constexpr bool is_valid_target(const L& loss, T y) {
  if constexpr (requires { loss.is_valid_target(y); })
    return loss.is_valid_target(y);
  else
    return std::isfinite(y);
}

/// The loss's name in messages and programs: lower case with dashes.
template <Loss L>
constexpr std::string_view name_of([[maybe_unused]] const L& loss) {
  if constexpr (requires { loss.name(); })
    return loss.name();
  else if constexpr (requires { L::name; })
    return L::name;
  else
    return "the loss";
}

/// The targets the loss takes, in words.
template <Loss L>
constexpr std::string_view targets_of([[maybe_unused]] const L& loss) {
  if constexpr (requires { loss.targets(); })
    return loss.targets();
  else if constexpr (requires { L::targets; })
    return L::targets;
  else
    return "a finite number";
}

// Facts of a loss as a function of the score, which the loss states and optimizers go by.
//
// | statement         | meaning                                 | a loss that states nothing     |
// |-------------------|-----------------------------------------|--------------------------------|
// | L::is_convex      | convex for every target                 | true where it has a conjugate  |
// | L::is_smooth      | ℓ′ is continuous: the loss has no kinks | true; state false if there are |
// | L::is_of_residual | ℓ(p + t, y + t) = ℓ(p, y) for every t   | false                          |
//
// All are `static constexpr bool`.
//
// check::loss tries them out. A loss that has more members (a proximal step, say) has the same
// facts as before.

/// Is the loss known to be convex? Its own statement, or whether it has a conjugate.
template <Loss L>
inline constexpr bool is_convex_loss = ConjugateLoss<L>;
template <Loss L>
  requires requires { L::is_convex; }
inline constexpr bool is_convex_loss<L> = L::is_convex;

/// Is the loss taken to be without kinks? Its own statement, or true.
template <Loss L>
inline constexpr bool is_smooth_loss = true;
template <Loss L>
  requires requires { L::is_smooth; }
inline constexpr bool is_smooth_loss<L> = L::is_smooth;

/// Is the loss a function of p − y alone? Then targets may be moved together with a free offset.
template <Loss L>
inline constexpr bool is_residual_loss = false;
template <Loss L>
  requires requires { L::is_of_residual; }
inline constexpr bool is_residual_loss<L> = L::is_of_residual;

/// The same of a loss whose type may leave it open.
template <Loss L>
constexpr bool is_of_residual([[maybe_unused]] const L& loss) {
  if constexpr (requires { loss.is_of_residual(); })
    return loss.is_of_residual();
  else
    return is_residual_loss<L>;
}

/// Does the loss take −1 and +1 for targets, and nothing else? It does where it states
/// `targets` = "-1 or +1".
template <Loss L>
inline constexpr bool is_loss_of_labels = false;
template <Loss L>
  requires requires { L::targets; }
inline constexpr bool is_loss_of_labels<L> = std::string_view(L::targets) == "-1 or +1";

/// The same of a loss whose type may leave it open.
template <Loss L>
constexpr bool takes_labels(const L& loss) {
  return targets_of(loss) == "-1 or +1";
}

/// A loss with a continuous derivative, as methods with line searches need it: it must not state
/// is_smooth = false.
template <class L>
concept KinklessLoss = DifferentiableLoss<L> && is_smooth_loss<L>;

/// A function of the score p, max over u in [low, high] of u·(p − at) − curvature/2·u². Its
/// conjugate is at·u + curvature/2·u² for u in [low, high]. With curvature 0 it is low·(p − at)
/// below `at` and high·(p − at) above; a curvature makes a parabola of the kink.
struct DualBox {
  double low;           ///< the least slope, ≤ 0 and finite
  double high;          ///< the largest slope, ≥ 0 and finite
  double at;            ///< where the function is 0
  double curvature{0};  ///< ≥ 0
};

/// A loss that is a sum of a few such functions: loss.dual_boxes(y) is a std::array of them for
/// target y, or another range, without elements where the loss is no such sum after all. Squared
/// and squared hinge loss are not: their slopes have no bounds.
template <class L>
concept BoxLoss = DifferentiableLoss<L> && ConjugateLoss<L> && requires(const L& loss, double y) {
  { loss.dual_boxes(y)[0] } -> std::convertible_to<DualBox>;
  loss.dual_boxes(y).size();
};

/// A loss that is one such function with a curvature above 0, and on one side a parabola without
/// end: loss.open_box(y) for target y, of which `low` or `high` may be infinite. A NaN for `at`:
/// the loss is none after all.
template <class L>
concept OpenBoxLoss = DifferentiableLoss<L> && ConjugateLoss<L> &&
    requires(const L& loss, double y) {
  { loss.open_box(y) } -> std::convertible_to<DualBox>;
};

/// Is the loss a sum of dual boxes? Where `L` is a BoxLoss that is chosen at run time, it may not
/// be.
template <Loss L>
constexpr bool has_dual_boxes([[maybe_unused]] const L& loss) {
  if constexpr (BoxLoss<L>)
    return loss.dual_boxes(1.0).size() > 0;
  else
    return false;
}

/// Is the loss an open box? The same of an OpenBoxLoss.
template <Loss L>
constexpr bool has_open_box([[maybe_unused]] const L& loss) {
  if constexpr (OpenBoxLoss<L>) {
    const double at = loss.open_box(1.0).at;
    return at == at;
  } else {
    return false;
  }
}

}  // namespace linea
