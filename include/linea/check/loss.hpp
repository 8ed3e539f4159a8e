// SPDX-License-Identifier: MIT
#pragma once
/// \file Every law of a loss at once, whichever it makes applicable.
#include <linea/check/dual_laws.hpp>
#include <linea/check/float_laws.hpp>
#include <linea/check/points.hpp>
#include <linea/check/slope_laws.hpp>
#include <linea/core/loss_facts.hpp>
#include <optional>
#include <utility>  // move
#include <vector>

namespace linea::check {

/// The first violation of each law that the loss must obey for what it offers and for the facts
/// that it states; empty if it obeys them all. In a test: `REQUIRE(linea::check::loss(Cauchy{},
/// {-2, 0.5}, {.convex = false}).empty())`. Throws std::invalid_argument when `targets` is empty or
/// holds one that the loss does not take.
template <Loss L>
std::vector<Violation> loss(const L& loss, const std::vector<double>& targets,
                            const LossOptions& options = {}) {
  std::vector<Violation> found;
  const auto add = [&](std::optional<Violation> violation) {
    if (violation) found.push_back(std::move(*violation));
  };
  if constexpr (requires { loss.is_valid(); })
    if (!loss.is_valid())
      return {{"is_valid", detail::written(name_of(loss), " calls its own parameters not valid")}};
  const bool convex = options.convex || is_convex_loss<L>;
  add(nan_in_nan_out(loss, targets, options));
  add(float_agrees_with_double(loss, targets, options));
  if constexpr (is_residual_loss<L>) add(is_of_residual(loss, targets, options));
  if (convex) add(is_convex(loss, targets, options));
  if constexpr (DifferentiableLoss<L>) {
    add(derivative_matches_value(loss, targets, options));
    if (convex) add(subgradient_inequality(loss, targets, options));
  }
  if constexpr (KinklessLoss<L> && (SmoothLoss<L> || requires { L::is_smooth; }))
    add(is_smooth(loss, targets, options));
  if constexpr (CurvedLoss<L>) add(second_derivative_matches_derivative(loss, targets, options));
  if constexpr (SmoothLoss<L>) add(curvature_bound_holds(loss, targets, options));
  if constexpr (ProximalLoss<L>) add(proximal_is_optimal(loss, targets, options));
  if constexpr (BoxLoss<L>) add(dual_boxes_make_the_value(loss, targets, options));
  if constexpr (ConjugateLoss<L> && DifferentiableLoss<L>)
    add(fenchel_young(loss, targets, options));
  return found;
}

}  // namespace linea::check
