// SPDX-License-Identifier: MIT
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/penalties.hpp>

#include "support/catch.hpp"
#include "support/gradient.hpp"
#include "support/minimum.hpp"
#include "support/problems.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace coordinate_descent_test {

using namespace linea;
using namespace linea::test;
using synthetic::Problem;
using synthetic::problem_for;

namespace {

/// Checks the conditions of a minimum for the penalty l1·‖w‖₁ + l2/2·‖w‖².
template <class L, class S>
void check_conditions(const L& loss, const S& s, const Problem& p, double l1, double l2,
                      bool offset, double tolerance) {
  const Index d = p.x.cols();
  const auto gradient = gradient_of(Objective{loss, L2{0}}, s, p.x, p.y, p.weights, true);
  for (Index j = 0; j < d; ++j) {
    const double w = s.weights[j];
    CAPTURE(j, w, gradient[j]);
    if (w == 0)
      CHECK(std::abs(gradient[j]) <= l1 + tolerance);
    else
      CHECK_THAT(gradient[j] + l2 * w, WithinAbs(w > 0 ? -l1 : l1, tolerance));
  }
  if (offset)
    CHECK(std::abs(gradient[d]) <= tolerance);
  else
    CHECK(s.offset == 0);
}

}  // namespace

TEST_CASE("CoordinateDescent: soft thresholds on orthogonal columns", "[optimizers]") {
  // The columns are those of a Hadamard matrix: orthogonal to each other and to the constant, with
  // mean square 1.
  Problem p{Matrix<double>(8, 7), Vector<double>(8)};
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 7; ++j) {
      Index bits = i & (j + 1);
      bits = (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1);
      p.x(i, j) = bits % 2 ? -1 : 1;
    }
  p.y << 3.1, -1, 4, 0.1, -5, 9, 2, -6;
  const Vector<double> free = p.x.transpose() * p.y / 8;
  for (const bool offset : {true, false})
    for (const double l1 : {0.0, 0.5, 2.0, 4.0})
      for (const double l2 : {0.0, 0.7}) {
        CAPTURE(offset, l1, l2);
        const auto s = CoordinateDescent{.tolerance = 1e-14, .offset = offset}.minimize(
            Objective{Squared{}, ElasticNet{l1, l2}}, p.x, p.y);
        CHECK(s.status <= (l1 + l2 > 0 ? Status::converged : Status::settled));
        for (Index j = 0; j < 7; ++j) {
          const double size = std::max(std::abs(free[j]) - l1, 0.0) / (1 + l2);
          CHECK_THAT(s.weights[j], WithinAbs(free[j] > 0 ? size : -size, 1e-13));
          if (std::abs(free[j]) < l1) CHECK(s.weights[j] == 0);
        }
        CHECK_THAT(s.offset, WithinAbs(offset ? p.y.mean() : 0.0, 1e-13));
        // One sweep finds the minimum, and a second one detects it.
        CHECK(s.updates <= 2);
      }
}

TEST_CASE("CoordinateDescent: without a penalty there is no gap", "[optimizers]") {
  const auto& [x, y] = shipped::diabetes();
  const double least = least_squares_minimum(x, y, 0).objective;
  const CoordinateDescent optimizer{.iterations = 10000, .tolerance = 1e-13};
  const auto check = [&, &x = x, &y = y](const auto& penalty) {
    const auto s = optimizer.minimize(Objective{Squared{}, penalty}, x, y,
                                      [](const Progress& p) { CHECK(std::isnan(p.gap())); });
    CHECK(s.status == Status::settled);
    CHECK(!s.gap.has_value());
    CHECK_THAT(s.objective, WithinRel(least, 1e-11));
  };
  check(NoPenalty{});
  check(L1{0});
  check(ElasticNet{});
  // If a line separates the samples, the log loss has no minimum, only an infimum.
  const Matrix<double> line = synthetic::features(20, 2, 51);
  const Vector<double> sides = line.col(0).cwiseSign();
  const auto s = CoordinateDescent{}.minimize(Objective{Log{}, NoPenalty{}}, line, sides);
  CHECK(s.status == Status::epoch_limit);
  CHECK(s.weights.allFinite());
  CHECK(s.objective < 1e-6);
}

TEST_CASE("CoordinateDescent: zero, constant and duplicate columns", "[optimizers]") {
  const auto check = [](const auto& loss) {
    auto p = problem_for(loss, 40, 6, 91);
    p.x.col(2).setZero();
    p.x.col(4).setConstant(3.3);
    p.x.col(5) = p.x.col(0);
    const Extras<double> start{.start_weights = Vector<double>::Constant(6, 0.5),
                               .start_offset = 1};
    for (const double l2 : {0.0, 0.1})
      for (const auto& extras : {Extras<double>{}, start}) {
        CAPTURE(loss.name, l2);
        const auto s = CoordinateDescent{.tolerance = 1e-13}.minimize(
            Objective{loss, ElasticNet{0.02, l2}}, p.x, p.y, extras);
        CHECK(s.status == Status::converged);
        CHECK(s.weights[2] == 0);
        CHECK(s.weights[4] == 0);
        check_conditions(loss, s, p, 0.02, l2, true, 1e-6);
        // At the minimum, the weights of equal columns are equal. The distance of w from the
        // minimum is at most √(2·gap/l2).
        if (l2 > 0) CHECK_THAT(s.weights[5], WithinAbs(s.weights[0], 1e-5));
      }
    // Without a penalty, the weights of zero and constant columns keep their start value, 0.
    const auto s =
        CoordinateDescent{.iterations = 3000}.minimize(Objective{loss, NoPenalty{}}, p.x, p.y);
    CHECK(s.status <= Status::settled);
    CHECK(s.weights[2] == 0);
    CHECK(s.weights[4] == 0);
  };
  check(Squared{});
  check(Log{});
  check(Huber{});
}

namespace {

/// Columns for the 18 and the 6 levels of two categories, and a column of numbers. The columns of a
/// category sum to 1, so they and the offset are linearly dependent, and so are the columns of both
/// categories.
struct Levels {
  Matrix<double> x = Matrix<double>::Zero(400, 25);
  Vector<double> numbers{400}, signs{400}, weights{400};

  Levels() {
    Random random(3);
    for (Index i = 0; i < 400; ++i) {
      const auto level = static_cast<Index>(random.below(18));
      const auto other = static_cast<Index>(random.below(6));
      x(i, level) = x(i, 18 + other) = 1;
      x(i, 24) = 2 * random.uniform() - 1;
      numbers[i] = static_cast<double>(level % 5 - other) + x(i, 24) + 4 * random.uniform() - 2;
      signs[i] = numbers[i] > 0 ? 1 : -1;
      weights[i] = random.uniform();
    }
  }
};

}  // namespace

TEST_CASE("CoordinateDescent: one-hot columns of all levels take few sweeps", "[optimizers]") {
  const Levels levels;
  const Eigen::MatrixXd columns = levels.x;
  const SparseMatrix<double> sparse = levels.x.sparseView();
  const auto in_both_layouts = [&](const auto& objective, const Vector<double>& y) {
    for (const bool offset : {true, false}) {
      const CoordinateDescent optimizer{.offset = offset};
      const auto check = [&](const auto& s, double expected) {
        CAPTURE(name_of(s.status), s.objective, s.gap.value_or(-1), s.epochs, s.iterations, offset);
        CHECK(s.status == Status::converged);
        CHECK(s.gap.value_or(1) <= 1e-6 * s.objective);
        CHECK(s.iterations <= 40);
        CHECK(s.epochs <= 1000);
        CHECK_THAT(s.objective, WithinRel(expected, 2e-6));
      };
      const auto dense = optimizer.minimize(objective, columns, y);
      check(dense, dense.objective);
      check(optimizer.minimize(objective, sparse, y), dense.objective);
      const auto weighted = optimizer.minimize(objective, columns, y, levels.weights);
      check(weighted, weighted.objective);
      check(optimizer.minimize(objective, sparse, y, levels.weights), weighted.objective);
    }
  };
  for (const double c : {1.0, 1e3, 1e6}) {
    const double lambda = 1 / (c * 400);
    CAPTURE(c);
    in_both_layouts(Objective{Squared{}, L1{lambda}}, levels.numbers);
    in_both_layouts(Objective{Huber{0.7}, ElasticNet{lambda / 2, lambda / 2}}, levels.numbers);
    in_both_layouts(Objective{Log{}, L1{lambda}}, levels.signs);
    in_both_layouts(Objective{SquaredHinge{}, ElasticNet{lambda / 2, lambda / 2}}, levels.signs);
  }
  const CoordinateDescent exact{.tolerance = 1e-12};
  const auto meets = [&](const auto& loss, const Vector<double>& y) {
    const auto s = exact.minimize(Objective{loss, L1{1e-5}}, levels.x, y);
    CHECK(s.status == Status::converged);
    check_conditions(loss, s, {levels.x, y}, 1e-5, 0, true, 1e-8);
  };
  meets(Squared{}, levels.numbers);
  meets(Log{}, levels.signs);
  meets(SquaredHinge{}, levels.signs);
}

TEST_CASE("CoordinateDescent: short columns, many of them correlated", "[optimizers]") {
  // The curvature matrix is expensive compared to a sweep over so few entries. Conjugate gradients
  // replace it.
  Matrix<double> x = Matrix<double>::Zero(2000, 150);
  Random random(21);
  for (Index j = 0; j < 150; ++j)
    for (int k = 0; k < 12; ++k) {  // in the 40 rows of one of five topics
      const auto row = static_cast<Index>(random.below(40));
      x(40 * (j % 5) + row, j) = 1 + random.uniform();
    }
  const SparseMatrix<double> sparse = x.sparseView();
  const Vector<double> signs = synthetic::signs(x, 22, 0.5);
  for (const bool offset : {true, false}) {
    CAPTURE(offset);
    // A gap of 1e-12·F could be below the rounding of F, so the tolerance is larger.
    const CoordinateDescent exact{.tolerance = 1e-10, .offset = offset};
    const auto check = [&](const auto& loss, double l2) {
      const auto s = exact.minimize(Objective{loss, ElasticNet{1e-5, l2}}, sparse, signs);
      CAPTURE(loss.name, l2, s.epochs, s.iterations);
      CHECK(s.status == Status::converged);
      CHECK(s.iterations <= 100);
      check_conditions(loss, s, {x, signs}, 1e-5, l2, offset, 1e-8);
    };
    check(Squared{}, 0);
    check(Log{}, 1e-7);
    check(SquaredHinge{}, 0);
  }
}

TEST_CASE("CoordinateDescent: a start of any size, an early end", "[optimizers]") {
  const auto p = problem_for(Log{}, 30, 3, 121);
  const Objective objective{Log{}, L1{0.01}};
  const auto plain = CoordinateDescent{.tolerance = 1e-12}.minimize(objective, p.x, p.y);
  for (const double size : {1.0, 100.0, 1e6}) {
    const auto far = CoordinateDescent{.tolerance = 1e-12}.minimize(
        objective, p.x, p.y,
        {.start_weights = Vector<double>::Constant(3, size), .start_offset = -size});
    CAPTURE(size);
    CHECK(far.status == Status::converged);
    CHECK_THAT(far.objective, WithinRel(plain.objective, 1e-11));
  }
  const auto none = CoordinateDescent{.iterations = 0}.minimize(objective, p.x, p.y);
  CHECK(none.status == Status::epoch_limit);
  CHECK(none.updates == 0);
  CHECK(*none.gap >= none.objective - plain.objective);
}

TEST_CASE("CoordinateDescent: a start that overflows ends with finite numbers", "[optimizers]") {
  const Matrix<double> x{{-5.2, -5.25}, {-6, -4.8}};
  const Vector<double> y{{-4.9, -4.4}};
  const Extras<double> start{.start_weights =
                                 Vector<double>{{std::numeric_limits<double>::max(), -4.75}}};
  const Objective objective{Squared{}, ElasticNet{.l1 = 0, .l2 = 1}};
  const auto solution = CoordinateDescent{.iterations = 1}.minimize(objective, x, y, start);
  CHECK(solution.status == Status::diverged);
  CHECK(solution.weights.allFinite());
  CHECK(std::isfinite(solution.offset));
}

}  // namespace coordinate_descent_test
