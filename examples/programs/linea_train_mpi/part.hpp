// SPDX-License-Identifier: MIT
#pragma once
/// \file The samples of one rank: a part of one file, or a file of its own.
#include <linea/mpi/processes.hpp>
#include <string>

#include "programs/common/table.hpp"

namespace program {

/// `path` with "%r" replaced by the number of the rank.
std::string path_of_rank(const std::string& path, linea::Index rank);

/// The samples of this rank. For "part-%r.svm" from its own file, in any format of sparse rows. For
/// another path the lines of LIBSVM text that begin in its part of the bytes, possibly none. x has
/// the number of columns for all ranks. All ranks must call it. Throws std::invalid_argument, which
/// names the file, and the byte from which lines are counted.
Table read_part(const std::string& path, const InputOptions& options,
                const linea::Processes& processes);

}  // namespace program
