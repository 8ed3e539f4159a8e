// SPDX-License-Identifier: MIT
#include "programs/common/system.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#if defined(_WIN32)
#include <io.h>
#include <windows.h>
// After windows.h
#include <shellapi.h>
#else
#include <unistd.h>
#endif

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <linea/core/require.hpp>
#include <linea/io/output_file.hpp>
#include <vector>

namespace program {
namespace {

/// The time of the first signal, on the steady clock.
std::atomic<std::chrono::steady_clock::rep> interrupted_at{0};

/// Is a signal left to the run? The first one is, and so are repeats of it within half a second:
/// timeout(1) sends SIGTERM to its child and then to its group, which includes the child.
bool is_left_to_run(int signal) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  if (interrupted_by == 0 && waits_for_step && (signal == SIGINT || signal == SIGTERM)) {
    interrupted_at = now.count();
    interrupted_by = signal;
    return true;
  }
  return signal == interrupted_by &&
         now - std::chrono::steady_clock::duration(interrupted_at) < std::chrono::milliseconds(500);
}

void handle(int signal) {
#if defined(_WIN32)
  std::signal(signal, handle);  // Windows has removed the handler
#endif
  if (is_left_to_run(signal)) return;
  linea::remove_drafts();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void handle_unless_ignored(int signal) {
  if (std::signal(signal, handle) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

const char* interruption() { return interrupted_by == SIGTERM ? "terminated" : "interrupted"; }

#if defined(_WIN32)

namespace {

std::optional<FileNumber> file_number_of_handle(HANDLE file) {
  BY_HANDLE_FILE_INFORMATION facts{};
  if (!GetFileInformationByHandle(file, &facts)) return std::nullopt;
  return FileNumber{facts.dwVolumeSerialNumber,
                    (std::uint64_t{facts.nFileIndexHigh} << 32) | facts.nFileIndexLow};
}

HANDLE handle_of(int stream) { return reinterpret_cast<HANDLE>(_get_osfhandle(stream)); }

}  // namespace

char** utf8_arguments(char** argv) {
  static std::vector<std::string> texts;
  static std::vector<char*> arguments;
  int count = 0;
  wchar_t** const wide = CommandLineToArgvW(GetCommandLineW(), &count);
  if (!wide) return argv;
  for (int k = 0; k < count; ++k) texts.push_back(std::filesystem::path(wide[k]).string());
  LocalFree(wide);
  for (auto& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  return arguments.data();
}

void handle_signals(const char*) {
  for (const int signal : {SIGINT, SIGTERM}) handle_unless_ignored(signal);
}

void open_standard_streams() {
  for (std::FILE* const stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
}

bool is_usable(int stream) { return _get_osfhandle(stream) >= 0; }

bool shows_errors_on_terminal() { return _isatty(_fileno(stderr)) != 0; }

std::optional<FileNumber> file_number(const std::string& path) {
  constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileW(path_of(path).c_str(), 0, shared, nullptr, OPEN_EXISTING,
                                  FILE_FLAG_BACKUP_SEMANTICS, nullptr);  // which folders need
  if (file == INVALID_HANDLE_VALUE) return std::nullopt;
  const auto number = file_number_of_handle(file);
  CloseHandle(file);
  return number;
}

std::optional<FileNumber> file_number_of_stream(int stream) {
  if (GetFileType(handle_of(stream)) != FILE_TYPE_DISK) return std::nullopt;
  return file_number_of_handle(handle_of(stream));
}

int open_to_read(const std::string& path) {
  return _wopen(path_of(path).c_str(), _O_RDONLY | _O_BINARY);
}

bool is_regular(int stream) { return GetFileType(handle_of(stream)) == FILE_TYPE_DISK; }

#else

namespace {

/// The message for SIGBUS, which the system sends when a page of a mapped file cannot be read.
std::string bus_error_text;

FileNumber file_number(const struct ::stat& facts) {
  return {static_cast<std::uint64_t>(facts.st_dev), static_cast<std::uint64_t>(facts.st_ino)};
}

}  // namespace

char** utf8_arguments(char** argv) { return argv; }

void handle_signals(const char* name) {
  // Keep ignoring SIGHUP under nohup.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handle_unless_ignored(signal);
  bus_error_text = std::string(name) +
                   ": an input file that is mapped into memory was shortened during the run, or "
                   "cannot be read\n";
  std::signal(SIGBUS, [](int) {
    linea::remove_drafts();
    static_cast<void>(!::write(STDERR_FILENO, bus_error_text.data(), bus_error_text.size()));
    ::_exit(2);
  });
  std::signal(SIGPIPE, SIG_IGN);  // flush_report reports write errors
}

void open_standard_streams() {
  // A file that is opened gets the smallest free descriptor.
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

bool is_usable(int stream) {
  const int access = ::fcntl(stream, F_GETFL) & O_ACCMODE;
  return access == (stream == standard_input ? O_RDONLY : O_WRONLY) || access == O_RDWR;
}

bool shows_errors_on_terminal() { return ::isatty(STDERR_FILENO) != 0; }

std::optional<FileNumber> file_number(const std::string& path) {
  struct ::stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || S_ISCHR(facts.st_mode) || S_ISSOCK(facts.st_mode))
    return std::nullopt;
  return file_number(facts);
}

std::optional<FileNumber> file_number_of_stream(int stream) {
  struct ::stat facts {};
  if (::fstat(stream, &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return file_number(facts);
}

int open_to_read(const std::string& path) { return ::open(path.c_str(), O_RDONLY); }

bool is_regular(int stream) {
  struct ::stat facts {};
  return ::fstat(stream, &facts) == 0 && S_ISREG(facts.st_mode);
}

#endif

}  // namespace program
