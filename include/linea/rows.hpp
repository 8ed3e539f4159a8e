// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of rows/.
#include <linea/rows/compiled.hpp>
#include <linea/rows/dense.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/rows/kernels.hpp>
#include <linea/rows/rows_from.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/rows/sparse.hpp>
