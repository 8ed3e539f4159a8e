// SPDX-License-Identifier: MIT
#pragma once
/// \file What the C++ library does not do with files: new ones that nobody had, the rights of old
/// ones, writing in place, the way to the disk. Where there is no POSIX, as much of it as C has.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <linea/core/compiler.hpp>
#include <string>
#include <system_error>
#if __has_include(<unistd.h>) && __has_include(<sys/stat.h>)
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#define LINEA_HAS_POSIX_FILES 1
#endif

namespace linea::io {

inline std::string system_error_text(int code) {
  return code ? std::generic_category().message(code) : "unknown reason";
}
inline std::string last_system_error() { return system_error_text(errno); }

#ifdef LINEA_HAS_POSIX_FILES

/// A stream that owns the open file. Its number is never that of a standard stream: where one of
/// those is closed, what others print would end up in the file.
inline std::FILE* stream_of(int file) {
  if (0 <= file && file <= STDERR_FILENO) {
    const int moved = ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(file);
    file = moved;
  }
  if (file < 0) return nullptr;
  std::FILE* const stream = ::fdopen(file, "wb");
  if (stream)
    std::setvbuf(stream, nullptr, _IOFBF, std::size_t{1} << 16);
  else
    ::close(file);
  return stream;
}

/// An empty file of this name, to be written to; nullptr, with the reason in errno, also where
/// there is a file or a link of this name. `is_private`: nobody else may open it.
inline std::FILE* create_new_file(const std::filesystem::path& path, bool is_private) {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY;
  return stream_of(::open(path.c_str(), flags, is_private ? 0600 : 0666));
}

/// A pipe, terminal or other node, to be written to; nullptr with the reason in errno.
inline std::FILE* open_in_place(const std::filesystem::path& path) {
  return stream_of(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
}

/// Standard output or error, once more, if that is what `path` leads to; else nullptr.
inline std::FILE* open_standard_stream(const std::filesystem::path& path) {
  struct ::stat facts {};
  struct ::stat stream {};
  if (::stat(path.c_str(), &facts) != 0) return nullptr;
  for (const int file : {STDOUT_FILENO, STDERR_FILENO}) {
    if (::fstat(file, &stream) != 0 || stream.st_dev != facts.st_dev ||
        stream.st_ino != facts.st_ino)
      continue;
    std::fflush(file == STDOUT_FILENO ? stdout : stderr);
    return stream_of(::fcntl(file, F_DUPFD_CLOEXEC, 3));
  }
  return nullptr;
}

/// May this process write to the file? The reason is in errno if not.
inline bool may_write(const std::filesystem::path& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

/// Gives a private file the mode of another, and its owner and group where that is allowed. The
/// rights of a group that is not to be had are left out.
inline void take_rights(std::FILE* file, const std::filesystem::path& from) {
  struct ::stat facts {};
  if (::stat(from.c_str(), &facts) != 0) return;
  const int number = ::fileno(file);
  ::mode_t mode = facts.st_mode & 0777;
  if (::fchown(number, facts.st_uid, facts.st_gid) != 0 &&
      ::fchown(number, static_cast<::uid_t>(-1), facts.st_gid) != 0)
    mode &= ~::mode_t{070};
  ::fchmod(number, mode);
}

/// Brings what was written to the disk. False, with the reason in errno, if that fails; a file
/// system that cannot do it is no failure.
inline bool bring_to_disk(std::FILE* file) {
  return ::fsync(::fileno(file)) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/// Moves to a place in the file, seen from `origin`. False, with the reason in errno, if there is
/// none: also beyond 2 GiB where the system counts bytes by 32 bits.
inline bool move_in_file(std::FILE* file, std::int64_t offset, int origin) {
  const auto place = static_cast<::off_t>(offset);
  if (place == offset) return ::fseeko(file, place, origin) == 0;
  errno = EOVERFLOW;
  return false;
}
inline std::int64_t place_in_file(std::FILE* file) { return ::ftello(file); }

/// As long as this lives, no signal interrupts the calling thread.
class SignalsHeld {
 public:
  SignalsHeld() {
    ::sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  ::sigset_t before_{};
};

#else

inline std::FILE* create_new_file(const std::filesystem::path& path, bool) {
  return std::fopen(path.string().c_str(), "wbx");
}
inline std::FILE* open_in_place(const std::filesystem::path& path) {
  return std::fopen(path.string().c_str(), "wb");
}
inline std::FILE* open_standard_stream(const std::filesystem::path&) { return nullptr; }
inline bool may_write(const std::filesystem::path&) { return true; }
inline void take_rights(std::FILE*, const std::filesystem::path&) {}
inline bool bring_to_disk(std::FILE*) { return true; }
inline bool move_in_file(std::FILE* file, std::int64_t offset, int origin) {
  const auto place = static_cast<long>(offset);
  return place == offset && std::fseek(file, place, origin) == 0;
}
inline std::int64_t place_in_file(std::FILE* file) { return std::ftell(file); }
struct SignalsHeld {
  SignalsHeld() {}
};

#endif

}  // namespace linea::io
