// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
#if __has_include(<linea/check.hpp>)
#include <linea/check.hpp>
#endif

const char* second();

const char* second() { return "linked"; }
