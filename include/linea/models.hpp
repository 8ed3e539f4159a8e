// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of models/.
#include <linea/models/at_solution.hpp>
#include <linea/models/coefficients.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/evaluate.hpp>
#include <linea/models/evaluation.hpp>
#include <linea/models/generalised_linear_model.hpp>
#include <linea/models/information.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/recipes.hpp>
#include <linea/models/standard_errors.hpp>
#include <linea/models/tail_probability.hpp>
#include <linea/models/validation_curve.hpp>
