// SPDX-License-Identifier: MIT
#include <linea/optimizers/coordinate_descent.hpp>

namespace linea {

LINEA_COMPILED_COORDINATE_DESCENT(template)

}  // namespace linea
