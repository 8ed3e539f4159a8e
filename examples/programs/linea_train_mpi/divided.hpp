// SPDX-License-Identifier: MIT
#pragma once
/// \file From the parts of all ranks to one model.
#include <linea/mpi/processes.hpp>

#include "programs/common/training.hpp"

namespace program {

/// Refuses options of linea_train that ranks do not take.
void require_for_ranks(const TrainOptions& options);

/// Trains on the rows of all ranks, of which the table has those of this one: the same model on each
/// of them. Completes the options, as `train` does. Of what is found x and y are this rank's, and
/// the figures of the training are of all. `keep`: as `train` takes it, on rank 0 alone.
Trained train_divided(TrainOptions& options, const Table& table, const KeepModel& keep,
                      Watch& watch, const linea::Processes& processes);

}  // namespace program
