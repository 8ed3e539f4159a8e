// must fail with: -ffast-math.*compile without it
// because of: -ffast-math
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
