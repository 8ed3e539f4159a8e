// must fail with: the message that was meant
// SPDX-License-Identifier: MIT
#ifdef LINEA_MUST_FAIL
static_assert(false, "another message");
#endif
