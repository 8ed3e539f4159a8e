// SPDX-License-Identifier: MIT
#pragma once
/// \file What linea_train, or a rank of linea_train_mpi, keeps of a run for --resume.
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <linea/core/checksum.hpp>
#include <linea/core/run_state.hpp>
#include <linea/core/state_archive.hpp>
#include <linea/core/types.hpp>
#include <string>
#include <vector>

#include "programs/common/fit.hpp"
#include "programs/common/watch.hpp"

namespace program {

/// All that is done of a run. One that goes on takes from it what is there, and adds to it what it
/// does.
struct SavedRun {
  std::string options{};  ///< those that were given, a line each, but for those of the output
  linea::Index samples{0};
  linea::Index features{0};
  std::uint64_t data{0};                       ///< a checksum of all that is learnt from
  std::vector<linea::Vector<double>> folds{};  ///< scores (m) of the folds that are done
  std::vector<Fit> fits{};                     ///< functions that are done
  linea::RunState current{};                   ///< of the function after these, if it has begun
  WatchState watch{};                          ///< of the same
  std::uint64_t moment{0};  ///< when ranks kept it, the same number on all; 0: there was one

  // Not stored:
  std::string without_state{};  ///< the optimizer that was cut short and keeps none
  std::function<void(const SavedRun&)> write{};  ///< to where the run is kept while it goes on

  /// Is the checksum known? It is of the first run.
  bool has_data() const { return samples > 0; }
  void keep(linea::core::StateArchive& archive);
};

/// Refuses, by std::invalid_argument that names the file, what is no state, is damaged, or was
/// written by another version of linea_train.
SavedRun read_saved_run(const std::string& path);
void write_saved_run(std::ostream& out, SavedRun run);

/// Refuses a saved run that had other options, naming the first that differs.
void require_same_options(const std::string& path, const SavedRun& saved,
                          const std::string& options);

class DataChecksum;

/// Takes note of what a run learns from, so many samples of the train file, or refuses to go on with
/// others; `resume` names the file of the saved run.
void require_same_data(const std::string& resume, const std::string& train_file,
                       linea::Index samples, linea::Index features, const DataChecksum& sum,
                       SavedRun& saved);

/// A checksum of all numbers that are learnt from.
class DataChecksum {
 public:
  void add(const EntriesView& x);
  void add(const linea::Matrix<double>& values);
  void add(const linea::Vector<double>& values);
  std::uint64_t sum() const { return sum_.value(); }

 private:
  void add_bytes(const void* bytes, std::size_t size);
  linea::core::Checksum sum_{};
};

}  // namespace program
