// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of models/.
#include <linea/models/at_solution.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/coefficients.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/models/evaluate.hpp>
#include <linea/models/evaluation.hpp>
#include <linea/models/generalised_linear_model.hpp>
#include <linea/models/information.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/online_classifier.hpp>
#include <linea/models/online_one_vs_rest.hpp>
#include <linea/models/recipe.hpp>
#include <linea/models/recipe_scores.hpp>
#include <linea/models/recipes.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/standard_errors.hpp>
#include <linea/models/standardised.hpp>
#include <linea/models/summary.hpp>
#include <linea/models/tail_probability.hpp>
#include <linea/models/target_learner.hpp>
#include <linea/models/validation_curve.hpp>
#include <linea/models/wrapped.hpp>
