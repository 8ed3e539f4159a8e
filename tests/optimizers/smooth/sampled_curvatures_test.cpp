// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/optimizers/smooth/sampled_curvatures.hpp>

#include "support/catch.hpp"

using namespace linea;

namespace {

/// Of the logistic loss: slopes and curvatures at scores that move by `reach` on both sides.
struct Bends {
  double sum(double own) const { return own; }
  void widen(const Vector<double>& scores, double reach, Vector<double>& curvatures) const {
    const auto slope = [](double z) { return 1 / (1 + std::exp(-z)); };
    curvatures = scores.unaryExpr(
        [&](double z) { return (slope(z + reach) - slope(z - reach)) / (2 * reach); });
  }
};

}  // namespace

TEST_CASE("sample_curvatures: one in so many is drawn, and the sum stays", "[optimizers]") {
  const Index n = 4000;
  const Vector<double> all = Vector<double>::LinSpaced(n, 1, 2);
  std::uint32_t turn = 0;
  Vector<double> drawn_by_all = Vector<double>::Zero(n), curvatures;
  for (int draw = 0; draw < 4; ++draw) {
    smooth::sample_curvatures(Bends{}, 0, 4, turn, all, curvatures);
    REQUIRE_THAT(curvatures.sum(), WithinRel(all.sum(), 1e-12));
    const Index count = (curvatures.array() > 0).count();
    REQUIRE(std::abs(static_cast<double>(count) - 1000) < 5);
    const double factor = (curvatures.array() / all.array()).maxCoeff();
    REQUIRE_THAT(factor, WithinRel(4, 0.01));
    for (Index i = 0; i < n; ++i)
      if (curvatures[i] != 0) {
        REQUIRE_THAT(curvatures[i], WithinRel(factor * all[i], 1e-12));
        drawn_by_all[i] += 1;
      }
  }
  REQUIRE(turn == 4);
  REQUIRE(drawn_by_all == Vector<double>::Ones(n));  // each in one draw of four
  smooth::sample_curvatures(Bends{}, 0, 1, turn, all, curvatures);
  REQUIRE(curvatures == all);
  REQUIRE(turn == 4);
}

TEST_CASE("sample_curvatures: where those drawn are all 0, all stay", "[optimizers]") {
  Vector<double> all = Vector<double>::Zero(4);
  std::uint32_t turn = 0;
  Vector<double> curvatures;
  all[1] = 3;
  for (int draw = 0; draw < 4; ++draw) {
    smooth::sample_curvatures(Bends{}, 0, 4, turn, all, curvatures);
    REQUIRE(curvatures == all);
  }
}

TEST_CASE("bending_reach: the least power of 2 that loses a tenth of the slopes", "[optimizers]") {
  const Vector<double> scores{{-1, 0.5, 2}};
  const Vector<double> slopes = scores.unaryExpr([](double z) { return 1 / (1 + std::exp(-z)); });
  const auto lost = [&](double reach) {
    Vector<double> curvatures;
    Bends{}.widen(scores, reach, curvatures);
    return reach * curvatures.sum() / slopes.sum();
  };
  const double reach = smooth::bending_reach(Bends{}, scores, slopes);
  REQUIRE(lost(reach) > 0.1);
  REQUIRE(lost(reach / 2) <= 0.1);
  const Vector<double> far = Vector<double>::Constant(3, 100);  // flat there, bent around 0
  const Vector<double> ones = Vector<double>::Ones(3);
  REQUIRE(smooth::bending_reach(Bends{}, far, ones) == 128);
  REQUIRE(smooth::bending_reach(Bends{}, scores, far) == 0);  // slopes that are never lost
}
