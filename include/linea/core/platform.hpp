// SPDX-License-Identifier: MIT
#pragma once
/// \file What differs between operating systems: POSIX, such as Linux and macOS, and Windows with
/// MinGW-w64. No other header has names of POSIX or macros of systems. Paths are native strings, as
/// std::filesystem::path::c_str() returns them. Functions that fail set errno.
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sys/stat.h>
#if defined(_WIN32)
#include <io.h>
#else
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#if __has_include(<xlocale.h>)
#include <xlocale.h>  // strtod_l of macOS
#endif
#endif

#include <algorithm>  // min
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>  // strtod_l
#include <cwchar>   // wcscmp

namespace linea::detail {

/// Returns the number of cores that the system has in use.
inline long count_cores() {
#if defined(_WIN32)
  return pthread_num_processors_np();  // of MinGW-w64's winpthreads
#else
  return sysconf(_SC_NPROCESSORS_ONLN);
#endif
}

/// Can a function store vectors of more than 16 bytes on its stack? On 64-bit Windows, GCC compiles
/// aligned accesses to them, but does not align the stack (GCC bug 54412).
#if defined(_WIN32)
inline constexpr bool stack_holds_wide_vectors = false;
#if defined(__AVX__) && !defined(__clang__)
#error "linea: compile without AVX, which crashes here: see https://gcc.gnu.org/PR54412"
#endif
#else
inline constexpr bool stack_holds_wide_vectors = true;
#endif

using Thread = pthread_t;

/// Starts a thread that calls work(argument). Returns false if the system cannot.
inline bool start_thread(Thread& thread, void* (*work)(void*), void* argument) {
  return pthread_create(&thread, nullptr, work, argument) == 0;
}
inline void join_thread(Thread thread) { pthread_join(thread, nullptr); }

/// A lock without the header <mutex>, which includes <chrono>.
class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  ~Mutex() { pthread_mutex_destroy(&mutex_); }

  /// Returns f(), and calls it while no other thread is in a call of `alone`.
  template <class F>
  auto alone(const F& f) {
    struct Turn {
      explicit Turn(pthread_mutex_t& of) : mutex(of) { pthread_mutex_lock(&mutex); }
      ~Turn() { pthread_mutex_unlock(&mutex); }
      pthread_mutex_t& mutex;
    } const turn(mutex_);
    return f();
  }

 protected:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

/// Threads that sleep until another thread wakes them. std::atomic::wait is no substitute: where
/// the system has no futex, libstdc++ 12 misses a call of notify_all between its last look at the
/// value and its sleep.
class Sleepers : Mutex {
 public:
  ~Sleepers() { pthread_cond_destroy(&woken_); }

  /// Sleeps until is_over() is true.
  template <class IsOver>
  void sleep_until(const IsOver& is_over) {
    alone([&] {
      while (!is_over()) pthread_cond_wait(&woken_, &mutex_);
    });
  }
  /// Calls change(), which may end the sleep of threads, and wakes them.
  template <class Change>
  void wake_after(const Change& change) {
    alone(change);
    pthread_cond_broadcast(&woken_);
  }

 private:
  pthread_cond_t woken_ = PTHREAD_COND_INITIALIZER;
};

/// How to open a file.
enum class Access {
  read,
  write,           ///< in place
  write_no_link,   ///< in place; refuses a symbolic link
  create,          ///< a new file; refuses a name that exists
  create_private,  ///< the same, for this user alone
};

struct FileFacts {
  bool is_known{false};
  bool is_regular{false};
  std::uintmax_t size{0};
};

#if defined(_WIN32)

using PathChar = wchar_t;
using FileSize = std::int64_t;

/// Opens a file of bytes. Returns its descriptor, or a negative number. Child processes do not
/// inherit it.
inline int open_file(const PathChar* path, Access access) {
  constexpr int shared = _O_BINARY | _O_NOINHERIT;
  if (access == Access::read) return _wopen(path, _O_RDONLY | shared);
  if (access == Access::write || access == Access::write_no_link)
    return _wopen(path, _O_WRONLY | shared);
  return _wopen(path, _O_WRONLY | _O_CREAT | _O_EXCL | shared, _S_IREAD | _S_IWRITE);
}
inline void close_file(int file) { _close(file); }

inline FileFacts facts_of(int file) {
  struct _stat64 facts {};
  if (file < 0 || _fstat64(file, &facts) != 0) return {};
  return {true, S_ISREG(facts.st_mode), static_cast<std::uintmax_t>(facts.st_size)};
}

/// Reads up to `size` bytes. Returns their number, 0 at the end, or a negative number.
inline std::ptrdiff_t read_some(int file, char* bytes, std::size_t size) {
  return _read(file, bytes, static_cast<unsigned>(std::min(size, std::size_t{1} << 30)));
}

/// Maps the bytes of a file into memory, read-only. Returns nullptr on failure, here always: the
/// file is then read.
inline char* map_bytes(int, std::size_t) { return nullptr; }
inline void unmap_bytes(char*, std::size_t) {}

template <class T>
void prefer_large_pages(T*, std::size_t) {}

/// Returns a stream that owns the open file, or nullptr.
inline std::FILE* stream_of(int file) {
  if (file < 0) return nullptr;
  std::FILE* const stream = _fdopen(file, "wb");
  if (stream)
    std::setvbuf(stream, nullptr, _IOFBF, std::size_t{1} << 16);
  else
    _close(file);
  return stream;
}

/// If `path` is /dev/stdout, flushes standard output and returns a stream to a duplicate of its
/// descriptor. Otherwise returns nullptr: Windows replaces no file that is open.
inline std::FILE* open_standard_stream(const PathChar* path) {
  if (std::wcscmp(path, L"/dev/stdout") != 0) return nullptr;
  std::fflush(stdout);
  const int file = _dup(_fileno(stdout));
  if (file >= 0) _setmode(file, _O_BINARY);
  return stream_of(file);
}

/// Waits until what was written is on disk. Returns false on failure.
inline bool sync_file(std::FILE* file) { return _commit(_fileno(file)) == 0; }

inline bool truncate_file(std::FILE* file, FileSize size) {
  return _chsize_s(_fileno(file), size) == 0;
}

inline bool may_write(const PathChar* path) { return _waccess(path, 2) == 0; }

/// A new file inherits its rights from its folder.
inline void take_rights(std::FILE*, const PathChar*) {}

/// Removes a file by a call that signal handlers may make. Windows refuses it for an open file.
inline void remove_in_handler(const PathChar* path) { _wunlink(path); }

/// Signal handlers of Windows run in a thread of their own, so that nothing can hold them.
class SignalsHeld {
 public:
  SignalsHeld() {}
};

/// Reads a decimal number, in the locale "C": MinGW-w64's own functions round correctly and ignore
/// the locale.
inline double decimal_of(const char* text, double) { return __mingw_strtod(text, nullptr); }
inline float decimal_of(const char* text, float) { return __mingw_strtof(text, nullptr); }

#else

using PathChar = char;
using FileSize = ::off_t;

/// Opens a file of bytes. Returns its descriptor, or a negative number. Child processes do not
/// inherit it.
inline int open_file(const PathChar* path, Access access) {
  constexpr int shared = O_CLOEXEC | O_NOCTTY;
  if (access == Access::read) return ::open(path, O_RDONLY | shared);
  if (access == Access::write) return ::open(path, O_WRONLY | shared);
  if (access == Access::write_no_link) return ::open(path, O_WRONLY | O_NOFOLLOW | shared);
  return ::open(path, O_WRONLY | O_CREAT | O_EXCL | shared,
                access == Access::create_private ? 0600 : 0666);
}
inline void close_file(int file) { ::close(file); }

inline FileFacts facts_of(int file) {
  struct ::stat facts {};
  if (file < 0 || ::fstat(file, &facts) != 0) return {};
  return {true, S_ISREG(facts.st_mode), static_cast<std::uintmax_t>(facts.st_size)};
}

/// Reads up to `size` bytes. Returns their number, 0 at the end, or a negative number.
inline std::ptrdiff_t read_some(int file, char* bytes, std::size_t size) {
  ::ssize_t count = -1;
  do count = ::read(file, bytes, size);
  while (count < 0 && errno == EINTR);
  return count;
}

/// Maps the bytes of a file into memory, read-only. Returns nullptr on failure.
inline char* map_bytes(int file, std::size_t size) {
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  return bytes == MAP_FAILED ? nullptr : static_cast<char*>(bytes);
}
inline void unmap_bytes(char* bytes, std::size_t size) { ::munmap(bytes, size); }

/// Advises the system to use large pages for 4 MiB or more of memory that has not been written to,
/// as NumPy does. The first write to each page causes a page fault, and large pages cause fewer.
template <class T>
void prefer_large_pages([[maybe_unused]] T* begin, [[maybe_unused]] std::size_t count) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t page = 4096;
  const std::size_t bytes = count * sizeof(T);
  if (bytes < std::size_t{1} << 22) return;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  char* const first = reinterpret_cast<char*>(begin) + before;
  ::madvise(first, (bytes - before) / page * page, MADV_HUGEPAGE);
#endif
}

/// Returns a stream that owns the open file, or nullptr. The descriptor of the stream is never 0, 1
/// or 2: if a standard stream were closed, the file could get its descriptor, and the program's
/// output to that stream would be written to the file.
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

/// If `path` refers to standard output or standard error, flushes that stream and returns a stream
/// to a duplicate of its descriptor. Otherwise returns nullptr.
inline std::FILE* open_standard_stream(const PathChar* path) {
  struct ::stat facts {};
  struct ::stat stream {};
  if (::stat(path, &facts) != 0) return nullptr;
  for (const int file : {STDOUT_FILENO, STDERR_FILENO}) {
    if (::fstat(file, &stream) != 0 || stream.st_dev != facts.st_dev ||
        stream.st_ino != facts.st_ino)
      continue;
    std::fflush(file == STDOUT_FILENO ? stdout : stderr);
    return stream_of(::fcntl(file, F_DUPFD_CLOEXEC, 3));
  }
  return nullptr;
}

/// Waits until what was written is on disk. Returns false on failure.
inline bool sync_file(std::FILE* file) {
  // Some file systems do not have fsync.
  return ::fsync(::fileno(file)) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

inline bool truncate_file(std::FILE* file, FileSize size) {
  return ::ftruncate(::fileno(file), size) == 0;
}

inline bool may_write(const PathChar* path) {
  return ::faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

/// Gives a private file the mode of another file, and also the owner and group if the system allows
/// it. If the system does not allow the group, the permissions of the group are omitted.
inline void take_rights(std::FILE* file, const PathChar* from) {
  struct ::stat facts {};
  if (::stat(from, &facts) != 0) return;
  const int number = ::fileno(file);
  ::mode_t mode = facts.st_mode & 0777;
  if (::fchown(number, facts.st_uid, facts.st_gid) != 0 &&
      ::fchown(number, static_cast< ::uid_t>(-1), facts.st_gid) != 0)
    mode &= ~::mode_t{070};
  ::fchmod(number, mode);
}

/// Removes a file by a call that signal handlers may make.
inline void remove_in_handler(const PathChar* path) { ::unlink(path); }

/// Blocks all signals of the calling thread during its lifetime.
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

inline ::locale_t c_locale() {
  static const ::locale_t plain = ::newlocale(LC_ALL_MASK, "C", ::locale_t{});
  return plain;
}
/// Reads a decimal number, in the locale "C".
inline double decimal_of(const char* text, double) { return strtod_l(text, nullptr, c_locale()); }
inline float decimal_of(const char* text, float) { return strtof_l(text, nullptr, c_locale()); }

#endif

}  // namespace linea::detail
