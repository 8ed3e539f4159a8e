// SPDX-License-Identifier: MIT
#include <linea/io/write_model_text.hpp>
#include <string>

#include "support/catch.hpp"

using linea::io::Checksum;

TEST_CASE("Checksum: values of the draft's test vectors, in one piece or in several", "[core]") {
  // draft-eastlake-fnv, appendix C: 64-bit FNV-1a of "", "a" and "foobar".
  CHECK(Checksum{}.value() == 0xcbf29ce484222325U);
  CHECK(Checksum("a").value() == 0xaf63dc4c8601ec8cU);
  CHECK(Checksum("foobar").value() == 0x85944171f73967e8U);
  Checksum sum("foo");
  sum.add("");
  sum.add("bar");
  CHECK(sum.value() == 0x85944171f73967e8U);
}

TEST_CASE("Checksum: every change of one byte is seen", "[core]") {
  const std::string text("\0linea\xff", 7);
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int change = 1; change < 256; ++change) {
      std::string other = text;
      other[at] = static_cast<char>(static_cast<unsigned char>(other[at]) ^ change);
      CHECK(Checksum(other).value() != Checksum(text).value());
    }
}
