// SPDX-License-Identifier: MIT
#pragma once
/// \file What an observer is told of an iteration that has lowered F.
#include <linea/core/observer.hpp>

namespace linea::smooth {

/// The news of a run after `updates` iterations, at F = value. `change` and `step_size` are those
/// of the last.
inline Progress progress_at(Index updates, double value, double change, double step_size) {
  Progress progress;
  progress.epoch = progress.updates = updates;
  progress.objective = progress.best_objective = value;
  progress.change = change;
  progress.step_size = step_size;
  return progress;
}

}  // namespace linea::smooth
