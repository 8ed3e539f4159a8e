// SPDX-License-Identifier: MIT
#include <algorithm>
#include <linea/optimizers/descent/proximal_weights.hpp>
#include <linea/rows/rows_of.hpp>

#include "support/catch.hpp"
#include "support/plain_weights.hpp"

using namespace linea;
using namespace linea::test;

namespace {

struct Same {
  template <class W>
  double value(const Eigen::MatrixBase<W>&) const {
    return 0;
  }
  double proximal(double v, double) const { return v; }
};

}  // namespace

TEST_CASE("ProximalWeights: the average counts steps as told", "[optimizers]") {
  const Matrix<double> x = Matrix<double>::Ones(1, 1);
  descent::ProximalWeights<double, Same> w(Vector<double>::Zero(1), 0, {});
  w.average(true);
  w.add(rows_of(x), 0, 1.0);
  w.finish({}, 0, 1);
  w.add(rows_of(x), 0, 1.0);
  w.finish({}, 0, 3);
  REQUIRE(w.average_weights()[0] == 1.75);
}

namespace {

/// A penalty that offers nothing but the two required functions.
struct Box {
  template <class W>
  double value(const Eigen::MatrixBase<W>&) const {
    return 0;
  }
  template <class T>
  T proximal(T v, T) const {
    return std::clamp(v, T(-0.25), T(0.25));
  }
};
static_assert(Penalty<Box> && !LazyPenalty<Box>);

}  // namespace

TEST_CASE("ProximalWeights: any penalty is applied to every weight at every step", "[optimizers]") {
  same_as_plain(Box{}, 1.0, 1000);
}
