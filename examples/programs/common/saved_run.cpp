// SPDX-License-Identifier: MIT
#include "programs/common/saved_run.hpp"

#include <linea/core/require.hpp>
#include <linea/files/file.hpp>
#include <ostream>
#include <set>

#include "programs/common/model.hpp"
#include "programs/common/program.hpp"

namespace program {
namespace {

using linea::core::StateArchive;

/// The first line of the file, for people.
const std::string first_line = "linea_train state 1: read it by --resume\n";

/// The names of optimizers are texts that live as long as the program.
std::string_view kept_for_good(const std::string& name) {
  static std::set<std::string> names;
  return *names.insert(name).first;
}

void keep_number(StateArchive& archive, std::optional<double>& number) {
  bool is_there = number.has_value();
  double value = number.value_or(0);
  archive(is_there, value);
  number = is_there ? std::optional(value) : std::nullopt;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

void Fit::keep(StateArchive& archive) {
  std::string name(optimizer);
  std::string more = details.dump();
  archive(weights, offset, status, iterate, epochs, updates, objective, iterations, name, note,
          more);
  keep_number(archive, gap);
  keep_number(archive, dual);
  optimizer = kept_for_good(name);
  if (!archive.reads()) return;
  details = parse_json(more, "a saved run");
  if (!details.is_object()) details = json::object();
}

void SavedRun::keep(StateArchive& archive) {
  archive(options, samples, features, data, folds, fits, current.bytes, watch, moment);
}

SavedRun read_saved_run(const std::string& path) {
  linea::require(path != "-", "--resume -: a state is a file");
  const auto bytes = linea::files::read_file("reading", path);
  const std::string_view text = bytes.text();
  linea::require(text.substr(0, first_line.size()) == first_line, path,
                 ": no state that linea_train --save-state wrote");
  StateArchive archive(path, std::string(text.substr(first_line.size())));
  SavedRun run;
  archive.same("a version", version());
  archive(run);
  archive.finish();
  return run;
}

void write_saved_run(std::ostream& out, SavedRun run) {
  StateArchive archive("write_saved_run");
  archive.same("a version", version());
  archive(run);
  out << first_line << archive.finish();
}

void require_same_options(const std::string& path, const SavedRun& saved,
                          const std::string& options) {
  const auto then = lines_of(saved.options);
  const auto now = lines_of(options);
  const std::set<std::string> before(then.begin(), then.end());
  const std::set<std::string> here(now.begin(), now.end());
  for (const auto& line : now)
    linea::require(before.count(line) > 0, path, ": the run that left it had no ", line);
  for (const auto& line : then)
    linea::require(here.count(line) > 0, path, ": the run that left it had ", line,
                   ", which is not given now");
}

void require_same_data(const std::string& resume, const std::string& train_file,
                       linea::Index samples, linea::Index features, const DataChecksum& sum,
                       SavedRun& saved) {
  if (saved.has_data()) {
    linea::require(saved.samples == samples && saved.features == features, resume,
                   ": the run that left it learnt from ", saved.samples, " samples of ",
                   saved.features, " features, but there are ", samples, " of ", features);
    linea::require(saved.data == sum.sum(), resume, ": the run that left it learnt from ", samples,
                   " samples, too, but from others than those of ", train_file);
  }
  saved.samples = samples;
  saved.features = features;
  saved.data = sum.sum();
}

void DataChecksum::add_bytes(const void* bytes, std::size_t size) {
  sum_.add({static_cast<const char*>(bytes), size});
}
void DataChecksum::add(const EntriesView& x) {
  for (linea::Index i = 0; i < x.rows(); ++i)
    for (EntriesView::InnerIterator entry(x, i); entry; ++entry) {
      const std::uint64_t column = static_cast<std::uint64_t>(entry.col());
      const double value = entry.value();
      add_bytes(&column, sizeof column);
      add_bytes(&value, sizeof value);
    }
  const linea::Index shape[] = {x.rows(), x.cols()};
  add_bytes(shape, sizeof shape);
}
void DataChecksum::add(const linea::Matrix<double>& values) {
  add_bytes(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
}
void DataChecksum::add(const linea::Vector<double>& values) {
  add_bytes(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
}

}  // namespace program
