// SPDX-License-Identifier: MIT
#include <linea/optimizers/lbfgs.hpp>

namespace linea {

LINEA_COMPILED_LBFGS(template)

}  // namespace linea
