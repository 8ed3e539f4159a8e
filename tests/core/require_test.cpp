// SPDX-License-Identifier: MIT
#include <linea/core/require.hpp>
#include <linea/core/types.hpp>
#include <locale>
#include <stdexcept>
#include <string>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("require: writes its parts one after the other, only when it refuses", "[core]") {
  REQUIRE_NOTHROW(require(true, "nothing"));
  REQUIRE_THROWS_AS(require(false, "f"), std::invalid_argument);
  REQUIRE_THROWS_WITH(require(false, "f: x(", Index{17}, ", ", 4, ") is ", 0.5),
                      "f: x(17, 4) is 0.5");
  static_assert([] {
    require(true, "at compile time");
    return true;
  }());
}

TEST_CASE("require: numbers are written the same whatever the locale", "[core]") {
  struct Grouped : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    char do_decimal_point() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
  };
  struct Restore {
    std::locale before;
    ~Restore() { std::locale::global(before); }
  };
  const Restore restore{std::locale::global(std::locale(std::locale::classic(), new Grouped))};
  REQUIRE_THROWS_WITH(refuse("x has ", 60000, " rows and ", 0.5), "x has 60000 rows and 0.5");
}
