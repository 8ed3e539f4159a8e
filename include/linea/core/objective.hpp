// SPDX-License-Identifier: MIT
#pragma once
/// \file The one formula. Every optimizer, test and page of linea means this and nothing else:
///
///     F(w, b) = (1/S) Σᵢ sᵢ · loss(⟨w, xᵢ⟩ + b, yᵢ)  +  penalty(w),      S = Σᵢ sᵢ
///
/// with sample weights sᵢ = 1 unless given. The loss is a mean, never a sum; the offset b is never
/// penalised.
#include <cmath>  // isfinite
#include <linea/core/loss.hpp>
#include <linea/core/penalty.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>

namespace linea {

/// The template parameters are asked inside, where a compiler says which requirement a type misses.
template <class L, class P>
struct Objective {
  static_assert(Loss<L>, "the loss must be copyable and have value(score, target)");
  static_assert(Penalty<P>, "the penalty must be copyable, with value(w) and proximal(v, step)");

  L loss{};
  P penalty{};
};

template <class L, class P>
Objective(L, P) -> Objective<L, P>;

/// λ of linea for the C of LIBLINEAR and its kin, C·Σ loss + ½‖w‖²: λ = 1/(C·n).
/// Throws std::invalid_argument unless c > 0 and n > 0.
inline double lambda_from_c(double c, Index n) {
  require(std::isfinite(c) && c > 0, "lambda_from_c: C = ", c, " is not a positive number");
  require(n > 0, "lambda_from_c: n = ", n, " samples");
  return 1 / (c * static_cast<double>(n));
}

/// The C that means the same as λ on n samples: C = 1/(λ·n).
/// Throws std::invalid_argument unless lambda > 0 and n > 0.
inline double c_from_lambda(double lambda, Index n) {
  require(std::isfinite(lambda) && lambda > 0, "c_from_lambda: lambda = ", lambda,
          " is not a positive number");
  require(n > 0, "c_from_lambda: n = ", n, " samples");
  return 1 / (lambda * static_cast<double>(n));
}

}  // namespace linea
