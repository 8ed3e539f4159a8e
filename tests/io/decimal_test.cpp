// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/io/decimal.hpp>
#include <string>
#include <string_view>
#include <system_error>

#include "support/catch.hpp"

using namespace linea;
using namespace linea::io;

namespace {

/// What is read of a text: the value, the number of characters, and the error.
template <class T>
struct Read {
  T value{T(7)};  // stays 7 if there is no number
  std::ptrdiff_t length{0};
  std::errc error{};

  bool operator==(const Read& other) const {
    return std::memcmp(&value, &other.value, sizeof(T)) == 0 && length == other.length &&
           error == other.error;
  }
};

template <class T>
Read<T> by_c_library(std::string_view text) {
  Read<T> read;
  const auto [end, error] = decimal_by_c_library(text, read.value);
  return {read.value, end - text.data(), error};
}

constexpr auto too_far = std::errc::result_out_of_range, no_number = std::errc::invalid_argument;

}  // namespace

TEST_CASE("decimal_by_c_library: values, ends and errors") {
  CHECK(by_c_library<double>("-12.5e-1x") == Read<double>{-1.25, 8, {}});
  CHECK(by_c_library<double>("1.") == Read<double>{1, 2, {}});
  CHECK(by_c_library<double>(".5") == Read<double>{0.5, 2, {}});
  CHECK(by_c_library<double>("3e") == Read<double>{3, 1, {}});
  CHECK(by_c_library<double>("3e+") == Read<double>{3, 1, {}});
  CHECK(by_c_library<double>("0x10") == Read<double>{0, 1, {}});
  CHECK(by_c_library<double>("-0") == Read<double>{-0.0, 2, {}});
  CHECK(by_c_library<double>("4.9e-324") == Read<double>{4.9406564584124654e-324, 8, {}});
  CHECK(by_c_library<double>("1e-400") == Read<double>{7, 6, too_far});
  CHECK(by_c_library<double>("-1e400,2") == Read<double>{7, 6, too_far});
  CHECK(by_c_library<float>("1e39") == Read<float>{7, 4, too_far});
  CHECK(by_c_library<float>("1e38") == Read<float>{1e38F, 4, {}});
  CHECK(by_c_library<double>("0e999999999999") == Read<double>{0, 14, {}});
  for (const std::string_view text : {"", "-", ".", "-.", "+1", " 1", "e5", "abc", "in", "-na"})
    CHECK(by_c_library<double>(text) == Read<double>{7, 0, no_number});
  CHECK(by_c_library<double>("-Infinity") ==
        Read<double>{-std::numeric_limits<double>::infinity(), 9, {}});
  CHECK(std::isnan(by_c_library<double>("NaN").value));
}

#if !defined(_LIBCPP_VERSION)
/// Texts of up to 40 characters that numbers consist of.
TEST_CASE("decimal_by_c_library: the same bits, ends and errors as std::from_chars") {
  constexpr std::string_view characters = "00112233445566778899..-+eE";
  Random random(5);
  int numbers = 0;
  const auto compare = [&]<class T>(std::string_view text, T) {
    Read<T> wanted;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wanted.value);
    wanted = {wanted.value, end - text.data(), error};
    INFO(text);
    CHECK(by_c_library<T>(text) == wanted);
    numbers += error == std::errc{} ? 1 : 0;
  };
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text(random.below(40), ' ');
    for (char& c : text) c = characters[random.below(characters.size())];
    compare(text, double{});
    compare(text, float{});
    std::array<char, 64> digits{};  // a double with 17 digits, of any exponent
    const double number = std::ldexp(random.uniform(), static_cast<int>(random.below(2200)) - 1100);
    std::snprintf(digits.data(), digits.size(), "%.17g", number);
    compare(digits.data(), double{});
    compare(digits.data(), float{});
  }
  CHECK(numbers > 40000);
}
#endif
