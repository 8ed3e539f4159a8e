// SPDX-License-Identifier: MIT
#pragma once
/// \file Which problems dual coordinate ascent is good at.
#include <linea/core/extras.hpp>
#include <linea/core/loss.hpp>
#include <linea/core/require.hpp>
#include <linea/samples/hardness.hpp>

namespace linea::dual {

/// The mean of ‖x‖²·sup ℓ″/(λn) from which on an epoch brings little.
inline constexpr double most_hardness = 10;

/// Are columns few, as Newton's method at the end of the ascent wants them, and n·d² above `least`?
template <class X, class T>
bool suits_tail(double lambda, const X& x, const Extras<T>& extras, double least = 0) {
  const Index n = samples::count_present(x.rows(), extras);
  const auto cols = static_cast<double>(x.cols());
  return lambda > 0 && x.cols() <= n / 8 && cols * cols * static_cast<double>(n) > least;
}

/// Is the ascent to be taken, whose end may be slow? Not where Newton's method on all samples is as
/// good, or can start from weights. Adds the facts to the reason.
template <class L, class Rows, class T>
bool suits(core::Message& reason, const L& loss, double lambda, const Rows& rows,
           const Extras<T>& extras) {
  constexpr Index few_columns = 256;
  if (!(lambda > 0)) {
    reason << "lambda = 0";
    return false;
  }
  if constexpr (SmoothLoss<L> && CurvedLoss<L>) {
    const double quotient = loss.curvature_bound() * samples::hardness(rows, extras, lambda);
    reason << "sup l'' * mean |x|^2 / (lambda * n) = " << quotient;
    if (!(quotient <= most_hardness)) return false;
    if (extras.start_multipliers.size() > 0) return true;
    if (KinklessLoss<L> && !BoxLoss<L> && rows.cols() <= few_columns &&
        rows.cols() <= samples::count_present(rows.rows(), extras) / 8) {
      reason << ", few columns: d = " << rows.cols();
      return false;
    }
    if (extras.start_weights.size() == 0) return true;
    reason << ", weights to start from, for which the dual has no use";
    return false;
  } else {
    reason << "a loss with kinks and an L2 penalty";
    return true;
  }
}

}  // namespace linea::dual
