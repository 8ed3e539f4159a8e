// must fail with: compile without -fno-exceptions
// because of: -fno-exceptions
// and with no second error
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
