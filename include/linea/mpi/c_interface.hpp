// SPDX-License-Identifier: MIT
#pragma once
/// \file mpi.h without the C++ interface, which MPI 3 removed.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
