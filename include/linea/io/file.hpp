// SPDX-License-Identifier: MIT
#pragma once
/// \file Files and their bytes in memory, with the system's error messages.
#include <algorithm>  // min
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>  // memcpy
#include <filesystem>
#include <ios>
#include <istream>
#include <limits>
#include <linea/core/compiler.hpp>
#include <linea/core/platform.hpp>
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>  // generic_category
#include <utility>       // move

namespace linea::io {

inline std::string system_error_text(int code) {
  return code ? std::generic_category().message(code) : "unknown reason";
}
inline std::string last_system_error() { return system_error_text(errno); }

/// The largest number of values in a file. An Index can count the values, and 64 bits can count
/// their bytes.
inline constexpr std::uint64_t most_numbers =
    std::min(std::uint64_t{1} << 55, std::uint64_t{std::numeric_limits<Index>::max()});

/// Owns the bytes of a file, which begin at an address that is a multiple of 64. The object can be
/// moved, not copied.
class FileBytes {
 public:
  using Release = void (*)(char* bytes, std::size_t size);

  FileBytes(char* bytes, std::size_t size, Release release) : bytes_(bytes, {size, release}) {}

  /// Allocates bytes without initialising them.
  static FileBytes allocate(std::size_t size) {
    constexpr std::align_val_t alignment{64};
    const auto release = [](char* bytes, std::size_t) { ::operator delete(bytes, alignment); };
    char* const bytes = static_cast<char*>(::operator new(size, alignment));
    detail::prefer_large_pages(bytes, size);
    return {bytes, size, release};
  }

  char* data() const& { return bytes_.get(); }
  std::size_t size() const { return bytes_ ? bytes_.get_deleter().size : 0; }
  std::string_view text() const& { return {data(), size()}; }

  // The bytes of a temporary object would be freed at once.
  void data() const&& = delete;
  void text() const&& = delete;

  /// Reduces size() to `size`; the memory remains allocated.
  void shorten(std::size_t size) { bytes_.get_deleter().size = size; }

 private:
  struct Deleter {
    std::size_t size;
    Release release;
    void operator()(char* bytes) const { release(bytes, size); }
  };
  std::unique_ptr<char, Deleter> bytes_;
};

/// Returns allocate(), which needs `bytes` bytes. If memory is exhausted, throws
/// std::invalid_argument; the message has `source`, `what` and the number of bytes.
template <class Allocate>
auto allocated(std::string_view source, std::uintmax_t bytes, std::string_view what,
               Allocate&& allocate) {
  try {
    return allocate();
  } catch (const std::bad_alloc&) {
    refuse(source, ": ", what, " needs ", bytes, " bytes of memory, more than there are");
  }
}

/// A file that is open for reading. Members throw if the file cannot be opened or read, with
/// `function` and the system's reason in the message.
class InputFile {
 public:
  InputFile(std::string_view function, const std::filesystem::path& path)
      : function_(function),
        path_(path.string()),
        number_(detail::open_file(path.c_str(), detail::Access::read)),
        facts_(detail::facts_of(number_)) {
    const int failure = errno;
    std::error_code unknown;
    const bool is_folder = std::filesystem::is_directory(path, unknown);
    if (facts_.is_known && !is_folder) return;
    if (number_ >= 0) detail::close_file(number_);
    refuse(function_, ": cannot open '", path_,
           "': ", is_folder ? "it is a directory" : system_error_text(failure));
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { detail::close_file(number_); }

  int number() const { return number_; }
  const std::string& path() const { return path_; }

  /// Returns whether the size is unknown, as for everything but a regular file.
  bool is_endless() const { return !facts_.is_regular; }
  std::uintmax_t size() const { return facts_.size; }

  /// Reads up to `size` bytes. Returns the number of bytes read, 0 at the end.
  std::size_t read(char* bytes, std::size_t size) const {
    const std::ptrdiff_t count = detail::read_some(number_, bytes, size);
    if (count < 0) refuse(function_, ": cannot read '", path_, "': ", last_system_error());
    return static_cast<std::size_t>(count);
  }

 private:
  std::string_view function_;
  std::string path_;
  int number_;
  detail::FileFacts facts_;
};

/// Returns the bytes of a file or pipe. Throws, with `function` in the message, if the file cannot
/// be opened or read or does not fit in memory. After each piece, calls check(text, from,
/// is_endless) with all text so far, which may throw. Earlier calls have checked the text before
/// `from`. `is_endless` states that the size of the file is unknown.
template <class Check>
FileBytes read_file(std::string_view function, const std::filesystem::path& path, Check&& check) {
  const InputFile file(function, path);
  const auto allocate = [&](std::uintmax_t bytes) {
    return allocated(function, bytes, "reading '" + file.path() + "'", [=] {
      constexpr std::uintmax_t most = std::numeric_limits<std::ptrdiff_t>::max();
      if (bytes > most) throw std::bad_alloc();  // exceeds the largest possible object
      return FileBytes::allocate(static_cast<std::size_t>(bytes));
    });
  };
  // Allocates one byte more than the size of the file, so that the last read finds the end of the
  // file.
  auto bytes = allocate(file.is_endless() ? std::uintmax_t{1} << 16 : file.size() + 1);
  std::size_t used = 0;
  for (std::size_t count = 1; count > 0; used += count) {
    if (used == bytes.size()) {
      auto more = allocate(std::uintmax_t{2} * used);
      std::memcpy(more.data(), bytes.data(), used);
      bytes = std::move(more);
    }
    // Reads a piece that stays in the cache until `check` reads it.
    count = file.read(bytes.data() + used, std::min(bytes.size() - used, std::size_t{1} << 18));
    check(std::string_view(bytes.data(), used + count), used, file.is_endless());
  }
  bytes.shorten(used);
  return bytes;
}

inline FileBytes read_file(std::string_view function, const std::filesystem::path& path) {
  return read_file(function, path, [](std::string_view, std::size_t, bool) {});
}

/// Calls read(), which reads from the stream. A read that stops at the end of the stream sets bits
/// of its state; if exceptions of these bits are on, the bytes that were read would be lost, so the
/// exception is ignored. Throws, with `name` in the message, if the stream cannot be read.
template <class Read>
void read_quietly(std::istream& in, std::string_view name, Read&& read) {
  try {
    read();
  } catch (const std::ios_base::failure&) {
    // The state of the stream has the failure.
  }
  require(!in.bad(), name, ": cannot be read to its end");
}

/// Reads up to `size` bytes. Returns the number of bytes, which is less only at the end of the
/// stream. Throws, with `name` in the message, if the stream cannot be read.
inline std::size_t read_bytes(std::istream& in, char* bytes, std::size_t size,
                              std::string_view name) {
  read_quietly(in, name, [&] { in.read(bytes, static_cast<std::streamsize>(size)); });
  return static_cast<std::size_t>(in.gcount());
}

/// Appends bytes from the stream until there are `size` bytes or the stream ends. Memory grows with
/// the bytes that are read, not with `size`. Throws as read_bytes does.
inline void append_from(std::istream& in, std::uint64_t size, std::string& bytes,
                        std::string_view name) {
  while (in && bytes.size() < size) {
    const std::size_t before = bytes.size();
    const auto more = static_cast<std::size_t>(std::min(size - before, std::uint64_t{1} << 20));
    bytes.resize(before + more);
    bytes.resize(before + read_bytes(in, bytes.data() + before, more, name));
  }
}

}  // namespace linea::io
