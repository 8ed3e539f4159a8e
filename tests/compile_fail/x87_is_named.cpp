// must fail with: compile with -msse2 -mfpmath=sse
// because of: -Wno-builtin-macro-redefined -U__FLT_EVAL_METHOD__ -D__FLT_EVAL_METHOD__=2
// and with no second error
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
