// must fail with: static assertion
// SPDX-License-Identifier: MIT
static_assert(false, "seen with and without LINEA_MUST_FAIL");
