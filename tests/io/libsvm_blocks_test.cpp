// SPDX-License-Identifier: MIT
// LIBSVM text in blocks: all blocks together must equal the result of parse_libsvm for the whole
// text.
#include <linea/io/libsvm_blocks.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"
#include "support/unreadable_stream.hpp"

using linea::Index;

namespace {

/// The samples of all blocks, joined.
struct Whole {
  linea::LabelledData<double> data{};
  Index blocks{0};
};

Whole read_in_blocks(const std::string& text, std::size_t block_bytes,
                     const linea::LibsvmOptions& options = {}) {
  std::istringstream in(text);
  linea::LibsvmBlocks<double> blocks(in, "text", options, block_bytes);
  Whole whole;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> y;
  for (; const auto block = blocks.next(); ++whole.blocks) {
    REQUIRE(block->x.rows() > 0);
    REQUIRE(block->x.cols() == blocks.features());
    const int first = static_cast<int>(y.size());
    for (Index i = 0; i < block->x.rows(); ++i)
      for (linea::SparseMatrix<double>::InnerIterator entry(block->x, i); entry; ++entry)
        entries.emplace_back(first + static_cast<int>(i), static_cast<int>(entry.col()),
                             entry.value());
    y.insert(y.end(), block->y.begin(), block->y.end());
  }
  CHECK(blocks.samples() == static_cast<Index>(y.size()));
  CHECK(blocks.entries() == static_cast<Index>(entries.size()));
  whole.data.x.resize(blocks.samples(), blocks.features());
  whole.data.x.setFromTriplets(entries.begin(), entries.end());
  whole.data.y = linea::Vector<double>::Map(y.data(), blocks.samples());
  return whole;
}

std::string refusal(const std::string& text, std::size_t block_bytes,
                    const linea::LibsvmOptions& options = {}) {
  return linea::test::refusal_of([&] { read_in_blocks(text, block_bytes, options); });
}

}  // namespace

TEST_CASE("LibsvmBlocks: any block size gives the samples of the whole text") {
  std::string text = "# a comment, and then a blank line\n\n";
  for (int i = 0; i < 50; ++i) {
    text += i % 3 ? "+1" : "-1";
    for (int j = 1 + i % 4; j < 40; j += 1 + i % 7)
      text += ' ' + std::to_string(j) + ':' + std::to_string(0.25 * i - j);
    text += i % 5 ? "\n" : " # why\r\n\n";
  }
  text += "3 90:1e-3";                      // the last line has no newline
  std::string returns = "# a comment\r\r";  // without newlines, carriage returns end lines
  for (int i = 0; i < 40; ++i) returns += (i % 2 ? "1 1:" : "-1 2:") + std::to_string(i) + '\r';
  for (const std::string& all : {text, returns})
    for (const std::size_t bytes : {1U, 2U, 7U, 9U, 64U, 300U, 1000U, 4096U, 1U << 20}) {
      INFO(bytes);
      const auto whole = read_in_blocks(all, bytes);
      CHECK((bytes >= all.size()) == (whole.blocks == 1));
      CHECK(same_bits(whole.data, linea::parse_libsvm<double>(all, "text")));
    }
}

TEST_CASE("LibsvmBlocks: has the same errors as parse_libsvm") {
  const std::string good = "1 1:1 2:2\n-1 2:1\n";
  for (const std::string& bad :
       {good + "1 2:1 1:1\n", good + "x 1:1\n", good + "1 1:nan\n" + good, good + good + "1 0:1\n",
        good + good + good + "1 1:1.", good + "1 5000000:1\n", std::string("# nothing\n\n"),
        std::string("1 1:1\r\n1 1:2\r\nx"), std::string("1 1:1\r\r1 1:2\rx"), std::string()}) {
    std::string expected =
        linea::test::refusal_of([&] { (void)linea::parse_libsvm<double>(bad, "text"); });
    REQUIRE(!expected.empty());
    // For a text without samples, LibsvmBlocks reports line 1, and not the last line.
    if (bad.find(':') == bad.npos)
      expected = "text:1:1: there is no sample, got the end of the text";
    for (const std::size_t bytes : {1U, 2U, 9U, 20U, 4096U}) {
      INFO(bad << " in blocks of " << bytes);
      CHECK(refusal(bad, bytes) == expected);
    }
  }
}

TEST_CASE("LibsvmBlocks: errors give the position in the text") {
  // LibsvmBlocks skips a byte order mark at the start of the text, but not of a later block.
  const std::string mark = "\xef\xbb\xbf";
  CHECK(read_in_blocks(mark + "1 1:2\n-1 1:3\n", 6).data.y == Eigen::Vector2d(1, -1));
  for (const std::size_t bytes : {6UL, 1000UL})
    CHECK(refusal("1 1:2\n" + mark + "-1 1:3\n", bytes) ==
          "text:2:1: label is not a number, got '" + mark + "-1'");
  CHECK(refusal(std::string("1 1:1\n1 \0001:1\n", 14), 4) ==
        "text:2:3: a text cannot have a byte 0, got '\\x00'");
  CHECK(refusal("1 1:1\n", 0) == "text: a block of 0 bytes holds no line");
  CHECK(refusal("1 1:1\n", 9, {.features = -1}) ==
        "LibsvmBlocks: features is -1, but must not be negative");
  // `features` is the width of every block.
  CHECK(read_in_blocks("1 1:1\n1 2:1\n", 6, {.features = 9}).data.x.cols() == 9);
  CHECK(refusal("1 1:1\n1 3:1\n", 6, {.features = 2}) ==
        "text:2:3: feature 3 lies beyond the 2 features of LibsvmOptions, got '3:1'");
  std::istringstream in("1 1:1\n1 2:1\n");
  linea::LibsvmBlocks<float, Index> wide(in, "text", {}, 6);
  while (wide.next()) continue;
  CHECK(wide.samples() == 2);
}

TEST_CASE("LibsvmBlocks: reads all of a stream whose exceptions are on") {
  using std::ios;
  for (const auto mask : {ios::failbit | ios::badbit, ios::failbit | ios::badbit | ios::eofbit})
    for (const std::size_t bytes : {1U, 8U, 18U, 1000U}) {
      INFO(bytes);
      std::istringstream in("1 1:1\n-1 1:2\n1 2:3");
      in.exceptions(mask);
      linea::LibsvmBlocks<double> blocks(in, "text", {}, bytes);
      while (blocks.next()) continue;
      CHECK(blocks.samples() == 3);
      CHECK(blocks.entries() == 3);
    }
}

TEST_CASE("LibsvmBlocks: refuses a stream that cannot be read") {
  linea::test::UnreadableStream in;
  for (const auto mask : {std::ios::goodbit, std::ios::failbit | std::ios::badbit}) {
    in.clear();
    in.exceptions(mask);
    CHECK(linea::test::refusal_of([&] { linea::LibsvmBlocks<double>(in, "a file").next(); }) ==
          "a file: cannot be read to its end");
  }
}
