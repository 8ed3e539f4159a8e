// SPDX-License-Identifier: MIT
#pragma once
/// \file Whole files read into memory, and written.
#include <cerrno>
#include <cstddef>
#include <cstdio>   // fopen
#include <cstring>  // memcpy
#include <filesystem>
#include <fstream>
#include <linea/core/require.hpp>
#include <linea/files/large_pages.hpp>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>  // move

namespace linea::files {

inline std::string last_system_error() {
  const int code = errno;
  return code ? std::generic_category().message(code) : "unknown reason";
}

/// Owner of the bytes of a file, which begin at a multiple of 64. Moves, but does not copy.
class FileBytes {
 public:
  using Release = void (*)(char* bytes, std::size_t size);

  FileBytes(char* bytes, std::size_t size, Release release) : bytes_(bytes, {size, release}) {}

  /// Bytes that nobody has written yet.
  static FileBytes allocate(std::size_t size) {
    constexpr std::align_val_t alignment{64};
    const auto release = [](char* bytes, std::size_t) { ::operator delete(bytes, alignment); };
    char* const bytes = static_cast<char*>(::operator new(size, alignment));
    prefer_large_pages(bytes, size);
    return {bytes, size, release};
  }

  char* data() const { return bytes_.get(); }
  std::size_t size() const { return bytes_ ? bytes_.get_deleter().size : 0; }
  std::string_view text() const { return {data(), size()}; }

  /// Forgets what is behind the first `size` of allocated bytes.
  void shorten(std::size_t size) { bytes_.get_deleter().size = size; }

 private:
  struct Deleter {
    std::size_t size;
    Release release;
    void operator()(char* bytes) const { release(bytes, size); }
  };
  std::unique_ptr<char, Deleter> bytes_;
};

/// The bytes of a file or of a pipe. Refuses what cannot be opened or read, in the name of
/// `function`, with the system's reason.
inline FileBytes read_file(std::string_view function, const std::filesystem::path& path) {
  std::error_code unknown;
  require(!std::filesystem::is_directory(path, unknown), function, ": cannot open '", path.string(),
          "': it is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(function, ": cannot open '", path.string(), "': ", last_system_error());
  const auto size = std::filesystem::file_size(path, unknown);
  // One byte more than the file has, so that the first read already meets its end.
  auto bytes = FileBytes::allocate(unknown ? std::size_t{1} << 16 : std::size_t{size} + 1);
  std::size_t used = 0;
  for (;;) {
    file.read(bytes.data() + used, static_cast<std::streamsize>(bytes.size() - used));
    used += static_cast<std::size_t>(file.gcount());
    if (!file) break;
    auto more = FileBytes::allocate(2 * used);
    std::memcpy(more.data(), bytes.data(), used);
    bytes = std::move(more);
  }
  require(!file.bad(), function, ": cannot read '", path.string(), "'");
  bytes.shorten(used);
  return bytes;
}

/// Calls write(stream) with a stream to the file. Refuses when the file cannot be opened or not all
/// of it can be written.
template <class Write>
void write_file(std::string_view function, const std::filesystem::path& path, Write&& write) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  if (!file) refuse(function, ": cannot open '", path.string(), "': ", last_system_error());
  write(file);
  file.close();
  require(!file.fail(), function, ": could not write all of '", path.string(), "'");
}

/// Creates an empty file beside `path`, under a name that no file had.
inline std::filesystem::path claim_draft(std::string_view function,
                                         const std::filesystem::path& path) {
  for (int k = 0;; ++k) {
    const std::string draft = path.string() + ".draft" + std::to_string(k);
    errno = 0;
    std::FILE* const file = std::fopen(draft.c_str(), "wbx");
    if (file) {
      std::fclose(file);
      return draft;
    }
    if (errno != EEXIST || k == 1000)
      refuse(function, ": cannot open '", path.string(), "': ", last_system_error());
  }
}

/// Like `write_file`, but writes a draft beside the file, which takes its name when it is complete.
/// So others find the old file or the new one, never a part of it.
template <class Write>
void replace_file(std::string_view function, const std::filesystem::path& path, Write&& write) {
  const std::filesystem::path draft = claim_draft(function, path);
  std::error_code failure;
  try {
    write_file(function, draft, write);
    std::filesystem::rename(draft, path, failure);
    if (failure) refuse(function, ": cannot replace '", path.string(), "': ", failure.message());
  } catch (...) {
    std::filesystem::remove(draft, failure);
    throw;
  }
}

}  // namespace linea::files
