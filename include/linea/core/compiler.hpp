// SPDX-License-Identifier: MIT
#pragma once
/// \file Ends the compilation with an error if linea does not support the compiler, its options or
/// a macro that is defined.

#if defined(_MSC_VER) && !defined(__clang__)
#error "linea: use GCC 12 or Clang 14 or later: linea needs their vector extensions"
#define LINEA_IS_NOT_FOR_THIS
#elif __cplusplus < 202002L
#error "linea: C++20 is needed: compile with -std=c++20"
#define LINEA_IS_NOT_FOR_THIS
#elif defined(__clang__) ? __clang_major__ < 14 : defined(__GNUC__) && __GNUC__ < 12
#error "linea: this compiler is too old: use GCC 12 or Clang 14 or later"
#define LINEA_IS_NOT_FOR_THIS
#endif

#if !defined(__cpp_exceptions)
#error "linea: errors are reported by exceptions: compile without -fno-exceptions"
#define LINEA_IS_NOT_FOR_THIS
#endif

#if defined(__FAST_MATH__)
#error "linea: -ffast-math makes the compiler ignore NaN and infinity: compile without it"
#define LINEA_IS_NOT_FOR_THIS
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error \
    "linea: -ffinite-math-only (part of -ffast-math) ignores NaN and infinity: compile without it"
#define LINEA_IS_NOT_FOR_THIS
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error \
    "linea: -fassociative-math and -freciprocal-math (parts of -funsafe-math-optimizations) \
change results: compile without them"
#define LINEA_IS_NOT_FOR_THIS
#endif

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "linea: x87 rounds doubles twice, to 64 bits first: compile with -msse2 -mfpmath=sse"
#define LINEA_IS_NOT_FOR_THIS
#endif

#if defined(min) || defined(max)
#error "linea: min and max are macros here: define NOMINMAX before <windows.h>, or #undef them"
#define LINEA_IS_NOT_FOR_THIS
#elif defined(Status) || defined(Success)
#error "linea: Status and Success are macros here: include the headers of X11 after those of linea"
#define LINEA_IS_NOT_FOR_THIS
#endif

#if defined(LINEA_IS_NOT_FOR_THIS)
#include <see the error above>  // no such file: stops compilers that continue after #error
#endif
