// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/libsvm_blocks.hpp>
#include <linea/io/text_file.hpp>
#include <new>
#include <string>
#include <utility>

#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/refusal.hpp"
#include "support/temporary_file.hpp"

using linea::io::read_text;
using namespace linea::test;

TEST_CASE("read_text: refuses a byte 0 and gives its position") {
  const TemporaryFile file(std::string("1 1:2\n1 1:3 # \0\n", 16));
  CHECK_THROWS_WITH(read_text("f", file.path()),
                    file.path().string() + ":2:9: a text cannot have a byte 0, got '\\x00'");
  const TemporaryFile far("1" + std::string(1000000, '\n') + std::string(5, '\0'));
  CHECK_THROWS_WITH(linea::read_csv<double>(far.path()),
                    ContainsSubstring(":1000001:1: a text cannot have a byte 0"));
  const TemporaryFile text(std::string(600000, 'x') + "\n");
  CHECK(read_text("f", text.path()).size() == 600001);
  // A file has an end, so its lines may be long.
  CHECK(read_text("f", text.path(), 10).size() == 600001);
}

TEST_CASE("read_text: names the type of a file that is not text") {
  using namespace std::string_literals;
  const auto utf = [](const std::string& from) {
    return from.substr(0, 6) + ": convert it, as by iconv -f " + from + " -t UTF-8";
  };
  const std::pair<std::string, std::string> rows[] = {
      {"\xff\xfe\x31\0,\0"s, utf("UTF-16")},
      {"\xfe\xff\0\x31\0,"s, utf("UTF-16")},
      {"\x31\0,\0\x32\0"s, utf("UTF-16LE")},
      {"\0\x31\0,\0\x32"s, utf("UTF-16BE")},
      {"\xff\xfe\0\0\x31\0\0\0"s, utf("UTF-32")},
      {"\x31\0\0\0,\0\0\0"s, utf("UTF-32LE")},
      {"PK\3\4\x14\0\0\0"s,
       "a zip archive, like .npz and .xlsx: unpack it, or save it as .csv or .npy"},
      {"\x1f\x8b\x08\0"s, "compressed by gzip: decompress it with gunzip"},
      {"BZh91AY&SY", "compressed by bzip2: decompress it with bunzip2"},
      {"\xfd\x37zXZ\0"s, "compressed by xz: decompress it with unxz"},
      {"\x28\xb5\x2f\xfd\x24", "compressed by zstd: decompress it with unzstd"},
  };
  for (const auto& [bytes, what] : rows) {
    const TemporaryFile file(bytes);
    const std::string message = file.path().string() + ": the file is " + what;
    CHECK_THROWS_WITH(read_text("f", file.path()), message);
    CHECK_THROWS_WITH(linea::read_libsvm<double>(file.path()), message);
    std::ifstream in(file.path(), std::ios::binary);
    linea::LibsvmBlocks<double> blocks(in, file.path().string());
    CHECK_THROWS_WITH(blocks.next(), message);
  }
}

TEST_CASE("read_file and parse_libsvm: errors give the memory that would be needed") {
  if (!can_limit_memory()) return;
  const TemporaryFile file;
  std::filesystem::resize_file(file.path(), std::uintmax_t{1} << 30);
  CHECK(is_refused_within(std::size_t{64} << 20,
                          "f: reading '" + file.path().string() +
                              "' needs 1073741825 bytes of memory, more than there are",
                          [&] { linea::io::read_file("f", file.path()); }));
  const std::string text = std::string(std::size_t{1} << 23, '\n') + "1";
  CHECK(is_refused_within(std::size_t{32} << 20,
                          "t: x of 8388609 samples with 0 entries needs 100663308 bytes of memory, "
                          "more than there are",
                          [&] { (void)linea::parse_libsvm<double>(text, "t"); }));
}
