// SPDX-License-Identifier: MIT
#include <linea/optimizers/softmax_coordinate_descent.hpp>

namespace linea {

LINEA_COMPILED_SOFTMAX_COORDINATE_DESCENT(template)

}  // namespace linea
