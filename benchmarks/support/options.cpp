// SPDX-License-Identifier: MIT
/// \file Reads the command line with CLI11.
#include "support/options.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>  // exit
#include <type_traits>

namespace bench {

void read_options(int argc, char** argv, const char* description,
                  const std::vector<Option>& options) {
  CLI::App app{description};
  for (const Option& option : options)
    std::visit(
        [&](auto* target) {
          if constexpr (std::is_same_v<decltype(target), bool*>)
            app.add_flag(option.name, *target, option.help);
          else
            app.add_option(option.name, *target, option.help)->capture_default_str();
        },
        option.target);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) ? 2 : 0);
  }
}

}  // namespace bench
