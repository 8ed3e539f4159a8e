// must fail with: -ffast-math.*compile without it
// SPDX-License-Identifier: MIT
#ifdef LINEA_MUST_FAIL
#define __FAST_MATH__ 1  // as -ffast-math does
#endif
#include <linea/core/types.hpp>
