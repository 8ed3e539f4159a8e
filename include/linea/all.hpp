// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all of linea except check.hpp, which is for tests, and mpi.hpp, which needs MPI.
#include <linea/core.hpp>
// The checks of core/compiler.hpp come before all other headers.
#include <linea/activations.hpp>
#include <linea/data.hpp>
#include <linea/features.hpp>
#include <linea/io.hpp>
#include <linea/losses.hpp>
#include <linea/metrics.hpp>
#include <linea/models.hpp>
#include <linea/optimizers.hpp>
#include <linea/orders.hpp>
#include <linea/penalties.hpp>
#include <linea/rows.hpp>
#include <linea/samples.hpp>
#include <linea/step_sizes.hpp>
#include <linea/version.hpp>
