// SPDX-License-Identifier: MIT
#include <linea/optimizers/interior_point.hpp>

namespace linea {

LINEA_COMPILED_INTERIOR_POINT(template)

}  // namespace linea
