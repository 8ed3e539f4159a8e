// must fail with: include its headers after those of linea
// because of: -DNone=0L -DStatus=int -DSuccess=0
// and with no second error
// SPDX-License-Identifier: MIT
#include <linea/linea.hpp>
