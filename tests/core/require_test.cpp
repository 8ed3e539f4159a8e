// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <linea/core/require.hpp>
#include <linea/core/text_stream.hpp>
#include <linea/core/types.hpp>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("require: concatenates its parts, and only when it throws", "[core]") {
  REQUIRE_NOTHROW(require(true, "nothing"));
  REQUIRE_THROWS_AS(require(false, "f"), std::invalid_argument);
  REQUIRE_THROWS_WITH(require(false, "f: x(", Index{17}, ", ", 4, ") is ", 0.5),
                      "f: x(17, 4) is 0.5");
  static_assert([] {
    require(true, "at compile time");
    return true;
  }());
}

namespace {

/// A locale that formats 60000 as 6.00.00.
struct Grouped : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\2"; }
};

struct Costly {
  friend std::ostream& operator<<(std::ostream& out, Costly) {
    out.rdbuf(nullptr);  // the stream fails, like one whose buffer cannot grow
    return out << 1;
  }
};

}  // namespace

TEST_CASE("Messages and TextStream: numbers do not depend on the locale", "[core]") {
  struct Restore {
    std::locale before;
    ~Restore() { std::locale::global(before); }
  };
  const Restore restore{std::locale::global(std::locale(std::locale::classic(), new Grouped))};
  REQUIRE_THROWS_WITH(refuse("x has ", 60000, " rows and ", 0.5), "x has 60000 rows and 0.5");
  detail::TextStream text;
  text << 60000 << ' ' << 0.5;
  CHECK(text.str() == "60000 0.5");
}

TEST_CASE("TextStream: an incomplete text throws", "[core]") {
  detail::TextStream text;
  CHECK_THROWS_AS(text << Costly{}, std::ios_base::failure);
}

TEST_CASE("text_of: formats every kind of part like a stream", "[core]") {
  using Limits = std::numeric_limits<double>;
  std::string message;
  std::ostringstream stream;
  const auto write = [&](const auto& part) {
    message += detail::text_of({part, ' '});
    stream << part << ' ';
  };
  write("literal");
  write(std::string("string"));
  write(std::string_view("a view of more").substr(0, 6));
  write('c');
  write(true);
  write(short{-3});
  write(std::numeric_limits<long long>::min());
  write(std::numeric_limits<std::uint64_t>::max());
  write(std::uint32_t{4000000000});
  for (const double value :
       {0.0, -0.0, 1.0, 1.5, 123456.0, 1234567.0, 1e-5, 0.0001, 1.0 / 3, Limits::max(),
        Limits::denorm_min(), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()})
    write(value);
  write(0.1F);
  CHECK(message == stream.str());
}

TEST_CASE("number_text: is the shortest text that reads back as the same number", "[core]") {
  CHECK(detail::number_text(0.1) == "0.1");
  CHECK(detail::number_text(0.1F) == "0.1");
  CHECK(detail::number_text(1.0 / 3) == "0.3333333333333333");
  CHECK(detail::number_text(-7) == "-7");
  CHECK(detail::number_text(true) == "1");
}
