// SPDX-License-Identifier: MIT
#pragma once
/// \file The samples of one rank: a part of one file, or a file of its own.
#include <linea/mpi/processes.hpp>
#include <string>

#include "programs/common/table.hpp"

namespace program {

/// Returns `path` with "%r" replaced by the number of the rank.
std::string path_of_rank(const std::string& path, linea::Index rank);

/// Returns the samples of this rank. A path such as "part-%r.svm" is the rank's own file, in any
/// format of sparse rows. Another path is a file of which the rank reads a part, possibly none: a
/// share of the rows in linea's binary format, or the lines of LIBSVM text that begin in its share
/// of the bytes. x has the number of columns of all ranks together. All ranks must call the
/// function. Throws std::invalid_argument. The message has the name of the file, and the byte from
/// which the message counts lines.
Table read_part(const std::string& path, const InputOptions& options,
                const linea::Processes& processes);

}  // namespace program
