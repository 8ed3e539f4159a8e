// SPDX-License-Identifier: MIT
#pragma once
/// \file Which of their saved states ranks go on from: the newest that all of them have.
#include <cstdint>
#include <linea/core/processes.hpp>
#include <string>

#include "programs/common/saved_run.hpp"

namespace program {

/// Where the state that was kept before the one at `path` stays.
std::string path_before(const std::string& path);

/// A number for the states that ranks are about to keep together: later ones have larger numbers. 0
/// where there is one rank.
std::uint64_t common_moment(const linea::Processes& processes);

/// What this rank has kept at the newest moment of which all ranks have a state, either at the path
/// of the rank, `given` being that of --resume, or before. Rank 0 says so where it is not the
/// newest that some have. Throws std::invalid_argument on all ranks where there is no such moment.
SavedRun read_newest_of_all(const std::string& given, const linea::Processes& processes);

}  // namespace program
