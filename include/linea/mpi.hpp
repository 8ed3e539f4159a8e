// SPDX-License-Identifier: MIT
#pragma once
/// \file Samples divided among processes. linea.hpp does not include it because it needs MPI, with
/// which the CMake target linea::mpi links.
#include <linea/mpi/c_interface.hpp>
#include <linea/mpi/divided.hpp>
#include <linea/mpi/mpi_communicator.hpp>
#include <linea/mpi/processes.hpp>
#include <linea/mpi/ridge.hpp>
