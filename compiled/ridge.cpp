// SPDX-License-Identifier: MIT
#include <linea/optimizers/least_squares/solve_ridge.hpp>

namespace linea::detail::least_squares {

LINEA_COMPILED_RIDGE(template)

}  // namespace linea::detail::least_squares
