// SPDX-License-Identifier: MIT
/// \file A penalty of one's own, as docs/extend.md has it.
#include <algorithm>  // max
#include <limits>
#include <linea/losses/log.hpp>
#include <linea/optimizers/sgd.hpp>

#include "extend/works.hpp"

/// λ·Σ wⱼ for weights ≥ 0; no weight may be negative.
struct NonNegative {
  double lambda{0};
  template <class W>
  double value(const Eigen::MatrixBase<W>& w) const {
    return w.size() == 0 || w.minCoeff() >= 0 ? lambda * static_cast<double>(w.sum())
                                              : std::numeric_limits<double>::infinity();
  }
  template <class T>
  T proximal(T v, T step) const {
    return std::max(v - step * T(lambda), T(0));
  }
};
static_assert(linea::Penalty<NonNegative>);

TEST_CASE("Your own penalty: is minimised, weighted, on sparse rows, with the λ that folds choose",
          "[extend]") {
  const linea::Objective objective{linea::Log{}, NonNegative{0.01}};
  linea::test::works(linea::Sgd{}, objective);
  const linea::Matrix<double> x = synthetic::features(60, 4, 1);
  const auto y = synthetic::signs(x, 2);
  CHECK(linea::Sgd{}.minimize(objective, x, y).weights.minCoeff() >= 0);
}
