// SPDX-License-Identifier: MIT
#pragma once
/// \file The objective that every optimizer minimises:
///
///     F(w, b) = (1/S) Σᵢ sᵢ · loss(⟨w, xᵢ⟩ + b, yᵢ)  +  penalty(w),      S = Σᵢ sᵢ
///
/// The sample weights sᵢ are 1 unless given. The loss is a mean, never a sum; the offset b is not
/// penalised.
#include <cmath>  // isfinite
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <type_traits>  // is_void

namespace linea {

/// A loss and a penalty. Static assertions check both types, because their messages name the
/// missing requirement.
template <class L, class P>
struct Objective {
  static_assert(Loss<L>, "the loss must be copyable and have value(score, target)");
  static_assert(Penalty<P>,
                "the penalty must be copyable, with value(w) and proximal(v, step) or column(j)");

  L loss{};
  P penalty{};
};

/// A loss alone, which is a mistake.
template <class L>
struct Objective<L, void> {
  static constexpr bool has_penalty = std::is_void_v<L>;
  static_assert(
      has_penalty,
      "an objective needs a penalty: Objective{Hinge{}, L2{1e-4}}, or NoPenalty{} for none");

  L loss{};
};

template <class L, class P>
Objective(L, P) -> Objective<L, P>;
template <class L>
Objective(L) -> Objective<L, void>;

/// Returns λ = 1/(C·n), with which linea minimises the same objective as LIBLINEAR, C·Σ loss +
/// ½‖w‖², divided by C·n. Throws std::invalid_argument unless c is positive and finite and n > 0.
inline double lambda_from_c(double c, Index n) {
  require(std::isfinite(c) && c > 0, "lambda_from_c: C = ", c, " is not a positive number");
  require(n > 0, "lambda_from_c: n = ", n, " samples");
  return 1 / (c * static_cast<double>(n));
}

/// Returns C = 1/(λ·n), the inverse of lambda_from_c. Throws std::invalid_argument unless lambda is
/// positive and finite and n > 0.
inline double c_from_lambda(double lambda, Index n) {
  require(std::isfinite(lambda) && lambda > 0, "c_from_lambda: lambda = ", lambda,
          " is not a positive number");
  require(n > 0, "c_from_lambda: n = ", n, " samples");
  return 1 / (lambda * static_cast<double>(n));
}

}  // namespace linea
