// SPDX-License-Identifier: MIT
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>

namespace linea {

LINEA_COMPILED_COORDINATE_DESCENT(template)

}  // namespace linea
