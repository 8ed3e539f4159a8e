// SPDX-License-Identifier: MIT
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>

namespace linea {

LINEA_COMPILED_DUAL_ASCENT(template)

}  // namespace linea
