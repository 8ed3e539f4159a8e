// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of models/.
#include <linea/models/cross_validation.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/models/generalised_linear_model.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/online_classifier.hpp>
#include <linea/models/online_one_vs_rest.hpp>
#include <linea/models/recipes.hpp>
#include <linea/models/target_learner.hpp>
#include <linea/models/validation_curve.hpp>
