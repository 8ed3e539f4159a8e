// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers directly in optimizers/: one for each optimizer, any_optimizer.hpp
/// and certify.hpp.
#include <linea/optimizers/adaptive_sgd.hpp>
#include <linea/optimizers/any_optimizer.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/ridge_path.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/softmax_coordinate_descent.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
