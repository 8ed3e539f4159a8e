// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of data/.
#include <linea/data/binary.hpp>
#include <linea/data/csv.hpp>
#include <linea/data/folds.hpp>
#include <linea/data/labelled_data.hpp>
#include <linea/data/labels.hpp>
#include <linea/data/libsvm.hpp>
#include <linea/data/split.hpp>
#include <linea/data/write_binary.hpp>
#include <linea/data/write_libsvm.hpp>
