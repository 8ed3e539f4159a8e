// SPDX-License-Identifier: MIT
// The macros of headers that programs include before linea: C's complex numbers, Qt without
// QT_NO_KEYWORDS, and sys/sysmacros.h. GNU modes of the standard define `unix` and `linux`, too.
#include <complex.h>
#include <sys/sysmacros.h>
#if !defined(I) || !defined(major) || (defined(__linux__) && !defined(unix))
#error "a macro is missing: compile with -std=gnu++20"
#endif
#define emit
#define forever for (;;)
#define foreach Q_FOREACH
#define Q_FOREACH(variable, container) for (variable : container)
#define signals public
#define slots
#include <linea/all.hpp>
#include <linea/check.hpp>
#include <linea/io.hpp>
#include "usual_recipes.cpp"
