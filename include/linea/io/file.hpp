// SPDX-License-Identifier: MIT
#pragma once
/// \file Whole files read into memory.
#include <algorithm>  // min
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy
#include <filesystem>
#include <fstream>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <linea/io/large_pages.hpp>
#include <linea/io/native_file.hpp>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>  // move

namespace linea::io {

/// So many numbers no file is trusted with: an Index has to count them, and 64 bits their bytes.
inline constexpr std::uint64_t most_numbers =
    std::min(std::uint64_t{1} << 55, std::uint64_t{std::numeric_limits<Index>::max()});

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

  char* data() const& { return bytes_.get(); }
  std::size_t size() const { return bytes_ ? bytes_.get_deleter().size : 0; }
  std::string_view text() const& { return {data(), size()}; }

  // The bytes would be gone.
  void data() const&& = delete;
  void text() const&& = delete;

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

/// Calls allocate(), which needs so many bytes. Where memory ends, it refuses in the name of
/// `source`, saying how many were asked for, and what for.
template <class Allocate>
auto allocated(std::string_view source, std::uintmax_t bytes, std::string_view what,
               Allocate&& allocate) {
  try {
    return allocate();
  } catch (const std::bad_alloc&) {
    refuse(source, ": ", what, " needs ", bytes, " bytes of memory, more than can be had");
  }
}

/// The bytes of a file or of a pipe. Refuses what cannot be opened, read or held in memory, in the
/// name of `function`, with the system's reason. `check(text, from, is_endless)` may refuse the
/// text as far as it is there, of which what is before `from` has passed already; `is_endless`:
/// nobody knows how much will come.
template <class Check>
FileBytes read_file(std::string_view function, const std::filesystem::path& path, Check&& check) {
  std::error_code unknown;
  require(!std::filesystem::is_directory(path, unknown), function, ": cannot open '", path.string(),
          "': it is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(function, ": cannot open '", path.string(), "': ", last_system_error());
  const auto size = std::filesystem::file_size(path, unknown);
  const bool is_endless = bool(unknown);
  const auto allocate = [&](std::uintmax_t bytes) {
    return allocated(function, bytes, "reading '" + path.string() + "'", [=] {
      constexpr std::uintmax_t most = std::numeric_limits<std::ptrdiff_t>::max();
      if (bytes > most) throw std::bad_alloc();  // it would be more than a pointer counts to
      return FileBytes::allocate(static_cast<std::size_t>(bytes));
    });
  };
  // One byte more than the file has, so that the last read meets its end.
  auto bytes = allocate(is_endless ? std::uintmax_t{1} << 16 : size + 1);
  std::size_t used = 0;
  while (file) {
    if (used == bytes.size()) {
      auto more = allocate(std::uintmax_t{2} * used);
      std::memcpy(more.data(), bytes.data(), used);
      bytes = std::move(more);
    }
    const std::size_t before = used;  // so much at a time as stays in the cache for the check
    const std::size_t part = std::min(bytes.size() - used, std::size_t{1} << 18);
    file.read(bytes.data() + used, static_cast<std::streamsize>(part));
    used += static_cast<std::size_t>(file.gcount());
    check(std::string_view(bytes.data(), used), before, is_endless);
  }
  require(!file.bad(), function, ": cannot read '", path.string(), "'");
  bytes.shorten(used);
  return bytes;
}

inline FileBytes read_file(std::string_view function, const std::filesystem::path& path) {
  return read_file(function, path, [](std::string_view, std::size_t, bool) {});
}

}  // namespace linea::io
