// SPDX-License-Identifier: MIT
#pragma once
/// \file Reads the command line of a benchmark. CLI11 is slow to compile, so only options.cpp
/// includes it.
#include <string>
#include <variant>
#include <vector>

namespace bench {

struct Option {
  const char* name;  ///< such as "--turns"; without dashes it is a positional argument
  std::variant<long*, double*, bool*, std::string*, std::vector<std::string>*, std::vector<double>*>
      target;
  const char* help;
};

/// Parses the command line and stores the values in the targets of the options. Ends the program
/// after --help, and with exit code 2 on an error.
void read_options(int argc, char** argv, const char* description,
                  const std::vector<Option>& options);

}  // namespace bench
