// SPDX-License-Identifier: MIT
#include "programs/common/fit_one_loss_parts.hpp"

namespace program {

PROGRAM_FIT_WITH(linea::Log)
PROGRAM_FIT_WITH(linea::Squared)
PROGRAM_FIT_WITH(linea::SquaredHinge)
PROGRAM_FIT_WITH(linea::SmoothHinge)

}  // namespace program
