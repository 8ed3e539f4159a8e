// SPDX-License-Identifier: MIT
#pragma once
/// \file The recipes for numbers and for two classes, and what their models print, in one include.
#include <linea/models/classifiers.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/summary.hpp>
