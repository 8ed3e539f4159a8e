// must fail with: define NOMINMAX before <windows.h>
// because of: -include algorithm
// and with no second error
// SPDX-License-Identifier: MIT
#if defined(LINEA_MUST_FAIL)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#include <linea/linea.hpp>
