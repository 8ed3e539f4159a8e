// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes the headers for samples that are divided among processes. Neither linea.hpp nor
/// all.hpp includes this header, because it needs MPI. The CMake target linea::mpi links to MPI.
#include <linea/mpi/divided.hpp>
#include <linea/mpi/mpi_communicator.hpp>
#include <linea/mpi/processes.hpp>
#include <linea/mpi/ridge.hpp>
