// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of models/.
#include <linea/models/cross_validation.hpp>
#include <linea/models/generalised_linear_model.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/recipes.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/validation_curve.hpp>
