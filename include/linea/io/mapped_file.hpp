// SPDX-License-Identifier: MIT
#pragma once
/// \file A file as memory: the system reads those parts of it that a program uses.
#include <cstddef>
#include <filesystem>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/io/file.hpp>
#include <string_view>
#include <system_error>
#if __has_include(<sys/mman.h>) && __has_include(<unistd.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace linea::io {

/// The bytes of a file, not to be written to. They are a copy where the file cannot be mapped: a
/// pipe, or a system without POSIX. Refuses what cannot be opened, in the name of `function`, with
/// the system's reason. As long as the bytes live, nobody may shorten the file or write into it.
inline FileBytes map_file(std::string_view function, const std::filesystem::path& path) {
#if __has_include(<sys/mman.h>) && __has_include(<unistd.h>)
  std::error_code unknown;
  if (std::filesystem::is_regular_file(path, unknown)) {
    errno = 0;
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) refuse(function, ": cannot open '", path.string(), "': ", last_system_error());
    struct ::stat facts {};
    void* bytes = MAP_FAILED;
    constexpr auto most = std::numeric_limits<std::ptrdiff_t>::max();  // that a pointer counts to
    if (::fstat(file, &facts) == 0 && facts.st_size > 0 && facts.st_size <= most)
      bytes =
          ::mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (bytes != MAP_FAILED)
      return {static_cast<char*>(bytes), static_cast<std::size_t>(facts.st_size),
              [](char* mapped, std::size_t size) { ::munmap(mapped, size); }};
  }
#endif
  return read_file(function, path);
}

}  // namespace linea::io
