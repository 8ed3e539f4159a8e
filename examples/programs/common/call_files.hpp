// SPDX-License-Identifier: MIT
#pragma once
/// \file The files of one call of a program. The program must not overwrite one with another.
#include <string>
#include <vector>

namespace program {

struct CallFile {
  std::string name;  ///< the option or argument, for messages
  std::string path;  ///< "" if not given; "-" is standard input or output
};

struct CallFiles {
  std::vector<CallFile> inputs{};
  std::vector<CallFile> outputs{};
};

/// Throws std::invalid_argument if an output is the same file as an input or another output, and if
/// standard input or output is used but closed. Call this function once, with all files, before any
/// of them is opened for writing.
///
/// Existing files are compared by device and inode. A file that does not exist yet is identified by
/// its folder and name, after links are resolved. Standard input and output count if they are
/// regular files. Character devices, such as terminals and /dev/null, and sockets may be shared.
void require_apart(const CallFiles& files);

/// Throws std::invalid_argument if an output cannot be written. Call this function before long work.
/// Of several new files in a folder only the first is tried, and pipes are not tried.
void require_writable(const CallFiles& files);

/// Returns "-" for /dev/stdout, /dev/fd/1 and /proc/self/fd/1, and else the path itself.
std::string output_path(const std::string& path);

}  // namespace program
