// SPDX-License-Identifier: MIT
// A function that is in a header without inline would be defined here and in second.cpp, so that
// the program would not link. The headers of the C library come first, since they define macros:
// <complex.h> defines I.
#include <complex.h>
#include <sys/sysmacros.h>
#include <termios.h>
// The headers of linea come after them.
#include <linea/linea.hpp>
#if __has_include(<linea/check.hpp>)
#include <linea/check.hpp>
#endif

const char* second();

int main() { return second() != nullptr ? 0 : 1; }
