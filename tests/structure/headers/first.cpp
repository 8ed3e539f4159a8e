// SPDX-License-Identifier: MIT
// A function in a header without inline is defined here and in second.cpp, and does not link. The
// headers of the C library come first, since they define macros: <complex.h> defines I.
#include <complex.h>
#include <sys/sysmacros.h>
#include <termios.h>
// linea after them.
#include <linea/linea.hpp>
#if __has_include(<linea/check.hpp>)
#include <linea/check.hpp>
#endif

const char* second();

int main() { return second() != nullptr ? 0 : 1; }
