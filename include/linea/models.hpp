// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of models/.
#include <linea/models/classifier_recipe.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/coefficients.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/models/evaluate.hpp>
#include <linea/models/information.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/linear_svm.hpp>
#include <linea/models/logistic_regression.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/online.hpp>
#include <linea/models/recipe.hpp>
#include <linea/models/recipes.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/ridge_regression.hpp>
#include <linea/models/separation.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/sparse_logistic_regression.hpp>
#include <linea/models/sparse_softmax_regression.hpp>
#include <linea/models/standard_errors.hpp>
#include <linea/models/standardised.hpp>
#include <linea/models/summary.hpp>
#include <linea/models/validation_curve.hpp>
