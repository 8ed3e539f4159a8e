// SPDX-License-Identifier: MIT
#include <linea/optimizers/softmax_newton.hpp>

namespace linea {

LINEA_COMPILED_SOFTMAX(template)

}  // namespace linea
