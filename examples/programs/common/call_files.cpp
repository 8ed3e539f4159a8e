// SPDX-License-Identifier: MIT
#include "programs/common/call_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <linea/core/require.hpp>
#include <linea/io/output_file.hpp>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace program {
namespace {

/// Identifies a file by device and inode, or by those of its folder together with its name.
using FileId = std::tuple<::dev_t, ::ino_t, std::string>;

std::optional<FileId> id_of(const std::string& path) {
  struct ::stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || S_ISCHR(facts.st_mode) || S_ISSOCK(facts.st_mode))
    return std::nullopt;
  return FileId{facts.st_dev, facts.st_ino, ""};
}

/// Returns the identity of standard input or output, or nothing if it is not a regular file.
std::optional<FileId> id_of_stream(int number) {
  struct ::stat facts {};
  if (::fstat(number, &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return FileId{facts.st_dev, facts.st_ino, ""};
}

/// Identifies an output file by its folder and name. Returns nothing if there is no such folder.
std::optional<FileId> place_of(const std::string& path) {
  const auto target = linea::io::OutputFile::target_of(path);
  const auto folder = target.parent_path();
  auto id = id_of(folder.empty() ? "." : folder.string());
  if (id) std::get<std::string>(*id) = target.filename().string();
  return id;
}

/// Throws if the stream was closed, or has no access of this mode, such as O_RDONLY.
void require_open(int number, int mode, const CallFile& file) {
  const int access = ::fcntl(number, F_GETFL) & O_ACCMODE;
  linea::require(access == mode || access == O_RDWR, file.name, ": standard ",
                 number == STDIN_FILENO ? "input" : "output", " is closed");
}

/// Returns `name` without ".draft" and digits at its end, or "" if the name does not end like this.
std::string before_draft(const std::string& name) {
  const auto end = name.find_last_not_of("0123456789");
  if (end == name.npos || end + 1 == name.size() || !name.substr(0, end + 1).ends_with(".draft"))
    return "";
  return name.substr(0, end - 5);
}

/// Throws if an output has the name of a draft that OutputFile may create for another output.
void require_no_drafts(const std::vector<CallFile>& outputs) {
  // The names are cut to 200 bytes, like those of drafts.
  std::map<FileId, CallFile> places;
  for (const auto& output : outputs)
    if (auto place = place_of(output.path)) {
      auto& name = std::get<std::string>(*place);
      name = name.substr(0, 200);
      places.emplace(*place, output);
    }
  for (const auto& output : outputs) {
    auto place = place_of(output.path);
    if (!place) continue;
    auto& name = std::get<std::string>(*place);
    name = before_draft(name);
    const auto other = places.find(*place);
    linea::require(other == places.end(), output.name, ": '", output.path,
                   "' may be the name of a draft of '",
                   other == places.end() ? "" : other->second.path, "'");
  }
}

}  // namespace

void require_apart(const CallFiles& files) {
  struct Written {
    std::string name;
    std::string shown;
  };
  std::map<FileId, Written> written;
  if (const auto id = id_of_stream(STDOUT_FILENO))
    written.emplace(*id, Written{"standard output", "standard output"});
  std::vector<CallFile> outputs;
  for (const auto& output : files.outputs) {
    if (output_path(output.path) == "-") require_open(STDOUT_FILENO, O_WRONLY, output);
    if (!output.path.empty() && output.path != "-") outputs.push_back(output);
  }
  for (const auto& [name, path, ignored] : outputs) {
    auto id = id_of(path);
    std::error_code unknown;
    if (!id && !std::filesystem::exists(path, unknown)) id = place_of(path);
    if (!id) continue;
    const Written one{name, "'" + path + "'"};
    const auto& other = written.emplace(*id, one).first->second;
    const bool is_itself = other.name == name && other.shown == one.shown;
    linea::require(is_itself, name, " and ", other.name, " are the same file, '", path, "'");
  }
  require_no_drafts(outputs);
  for (const auto& input : files.inputs) {
    const auto& [name, path, replaced_by] = input;
    if (path.empty()) continue;
    if (path == "-") require_open(STDIN_FILENO, O_RDONLY, input);
    const auto id = path == "-" ? id_of_stream(STDIN_FILENO) : id_of(path);
    const auto same = id ? written.find(*id) : written.end();
    if (same == written.end() || same->second.name == replaced_by) continue;
    const std::string read = path == "-" ? "standard input" : "'" + path + "'";
    linea::refuse(same->second.shown, " is also an input, ", read, ": it would be overwritten");
  }
}

void require_writable(const CallFiles& files) {
  using Kind = std::filesystem::file_type;
  std::set<FileId> tried;
  for (const auto& [name, path, ignored] : files.outputs) {
    if (path.empty() || output_path(path) == "-") continue;
    std::error_code unknown;
    const Kind kind = std::filesystem::status(path, unknown).type();
    if (kind == Kind::fifo || kind == Kind::socket) continue;  // opening a pipe awaits its reader
    if (auto place = place_of(path); place && kind == Kind::not_found) {
      std::get<std::string>(*place).clear();
      if (!tried.insert(*place).second) continue;
    }
    linea::io::OutputFile(name, path);
  }
}

void open_standard_streams() {
  // A file that is opened gets the smallest free descriptor.
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

std::string output_path(const std::string& path) {
  const bool is_standard =
      path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
  return is_standard ? "-" : path;
}

}  // namespace program
