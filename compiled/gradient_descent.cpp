// SPDX-License-Identifier: MIT
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/gradient_descent.hpp>

namespace linea {

LINEA_COMPILED_GRADIENT_DESCENT(template)

}  // namespace linea
