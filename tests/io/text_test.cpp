// SPDX-License-Identifier: MIT
/// \file The readers have a fast path for plain numbers and a slow path for all others. Both must
/// give the same data.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/io/csv.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "support/catch.hpp"
#include "support/random_place.hpp"
#include "support/same_bits.hpp"

using linea::Index;
using namespace linea::test;

namespace {

/// Counts the texts that short_decimal reads (`read`), those that it leaves to the slow path
/// (`left`), and those that it reads unlike decimal_from (`wrong`): with another end or number.
template <class T>
struct Comparison {
  int read{0};
  int left{0};
  int wrong{0};
  std::string example{};

  void add(const std::string& number) {
    const std::string text = number + " 123456789";
    T value{};
    const char* const end = linea::io::short_decimal(text.data(), text.data() + text.size(), value);
    if (!end) {
      ++left;
      return;
    }
    ++read;
    T expected{};
    const std::size_t sign = text[0] == '+' ? 1 : 0;
    const std::string_view fixed = std::string_view(text).substr(0, text.find_first_of("eE"));
    const auto reference = linea::io::decimal_from(fixed.substr(sign), expected);
    if (reference.ec == std::errc{} && reference.ptr == end && same_bits(value, expected)) return;
    ++wrong;
    example = text;
  }
};

/// Returns the digits of `mantissa`, padded with zeros, with a point before the last `decimals`
/// digits.
std::string decimal(std::uint64_t mantissa, std::size_t decimals) {
  std::string digits = std::to_string(mantissa);
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  return digits.insert(digits.size() - decimals, decimals ? "." : "");
}

std::uint64_t bits(linea::Random& random) {
  return random.below(std::uint64_t{1} << 32) << 32 | random.below(std::uint64_t{1} << 32);
}

}  // namespace

TEMPLATE_TEST_CASE("short_decimal: agrees with decimal_from on random numbers", "[io]", float,
                   double) {
  linea::Random random(11);
  Comparison<TestType> seen;
  for (int k = 0; k < 1000000; ++k) {
    const std::uint64_t mantissa = bits(random) >> random.below(64);
    const std::string number = decimal(mantissa, random_place(random, 24));
    seen.add(k % 3 ? number : '-' + number);
  }
  CAPTURE(seen.example);
  CHECK(seen.wrong == 0);
  CHECK(seen.read > 500000);
  CHECK(seen.left > 100000);
}

TEMPLATE_TEST_CASE("short_decimal: agrees with decimal_from near the midpoint of two floats",
                   "[io]", float, double) {
  linea::Random random(12);
  Comparison<TestType> seen;
  // Half of the values `middle` are midpoints of two neighbouring floats; the others are floats.
  // Test them as decimals, and the decimals just below and above them.
  for (int k = 0; k < 100000; ++k) {
    const auto exponent = static_cast<int>(random.below(30)) - 20;
    const double middle = std::ldexp(static_cast<double>(random.below(1 << 24) * 2 + 1), exponent);
    for (const int decimals : {0, 3, 9, 12}) {
      const double scaled = std::nearbyint(middle * std::pow(10, decimals));
      if (scaled > 9e15) continue;
      const auto near = static_cast<std::uint64_t>(scaled);
      for (const std::uint64_t mantissa : {near - 1, near, near + 1})
        seen.add(decimal(mantissa, static_cast<std::size_t>(decimals)));
    }
  }
  CAPTURE(seen.example);
  CHECK(seen.wrong == 0);
  CHECK(seen.read > 500000);
}

TEST_CASE("short_decimal: leaves midpoints of two floats, and invalid numbers, to the slow path") {
  Comparison<float> seen;
  // The first two numbers are midpoints of two floats.
  for (const char* text : {"8388608.5", "8388609.5", "8388608.51"}) seen.add(text);
  CHECK(seen.left == 2);
  CHECK(seen.wrong == 0);
  // 1 + 2⁻²⁴ + 10⁻¹⁶ is above the midpoint of two floats, but the nearest double is the midpoint.
  // The nearest float is 1 + 2⁻²³.
  seen.add("1.0000000596046449");
  CHECK(seen.left == 3);
  for (const char* text :
       {"", "-", "+", ".", "-.", "1.", "-1. ", "x", ":", "/", "\n", "e5", "-x", "--1", "+-1"})
    seen.add(text);
  CHECK(seen.left == 18);
}

TEMPLATE_TEST_CASE("short_decimal: agrees with decimal_from on every form of number", "[io]", float,
                   double) {
  Comparison<TestType> seen;
  for (const char* sign : {"", "-", "+"})
    for (const char* zeros : {"", "0", "000000000", "00000000000000000"})
      for (const char* whole : {"", "0", "7", "42", "4503599627370497", "9007199254740993",
                                "18446744073709551616", "99999999999999999999"})
        for (const char* point : {"", "."})
          for (const char* decimals :
               {"", "0", "5", "25", "0000001", "00000001", "000000001", "12345678", "123456789",
                "1234567890123456", "00000000000000000001", "9999999999999999999999"})
            for (const char* tail : {"", ",", ":", "e", "e5", "E-3", "x", ".", "/"})
              seen.add(std::string(sign) + zeros + whole + point + (*point ? decimals : "") + tail);
  CAPTURE(seen.example);
  CHECK(seen.wrong == 0);
  CHECK(seen.read > 1000);
  CHECK(seen.left > 1000);
}

TEST_CASE("short_decimal: does not read beyond the end") {
  for (const std::string number : {"1", "-0", "12.5", "0.12345678", "1234567.1234567"}) {
    std::vector<char> text(number.begin(), number.end());  // a buffer without a terminator
    text.push_back('\n');
    text.shrink_to_fit();
    double value = 0;
    CHECK(linea::io::short_decimal(text.data(), text.data() + text.size(), value) ==
          text.data() + number.size());
    CHECK(same_bits(value, std::stod(number)));
  }
}

TEST_CASE("parse_libsvm and parse_csv: do not read beyond the text") {
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

TEST_CASE("count_characters: is correct for any number") {
  for (const std::size_t size : {0U, 1U, 254U, 255U, 256U, 511U, 1000U}) {
    const std::string text = std::string(size, '\n') + "a:b:" + std::string(size, 'x');
    CHECK(linea::io::count_characters(text, std::array{'\n', ':', 'q'}) ==
          std::array{static_cast<Index>(size), Index{2}, Index{0}});
  }
}
