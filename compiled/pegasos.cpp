// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/optimizers/pegasos.hpp>

namespace linea {

LINEA_COMPILED_PEGASOS(template)

}  // namespace linea
