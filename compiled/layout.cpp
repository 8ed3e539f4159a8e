// SPDX-License-Identifier: MIT
#include <linea/rows/compiled.hpp>

namespace linea::detail::rows {

template <>
void Layout::differs_from_linea_compiled_so_compile_both_with_the_same_march() {}

}  // namespace linea::detail::rows
