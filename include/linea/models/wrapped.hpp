// SPDX-License-Identifier: MIT
#pragma once
/// \file Recipes around recipes, and what they have to know of the one inside.
#include <linea/core/compiler.hpp>

namespace linea::models {

/// The innermost recipe, which has the options: of a wrapper, whose member `recipe` is another
/// recipe, that one's.
template <class R>
auto& innermost(R& recipe) {
  if constexpr (requires { recipe.recipe; })
    return innermost(recipe.recipe);
  else
    return recipe;
}

/// Is there an offset? Yes, unless the recipe says no.
template <class R>
bool has_offset(const R& recipe) {
  if constexpr (requires { innermost(recipe).offset; })
    return innermost(recipe).offset;
  else
    return true;
}

}  // namespace linea::models
