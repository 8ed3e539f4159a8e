// SPDX-License-Identifier: MIT
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties.hpp>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
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

template <class F>
void for_each_smooth_loss(const F& f) {
  f(Squared{});
  f(Log{});
  f(SquaredHinge{});
  f(SmoothHinge{});
  f(SmoothHinge{0.3});
  f(Huber{0.7});
}

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

Index zeros_of(const Vector<double>& w) { return (w.array() == 0).count(); }

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

TEST_CASE("CoordinateDescent: the conditions of a minimum hold", "[optimizers]") {
  for_each_smooth_loss([](const auto& loss) {
    for (const bool offset : {false, true}) {
      for (const bool weighted : {false, true})
        for (const auto& penalty :
             {ElasticNet{0, 0.05}, ElasticNet{0.01, 0}, ElasticNet{0.01, 0.05}, ElasticNet{0.1, 0},
              ElasticNet{0.1, 0.05}}) {
          const auto p = problem_for(loss, 60, 8, 5, weighted);
          CAPTURE(loss.name, weighted, offset, penalty.l1, penalty.l2);
          const Objective objective{loss, penalty};
          CoordinateDescent optimizer{.tolerance = 1e-13, .offset = offset};
          const auto s = optimizer.minimize(objective, p.x, p.y, p.weights);
          CHECK(s.status == Status::converged);
          CHECK_THAT(s.objective,
                     WithinRel(objective_value(objective, p.x, p.y, s.weights, s.offset, p.weights),
                               1e-13));
          CHECK(s.gap.value() >= 0);
          CHECK(*s.gap <= 2e-13 * s.objective + 1e-15);
          optimizer.tolerance = 0;
          check_conditions(loss, optimizer.minimize(objective, p.x, p.y, p.weights), p, penalty.l1,
                           penalty.l2, offset, 1e-8);
        }
      const auto wide = problem_for(loss, 30, 200, 101);
      const auto s = CoordinateDescent{.tolerance = 1e-12, .offset = offset}.minimize(
          Objective{loss, L1{0.05}}, wide.x, wide.y);
      CAPTURE(loss.name, offset);
      CHECK(s.status == Status::converged);
      CHECK(200 - zeros_of(s.weights) <= 30);
      CHECK(zeros_of(s.weights) < 200);
      check_conditions(loss, s, wide, 0.05, 0, offset, 1e-7 * (1 + wide.y.cwiseAbs().maxCoeff()));
    }
  });
}

TEST_CASE("CoordinateDescent: all weights are 0 from the largest slope on", "[optimizers]") {
  const auto p = problem_for(Squared{}, 50, 6, 11);
  for (const bool offset : {true, false}) {
    const double mean = offset ? p.y.mean() : 0;
    const double most =
        (p.x.transpose() * (p.y.array() - mean).matrix()).cwiseAbs().maxCoeff() / 50;
    const auto at = [&](double factor, double tolerance) {
      return CoordinateDescent{.tolerance = tolerance, .offset = offset}.minimize(
          Objective{Squared{}, L1{factor * most}}, p.x, p.y);
    };
    for (const double factor : {1 + 1e-9, 1.5, 1e6}) {
      const auto s = at(factor, 1e-10);
      CHECK(s.weights.isZero(0));
      CHECK(s.status == Status::converged);
      CHECK(s.updates == 0);
      CHECK_THAT(s.offset, WithinAbs(mean, 1e-12));
    }
    CHECK(zeros_of(at(1 - 1e-6, 0).weights) == 5);
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

TEST_CASE("SupportMinimum: the L1 terms balance the slopes of all weights but 0", "[optimizers]") {
  for (const Index rank : {9, 6, 3})
    for (const double size : {1e-6, 1e-2, 0.3}) {
      CAPTURE(rank, size);
      Vector<double> l1 = Vector<double>::Constant(9, size);
      l1[4] = size / 3;
      const detail::ColumnMatrix<double> factor = 0.5 * synthetic::features(rank, 9, 7);
      const detail::ColumnMatrix<double> curvature = factor.transpose() * factor;
      const Vector<double> start = synthetic::features(9, 1, 8).col(0);
      const Vector<double> slopes = factor.transpose() * synthetic::features(rank, 1, 9);
      detail::newton::SupportMinimum minimum(l1, 2 * l1, slopes, start);
      minimum.descend(curvature, 100);
      const Vector<double>& w = minimum.weights();
      const Vector<double> slopes_there = slopes + curvature * (w - start);
      // The descent follows the null space of the curvature matrix until a weight is 0.
      CHECK((w.array() != 0).count() <= rank);
      for (Index k = 0; k < 9; ++k)
        if (w[k] != 0)
          CHECK_THAT(slopes_there[k], WithinAbs(w[k] > 0 ? -l1[k] : l1[k], 1e-10 + 1e-6 * size));
      // Weights whose sign must not change keep their sign or become 0.
      Vector<double> kinks = 2 * l1;
      kinks.head(5).setConstant(infinity);
      detail::newton::SupportMinimum bounded(l1, kinks, slopes, start);
      bounded.descend(curvature, 100);
      CHECK((bounded.weights().head(5).cwiseProduct(start.head(5)).array() >= 0).all());
      const auto value = [&](const Vector<double>& at) {
        const Vector<double> moved = at - start;
        return moved.dot(curvature * moved) / 2 + slopes.dot(moved) + l1.dot(at.cwiseAbs());
      };
      // A step stops each weight at 0 that it would move across 0.
      detail::newton::SupportMinimum stopped(l1, 2 * l1, slopes, start);
      Vector<double> direction = start / 2;
      direction.head(4) *= -3;
      const Vector<double> move = stopped.stopped(direction);
      CHECK(move.tail(5) == direction.tail(5));
      stopped.step_by(move, curvature * move);
      CHECK(stopped.weights().head(4) == Vector<double>::Zero(4));
      CHECK_THAT(stopped.fall(), WithinAbs(value(start) - value(stopped.weights()), 1e-10));
      const Vector<double> slopes_stopped = slopes + curvature * move;
      for (Index k = 4; k < 9; ++k)
        CHECK_THAT(stopped.slope(k),
                   WithinAbs(slopes_stopped[k] + (start[k] > 0 ? l1[k] : -l1[k]), 1e-12));
      CHECK(bounded.fall() > 0);
      CHECK_THAT(bounded.fall(), WithinAbs(value(start) - value(bounded.weights()), 1e-10));
    }
}

TEST_CASE("ConjugateDirection: solves the system of a support", "[optimizers]") {
  const Matrix<double> x =
      (synthetic::features(50, 9, 17).array() < 0.2).select(0.0, synthetic::features(50, 9, 17));
  const Vector<double> h = synthetic::features(50, 1, 18).col(0).cwiseAbs();
  const std::vector<Index> support{7, 0, 3, 4};
  const auto check = [&](const auto& columns, bool centred, double l2) {
    CAPTURE(centred, l2);
    Matrix<double> part(50, 4);
    for (Index k = 0; k < 4; ++k) part.col(k) = x.col(support[static_cast<std::size_t>(k)]);
    Vector<double> means = Vector<double>::Zero(4);
    if (centred) means = part.transpose() * h / h.sum();
    part.rowwise() -= means.transpose();
    const Matrix<double> c =
        part.transpose() * h.asDiagonal() * part + l2 * Matrix<double>::Identity(4, 4);
    const Vector<double> diagonal = c.diagonal();
    const Vector<double> residual = synthetic::features(4, 1, 19).col(0);
    const Vector<double> squares = Vector<double>::Constant(4, l2);
    detail::newton::SupportCurvature curvature(columns, support, means, diagonal, h, squares);
    const Vector<double> weights = Vector<double>::Ones(4);
    detail::newton::ConjugateDirection step(curvature, weights, residual);
    step.descend();
    CHECK(step.products <= 4);
    CHECK((step.change - c * step.direction).norm() <= 1e-12 * residual.norm());
    const Vector<double> left = residual - step.change;
    CHECK(left.cwiseQuotient(diagonal).dot(left) <=
          1e-3 * residual.cwiseQuotient(diagonal).dot(residual));
    step.descend(1e-12, 8);
    CHECK(step.products <= 8);
    CHECK((residual - c * step.direction).cwiseAbs().maxCoeff() <= 1e-11);
    // A weight that is 0 stays 0.
    Vector<double> some = weights;
    some[2] = 0;
    detail::newton::ConjugateDirection part_of_step(curvature, some, residual);
    part_of_step.descend(1e-12, 6);
    CHECK(part_of_step.direction[2] == 0);
    CHECK((residual - c * part_of_step.direction).cwiseProduct(some).cwiseAbs().maxCoeff() <=
          1e-11);
    CHECK((residual - part_of_step.change).cwiseProduct(some).cwiseAbs().maxCoeff() <= 1e-11);
  };
  const Vector<double> y = Vector<double>::Zero(50);
  const SparseMatrix<double> sparse = x.sparseView();
  for (const bool centred : {false, true})
    for (const double l2 : {0.0, 0.3}) {
      check(detail::samples::Columns(detail::samples::admit_in_double("test", Squared{}, x, y)),
            centred, l2);
      check(
          detail::samples::Columns(detail::samples::admit_in_double("test", Squared{}, sparse, y)),
          centred, l2);
    }
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

TEST_CASE("CoordinateDescent, Newton: a run that ends early has a useful gap", "[optimizers]") {
  const auto p = problem_for(Log{}, 200, 6, 122);
  for (const Index iterations : {0, 1, 2, 3}) {
    CAPTURE(iterations);
    const Objective net{Log{}, ElasticNet{1e-3, 1e-4}};
    const auto sparse = CoordinateDescent{.iterations = iterations}.minimize(net, p.x, p.y);
    // Both search for the best multiple of the same dual variables, from nearly the same offset.
    CHECK(*sparse.gap <= 1.01 * certify(net, sparse, p.x, p.y).gap());
    const Objective ridge{Log{}, L2{1e-4}};
    const auto newton = Newton{.iterations = iterations}.minimize(ridge, p.x, p.y);
    // D(0) = 0, and some multiple of the slopes is better.
    CHECK(*newton.gap < newton.objective);
  }
}

TEST_CASE("CoordinateDescent: refuses options below 0", "[optimizers]") {
  const auto p = problem_for(Log{}, 10, 3, 131);
  const Objective objective{Log{}, L1{0.1}};
  CHECK_THROWS_WITH(CoordinateDescent{.tolerance = -1}.minimize(objective, p.x, p.y),
                    "CoordinateDescent::minimize: tolerance = -1 is not >= 0");
  CHECK_THROWS_WITH(CoordinateDescent{.iterations = -1}.minimize(objective, p.x, p.y),
                    "CoordinateDescent::minimize: -1 iterations");
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
