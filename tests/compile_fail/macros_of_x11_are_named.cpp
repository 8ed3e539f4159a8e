// must fail with: include the headers of X11 after those of linea
// because of: -DStatus=int -DSuccess=0
// and with no second error
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
