// must fail with: -ffinite-math-only.*compile without it
// because of: -ffinite-math-only
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
