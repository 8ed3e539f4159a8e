// SPDX-License-Identifier: MIT
#pragma once
/// \file What an optimizer is to whoever calls it for one λ after the other: lambda_path,
/// CrossValidation.
///
/// | expression                                  | meaning                                        |
/// |---------------------------------------------|------------------------------------------------|
/// | optimizer.minimize(objective, x, y, extras) | const; a solution with `weights` and `offset`, |
/// |                                             | best a Solution<T> or derived from it          |
/// | solution.hand_on(extras)                    | optional: makes it the start for another λ;    |
/// |                                             | without it that is weights and offset          |
#include <concepts>
#include <linea/core/extras.hpp>
#include <linea/core/types.hpp>

namespace linea {

/// An optimizer of O = Objective<L, P> on samples X with targets Y.
template <class M, class O, class X, class Y>
concept OptimizerOf = std::copy_constructible<M> &&
    requires(const M& optimizer, const O& objective, const X& x, const Y& y,
             const Extras<scalar_t<X>>& extras) {
  {
    optimizer.minimize(objective, x, y, extras).weights
    } -> std::convertible_to<Vector<scalar_t<X>>>;
  { optimizer.minimize(objective, x, y, extras).offset } -> std::convertible_to<scalar_t<X>>;
};

}  // namespace linea
