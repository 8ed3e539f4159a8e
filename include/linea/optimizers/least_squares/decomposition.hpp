// SPDX-License-Identifier: MIT
#pragma once
/// \file How a path of ridge regressions was decomposed.
#include <linea/core/compiler.hpp>
#include <string_view>

namespace linea {

/// What the solutions of all λ were taken from.
enum class Decomposition {
  eigenvalues,  ///< of ZᵀZ, or of ZZᵀ when d > n: the smallest λ makes them well conditioned
  singular_values,  ///< of Z, by orthogonal transformations alone
};

constexpr std::string_view name_of(Decomposition decomposition) {
  return decomposition == Decomposition::eigenvalues ? "eigenvalues" : "singular-values";
}

}  // namespace linea
