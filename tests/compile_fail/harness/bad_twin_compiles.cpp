// must fail with: static assertion
// SPDX-License-Identifier: MIT
#ifdef LINEA_MUST_FAIL
static_assert(true, "never seen");
#endif
