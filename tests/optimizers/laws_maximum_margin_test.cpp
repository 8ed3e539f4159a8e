// SPDX-License-Identifier: MIT
/// \file The laws of check/ for the largest margin, of samples that can be separated.
#include <linea/optimizers/maximum_margin.hpp>

#include "optimizers/laws.hpp"

namespace laws_maximum_margin_test {

using namespace linea;

namespace {

/// 0 where the agreement is 1 or more, but for rounding; the constraint of the largest margin as a
/// loss.
struct HardMargin {
  double slack{1e-14};
  double value(double score, double target) const {
    return score * target >= 1 - slack ? 0 : test::anything;
  }
  bool is_valid_target(double target) const { return target == 1 || target == -1; }
};

struct HalfSquaredNorm {
  template <class W>
  double value(const W& w) const {
    return 0.5 * w.squaredNorm();
  }
  double proximal(double v, double step) const { return v / (1 + step); }
};

}  // namespace

TEST_CASE("Laws: MaximumMargin", "[optimizers]") {
  // Rounded to float the constraints hold but for rounding, and F is infinite.
  check::OptimizerOptions options{
      .minima = {1e-8, 1e-8}, .layouts = {1e-8, 1e-8}, .floats = {test::anything, 1e-5}};
  options.gap_tolerance = 1e-8;
  options.takes_one_class = false;
  options.start = check::Start::none;
  test::obeys("MaximumMargin::fit", test::ByFit{MaximumMargin{}},
              Objective{HardMargin{}, HalfSquaredNorm{}}, test::separable_problem(), options);
}

}  // namespace laws_maximum_margin_test
