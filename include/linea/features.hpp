// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of features/.
#include <linea/features/feature_functions.hpp>
#include <linea/features/polynomial.hpp>
#include <linea/features/standardise.hpp>
