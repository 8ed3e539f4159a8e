// must fail with: -ffast-math.*compile without it
// because of: -ffast-math
// and with no second error
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
