// SPDX-License-Identifier: MIT
#pragma once
/// \file Trains one model on the parts of all ranks.
#include <linea/mpi/processes.hpp>

#include "programs/common/training.hpp"

namespace program {

/// Throws for options of linea_train that ranks do not support.
void require_for_ranks(const TrainOptions& options);

/// Trains on the rows of all ranks; `table` has those of this rank. The model is the same on all
/// ranks. Completes the options, as `train` does. x and y of the result are those of this rank; the
/// training metrics are those of all ranks. `keep` receives the checkpoints, and is empty except on
/// rank 0.
Trained train_divided(TrainOptions& options, const Table& table, const KeepModel& keep,
                      Watch& watch, const linea::Processes& processes);

}  // namespace program
