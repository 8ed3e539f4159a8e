// SPDX-License-Identifier: MIT
#pragma once
/// \file What the programs need of the operating system: signals, standard streams and
/// files. system.cpp has all names of POSIX and Windows that the programs use.
#include <compare>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

namespace program {

/// Returns argv in UTF-8, which Windows does not pass.
char** utf8_arguments(char** argv);

/// Returns the path that a text in UTF-8 names.
inline std::filesystem::path path_of(const std::string& text) {
  return std::u8string(text.begin(), text.end());
}

/// The first signal, SIGINT or SIGTERM, that arrived while `waits_for_step` was set. 0 if there was
/// none.
inline volatile std::sig_atomic_t interrupted_by = 0;
/// Does a run check `interrupted_by` after every step? If so, the first signal is left to the run.
inline volatile std::sig_atomic_t waits_for_step = 0;

/// Leaves the first signal to the run while the object exists.
struct LeftToRun {
  LeftToRun() { waits_for_step = 1; }
  ~LeftToRun() { waits_for_step = 0; }
  LeftToRun(const LeftToRun&) = delete;
  LeftToRun& operator=(const LeftToRun&) = delete;
};

/// Returns whether the signal interrupted or terminated the run, as a word for messages.
const char* interruption();

/// Installs handlers of SIGINT, SIGTERM and SIGHUP, unless the signal is ignored. They end the
/// program without leaving incomplete files, unless the signal is left to a run. SIGBUS ends the
/// program with a message and exit code 2. SIGPIPE is ignored. `name` is the name of the program.
void handle_signals(const char* name);

/// Opens the standard streams that are closed, so that no other file gets their descriptors. Reading
/// from such an input, and writing to such an output, is an error. On Windows, makes the streams
/// binary. Call this function first.
void open_standard_streams();

inline constexpr int standard_input = 0;
inline constexpr int standard_output = 1;

/// Returns whether standard input can be read, or standard output be written to.
bool is_usable(int stream);

/// Returns whether standard error is a terminal.
bool shows_errors_on_terminal();

/// The device of an existing file, and its number there.
struct FileNumber {
  std::uint64_t device;
  std::uint64_t number;
  auto operator<=>(const FileNumber&) const = default;
};

/// Identifies a file or folder. Returns nothing for character devices, sockets, and names of no
/// file.
std::optional<FileNumber> file_number(const std::string& path);

/// Identifies the file that is standard input or output. Returns nothing unless it is regular.
std::optional<FileNumber> file_number_of_stream(int stream);

/// Opens a file of bytes for reading. Returns its descriptor, or −1 with errno on failure.
int open_to_read(const std::string& path);

/// Returns whether the descriptor is that of a regular file.
bool is_regular(int stream);

}  // namespace program
