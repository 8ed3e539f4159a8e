// SPDX-License-Identifier: MIT
#pragma once
/// \file The recipes for regression and for two classes, and the text output of their models.
#include <linea/models/classifiers.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/summary.hpp>
