// SPDX-License-Identifier: MIT
#pragma once
/// \file The state of a run, kept where it ends so that a later one goes on from there.
#include <linea/core/compiler.hpp>
#include <string>

namespace linea {

/// All that a run of an optimizer carries from one epoch to the next, as bytes that may be stored
/// in a file. Give its address to a run as `Extras::state`. If it is empty the run begins as
/// always; else it goes on where the run ended that left the state. Either way the state is set to
/// where the run ends. So
///
///     linea::RunState state;
///     sgd.minimize(objective, x, y, {.observer = stop_after_3_epochs, .state = &state});
///     sgd.minimize(objective, x, y, {.observer = look_on, .state = &state});
///
/// answers, in its last line, with the bits of a run that nobody stopped. Objective, samples,
/// options, start and seed must be those of the run before, and an observer must be there in both
/// or in neither. What can be told apart is refused: another optimizer, penalty or tolerance, other
/// samples, another F where the run began, bytes that are damaged or that another version of linea
/// wrote. The run that stops answers as it would without a state.
///
/// `Sgd`, `Pegasos`, `GradientDescent`, `Perceptron`, `DualCoordinateAscent`, `CoordinateDescent`,
/// `InteriorPoint`, `Newton`, `SoftmaxNewton` and `Lbfgs` keep one, for one target. The others
/// refuse it; `Auto` leaves it empty where what it takes keeps none. Of rows that are divided among
/// processes each has a state of its own rows, and a run goes on from all of them, on as many
/// ranks; on another number it may start from the weights.
struct RunState {
  std::string bytes{};

  bool empty() const { return bytes.empty(); }
};

}  // namespace linea
