// SPDX-License-Identifier: MIT
#include <linea/core/text_stream.hpp>
#include <locale>
#include <new>
#include <ostream>
#include <string>

#include "support/catch.hpp"

namespace {

/// 60000 is 6.00.00 here.
struct Strange : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\2"; }
};

struct Costly {
  friend std::ostream& operator<<(std::ostream& out, Costly) {
    out.rdbuf(nullptr);  // as a stream is whose buffer cannot grow
    return out << 1;
  }
};

}  // namespace

TEST_CASE("TextStream: numbers are written the same whatever the locale", "[core]") {
  const std::locale before = std::locale::global(std::locale(std::locale(), new Strange));
  linea::core::TextStream text;
  text << 60000 << ' ' << 0.5;
  std::locale::global(before);
  CHECK(text.str() == "60000 0.5");
}

TEST_CASE("TextStream: a text that is not whole is an exception", "[core]") {
  linea::core::TextStream text;
  CHECK_THROWS_AS(text << Costly{}, std::ios_base::failure);
}
