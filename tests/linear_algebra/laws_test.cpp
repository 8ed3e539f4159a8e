// SPDX-License-Identifier: MIT
/// \file Products, sums over blocks, Cholesky decompositions, and searches along a line.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/core/types.hpp>
#include <linea/linear_algebra/block_sums.hpp>
#include <linea/linear_algebra/cholesky.hpp>
#include <linea/linear_algebra/line_search.hpp>
#include <linea/linear_algebra/vectors.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using detail::linear_algebra::BlockSums;

TEST_CASE("times and transposed_times: equal Eigen's products for any number of rows",
          "[optimizers]") {
  for (Index n = 1; n <= 9; ++n)
    for (Index d = 1; d <= 19; ++d)
      for (const bool sparse : {false, true}) {  // true: v has zeros, whose rows are skipped
        CAPTURE(n, d, sparse);
        const Matrix<double> a = synthetic::features(n, d, 1);
        const Vector<double> w = synthetic::features(d, 1, 2);
        Vector<double> v = synthetic::features(n, 1, 3);
        if (sparse) v.head(std::min<Index>(n, 4)).setZero();
        CHECK((detail::linear_algebra::times(a, w) - a * w).norm() <=
              1e-14 * (1 + w.norm()) * a.norm());
        CHECK((detail::linear_algebra::transposed_times(a, v) - a.transpose() * v).norm() <=
              1e-14 * (1 + v.norm()) * a.norm());
      }
}

TEST_CASE("Block sums: the error is within the bound, which is tight", "[optimizers]") {
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

TEST_CASE("Cholesky: solves as Eigen's does, at sizes around multiples of the block",
          "[optimizers]") {
  for (const Index n : {1, 2, 5, 47, 48, 49, 96, 150, 203}) {
    CAPTURE(n);
    const Eigen::MatrixXd z = synthetic::features(2 * n + 3, n, 11);
    const Eigen::MatrixXd a = z.transpose() * z + 0.1 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = synthetic::features(n, 1, 12);
    Eigen::MatrixXd lower = a;
    // The entries above the diagonal must not be read.
    lower.triangularView<Eigen::StrictlyUpper>().setConstant(test::not_a_number);
    const detail::linear_algebra::Cholesky<> factor(lower);
    REQUIRE(factor.is_positive());
    Eigen::VectorXd x = b;
    factor.solve(x.data());
    const Eigen::LLT<Eigen::MatrixXd> eigen(a);
    CHECK((x - eigen.solve(b)).norm() <= 1e-12 * x.norm());
    CHECK_THAT(factor.reciprocal_condition(), WithinRel(eigen.rcond(), 1e-9));
  }
}

TEST_CASE(
    "Cholesky: the condition estimate is correct, and 0 if the matrix is not positive definite",
    "[optimizers]") {
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(60, 60);
  a(59, 59) = 1e-9;
  CHECK_THAT(detail::linear_algebra::Cholesky<>(a).reciprocal_condition(), WithinRel(1e-9, 1e-12));
  for (const double pivot : {0.0, -1.0, test::not_a_number})
    for (const Index at : {0, 30, 59}) {
      a(at, at) = pivot;
      const detail::linear_algebra::Cholesky<> factor(a);
      CHECK_FALSE(factor.is_positive());
      CHECK(factor.reciprocal_condition() == 0);
      a(at, at) = 1;
    }
}

TEST_CASE("search_line: the result satisfies the Wolfe conditions", "[optimizers]") {
  const detail::linear_algebra::WolfeConditions strict{1e-4, 0.1};
  const auto search = [&](auto value, auto slope, double first) {
    Index points = 0;
    const detail::linear_algebra::LinePoint start{0, value(0.0), slope(0.0)};
    double last = -1;
    const auto end = detail::linear_algebra::search_line(start, first, strict, [&](double t) {
      ++points;
      last = t;
      return detail::linear_algebra::LinePoint{t, value(t), slope(t)};
    });
    CHECK(last == end.step);
    CHECK(strict.hold(start, end));
    CHECK(points <= 40);
  };
  for (const double first : {1e-6, 1.0, 1e6}) {
    search([](double t) { return (t - 3) * (t - 3); }, [](double t) { return 2 * (t - 3); }, first);
    search([](double t) { return std::exp(t) - 7 * t; }, [](double t) { return std::exp(t) - 7; },
           first);
    search([](double t) { return -std::log(5 - t) - 2 * t; },
           [](double t) { return 1 / (5 - t) - 2; }, first);
    search([](double t) { return std::cos(t + 0.1); }, [](double t) { return -std::sin(t + 0.1); },
           first);
  }
  // The given slope is wrong: the function rises, so no point is lower than the start.
  const auto none = detail::linear_algebra::search_line({0, 1, -1}, 1, {}, [](double t) {
    return detail::linear_algebra::LinePoint{t, 1 + t, -1};
  });
  CHECK(none.step == 0);
}

TEST_CASE("falling_root: finds the zero of a decreasing function, smooth or with a jump",
          "[optimizers]") {
  for (const double near : {-1e4, 0.0, 2.9, 1e3}) {
    CHECK_THAT(detail::linear_algebra::falling_root([](double b) { return 3 - b; }, near, 1e-3, 0),
               WithinAbs(3, 1e-9));
    CHECK_THAT(detail::linear_algebra::falling_root([](double b) { return b < 3 ? 5.0 : -1.0; },
                                                    near, 1e-3, 0),
               WithinAbs(3, 1e-6));
  }
  CHECK(detail::linear_algebra::falling_root([](double) { return 0.0; }, 7, 1, 0) == 7);
  // The function has no root, but falls below `small` = 1e-12 in absolute value.
  const double far =
      detail::linear_algebra::falling_root([](double b) { return std::exp(-b); }, 0, 1e-3, 1e-12);
  CHECK(far >= -std::log(1e-12));
  CHECK(far <= -2 * std::log(1e-12));
  const double back =
      detail::linear_algebra::falling_root([](double b) { return -std::exp(b); }, 0, 1e-3, 1e-12);
  CHECK(back <= std::log(1e-12));
  CHECK(back >= 2 * std::log(1e-12));
}

TEST_CASE("falling_root: is as close as possible if rounding hides the root", "[optimizers]") {
  // Doubles near 3e5 are 6e-11 apart, and f changes by 3.5e-8 from one to the next.
  const double at = 3e5 + 1e-5;
  const auto f = [&](double b) { return 600 * (at - b) + 6e-9; };
  for (const double near : {at, 2.9e5, 3.1e5}) {
    double last = 0;
    const double root = detail::linear_algebra::falling_root(
        [&](double b) {
          last = b;
          return f(b);
        },
        near, 300, 6e-10);
    CHECK_THAT(root, WithinAbs(at, 1.2e-10));
    CHECK(last == root);
  }
}
