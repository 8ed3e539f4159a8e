// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes what most programs need, such as losses, penalties, common optimizers, models and
/// metrics. Readers and writers of files, and rarely used methods, are in other headers. all.hpp
/// includes every header except check.hpp and mpi.hpp.
#include <linea/core/compiler.hpp>
// The checks of compiler.hpp come before all other headers.
#include <linea/activations.hpp>
#include <linea/core/wrong_call.hpp>
#include <linea/data.hpp>
#include <linea/features.hpp>
#include <linea/losses.hpp>
#include <linea/metrics.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/early_stopping.hpp>
#include <linea/models/evaluate.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/online.hpp>
#include <linea/models/recipes.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/sparse_logistic_regression.hpp>
#include <linea/models/sparse_softmax_regression.hpp>
#include <linea/models/standard_errors.hpp>
#include <linea/models/standardised.hpp>
#include <linea/models/validation_curve.hpp>
#include <linea/models/with_offset_column.hpp>
#include <linea/optimizers/adaptive_sgd.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders.hpp>
#include <linea/penalties.hpp>
#include <linea/rows.hpp>
#include <linea/step_sizes.hpp>
#include <linea/version.hpp>
