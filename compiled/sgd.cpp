// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/sgd.hpp>

namespace linea {

LINEA_COMPILED_SGD(template)

}  // namespace linea
