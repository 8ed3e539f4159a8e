// SPDX-License-Identifier: MIT
#include "programs/common/fit_one_loss_parts.hpp"

namespace program {

PROGRAM_FIT_WITH(linea::Hinge)
PROGRAM_FIT_WITH(linea::PerceptronLoss)
PROGRAM_FIT_WITH(linea::Absolute)
PROGRAM_FIT_WITH(linea::EpsilonInsensitive)
PROGRAM_FIT_WITH(linea::Quantile)
PROGRAM_FIT_WITH(linea::Huber)

}  // namespace program
