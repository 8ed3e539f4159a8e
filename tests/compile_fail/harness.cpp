// SPDX-License-Identifier: MIT
// Three invalid cases, which test check_refused.cmake. See cases.cpp for the format.
#if defined(bad_twin_compiles)
// must fail with: static assertion
#ifdef LINEA_MUST_FAIL
static_assert(true, "never seen");
#endif

#elif defined(good_twin_fails)
// must fail with: static assertion
static_assert(false, "seen with and without LINEA_MUST_FAIL");

#elif defined(other_message)
// must fail with: the message that was meant
#ifdef LINEA_MUST_FAIL
static_assert(false, "another message");
#endif
#endif
