// SPDX-License-Identifier: MIT
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <linea/core/random.hpp>
#include <linea/io/text.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "support/catch.hpp"
#include "support/random_place.hpp"
#include "support/same_bits.hpp"

namespace {

/// Where short_decimal stopped in a text that goes on behind the number, or npos; counts texts that
/// std::from_chars, the reference, reads to another end or to another number.
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
    const char* const first = text.data() + (text[0] == '+');
    const auto reference =
        std::from_chars(first, text.data() + text.size(), expected, std::chars_format::fixed);
    if (reference.ec == std::errc{} && reference.ptr == end && same_bits(value, expected)) return;
    ++wrong;
    example = text;
  }
};

/// Digits with a point `decimals` before their end, zeros in front as needed.
std::string decimal(std::uint64_t mantissa, std::size_t decimals) {
  std::string digits = std::to_string(mantissa);
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  return digits.insert(digits.size() - decimals, decimals ? "." : "");
}

std::uint64_t bits(linea::Random& random) {
  return random.below(std::uint64_t{1} << 32) << 32 | random.below(std::uint64_t{1} << 32);
}

}  // namespace

TEMPLATE_TEST_CASE("short_decimal: agrees with from_chars on random numbers", "[io]", float,
                   double) {
  linea::Random random(11);
  Comparison<TestType> seen;
  for (int k = 0; k < 1000000; ++k) {
    const std::uint64_t mantissa = bits(random) >> random.below(64);
    const std::string number = decimal(mantissa, linea::test::random_place(random, 24));
    seen.add(k % 3 ? number : '-' + number);
  }
  CAPTURE(seen.example);
  CHECK(seen.wrong == 0);
  CHECK(seen.read > 500000);
  CHECK(seen.left > 100000);
}

TEMPLATE_TEST_CASE("short_decimal: agrees with from_chars beside the middle of two floats", "[io]",
                   float, double) {
  linea::Random random(12);
  Comparison<TestType> seen;
  // The middle of two neighbouring floats, a few last places of double away from it, as decimals.
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

TEST_CASE("short_decimal: leaves a middle of two floats to others", "[io]") {
  Comparison<float> seen;
  seen.add("8388608.5");  // a tie, to even
  seen.add("8388609.5");  // a tie, to odd
  seen.add("8388608.51");
  CHECK(seen.left == 2);
  CHECK(seen.wrong == 0);
  // 1 + 2⁻²⁴ + 10⁻¹⁶: above the middle, at which the nearest double lies; its float is 1 + 2⁻²³.
  float value = 0;
  const std::string text = "1.0000000596046449 ";
  CHECK(linea::io::short_decimal(text.data(), text.data() + text.size(), value) == nullptr);
}

TEMPLATE_TEST_CASE("short_decimal: agrees with from_chars on every shape of number", "[io]", float,
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
  // What is no number is left, too.
  Comparison<TestType> others;
  for (const char* text :
       {"", "-", "+", ".", "-.", "1.", "-1. ", "x", ":", "/", "\n", "e5", "-x", "--1", "+-1"})
    others.add(text);
  CHECK(others.left == 15);
}

TEST_CASE("short_decimal: reads up to the last byte that it may look at", "[io]") {
  for (const std::string number : {"1", "-0", "12.5", "0.12345678", "1234567.1234567"}) {
    std::vector<char> text(number.begin(), number.end());  // no terminator behind it
    text.push_back('\n');
    text.shrink_to_fit();
    double value = 0;
    CHECK(linea::io::short_decimal(text.data(), text.data() + text.size(), value) ==
          text.data() + number.size());
    CHECK(same_bits(value, std::stod(number)));
  }
}
