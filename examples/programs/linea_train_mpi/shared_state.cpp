// SPDX-License-Identifier: MIT
#include "programs/linea_train_mpi/shared_state.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <linea/core/require.hpp>
#include <stdexcept>
#include <utility>

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
  const std::string files[generations] = {path, path_before(path)};
  SavedRun kept[generations];
  std::string trouble;
  Numbers moments = Numbers::Zero(generations);  // 0: there is none, or not a whole one
  for (Index k = 0; k < generations; ++k) try {
      kept[k] = read_saved_run(files[k]);
      moments[k] = static_cast<double>(kept[k].moment);
    } catch (const std::invalid_argument& error) {
      if (trouble.empty()) trouble = error.what();
    }
  const Numbers all = processes.joined(moments);
  const double newest = newest_common(all, processes.size());
  if (newest == 0) {
    linea::require((moments.array() > 0).any(), trouble);
    processes.any(false);  // here the others learn what a rank without a state has said
    linea::refuse(given, ": the states of the ranks are not of one moment");
  }
  bool is_of_before = false;  // on some rank
  for (Index rank = 0; rank < processes.size(); ++rank)
    is_of_before = is_of_before || all[rank * generations] != newest;
  if (processes.rank() == 0 && is_of_before)
    std::cerr << "linea_train_mpi: warning: the newest states are not whole on all ranks; it goes "
                 "on from those before\n";
  return std::move(kept[moments[0] == newest ? 0 : 1]);
}

}  // namespace program
