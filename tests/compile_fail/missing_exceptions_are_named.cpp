// must fail with: compile without -fno-exceptions
// because of: -fno-exceptions
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
