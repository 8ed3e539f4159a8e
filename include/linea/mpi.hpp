// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples divided among processes. Not part of linea.hpp: it needs MPI, as the CMake target
/// linea::mpi has it.
#include <linea/mpi/c_interface.hpp>
#include <linea/mpi/divided.hpp>
#include <linea/mpi/mpi_communicator.hpp>
#include <linea/mpi/processes.hpp>
#include <linea/mpi/ridge.hpp>
#include <linea/mpi/shared_memory.hpp>
#include <linea/mpi/shared_sums.hpp>
