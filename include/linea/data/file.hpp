// SPDX-License-Identifier: MIT
#pragma once
/// \file Whole files to memory, and from it.
#include <algorithm>  // max
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <linea/core/require.hpp>
#include <string>
#include <string_view>
#include <system_error>

namespace linea::detail {

inline std::string last_system_error() {
  const int code = errno;
  return code ? std::generic_category().message(code) : "unknown reason";
}

/// The bytes of a file or of a pipe. Refuses what cannot be opened or read, in the name of
/// `function`, with the system's reason.
inline std::string read_file(std::string_view function, const std::filesystem::path& path) {
  std::error_code unknown;
  require(!std::filesystem::is_directory(path, unknown), function, ": cannot open '", path.string(),
          "': it is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(function, ": cannot open '", path.string(), "': ", last_system_error());
  const auto size = std::filesystem::file_size(path, unknown);
  // One byte more than the file has, so that the first read already meets its end.
  std::string text(unknown ? std::size_t{1} << 16 : static_cast<std::size_t>(size) + 1, '\0');
  std::size_t used = 0;
  for (;;) {
    file.read(text.data() + used, static_cast<std::streamsize>(text.size() - used));
    used += static_cast<std::size_t>(file.gcount());
    if (!file) break;
    text.resize(2 * text.size());
  }
  require(!file.bad(), function, ": cannot read '", path.string(), "'");
  text.resize(used);
  return text;
}

/// Hands a stream onto the file to write(stream); refuses when the file cannot be opened or when
/// not all of it could be written.
template <class Write>
void write_file(std::string_view function, const std::filesystem::path& path, Write&& write) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  if (!file) refuse(function, ": cannot open '", path.string(), "': ", last_system_error());
  write(file);
  file.close();
  require(!file.fail(), function, ": could not write all of '", path.string(), "'");
}

}  // namespace linea::detail
