// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of models/.
#include <linea/models/generalised_linear_model.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/recipes.hpp>
