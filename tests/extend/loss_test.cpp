// SPDX-License-Identifier: MIT
/// \file A loss of one's own, as docs/extend.md has it.
#include <cmath>  // log1p
#include <linea/check/loss.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/penalties/l2.hpp>

#include "extend/works.hpp"

/// ln(1 + r²) of the residual r = p − y: samples far off count little.
struct Cauchy {
  template <class T>
  T value(T p, T y) const {
    return std::log1p((p - y) * (p - y));
  }
  template <class T>
  T derivative(T p, T y) const {
    return 2 * (p - y) / (1 + (p - y) * (p - y));
  }
};
static_assert(linea::DifferentiableLoss<Cauchy>);

TEST_CASE("Your own loss: is minimised, weighted, on sparse rows, with the λ that folds choose",
          "[extend]") {
  linea::test::works(linea::Lbfgs{}, linea::Objective{Cauchy{}, linea::L2{0.1}});
}

TEST_CASE("Your own loss: the laws try it out", "[extend]") {
  REQUIRE(linea::check::loss(Cauchy{}, {-2, 0.5}, {.convex = false}).empty());
}
