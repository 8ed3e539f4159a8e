// SPDX-License-Identifier: MIT
#pragma once
/// \file Selects one of linea's optimizers for the objective and the data.
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/solver/basic_auto.hpp>

namespace linea {

struct ProvenOptimizers {
  using Ridge = linea::Ridge;
  using DualCoordinateAscent = linea::DualCoordinateAscent;
  using Newton = linea::Newton;
  using CoordinateDescent = linea::CoordinateDescent;
  using InteriorPoint = linea::InteriorPoint;
};

struct AllOptimizers : ProvenOptimizers {
  using Sgd = linea::Sgd;
};

using Auto = BasicAuto<AllOptimizers>;
using ProvenAuto = BasicAuto<ProvenOptimizers>;

}  // namespace linea
