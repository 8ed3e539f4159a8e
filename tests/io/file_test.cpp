// SPDX-License-Identifier: MIT
#include <filesystem>
#include <linea/io/file.hpp>
#include <string>

#include "support/catch.hpp"

TEST_CASE("read_file: an error while reading is no end of the file", "[io]") {
  // Opens, and fails at the first byte: nothing is mapped at address 0.
  const std::filesystem::path unreadable = "/proc/self/mem";
  if (!std::filesystem::exists(unreadable)) return;
  CHECK_THROWS_WITH(linea::io::read_file("f", unreadable), "f: cannot read '/proc/self/mem'");
}
