// SPDX-License-Identifier: MIT
#include "programs/common/call_files.hpp"

#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/output_file.hpp>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "programs/common/system.hpp"

namespace program {
namespace {

/// Identifies a file by its number, or by the number of its folder together with its name.
using FileId = std::pair<FileNumber, std::string>;

std::optional<FileId> id_of(const std::optional<FileNumber>& number) {
  return number ? std::optional(FileId(*number, "")) : std::nullopt;
}

/// Identifies an output file by its folder and name. Returns nothing if there is no such folder.
std::optional<FileId> place_of(const std::string& path) {
  const auto target = linea::io::OutputFile::target_of(path_of(path));
  const auto folder = target.parent_path();
  auto id = id_of(file_number(folder.empty() ? "." : folder.string()));
  if (id) id->second = target.filename().string();
  return id;
}

/// Throws unless the file, standard input or output, is open.
void require_open(int stream, const CallFile& file) {
  linea::require(is_usable(stream), file.name, ": standard ",
                 stream == standard_input ? "input" : "output", " is closed");
}

}  // namespace

void require_apart(const CallFiles& files) {
  struct Written {
    std::string name;
    std::string shown;
  };
  std::map<FileId, Written> written;
  if (const auto id = id_of(file_number_of_stream(standard_output)))
    written.emplace(*id, Written{"standard output", "standard output"});
  std::vector<CallFile> outputs;
  for (const auto& output : files.outputs) {
    if (output_path(output.path) == "-") require_open(standard_output, output);
    if (!output.path.empty() && output.path != "-") outputs.push_back(output);
  }
  for (const auto& [name, path] : outputs) {
    auto id = id_of(file_number(path));
    std::error_code unknown;
    if (!id && !std::filesystem::exists(path_of(path), unknown)) id = place_of(path);
    if (!id) continue;
    const Written one{name, "'" + path + "'"};
    const auto& other = written.emplace(*id, one).first->second;
    const bool is_itself = other.name == name && other.shown == one.shown;
    linea::require(is_itself, name, " and ", other.name, " are the same file, '", path, "'");
  }
  const CallFile* reader = nullptr;  // of standard input
  for (const auto& input : files.inputs) {
    const std::string& path = input.path;
    if (path.empty()) continue;
    if (path == "-") {
      require_open(standard_input, input);
      linea::require(!reader, reader ? reader->name : "", " and ", input.name,
                     " are both standard input");
      reader = &input;
    }
    const auto id = id_of(path == "-" ? file_number_of_stream(standard_input) : file_number(path));
    const auto same = id ? written.find(*id) : written.end();
    if (same == written.end()) continue;
    const std::string read = path == "-" ? "standard input" : "'" + path + "'";
    linea::refuse(same->second.shown, " is also an input, ", read, ": it would be overwritten");
  }
}

void require_writable(const CallFiles& files) {
  using Kind = std::filesystem::file_type;
  std::set<FileId> tried;
  for (const auto& [name, path] : files.outputs) {
    if (path.empty() || output_path(path) == "-") continue;
    std::error_code unknown;
    const Kind kind = std::filesystem::status(path_of(path), unknown).type();
    if (kind == Kind::fifo || kind == Kind::socket) continue;  // opening a pipe awaits its reader
    if (auto place = place_of(path); place && kind == Kind::not_found) {
      place->second.clear();
      if (!tried.insert(*place).second) continue;
    }
    linea::io::OutputFile(name, path_of(path));
  }
}

std::string output_path(const std::string& path) {
  const bool is_standard =
      path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
  return is_standard ? "-" : path;
}

}  // namespace program
