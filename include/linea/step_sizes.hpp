// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of step_sizes/.
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <linea/step_sizes/inverse_scaling.hpp>
#include <linea/step_sizes/inverse_time.hpp>
#include <linea/step_sizes/safe.hpp>
