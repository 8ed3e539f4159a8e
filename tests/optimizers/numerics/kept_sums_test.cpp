// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/optimizers/numerics/kept_sums.hpp>
#include <linea/samples/all_rows.hpp>
#include <vector>

#include "support/catch.hpp"

using namespace linea;
using numerics::imbalance_of;
using numerics::KeptSums;

TEST_CASE("KeptSums: off by the rounding of one addition, however many there are", "[optimizers]") {
  KeptSums sums(2);
  for (int i = 0; i < 1000; ++i) {
    sums.add(0, 1e16);
    sums.add(0, 1);
    sums.add(0, -1e16);
    sums.add(1, 0.1);
  }
  CHECK(sums[0] == 1000);
  CHECK(sums.sizes[0] == 2e19);
  CHECK(sums[1] == 1000 * 0.1);
  CHECK(sums.sums[1] != 1000 * 0.1);
}

TEST_CASE("Imbalance: without the share of the side that has more, numbers sum up to 0",
          "[optimizers]") {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> parts(20);
    for (double& part : parts) part = random.uniform() - 0.02 * trial / 2;
    const auto imbalance = imbalance_of(
        20, [&](Index i) { return parts[static_cast<std::size_t>(i)]; }, 0, samples::AllRowsHere{});
    long double excess = 0;
    long double left = 0;
    long double sizes = 0;
    for (const double part : parts) {
      excess += part;
      sizes += std::abs(part);
      left += imbalance.has(part) ? part - imbalance.share * static_cast<long double>(part) : part;
    }
    CHECK(std::abs(excess - imbalance.excess) <= 1e-16L * sizes);
    CHECK(imbalance.share > 0);
    CHECK(imbalance.share <= 1);
    CHECK(std::abs(left) <= imbalance.doubt * sizes);
    CHECK(imbalance.doubt <= 25 * 0x1p-52 * imbalance.share + 1e-28);
  }
}

TEST_CASE("Imbalance: of one side all goes, of nothing nothing", "[optimizers]") {
  const auto one_side = imbalance_of(
      3, [](Index i) { return -1.0 - static_cast<double>(i); }, 0, samples::AllRowsHere{});
  CHECK(one_side.excess == -6);
  CHECK(one_side.share == 1);
  CHECK(one_side.has(-1));
  CHECK_FALSE(one_side.has(0));
  CHECK_FALSE(one_side.has(1));
  for (const Index n : {0, 4}) {
    const auto nothing = imbalance_of(
        n, [](Index) { return 0.0; }, 0, samples::AllRowsHere{});
    CHECK(nothing.share == 0);
    CHECK_FALSE(nothing.has(0));
  }
  const auto even = imbalance_of(
      2, [](Index i) { return i == 0 ? 0.1 : -0.1; }, 0, samples::AllRowsHere{});
  CHECK(even.share == 0);
  CHECK_FALSE(even.has(0.1));
}
