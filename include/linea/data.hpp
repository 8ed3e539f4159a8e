// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of data/.
#include <linea/data/class_weights.hpp>
#include <linea/data/folds.hpp>
#include <linea/data/labels.hpp>
#include <linea/data/split.hpp>
