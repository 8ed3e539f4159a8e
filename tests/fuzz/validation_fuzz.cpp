// SPDX-License-Identifier: MIT
/// \file Fuzz target: the input validation of optimizers. For any x, y, weights, start and options,
/// the optimizer refuses them with std::invalid_argument, or the run ends with finite weights and a
/// gap that is not negative. The first byte of the input selects the optimizer, and the next two
/// the sizes. Further bytes are flags, counts, and numbers. A number is from a list of special
/// numbers, or a multiple of 1/16.
#include <cmath>
#include <cstdint>
#include <limits>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>

#include "fuzz/target.hpp"

namespace {

using namespace linea;
using Limits = std::numeric_limits<double>;

/// Decodes the bytes of the input, and zeros after the last byte.
class Given {
 public:
  Given(const std::uint8_t* bytes, std::size_t size) : at_(bytes), left_(size) {}

  std::uint8_t byte() { return left_ > 0 ? (--left_, *at_++) : std::uint8_t{0}; }

  double number() {
    constexpr double nan = Limits::quiet_NaN(), inf = Limits::infinity();
    constexpr double min = Limits::min(), tiny = Limits::denorm_min(), eps = Limits::epsilon();
    static constexpr double telling[] = {0,    -0.0,  1,      -1,     0.5,   -2,     1e-3,
                                         3,    nan,   inf,    -inf,   1e150, -1e150, min,
                                         tiny, 1e200, -1e200, 1e-200, 1e16,  eps};
    const std::uint8_t b = byte();
    return b < std::size(telling) ? telling[b] : (b - 128) / 16.0;
  }
  Vector<double> numbers(Index count) {
    Vector<double> all(count);
    for (double& one : all) one = number();
    return all;
  }
  /// Returns a small count, or an invalid one.
  Index count() { return Index{byte()} - 2; }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
};

template <class Solution>
void is_sound(const Solution& solution, Index d) {
  demand(solution.weights.size() == d && solution.weights.allFinite());
  demand(std::isfinite(solution.offset));
  demand(!solution.gap || !(*solution.gap < 0));
}

void run(std::uint8_t which, Given& input) {
  const Index n = input.byte() % 7;
  const Index d = input.byte() % 4;
  const bool offset = (input.byte() & 1) != 0;
  const double lambda = input.number();
  const double tolerance = input.number();
  const Index count = input.count();
  Extras<double> extras;
  const std::uint8_t given = input.byte();
  if (given & 1) extras.sample_weights = input.numbers(n + (given & 16 ? 1 : 0));
  if (given & 2) extras.start_weights = input.numbers(d);
  if (given & 4) extras.start_offset = input.number();
  if (given & 8) extras.start_multipliers = input.numbers(n);
  const Vector<double> y = input.numbers(n);
  Matrix<double> x(n, d);
  for (Index i = 0; i < n; ++i) x.row(i) = input.numbers(d).transpose();
  const Objective svm{Hinge{}, L2{lambda}};
  const Objective logistic{Log{}, L2{lambda}};
  const Objective squared{Squared{}, L2{lambda}};
  const Objective net{Squared{}, ElasticNet{.l1 = lambda, .l2 = tolerance}};
  const auto check = [&](const auto& optimizer, const auto& objective) {
    is_sound(optimizer.minimize(objective, x, y, extras), d);
  };
  const auto exact = [&](auto optimizer, const auto& objective) {
    optimizer.offset = offset;
    optimizer.tolerance = tolerance;
    optimizer.iterations = count;
    check(optimizer, objective);
  };
  which %= 9;
  if (which == 0) check(Sgd{.epochs = count, .tolerance = tolerance, .offset = offset}, squared);
  if (which == 1)
    check(DualCoordinateAscent{.epochs = count, .tolerance = tolerance, .offset = offset}, svm);
  if (which == 2) exact(Newton{}, logistic);
  if (which == 3) exact(Lbfgs{}, logistic);
  if (which == 4) exact(CoordinateDescent{}, net);
  if (which == 5) exact(InteriorPoint{}, svm);
  if (which == 6) exact(SvmQuadraticProgram{}, svm);
  if (which == 7) {
    const MaximumMargin margin{.iterations = count, .tolerance = tolerance, .offset = offset};
    demand(margin.fit(x, y, extras).weights.allFinite());
  }
  if (which == 8) check(Ridge{.offset = offset}, squared);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  Given input(bytes + 1, size - 1);
  is_accepted([&] { run(bytes[0], input); });
  return 0;
}
