// SPDX-License-Identifier: MIT
#include <linea/core/certificate.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("Certificate: gap and relative gap", "[core]") {
  CHECK(Certificate{2, 1.5}.gap() == 0.5);
  CHECK(Certificate{2, 1.5}.relative_gap() == 0.25);
  CHECK(Certificate{1, 1 + 1e-15}.gap() == 0);
  CHECK(Certificate{0, 0}.relative_gap() == 0);
}
