// SPDX-License-Identifier: MIT
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/newton.hpp>

namespace linea {

LINEA_COMPILED_NEWTON(template)

}  // namespace linea
