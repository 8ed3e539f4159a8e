// SPDX-License-Identifier: MIT
#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <linea/io/libsvm.hpp>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"
#include "support/temporary_file.hpp"

namespace libsvm_test {

using namespace linea::test;
using linea::Index;
using linea::LibsvmOptions;
using linea::parse_libsvm;

namespace {

linea::LabelledData<double> parse(std::string_view text, const LibsvmOptions& options = {}) {
  return parse_libsvm<double>(text, "t", options);
}

/// Returns the error of parse_libsvm with its position, or "" if there is none.
template <class T = double, class I = int>
std::string refusal(std::string_view text, const LibsvmOptions& options = {}) {
  return refusal_of([&] { (void)parse_libsvm<T, I>(text, "t", options); });
}

std::string repeated(int times, const std::string& line) {
  std::string text;
  for (int k = 0; k < times; ++k) text += line;
  return text;
}

struct CommaPoint : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("parse_libsvm: reads labels, indices and values") {
  const auto data = parse("+1 1:0.5 3:-2\n-1 2:1e-3\n");
  CHECK(data.x.isCompressed());
  CHECK(data.x.nonZeros() == 3);
  CHECK(data.x.toDense() == Eigen::MatrixXd{{0.5, 0, -2}, {0, 1e-3, 0}});
  CHECK(data.y == Eigen::Vector2d(1, -1));
  for (const std::string text :
       {"1 1:0.5 3:-2\n-1 2:0.001", "1 1:0.5 3:-2\r\n-1 2:0.001\r\n",
        "1 1:0.5 3:-2\r\n-1 2:0.001\r", "# c\r1 1:0.5 3:-2\r-1 2:0.001\r",
        "  1\t1:0.5  \t3:-2 \t\n\t-1 2:0.001  \n",
        "# head\n\n1 1:0.5 3:-2 # tail 5:6\n \t \n-1 2:0.001#2:3\n\n#",
        "\xef\xbb\xbf"
        "1 1:0.5 3:-2\n-1 2:0.001\n",
        "+1.0 1:.5 3:-2.\n-1e0 2:1E-3\n", "1 01:5e-1 003:-2e+0\n-1 2:+0.001\n"}) {
    CAPTURE(text);
    CHECK(same_bits(parse(text), data));
  }
  // Labels from 2^53 on are read if they are doubles, or have a decimal point or an exponent.
  CHECK(parse("9007199254740992\n+009007199254740994 1:2\n-36893488147419103232\n").y ==
        Eigen::Vector3d(0x1p53, 0x1p53 + 2, -0x1p65));
  CHECK(parse("9007199254740993.0\n9007199254740993e0\n").y == Eigen::Vector2d(0x1p53, 0x1p53));
  // Zeros in the text are stored. A sample may have no entries.
  const auto zeros = parse("1 1:0 2:-0 3:1\n");
  CHECK(zeros.x.nonZeros() == 3);
  CHECK(std::signbit(zeros.x.valuePtr()[1]));
  const auto empty = parse("1\n-1 2:3\n1 # nothing\n");
  CHECK(empty.x.rows() == 3);
  CHECK(empty.x.nonZeros() == 1);
  CHECK(parse("1\n2\n").x.cols() == 0);
}

TEST_CASE("parse_libsvm: options set the number of features and the first index") {
  CHECK(parse("1 2:1\n", {.features = 7}).x.cols() == 7);
  CHECK(parse("1 7:1\n", {.features = 7}).x.cols() == 7);
  const auto beyond = [](const std::string& which, const std::string& all) {
    return "feature " + which + " lies beyond the " + all + " features of LibsvmOptions, got '" +
           which + ":1'";
  };
  CHECK(refusal("1 2:1\n1 1:1 8:1\n", {.features = 7}) == "t:2:7: " + beyond("8", "7"));
  CHECK(refusal("1 2:1\n", {.features = -1}) ==
        "parse_libsvm: features is -1, but must not be negative");
  CHECK(parse("1 0:5 2:6\n", {.zero_based = true}).x.toDense() == Eigen::RowVector3d(5, 0, 6));
  CHECK(refusal("1 3:1\n", {.features = 3, .zero_based = true}) == "t:1:3: " + beyond("3", "3"));
  for (const std::string index : {"", "-0", "-00", "+0"})
    for (const bool zero_based : {false, true})
      CHECK(refusal("1 " + index + ":1\n", {.zero_based = zero_based}) ==
            "t:1:3: expected index:value with a whole number as index, got '" + index + ":1'");
  CHECK(parse("1 00:1\n", {.zero_based = true}).x.cols() == 1);
}

TEST_CASE("parse_libsvm: refuses a disproportionately large index") {
  const auto refused = [](int line, const std::string& index, const std::string& most) {
    return "t:" + std::to_string(line) + ":3: feature " + index + " lies beyond the " + most +
           " features that a text of this size may have (most_features allows more), got '" +
           index + ":1'";
  };
  CHECK(refusal("1 1:1\n1 1000000000:1\n") == refused(2, "1000000000", "4194304"));
  if constexpr (sizeof(Index) == 8)
    CHECK(refusal<double, Index>("1 99999999999:1\n") == refused(1, "99999999999", "4194304"));
  CHECK(refusal("1 4194305:1\n") == refused(1, "4194305", "4194304"));
  CHECK(parse("1 4194304:1\n").x.cols() == 4194304);
  CHECK(refusal("1 4194304:1\n", {.zero_based = true}) == refused(1, "4194304", "4194304"));

  // If the number of features or a limit is given, indices up to this number are accepted.
  CHECK(parse("1 1000000000:1\n", {.most_features = 1000000000}).x.cols() == 1000000000);
  CHECK(refusal("1 11:1\n", {.most_features = 10}) == refused(1, "11", "10"));
  CHECK(parse("1 1000000000:1\n", {.features = 2000000000}).x.cols() == 2000000000);
  CHECK(refusal("1 1:1\n", {.most_features = -1}) ==
        "parse_libsvm: most_features is -1, but must not be negative");

  // A large text may have more columns: 16 for each entry.
  const std::string text = repeated(300000, "1 1:1\n");
  CHECK(parse(text + "1 4800016:1\n").x.cols() == 4800016);
  CHECK(refusal(text + "1 4800017:1\n") == refused(300001, "4800017", "4800016"));
}

TEST_CASE("parse_libsvm: errors name line, column and text") {
  const std::string no_index = "expected index:value with a whole number as index, got ";
  const std::string from_1 = "feature indices begin at 1 unless LibsvmOptions::zero_based, got ";
  const struct {
    std::string text, message;
  } rows[] = {
      {"", "1:1: there is no sample, got the end of the text"},
      {"# only\n \r\n", "3:1: there is no sample, got the end of the text"},
      {"x 1:1", "1:1: label is not a number, got 'x'"},
      {"1 1:1\n\n  one 1:1\n", "3:3: label is not a number, got 'one'"},
      {"1,2 1:1\n", "1:1: a line can have only one label, got '1,2'"},
      {"1:2 2:1\n", "1:1: label is missing, got '1:2'"},
      {"nan 1:1\n", "1:1: label is not finite, got 'nan'"},
      {"-inf", "1:1: label is not finite, got '-inf'"},
      {"1e999 1:1\n", "1:1: label is too large for a double, got '1e999'"},
      {"1 1:1\n9007199254740993 1:1\n",
       "2:1: as a double the label would be 9007199254740992, like others: number the labels 0, 1, "
       "2, ..., or write a decimal point into a number that may be rounded, got "
       "'9007199254740993'"},
      {"+-1 1:1\n", "1:1: label is not a number, got '+-1'"},
      {"0x10 1:1\n", "1:1: label is not a number, got '0x10'"},
      {"1 qid:3 1:1\n", "1:3: query groups (qid) cannot be read, got 'qid:3'"},
      {"1 a:1\n", "1:3: " + no_index + "'a:1'"},
      {"1 1.5:1\n", "1:3: " + no_index + "'1.5:1'"},
      {"1 1 :2\n", "1:3: " + no_index + "'1'"},
      {"1 0:1\n", "1:3: " + from_1 + "'0:1'"},
      {"1 -1:2\n", "1:3: feature index is negative, got '-1:2'"},
      {"1 1:2 1:3\n", "1:7: feature 1 is given twice, got '1:3'"},
      {"1 5:2 3:3\n", "1:7: feature indices must ascend: 3 comes after 5, got '3:3'"},
      {"1 5:2 0:3\n", "1:7: " + from_1 + "'0:3'"},
      {"1 99999999999999999999:2\n",
       "1:3: feature index is too large, got '99999999999999999999:2'"},
      {"1 1:2\n1 2:nan\n", "2:5: value is not finite, got 'nan'"},
      {"1 2:inf 3:1\n", "1:5: value is not finite, got 'inf'"},
      {"1 2:-Infinity\n", "1:5: value is not finite, got '-Infinity'"},
      {"1 2:1e400\n", "1:5: value is too large for a double, got '1e400'"},
      {"1 2:x\n", "1:5: value is not a number, got 'x'"},
      {"1 2:info\n", "1:5: value is not a number, got 'info'"},
      {"1 2:1:3\n", "1:5: value is not a number, got '1:3'"},
      {"1 2:1,5\n", "1:5: value is not a number, got '1,5'"},
      {"1 2: 3\n", "1:5: value is missing, got nothing"},
      {"1 2:\r\n1 1:1\n", "1:5: value is missing, got the end of the line"},
      {"1 1:1\r2 2:1\n", "1:5: value is not a number, got '1\\x0d2'"},
      {std::string("1 1:1\0\n", 7), "1:5: value is not a number, got '1\\x00'"},
      {"1 2:" + std::string(60, 'y'),
       "1:5: value is not a number, got '" + std::string(40, 'y') + "...'"},
      // Texts that end within a number or an entry.
      {"1 1:2\n-", "2:1: label is not a number, got '-'"},
      {"1 1:2\n+", "2:1: label is not a number, got '+'"},
      {"1 1:2\n1.", "2:1: label is cut off by the end of the text, got '1.'"},
      {"1 1:2\n1 3", "2:3: " + no_index + "'3'"},
      {"1 1:2\n1 3:", "2:5: value is missing, got the end of the text"},
      {"1 1:2\n1 3:-", "2:5: value is not a number, got '-'"},
      {"1 1:2\n1 3:.", "2:5: value is not a number, got '.'"},
      {"1 1:2\n1 3:1.", "2:5: value is cut off by the end of the text, got '1.'"},
      {"1 1:2\n1 3:1e", "2:5: value is not a number, got '1e'"},
      {"1 1:2\n1 3:1e-", "2:5: value is not a number, got '1e-'"},
  };
  for (const auto& [text, message] : rows) {
    CAPTURE(text);
    CHECK(refusal(text) == "t:" + message);
  }
}

TEST_CASE("parse_libsvm: rounds to the nearest number of the scalar type") {
  CHECK(parse_libsvm<float>("1 1:0.1\n", "t").x.valuePtr()[0] == 0.1F);
  CHECK(parse_libsvm<float>("20230101 1:0.1\n", "t").y[0] == 20230101);  // no float represents it
  const auto narrow = parse_libsvm<float>("1 1:1e-50 2:-1e-50\n", "t");
  CHECK(narrow.x.nonZeros() == 2);
  CHECK(narrow.x.valuePtr()[0] == 0);
  for (const std::string number : {"1e39", "0.00001e44"})
    CHECK(refusal<float>("1 1:" + number + '\n') ==
          "t:1:5: value is too large for a float, got '" + number + "'");
  // The exponent of the second number fits in 64 bits, but not after the digits before the point
  // are added.
  for (const std::string number : {"1e99999999999999999999", "10e9223372036854775807"})
    CHECK(refusal("1 1:" + number + '\n') ==
          "t:1:5: value is too large for a double, got '" + number + "'");
  const auto tiny = parse(
      "1 1:1e-400 2:-1e-400 3:0.0001e-99999999999999999999 4:1000e-500 5:5e-324 "
      "6:0.01e-9223372036854775808\n");
  const double* const value = tiny.x.valuePtr();
  CHECK(std::signbit(value[1]));
  CHECK((value[0] == 0 && value[1] == 0 && value[2] == 0 && value[3] == 0 && value[5] == 0));
  CHECK(value[4] == std::numeric_limits<double>::denorm_min());
}

TEST_CASE("parse_libsvm: refuses values beyond its index type") {
  if constexpr (sizeof(Index) == 8) {
    const auto most = static_cast<Index>(3'000'000'000);
    const auto wide = parse_libsvm<float, Index>("1 3000000000:2\n", "t", {.most_features = most});
    CHECK(wide.x.cols() == most);
    CHECK(wide.x.innerIndexPtr()[0] == 2'999'999'999);
    CHECK(refusal("1 3000000000:2\n") ==
          "t:1:3: feature index does not fit 32 bits (std::int64_t as index type allows more), got "
          "'3000000000:2'");
  } else {
    CHECK(refusal("1 4294967297:2\n") ==  // 4294967297 is 1 modulo 2³²
          "t:1:3: feature index is too large, got '4294967297:2'");
  }
  const std::string samples = repeated(127, "1 1:1\n");
  CHECK(parse_libsvm<double, std::int8_t>(samples, "t").x.nonZeros() == 127);
  CHECK(refusal<double, std::int8_t>(samples + "1 1:1\n") ==
        "t: 128 entries do not fit 8-bit offsets: read with std::int64_t as the index type");
  const std::string comments = "1 # a:b\n" + repeated(127, "1 1:1 # 2:3\n");
  CHECK(parse_libsvm<double, std::int8_t>(comments, "t").x.nonZeros() == 127);
}

TEST_CASE("parse_libsvm: the decimal point does not depend on the locale") {
  const auto expected = parse("1.5 1:0.25 2:1e-3\n");
  // Use a locale that writes 1.234,5, for C++ and, if one is installed, for C.
  const auto before = std::locale::global(std::locale(std::locale(), new CommaPoint));
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
    if (std::setlocale(LC_NUMERIC, name)) break;
  CHECK((std::ostringstream() << 1234.5).str() == "1.234,5");  // the locale is active
  CHECK(same_bits(parse("1.5 1:0.25 2:1e-3\n"), expected));
  CHECK(refusal(std::string(1999, '\n') + "1 1:1,5\n") ==
        "t:2000:5: value is not a number, got '1,5'");
  std::locale::global(before);
  std::setlocale(LC_NUMERIC, "C");
}

TEST_CASE("read_libsvm: reads a file, and names it in errors") {
  const TemporaryFile file("1 1:0.5\n-1 2:2");
  CHECK(same_bits(linea::read_libsvm<double>(file.path()), parse("1 1:0.5\n-1 2:2\n")));
  const auto refused = [](const std::filesystem::path& path) {
    return refusal_of([&] { (void)linea::read_libsvm<double>(path); });
  };
  const TemporaryFile empty;
  CHECK(refused(empty.path()) ==
        empty.path().string() + ":1:1: there is no sample, got the end of the text");
  CHECK_THAT(refused("no/such/file.svm"),
             ContainsSubstring("read_libsvm: cannot open 'no/such/file.svm': No such file"));
  const auto folder = std::filesystem::temp_directory_path();
  CHECK(refused(folder) == "read_libsvm: cannot open '" + folder.string() + "': it is a directory");
}

}  // namespace libsvm_test
