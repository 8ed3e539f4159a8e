// must fail with: C\+\+20 is needed: compile with -std=c\+\+20
// because of: -std=c++17
// and with no second error
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
