// SPDX-License-Identifier: MIT
// LIBSVM text in blocks: all of them together are what parse_libsvm makes of the whole.
#include <linea/io/libsvm_blocks.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using linea::Index;

namespace {

/// The samples of all blocks, dense.
struct Whole {
  std::vector<std::vector<double>> rows{};
  std::vector<double> y{};
  Index blocks{0};
  Index features{0};
  Index entries{0};
};

Whole read_in_blocks(const std::string& text, std::size_t block_bytes,
                     const linea::LibsvmOptions& options = {}) {
  std::istringstream in(text);
  linea::LibsvmBlocks<double> blocks(in, "text", options, block_bytes);
  Whole whole;
  while (const auto block = blocks.next()) {
    REQUIRE(block->x.rows() > 0);
    REQUIRE(block->x.cols() == blocks.features());
    ++whole.blocks;
    for (Index i = 0; i < block->x.rows(); ++i) {
      std::vector<double> row(100, 0.0);
      for (linea::SparseMatrix<double>::InnerIterator entry(block->x, i); entry; ++entry)
        row[static_cast<std::size_t>(entry.col())] = entry.value();
      whole.rows.push_back(row);
      whole.y.push_back(block->y[i]);
    }
  }
  CHECK(blocks.samples() == static_cast<Index>(whole.y.size()));
  whole.features = blocks.features();
  whole.entries = blocks.entries();
  return whole;
}

std::string refusal(const std::string& text, std::size_t block_bytes,
                    const linea::LibsvmOptions& options = {}) {
  return linea::test::refusal_of([&] { read_in_blocks(text, block_bytes, options); });
}

}  // namespace

TEST_CASE("LibsvmBlocks: any size of block gives the samples of the whole text", "[io]") {
  std::string text = "# a comment, and then a blank line\n\n";
  for (int i = 0; i < 50; ++i) {
    text += i % 3 ? "+1" : "-1";
    for (int j = 1 + i % 4; j < 40; j += 1 + i % 7)
      text += ' ' + std::to_string(j) + ':' + std::to_string(0.25 * i - j);
    text += i % 5 ? "\n" : " # why\r\n\n";
  }
  text += "3 90:1e-3";  // without a newline
  const auto all = linea::parse_libsvm<double>(text, "text");
  for (const std::size_t bytes : {1U, 7U, 64U, 300U, 1000U, 4096U, 1U << 20}) {
    INFO(bytes);
    const auto whole = read_in_blocks(text, bytes);
    REQUIRE(static_cast<Index>(whole.y.size()) == all.y.size());
    CHECK(whole.features == all.x.cols());
    CHECK(whole.entries == all.x.nonZeros());
    CHECK((bytes >= text.size()) == (whole.blocks == 1));
    const linea::Matrix<double> x = all.x.toDense();
    for (Index i = 0; i < all.y.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      CHECK(whole.y[k] == all.y[i]);
      for (Index j = 0; j < x.cols(); ++j)
        if (whole.rows[k][static_cast<std::size_t>(j)] != x(i, j)) FAIL("x(" << i << ", " << j);
    }
  }
}

TEST_CASE("LibsvmBlocks: carriage returns end lines where no newline does", "[io]") {
  std::string text = "# a comment\r\r";
  for (int i = 0; i < 40; ++i) text += (i % 2 ? "1 1:" : "-1 2:") + std::to_string(i) + '\r';
  for (const std::size_t bytes : {1U, 2U, 9U, 64U, 4096U}) {
    INFO(bytes);
    const auto whole = read_in_blocks(text, bytes);
    REQUIRE(whole.y.size() == 40);
    CHECK(whole.rows[39][0] == 39);
    CHECK(refusal(text + "x 1:1\r", bytes) == "text:43:1: label is not a number, got 'x'");
    // A line that ends in both is one.
    CHECK(refusal("1 1:1\r\n1 1:2\r\nx", bytes) == "text:3:1: label is not a number, got 'x'");
  }
}

TEST_CASE("LibsvmBlocks: refuses what parse_libsvm refuses, in the same words", "[io]") {
  const std::string good = "1 1:1 2:2\n-1 2:1\n";
  for (const std::string& bad :
       {good + "1 2:1 1:1\n", good + "x 1:1\n", good + "1 1:nan\n" + good, good + good + "1 0:1\n",
        good + good + good + "1 1:1.", good + "1 5000000:1\n", std::string("# nothing\n\n"),
        std::string()}) {
    std::string expected =
        linea::test::refusal_of([&] { (void)linea::parse_libsvm<double>(bad, "text"); });
    REQUIRE(!expected.empty());
    // Of nothing at all a stream does not know the last line.
    if (bad.find(':') == bad.npos)
      expected = "text:1:1: there is no sample, got the end of the text";
    for (const std::size_t bytes : {1U, 20U, 4096U}) {
      INFO(bad << " in blocks of " << bytes);
      CHECK(refusal(bad, bytes) == expected);
    }
  }
}

TEST_CASE("LibsvmBlocks: a byte order mark is skipped at the start of the text, not of a block",
          "[io]") {
  const std::string mark = "\xef\xbb\xbf";
  CHECK(read_in_blocks(mark + "1 1:2\n-1 1:3\n", 6).y == std::vector<double>{1, -1});
  for (const std::size_t bytes : {6UL, 1000UL})
    CHECK(refusal("1 1:2\n" + mark + "-1 1:3\n", bytes) ==
          "text:2:1: label is not a number, got '" + mark + "-1'");
}

TEST_CASE("LibsvmBlocks: a byte 0, a missing end and what has no size are refused", "[io]") {
  CHECK(refusal(std::string("1 1:1\n1 \0001:1\n", 14), 4) ==
        "text:2:3: a byte 0 does not belong into a text, got '\\x00'");
  CHECK(refusal("1 1:1\n1 1:2", 6, {.final_newline_required = true}) ==
        "text:2:6: the last line must end in a newline, got the end of the text");
  CHECK(refusal("1 1:1\n1 1:2\n", 6, {.final_newline_required = true}).empty());
  CHECK(refusal("1 1:1\n1 1:2\n", 12, {.final_newline_required = true}).empty());
  CHECK(refusal("1 1:1\n", 0) == "text: a block of 0 bytes holds no line");
  CHECK(refusal("1 1:1\n", 9, {.features = -1}) ==
        "LibsvmBlocks: features is -1, but must not be negative");
}

TEST_CASE("LibsvmBlocks: `features` is the width of every block, and no index passes it", "[io]") {
  std::istringstream in("1 1:1\n1 2:1\n");
  linea::LibsvmBlocks<float, Index> blocks(in, "text", {.features = 9}, 6);
  while (const auto block = blocks.next()) CHECK(block->x.cols() == 9);
  CHECK(blocks.samples() == 2);
  CHECK(refusal("1 1:1\n1 3:1\n", 6, {.features = 2}) ==
        "text:2:3: feature 3 lies beyond the 2 features of LibsvmOptions, got '3:1'");
}
