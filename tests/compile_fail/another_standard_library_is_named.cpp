// must fail with: compile with -stdlib=libstdc\+\+
// because of: -D_LIBCPP_VERSION=14000
// and with no second error
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
