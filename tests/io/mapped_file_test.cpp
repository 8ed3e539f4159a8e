// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <linea/io/file.hpp>
#include <linea/io/mapped_file.hpp>
#include <string>

#include "support/binary_file.hpp"
#include "support/catch.hpp"
#include "support/temporary_file.hpp"

using namespace linea::test;

TEST_CASE("map_file: gives the bytes that read_file gives", "[io]") {
  for (const std::size_t size : {0U, 1U, 100U, 70000U}) {
    std::string text(size, '\0');
    for (std::size_t k = 0; k < size; ++k) text[k] = static_cast<char>(k * k % 251);
    const TemporaryFile file(text);
    const auto mapped = linea::io::map_file("f", file.path());
    const auto read = linea::io::read_file("f", file.path());
    CHECK(mapped.text() == text);
    CHECK(read.text() == text);
    CHECK(reinterpret_cast<std::uintptr_t>(read.data()) % 64 == 0);
  }
}

TEST_CASE("map_file: of a file beyond 4 GiB all of it, or nothing", "[io]") {
  const TemporaryFile file;
  constexpr std::uintmax_t size = (std::uintmax_t{1} << 32) + 4096;
  std::filesystem::resize_file(file.path(), size);  // of zeros, that take no room on the disk
  if constexpr (sizeof(std::size_t) > 4) {
    CHECK(linea::io::map_file("f", file.path()).size() == size);
  } else {
    CHECK_THROWS_WITH(linea::io::map_file("f", file.path()),
                      ContainsSubstring("needs 4294971393 bytes of memory"));
  }
}
