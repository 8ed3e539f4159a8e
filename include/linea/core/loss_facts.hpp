// SPDX-License-Identifier: MIT
#pragma once
/// \file Facts of a loss as a function of the score, which the loss states and optimizers go by.
///
/// | statement         | meaning                                 | a loss that states nothing     |
/// |-------------------|-----------------------------------------|--------------------------------|
/// | L::is_convex      | convex for every target                 | true where it has a conjugate  |
/// | L::is_smooth      | ℓ′ is continuous: the loss has no kinks | true; state false if there are |
/// | L::is_of_residual | ℓ(p + t, y + t) = ℓ(p, y) for every t   | false                          |
///
/// All are `static constexpr bool`.
///
/// check::loss tries them out. A loss that has more members (a proximal step, say) has the same
/// facts as before.
#include <concepts>
#include <linea/core/loss.hpp>

namespace linea {

/// Is the loss known to be convex? Its own statement, or whether it has a conjugate.
template <Loss L>
inline constexpr bool is_convex_loss = ConjugateLoss<L>;
template <Loss L>
  requires requires {
    { L::is_convex } -> std::convertible_to<bool>;
  }
inline constexpr bool is_convex_loss<L> = L::is_convex;

/// Is the loss taken to be without kinks? Its own statement, or true.
template <Loss L>
inline constexpr bool is_smooth_loss = true;
template <Loss L>
  requires requires {
    { L::is_smooth } -> std::convertible_to<bool>;
  }
inline constexpr bool is_smooth_loss<L> = L::is_smooth;

/// Is the loss a function of p − y alone? Then targets may be moved together with a free offset.
template <Loss L>
inline constexpr bool is_residual_loss = false;
template <Loss L>
  requires requires {
    { L::is_of_residual } -> std::convertible_to<bool>;
  }
inline constexpr bool is_residual_loss<L> = L::is_of_residual;

/// A loss with a continuous derivative, as methods with line searches need it: it must not state
/// is_smooth = false.
template <class L>
concept KinklessLoss = DifferentiableLoss<L> && is_smooth_loss<L>;

}  // namespace linea
