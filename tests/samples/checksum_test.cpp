// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/losses/squared.hpp>
#include <linea/samples/checksum.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Checksum of samples: another target, weight or row is another sum", "[samples]") {
  const auto sum_of = [](const auto& x, const Vector<double>& y,
                         const Vector<double>& weights = {}) {
    return samples::checksum(samples::admit("test", Squared{}, x, y, weights));
  };
  const auto x = synthetic::features(20, 3, 1);
  const Vector<double> y = Vector<double>::LinSpaced(20, 0, 1);
  const auto sum = sum_of(x, y);
  CHECK(sum_of(Matrix<double>(x), y) == sum);
  for (Index i = 0; i < 20; ++i) {
    Vector<double> targets = y;
    targets[i] = std::nextafter(targets[i], 2);
    CHECK(sum_of(x, targets) != sum);
    Vector<double> weights = Vector<double>::Ones(20);
    const auto weighted = sum_of(x, y, weights);
    CHECK(weighted != sum);
    weights[i] = 2;
    CHECK(sum_of(x, y, weights) != weighted);
    Matrix<double> rows = x;
    rows(i, 1) *= 1.5;
    CHECK(sum_of(rows, y) != sum);
  }
  CHECK(sum_of(x.topRows(19), y.head(19)) != sum);
}
