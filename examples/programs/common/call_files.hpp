// SPDX-License-Identifier: MIT
#pragma once
/// \file The files of one call of a program, none of which may be lost to another.
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

/// Refuses an output that is the same file as an input or as another output, by
/// std::invalid_argument. Call it once, with all files, before any is opened for writing.
///
/// Files that exist are compared by device and inode. A file that does not exist yet is its folder
/// and its name, where links lead. Standard output is an output where it is a regular file.
/// Terminals, /dev/null and sockets may be several of them.
void require_apart(const CallFiles& files);

/// "-" for the names that systems give to standard output, like /dev/stdout; else the path itself.
std::string output_path(const std::string& path);

}  // namespace program
