// SPDX-License-Identifier: MIT
#pragma once
/// \file mpi.h without the C++ interface, which is gone from MPI since its version 3.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
