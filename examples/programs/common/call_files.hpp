// SPDX-License-Identifier: MIT
#pragma once
/// \file The files of one call of a program, none of which may overwrite another.
#include <string>
#include <vector>

namespace program {

struct CallFile {
  std::string name;           ///< the option or argument, for messages
  std::string path;           ///< empty: not given; "-": standard input or output
  std::string replaced_by{};  ///< of an input: the name of the output that may replace it
};

struct CallFiles {
  std::vector<CallFile> inputs{};
  std::vector<CallFile> outputs{};
};

/// Throws std::invalid_argument if an output is the same file as an input or another output. Call
/// it once, with all files, before any is opened for writing.
///
/// Existing files are compared by device and inode. A file that does not exist yet is identified by
/// its folder and name, after links. Standard output counts if it is a regular file. Terminals,
/// /dev/null and sockets may be shared.
void require_apart(const CallFiles& files);

/// "-" for system names of standard output, like /dev/stdout; else the path itself.
std::string output_path(const std::string& path);

}  // namespace program
