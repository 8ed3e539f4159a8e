// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/linear_algebra/block_sums.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using linear_algebra::BlockSums;

TEST_CASE("Block sums: of any number of rows, within their bound, which is not much too large",
          "[optimizers]") {
  Random random(5);
  double nearest = 0;
  for (const Index n : {1, 2, 255, 256, 257, 512, 10000}) {
    BlockSums sums(2);
    long double exact[2] = {0, 0};
    long double sizes[2] = {0, 0};
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < 2; ++j) {
        const double term = j == 0 ? 0.1 : (i % 2 == 0 ? 1e6 : -1e6) + synthetic::normal(random);
        sums.add(j, term);
        exact[j] += term;
        sizes[j] += std::abs(term);
      }
      sums.end_row(i, n);
    }
    for (Index j = 0; j < 2; ++j) {
      CAPTURE(n, j);
      const double off = static_cast<double>(std::abs(sums.sums[j] - exact[j]));
      const double bound = BlockSums::unit(n) * sums.sizes[j];
      CHECK(off <= bound);
      nearest = std::max(nearest, off / bound);
      CHECK_THAT(sums.sizes[j], WithinRel(static_cast<double>(sizes[j]), 1e-10));
    }
  }
  CHECK(nearest > 1e-3);
  CHECK(BlockSums::unit(10000) < 1e-13);
}
