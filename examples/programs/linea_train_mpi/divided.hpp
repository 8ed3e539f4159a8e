// SPDX-License-Identifier: MIT
#pragma once
/// \file Trains one model on the parts of all ranks.
#include <linea/mpi/processes.hpp>

#include "programs/common/training.hpp"

namespace program {

/// Throws for options of linea_train that ranks do not support.
void require_for_ranks(const TrainOptions& options);

/// Trains on the rows of all ranks; `table` has those of this rank. The model is the same on all
/// ranks. Completes the options, as `train` does. x and y of the result are those of this rank, but
/// the metrics of the training are over all ranks. On rank 0, `keep` is used as in `train`.
Trained train_divided(TrainOptions& options, const Table& table, const KeepModel& keep,
                      Watch& watch, const linea::Processes& processes);

}  // namespace program
