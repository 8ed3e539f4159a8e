// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of check/.
#include <linea/check/activation.hpp>
#include <linea/check/dual_laws.hpp>
#include <linea/check/float_laws.hpp>
#include <linea/check/layouts.hpp>
#include <linea/check/loss.hpp>
#include <linea/check/objective.hpp>
#include <linea/check/optimizer.hpp>
#include <linea/check/optimizer_door.hpp>
#include <linea/check/optimizer_extremes.hpp>
#include <linea/check/optimizer_laws.hpp>
#include <linea/check/optimizer_problem.hpp>
#include <linea/check/optimizer_run_laws.hpp>
#include <linea/check/optimizer_trial.hpp>
#include <linea/check/penalty.hpp>
#include <linea/check/points.hpp>
#include <linea/check/slope_laws.hpp>
#include <linea/check/violation.hpp>
