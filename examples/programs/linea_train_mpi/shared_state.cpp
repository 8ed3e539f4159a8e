// SPDX-License-Identifier: MIT
#include "programs/linea_train_mpi/shared_state.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <linea/core/require.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "programs/linea_train_mpi/part.hpp"

namespace program {
namespace {

using linea::Index;
using Numbers = linea::Vector<double>;

constexpr Index generations = 2;

/// The largest number that all ranks have; `all` are those of one rank after the other. 0: none.
double newest_common(const Numbers& all, Index ranks) {
  double newest = 0;
  for (const double moment : all) {
    Index owners = 0;
    for (Index rank = 0; rank < ranks; ++rank)
      owners += (all.segment(rank * generations, generations).array() == moment).any();
    if (owners == ranks) newest = std::max(newest, moment);
  }
  return newest;
}

}  // namespace

std::string path_before(const std::string& path) { return path + ".before"; }

std::uint64_t common_moment(const linea::Processes& processes) {
  using std::chrono::microseconds;  // since 1970, fewer than 2^53
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto count = std::chrono::duration_cast<microseconds>(now).count();
  if (processes.is_alone()) return 0;
  const double own = processes.rank() == 0 ? static_cast<double>(count) : 0;
  return static_cast<std::uint64_t>(processes.largest(own));
}

SavedRun read_newest_of_all(const std::string& given, const linea::Processes& processes) {
  const std::string path = path_of_rank(given, processes.rank());
  if (processes.is_alone()) return read_saved_run(path);
  std::vector<SavedRun> kept;
  std::string trouble;
  for (const auto& file : {path, path_before(path)}) try {
      kept.push_back(read_saved_run(file));
    } catch (const std::invalid_argument& error) {
      if (trouble.empty()) trouble = error.what();
    }
  Numbers moments = Numbers::Zero(generations);
  for (std::size_t k = 0; k < kept.size(); ++k)
    moments[static_cast<Index>(k)] = static_cast<double>(kept[k].moment);
  const Numbers all = processes.joined(moments);
  const double newest = newest_common(all, processes.size());
  if (newest == 0) {
    linea::require(!kept.empty(), trouble);
    processes.any(false);  // here the others learn what a rank without a state has said
    linea::refuse(given, ": the states of the ranks are not of one moment");
  }
  if (processes.rank() == 0 && all.maxCoeff() > newest)
    std::cerr << "linea_train_mpi: warning: the newest states are not whole on all ranks; it goes "
                 "on from those before\n";
  const auto at = std::find_if(kept.begin(), kept.end(), [&](const SavedRun& run) {
    return static_cast<double>(run.moment) == newest;
  });
  return std::move(*at);
}

}  // namespace program
