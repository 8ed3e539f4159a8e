// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>

const char* second();

const char* second() { return "linked"; }
