// SPDX-License-Identifier: MIT
/// \file The readers take plain numbers on a short way and everything else on a long one: both ways
/// lead to the same data.
#include <algorithm>  // count
#include <array>
#include <cstddef>
#include <limits>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <string_view>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"

using linea::Index;
using namespace linea::test;

TEST_CASE("parse_libsvm and parse_csv: read nothing behind the text", "[io]") {
  const std::string_view libsvm = "1 2:3456789012";
  CHECK(linea::parse_libsvm<double>(libsvm.substr(0, 5), "t").x.coeff(0, 1) == 3);
  CHECK_THROWS_WITH(linea::parse_libsvm<double>(libsvm.substr(0, 4), "t"),
                    "t:1:5: value is missing, got the end of the text");
  CHECK_THROWS_WITH(linea::parse_libsvm<double>(libsvm.substr(0, 3), "t"),
                    "t:1:3: expected index:value with a whole number as index, got '2'");
  const std::string_view csv = "1,2\n3,4567\n8,9\n";
  CHECK(linea::parse_csv<double>(csv.substr(0, 7), "t").y == Eigen::Vector2d(2, 4));
  CHECK_THROWS_WITH(linea::parse_csv<double>(csv.substr(0, 6), "t"),
                    "t:2:3: the cell is empty, got the end of the text");
}

namespace {

/// Every prefix of the text has the samples of its whole lines and one more at most, or is refused
/// in its last line. Answers with how many are not refused. `parse(prefix, columns)`: columns of x,
/// 0 for as many as there are.
template <class Parse>
int parsed_prefixes(const std::string& text, const Parse& parse) {
  int parsed = 0;
  for (std::size_t length = 1; length <= text.size(); ++length) {
    const std::string prefix = text.substr(0, length);
    CAPTURE(prefix);
    const std::string lines = prefix.substr(0, prefix.rfind('\n') + 1);
    const std::string message = refusal_of([&] { (void)parse(prefix, 0); });
    const auto last_line = 1 + std::count(lines.begin(), lines.end(), '\n');
    if (!message.empty()) {
      CHECK_THAT(message, Catch::Matchers::StartsWith("t:" + std::to_string(last_line) + ":"));
      continue;
    }
    ++parsed;
    const auto data = parse(prefix, 0);
    if (!refusal_of([&] { (void)parse(lines, 0); }).empty()) {
      CHECK(data.y.size() == 1);  // there is no sample before the last line
      continue;
    }
    const auto whole = parse(lines, data.x.cols());
    const Index rows = whole.x.rows();
    CHECK(data.x.rows() - rows <= 1);
    CHECK(same_bits(decltype(data.x)(data.x.topRows(rows)), whole.x));
    CHECK(same_bits(linea::Vector<double>(data.y.head(rows)), whole.y));
  }
  return parsed;
}

}  // namespace

TEST_CASE("parse_libsvm and parse_csv: read every prefix as its lines or refuse its last one",
          "[io]") {
  const std::string libsvm = "+1 1:0.5 12:-2e-3 # c: 1\n\n-1.5 2:10\r\n 3\t1:.25 2:-0 \n";
  CHECK(parsed_prefixes(libsvm, [](const std::string& text, Index columns) {
          return linea::parse_libsvm<double>(text, "t", {.features = columns});
        }) == static_cast<int>(libsvm.size()) - 20);
  for (std::size_t length = 1; length <= libsvm.size(); ++length) {
    const std::string prefix = libsvm.substr(0, length);
    CHECK(refusal_of([&] {
            (void)linea::parse_libsvm<double>(prefix, "t", {.final_newline_required = true});
          }).empty() == (prefix.back() == '\n'));
  }
  CHECK(parsed_prefixes("a,\"b\"\n1.5, -2e-1\r\n\"3\",4\n", [](const std::string& text, Index) {
          return linea::parse_csv<double>(text, "t");
        }) == 6);
}

TEST_CASE("count_characters: counts any number of them", "[io]") {
  for (const std::size_t size : {0U, 1U, 254U, 255U, 256U, 511U, 1000U}) {
    const std::string text = std::string(size, '\n') + "a:b:" + std::string(size, 'x');
    CHECK(linea::io::count_characters(text, std::array{'\n', ':', 'q'}) ==
          std::array{static_cast<Index>(size), Index{2}, Index{0}});
  }
}

TEST_CASE("trusted_size: any number of entries, without an overflow", "[io]") {
  constexpr Index most = std::numeric_limits<Index>::max();
  CHECK(linea::io::trusted_size(0) == 4194304);
  CHECK(linea::io::trusted_size(1'000'000) == 16'000'000);
  for (const Index entries : {most, most / 8, most / 16 + 1})
    CHECK(linea::io::trusted_size(entries) == most);
}

TEST_CASE("parse_libsvm and parse_csv: read texts of many megabytes", "[io]") {
  constexpr Index lines = 300000;
  std::string libsvm;
  std::string csv;
  for (Index i = 0; i < lines; ++i) {
    const std::string value = std::to_string(i);
    libsvm += value + " 1:" + value + " 2:0.5 4:1 7:-1 # " + (i % 3 ? ":\n" : "\n\n");
    csv += value + ",0.5,1,-1," + value + '\n';
  }
  const double sum = static_cast<double>(lines) * (lines - 1) / 2;
  const auto sparse = linea::parse_libsvm<double>(libsvm, "t");
  CHECK(sparse.x.rows() == lines);
  CHECK(sparse.x.nonZeros() == 4 * lines);
  CHECK(sparse.y.sum() == sum);
  CHECK(linea::Vector<double>(sparse.x * Eigen::VectorXd::Ones(7)).sum() == sum + 0.5 * lines);
  const auto dense = linea::parse_csv<double>(csv, "t");
  CHECK(dense.x.rows() == lines);
  CHECK(dense.x.cols() == 4);
  CHECK(dense.y.sum() == sum);
  CHECK(dense.x.sum() == sum + 0.5 * lines);
}
