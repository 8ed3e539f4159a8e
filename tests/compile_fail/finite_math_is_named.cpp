// must fail with: -ffinite-math-only.*compile without it
// because of: -ffinite-math-only
// and with no second error
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
