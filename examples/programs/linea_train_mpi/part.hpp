// SPDX-License-Identifier: MIT
#pragma once
/// \file The samples of one rank: a part of one file, or a file of its own.
#include <linea/mpi/processes.hpp>
#include <string>

#include "programs/common/table.hpp"

namespace program {

/// `path` with the number of the rank in place of "%r".
std::string path_of_rank(const std::string& path, linea::Index rank);

/// What this rank learns from. Of "part-%r.svm" a file of its own, in any form that is a list of
/// entries. Of another path the lines of LIBSVM text that begin in its share of the bytes; it may
/// have none. x has the columns that the ranks need together. To be called by all of them. Throws
/// std::invalid_argument that names the file, and the byte from which lines are counted.
Table read_part(const std::string& path, const InputOptions& options,
                const linea::Processes& processes);

}  // namespace program
