// SPDX-License-Identifier: MIT
#pragma once
/// \file From the parts of all ranks to one model.
#include <linea/core/processes.hpp>

#include "programs/common/training.hpp"

namespace program {

/// Refuses options of linea_train that so many ranks do not take yet.
void require_for_ranks(const TrainOptions& options, linea::Index ranks);

/// Trains on the rows of all ranks, of which the table has those of this one: the same model on each
/// of them. Completes the options, as `train` does. Of what is found x and y are this rank's, and
/// the figures of the training are of all. `saved`: what this rank has kept of a run, as `train`
/// takes it; or none.
Trained train_divided(TrainOptions& options, const Table& table, SavedRun* saved, Watch& watch,
                      const linea::Processes& processes);

}  // namespace program
