// SPDX-License-Identifier: MIT
// If a header defined a function without inline, this file and second.cpp would both define it, and
// the program would not link. The headers of the C library come first, because they define macros:
// <complex.h> defines I.
#include <complex.h>
#include <sys/sysmacros.h>
#include <termios.h>
// linea's headers must compile after these macros are defined.
#include <linea/linea.hpp>
#if __has_include(<linea/check.hpp>)
#include <linea/check.hpp>
#endif

const char* second();

int main() { return second() != nullptr ? 0 : 1; }
