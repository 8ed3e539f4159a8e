// SPDX-License-Identifier: MIT
#pragma once
/// \file What an observer is told of an iteration that has lowered F.
#include <linea/core/observer.hpp>
#include <linea/core/types.hpp>

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

/// The moves of θ so far, and what the last of them was like.
template <class Real = double>
struct Moves {
  Index count{0};
  Real change{0};  ///< relative to θ
  Real step{0};    ///< t

  /// Takes note of a move by t·direction, t > 0, to θ.
  void add(const Vector<Real>& theta, const Vector<Real>& direction, Real t) {
    const Real moved = t * direction.norm();
    change = moved > 0 ? moved / theta.norm() : 0;
    step = t;
    ++count;
  }
  Progress progress(Real value) const { return progress_at(count, value, change, step); }
};

}  // namespace linea::smooth
