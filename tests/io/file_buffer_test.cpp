// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <ios>
#include <linea/io/output_file.hpp>
#include <ostream>

#include "support/catch.hpp"
#include "support/temporary_file.hpp"

TEST_CASE("FileBuffer: writes beyond 4 GiB, and then at the beginning", "[io]") {
  const TemporaryFile file;
  constexpr std::streamoff far = 5'000'000'000;
  linea::io::FileBuffer buffer(std::fopen(file.path().string().c_str(), "wb"), true);
  std::ostream out(&buffer);
  out << "ab";
  out.seekp(far);
  if (!out) {  // where the system has no such place it says so, and goes nowhere else
    CHECK(buffer.close(false) != 0);
    CHECK(std::filesystem::file_size(file.path()) == 2);
    return;
  }
  CHECK(out.tellp() == far);
  out << 'z';
  CHECK(out.tellp() == far + 1);
  out.seekp(1) << 'c';
  out.seekp(0, std::ios_base::end);
  CHECK(out.tellp() == far + 1);
  CHECK(buffer.close(false) == 0);
  CHECK(std::filesystem::file_size(file.path()) == std::uintmax_t{far} + 1);
}
