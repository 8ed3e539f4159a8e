// SPDX-License-Identifier: MIT
#pragma once
/// \file The concepts of losses.
///
/// A loss is a copyable struct with no base class; its parameters are doubles with defaults. p is
/// the score ⟨w, x⟩ + b, y the target. Derivatives are with respect to p. The value at a score of
/// NaN must be NaN, so that a failed run does not seem to have a loss of 0. Composed
/// (losses/composed.hpp) turns a loss of predictions g(p) into a loss of the score.
///
/// | expression                   | meaning                                 | concept            |
/// |------------------------------|-----------------------------------------|--------------------|
/// | loss.value(p, y)             | ℓ(p, y)                                 | Loss               |
/// | loss.derivative(p, y)        | one element of ∂ℓ/∂p                    | DifferentiableLoss |
/// | loss.curvature_bound()       | sup ℓ″, a double                        | SmoothLoss         |
/// | loss.second_derivative(p, y) | ℓ″(p, y); 0 where it does not exist     | CurvedLoss         |
/// | loss.proximal(v, y, s)       | argmin over p, ℓ(p, y) + (p − v)²/(2s)  | ProximalLoss       |
/// | loss.conjugate(u, y)         | sup over p, u·p − ℓ(p, y); ∞ off domain | ConjugateLoss      |
/// | loss.dual_boxes(y)           | the DualBoxes of which ℓ is the sum     | BoxLoss            |
/// | loss.open_box(y)             | the DualBox with an infinite end        | OpenBoxLoss        |
/// | loss.is_valid_target(y)      | may y be a target? default: if finite   | input validation   |
/// | loss.is_valid()              | are the parameters valid? default: yes  | input validation   |
/// | loss.parameters()            | the text "name = value, …"              | messages           |
/// | Loss::is_convex, is_smooth,  | `static constexpr bool` properties,     | KinklessLoss       |
/// | is_of_residual               | which check::loss tests: see below      |                    |
/// | Loss::name, Loss::targets    | the name and the valid targets in words | messages           |
///
/// A loss that is chosen at run time (losses/any_loss.hpp) has member functions name(), targets()
/// and is_of_residual() instead of these three constants.
#include <cmath>  // isfinite
#include <concepts>
#include <linea/core/types.hpp>
#include <string_view>

namespace linea {

template <class L>
concept Loss = detail::Copyable<L> && requires(const L& loss, double score, double target) {
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

/// A loss that is chosen at run time: loss.visit(f) returns f(the chosen loss).
template <class L>
concept ChosenLoss = Loss<L> && L::is_chosen_at_run_time;

/// Returns whether y is a valid target of the loss. Every finite number is valid, unless the loss
/// defines is_valid_target.
template <Loss L, class T>
constexpr bool is_valid_target(const L& loss, T y) {
  if constexpr (requires { loss.is_valid_target(y); })
    return loss.is_valid_target(y);
  else
    return std::isfinite(y);
}

/// Returns the name of the loss in messages and programs (lower case with dashes), or "the loss" if
/// it has no name.
template <Loss L>
constexpr std::string_view name_of([[maybe_unused]] const L& loss) {
  if constexpr (requires { loss.name(); })
    return loss.name();
  else if constexpr (requires { L::name; })
    return L::name;
  else
    return "the loss";
}

/// Returns the valid targets of the loss in words: "a finite number" if the loss does not state
/// `targets`.
template <Loss L>
constexpr std::string_view targets_of([[maybe_unused]] const L& loss) {
  if constexpr (requires { loss.targets(); })
    return loss.targets();
  else if constexpr (requires { L::targets; })
    return L::targets;
  else
    return "a finite number";
}

/// Whether ℓ is convex in the score for every target: L::is_convex or, by default, whether the loss
/// has a conjugate.
template <Loss L>
inline constexpr bool is_convex_loss = ConjugateLoss<L>;
template <Loss L>
  requires requires { L::is_convex; }
inline constexpr bool is_convex_loss<L> = L::is_convex;

/// Whether ℓ′ is continuous: L::is_smooth, by default true. A loss with kinks must state false.
template <Loss L>
inline constexpr bool is_smooth_loss = true;
template <Loss L>
  requires requires { L::is_smooth; }
inline constexpr bool is_smooth_loss<L> = L::is_smooth;

/// Whether the loss is a function of p − y alone: L::is_of_residual, by default false. Adding c to
/// all targets then adds c to the minimising offset.
template <Loss L>
inline constexpr bool is_residual_loss = false;
template <Loss L>
  requires requires { L::is_of_residual; }
inline constexpr bool is_residual_loss<L> = L::is_of_residual;

/// Returns whether the loss, which may be chosen at run time, is a function of p − y alone.
template <Loss L>
constexpr bool is_of_residual([[maybe_unused]] const L& loss) {
  if constexpr (requires { loss.is_of_residual(); })
    return loss.is_of_residual();
  else
    return is_residual_loss<L>;
}

/// Whether −1 and +1 are the only targets of the loss: L::targets is "-1 or +1".
template <Loss L>
inline constexpr bool is_loss_of_labels = false;
template <Loss L>
  requires requires { L::targets; }
inline constexpr bool is_loss_of_labels<L> = std::string_view(L::targets) == "-1 or +1";

/// Returns whether −1 and +1 are the only targets of the loss, which may be chosen at run time.
template <Loss L>
constexpr bool takes_labels(const L& loss) {
  return targets_of(loss) == "-1 or +1";
}

/// A loss with a continuous derivative, which line searches need. A loss with kinks states
/// is_smooth = false.
template <class L>
concept KinklessLoss = DifferentiableLoss<L> && is_smooth_loss<L>;

/// A function of the score p: the maximum over u in [low, high] of u·(p − at) − curvature/2·u². The
/// conjugate is at·u + curvature/2·u² on [low, high], else ∞. With curvature 0 the function is
/// low·(p − at) below `at` and high·(p − at) above `at`; a positive curvature replaces the kink by
/// a parabola.
struct DualBox {
  double low;           ///< the least slope, ≤ 0; −∞ only in an OpenBoxLoss
  double high;          ///< the largest slope, ≥ 0; ∞ only in an OpenBoxLoss
  double at;            ///< a score at which the function is 0
  double curvature{0};  ///< ≥ 0
};

/// A loss that is a sum of DualBoxes: loss.dual_boxes(y) returns the boxes for target y, as a
/// std::array or another range. For a loss that is chosen at run time, the range is empty if the
/// loss is not a sum of DualBoxes. Losses with unbounded slopes, such as squared and squared hinge
/// loss, are not sums of DualBoxes.
template <class L>
concept BoxLoss = DifferentiableLoss<L> && ConjugateLoss<L> && requires(const L& loss, double y) {
  { loss.dual_boxes(y)[0] } -> std::convertible_to<DualBox>;
  loss.dual_boxes(y).size();
};

/// A loss that is one DualBox with a positive curvature and an infinite `low` or `high`: on that
/// side the loss is a parabola. loss.open_box(y) returns the box for target y. For a loss that is
/// chosen at run time, `at` is NaN if the loss is not an open box.
template <class L>
concept OpenBoxLoss = DifferentiableLoss<L> && ConjugateLoss<L> &&
    requires(const L& loss, double y) {
  { loss.open_box(y) } -> std::convertible_to<DualBox>;
};

/// Returns whether the loss is a sum of DualBoxes. If L is a loss chosen at run time, this depends
/// on the choice.
template <Loss L>
constexpr bool has_dual_boxes([[maybe_unused]] const L& loss) {
  if constexpr (BoxLoss<L>)
    return loss.dual_boxes(1.0).size() > 0;
  else
    return false;
}

/// Returns whether the loss is an open box. If L is a loss chosen at run time, this depends on the
/// choice.
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
