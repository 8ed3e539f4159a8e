// SPDX-License-Identifier: MIT
#include <linea/optimizers/newton.hpp>

namespace linea {

LINEA_COMPILED_NEWTON(template)

}  // namespace linea
