// SPDX-License-Identifier: MIT
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <type_traits>
#include <vector>

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

constexpr double infinity = std::numeric_limits<double>::infinity();

// What scikit-learn 1.2.1 finds, with numpy 1.24.2, on the standardised data.
// clang-format off
// Lasso(alpha=2.0, tol=1e-15, max_iter=10**4); the same with fit_intercept=False.
const std::vector<double> golden_lasso{0, -7.568198382743049, 24.62283156625824, 13.177846873989957, -2.7168997139607334, 0, -10.05358833593672, 0, 23.14792301259031, 1.6903714409117054};
// ElasticNet(alpha=1.0, l1_ratio=0.75, tol=1e-15, max_iter=10**4).
const std::vector<double> golden_net{0, -7.132699024634809, 20.85055341808318, 12.702220786059248, -0.8546952254348069, -2.8947250658389088, -9.00123436405049, 4.481816710095434, 18.035580744502294, 4.423998966044439};
// LogisticRegression(penalty="l1", C=1/(569*0.01), solver="saga", tol=1e-12, max_iter=50000,
// random_state=0).
const std::vector<double> golden_logistic{0, -0.03319147179682562, 0, 0, 0, 0, 0, -0.4699749001207959, 0, 0, -0.7413809497686333, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2.883966510580369, -0.9108870895390712, 0, 0, -0.3623831831558086, 0, -0.1364475014262214, -1.084133410085013, -0.2456463642728075, 0};
// The same with solver="liblinear", tol=1e-9, fit_intercept=False.
const std::vector<double> golden_logistic_no_offset{0, -0.014995189005560202, 0, 0, 0, 0, 0, -0.6468519146556782, 0, 0, -0.9194197561787505, 0, 0, 0, 0, 0, 0, 0, 0, 0.04747439498711076, -0.7485513243730093, -0.8753928882918808, 0, -2.6333798085428817, -0.4260409874256469, 0, -0.14652302187790078, -0.8705402925208303, -0.29365491804431837, 0};
// clang-format on

template <class F>
void for_each_smooth_loss(const F& f) {
  f(Squared{});
  f(Log{});
  f(SquaredHinge{});
  f(SmoothHinge{});
  f(SmoothHinge{0.3});
  f(Huber{0.7});
}

/// The conditions of a minimum for l1·‖w‖₁ + l2/2·‖w‖².
template <class L, class S>
void check_conditions(const L& loss, const S& s, const Problem& p, double l1, double l2,
                      bool offset, double tolerance) {
  const Index d = p.x.cols();
  Vector<double> theta(d + 1);
  theta << s.weights, s.offset;
  const Vector<double> ones = Vector<double>::Ones(p.y.size());
  const Vector<double> gradient = gradient_of(Objective{loss, L2{0}}, p.x, p.y,
                                              p.weights.size() ? p.weights : ones, theta, true);
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

double largest_slope_at_zero(const Problem& p, bool offset) {
  const double mean = offset ? p.y.mean() : 0.0;
  return (p.x.transpose() * (p.y.array() - mean).matrix()).cwiseAbs().maxCoeff() /
         static_cast<double>(p.y.size());
}

Index zeros_of(const Vector<double>& w) { return (w.array() == 0).count(); }

}  // namespace

TEST_CASE("CoordinateDescent: on orthogonal columns the weights are soft thresholds",
          "[optimizers]") {
  // Columns of a Hadamard matrix, orthogonal to each other and to the constant, of mean square 1.
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
        const auto s = CoordinateDescent{.offset = offset, .tolerance = 1e-14}.minimize(
            Objective{Squared{}, ElasticNet{l1, l2}}, p.x, p.y);
        CHECK(s.status <= (l1 + l2 > 0 ? Status::converged : Status::settled));
        for (Index j = 0; j < 7; ++j) {
          const double size = std::max(std::abs(free[j]) - l1, 0.0) / (1 + l2);
          CHECK_THAT(s.weights[j], WithinAbs(free[j] > 0 ? size : -size, 1e-13));
          if (std::abs(free[j]) < l1) CHECK(s.weights[j] == 0);
        }
        CHECK_THAT(s.offset, WithinAbs(offset ? p.y.mean() : 0.0, 1e-13));
        // Once round and once again to see that nothing moves, and the proofs.
        CHECK(s.updates <= 2);
      }
}

TEST_CASE(
    "CoordinateDescent: the conditions of a minimum hold, for every loss, penalty and weighting",
    "[optimizers]") {
  for_each_smooth_loss([](const auto& loss) {
    for (const bool weighted : {false, true})
      for (const bool offset : {false, true})
        for (const double l1 : {0.0, 0.01, 0.1})
          for (const double l2 : {0.0, 0.05}) {
            if (l1 + l2 == 0) continue;
            const auto p = problem_for(loss, 60, 8, 5, weighted);
            CAPTURE(loss.name, weighted, offset, l1, l2);
            const Objective objective{loss, ElasticNet{l1, l2}};
            const auto s = CoordinateDescent{.offset = offset, .tolerance = 1e-13}.minimize(
                objective, p.x, p.y, {.sample_weights = p.weights});
            CHECK(s.status == Status::converged);
            const auto exact = CoordinateDescent{.offset = offset, .tolerance = 0}.minimize(
                objective, p.x, p.y, {.sample_weights = p.weights});
            check_conditions(loss, exact, p, l1, l2, offset, 1e-8);
            const double value =
                objective_value(objective, p.x, p.y, s.weights, s.offset, p.weights);
            CHECK_THAT(s.objective, WithinRel(value, 1e-13));
            REQUIRE(s.gap.has_value());
            CHECK(*s.gap >= 0);
            CHECK(*s.gap <= 2e-13 * s.objective + 1e-15);
          }
    const auto wide = problem_for(loss, 30, 200, 101);
    for (const bool offset : {true, false}) {
      const auto s = CoordinateDescent{.offset = offset, .tolerance = 1e-12}.minimize(
          Objective{loss, L1{0.05}}, wide.x, wide.y);
      CAPTURE(loss.name, offset);
      CHECK(s.status == Status::converged);
      CHECK(200 - zeros_of(s.weights) <= 30);
      CHECK(zeros_of(s.weights) < 200);
      check_conditions(loss, s, wide, 0.05, 0, offset, 1e-7 * (1 + wide.y.cwiseAbs().maxCoeff()));
    }
  });
}

TEST_CASE(
    "CoordinateDescent: agrees with scikit-learn's lasso, elastic net and sparse logistic "
    "regression",
    "[optimizers]") {
  // Lasso's objective, |y − Xw|²/(2n) + alpha·|w|₁, is that of Squared with L1{alpha}.
  const auto check = [](const auto& loss, const shipped::Set& set, ElasticNet penalty, bool offset,
                        const std::vector<double>& weights, double b, double near, double value,
                        double rounding) {
    CAPTURE(loss.name, penalty.l2, offset);
    const auto s = CoordinateDescent{.offset = offset, .tolerance = 1e-13}.minimize(
        Objective{loss, penalty}, set.x, set.y);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinRel(value, rounding));
    CHECK(s.objective <= value * (1 + 1e-12));
    CHECK_THAT(s.offset, WithinAbs(b, near));
    for (Index j = 0; j < s.weights.size(); ++j) {
      const double expected = weights[static_cast<std::size_t>(j)];
      CAPTURE(j);
      CHECK_THAT(s.weights[j], WithinAbs(expected, near));
      if (expected == 0) CHECK(s.weights[j] == 0);
    }
  };
  const auto& diabetes = shipped::diabetes();
  const double mean = 152.13348416289602;
  check(Squared{}, diabetes, {2, 0}, true, golden_lasso, mean, 1e-7, 1620.5997117191616, 1e-12);
  check(Squared{}, diabetes, {2, 0}, false, golden_lasso, 0, 1e-7, 13192.898213490225, 1e-12);
  // F is l2-strongly convex: w is at most √(2·gap/l2) from the minimum.
  check(Squared{}, diabetes, {0.75, 0.25}, true, golden_net, mean, 4e-5, 1677.3486944531148, 1e-12);
  const auto& cancer = shipped::breast_cancer();
  check(Log{}, cancer, {1e-2, 0}, true, golden_logistic, 0.6165844359382459, 2e-5,
        0.15930738045800086, 1e-9);
  check(Log{}, cancer, {1e-2, 0}, false, golden_logistic_no_offset, 0, 2e-5, 0.1642463716942931,
        1e-9);
}

TEST_CASE(
    "CoordinateDescent: a strength that no slope exceeds leaves all weights 0, one just below not",
    "[optimizers]") {
  const auto p = problem_for(Squared{}, 50, 6, 11);
  for (const bool offset : {true, false}) {
    const double most = largest_slope_at_zero(p, offset);
    const CoordinateDescent optimizer{.offset = offset, .tolerance = 1e-10};
    for (const double factor : {1 + 1e-9, 1.5, 1e6}) {
      const auto s = optimizer.minimize(Objective{Squared{}, L1{factor * most}}, p.x, p.y);
      CHECK(s.weights.isZero(0));
      CHECK(s.status == Status::converged);
      CHECK(s.updates == 0);
      CHECK_THAT(s.offset, WithinAbs(offset ? p.y.mean() : 0.0, 1e-12));
    }
    const auto s = CoordinateDescent{.offset = offset, .tolerance = 0}.minimize(
        Objective{Squared{}, L1{(1 - 1e-6) * most}}, p.x, p.y);
    CHECK(zeros_of(s.weights) == 5);
  }
}

TEST_CASE("CoordinateDescent: at every iteration F falls and the gap bounds it", "[optimizers]") {
  for_each_smooth_loss([](const auto& loss) {
    for (const bool offset : {true, false})
      for (const double l2 : {0.0, 0.02}) {
        const auto p = problem_for(loss, 50, 12, 41);
        const Objective objective{loss, ElasticNet{0.02, l2}};
        CAPTURE(loss.name, offset, l2);
        const double least = CoordinateDescent{.offset = offset, .tolerance = 1e-14}
                                 .minimize(objective, p.x, p.y)
                                 .objective;
        double before = infinity;
        double bound = -infinity;
        Index iterations = 0;
        const auto s = CoordinateDescent{.offset = offset, .tolerance = 1e-12}.minimize(
            objective, p.x, p.y, [&](const Progress& progress) {
              ++iterations;
              CHECK(progress.epoch == iterations);
              CHECK(progress.objective() <= before * (1 + 1e-14));
              CHECK(progress.objective() >= least * (1 - 1e-13));
              REQUIRE(progress.gap() >= 0);
              const double dual = progress.objective() - progress.gap();
              CHECK(dual <= least * (1 + 1e-13));
              CHECK(dual >= bound - 1e-13 * least);
              before = progress.objective();
              bound = dual;
            });
        CHECK(s.updates == iterations);
        CHECK(iterations > 0);
      }
  });
}

TEST_CASE("CoordinateDescent: without a penalty no gap is claimed", "[optimizers]") {
  const auto& x = shipped::diabetes().x;
  const auto& y = shipped::diabetes().y;
  const auto exact = least_squares_minimum(x, y, 0);
  const CoordinateDescent optimizer{.tolerance = 1e-13, .iterations = 10000};
  const auto check = [&](const auto& penalty) {
    const auto s = optimizer.minimize(Objective{Squared{}, penalty}, x, y,
                                      [](const Progress& p) { CHECK(std::isnan(p.gap())); });
    CHECK(s.status == Status::settled);
    CHECK(!s.gap.has_value());
    CHECK_THAT(s.objective, WithinRel(exact.objective, 1e-11));
  };
  check(NoPenalty{});
  check(L1{0});
  check(L2{0});
  check(ElasticNet{});
  // Samples that a line separates have no minimum of the log loss, only an infimum.
  Problem p{synthetic::features(20, 2, 51), Vector<double>(20)};
  p.y = (p.x.col(0).array() > 0).select(Vector<double>::Ones(20), -1.0);
  const auto s = CoordinateDescent{}.minimize(Objective{Log{}, NoPenalty{}}, p.x, p.y);
  CHECK(s.status == Status::epoch_limit);
  CHECK(s.weights.allFinite());
  CHECK(s.objective < 1e-6);
}

TEST_CASE("CoordinateDescent: a constant added to a column changes no prediction and costs nothing",
          "[optimizers]") {
  for_each_smooth_loss([](const auto& loss) {
    const auto p = problem_for(loss, 60, 4, 81);
    const Objective objective{loss, L1{0.01}};
    const CoordinateDescent optimizer{.tolerance = 1e-10};
    const auto plain = optimizer.minimize(objective, p.x, p.y);
    CAPTURE(loss.name);
    for (const double shift : {-3.0, 100.0, 1e4}) {
      Matrix<double> moved = p.x;
      moved.col(1).array() += shift;
      moved.col(3).array() -= 2 * shift;
      CAPTURE(shift);
      const auto agrees = [&](const auto& x) {
        const auto s = optimizer.minimize(objective, x, p.y);
        CHECK(s.status == Status::converged);
        CHECK(s.updates <= plain.updates + 1);
        CHECK(s.epochs <= plain.epochs + plain.epochs / 10 + 10);
        CHECK_THAT(s.objective, WithinRel(plain.objective, 2e-10));
        CHECK((s.weights - plain.weights).norm() <= 1e-5 * (1 + plain.weights.norm()));
        const Vector<double> apart =
            (moved * s.weights - p.x * plain.weights).array() + (s.offset - plain.offset);
        CHECK(apart.cwiseAbs().maxCoeff() < 1e-4);
      };
      agrees(moved);
      agrees(synthetic::sparse(moved));
    }
  });
}

TEST_CASE("CoordinateDescent: with float samples the gap is that of the rounded weights",
          "[optimizers]") {
  const Matrix<float> x = synthetic::features<float>(70, 9, 71, 0.6);
  const Vector<double> y = synthetic::signs(Matrix<double>(x.cast<double>()), 72, 1.0);
  const CoordinateDescent optimizer{.tolerance = 1e-13};
  const auto check = [&](const auto& loss) {
    const Objective objective{loss, ElasticNet{0.06, 0.001}};
    const auto s = optimizer.minimize(objective, x, y);
    const auto exact = optimizer.minimize(objective, Matrix<double>(x.cast<double>()), y);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(s.weights)>, Vector<float>>);
    CHECK(s.status == Status::converged);
    CHECK(zeros_of(s.weights.template cast<double>()) == zeros_of(exact.weights));
    CHECK(*s.gap >= s.objective - exact.objective - 1e-13);
  };
  check(Squared{});
  check(Log{});
}

TEST_CASE("CoordinateDescent: columns of zeros, constant columns and the same column twice",
          "[optimizers]") {
  const auto check = [](const auto& loss) {
    auto p = problem_for(loss, 40, 6, 91);
    p.x.col(2).setZero();
    p.x.col(4).setConstant(3.3);
    p.x.col(5) = p.x.col(0);
    for (const double l2 : {0.0, 0.1}) {
      CAPTURE(loss.name, l2);
      const Objective objective{loss, ElasticNet{0.02, l2}};
      const CoordinateDescent optimizer{.tolerance = 1e-13};
      for (const bool warm : {false, true}) {
        Extras<double> extras;
        if (warm) extras.start_weights = Vector<double>::Constant(6, 0.5);
        if (warm) extras.start_offset = 1;
        const auto s = optimizer.minimize(objective, p.x, p.y, extras);
        CHECK(s.status == Status::converged);
        CHECK(s.weights[2] == 0);
        CHECK(s.weights[4] == 0);
        check_conditions(loss, s, p, 0.02, l2, true, 1e-6);
        if (l2 > 0) CHECK_THAT(s.weights[5], WithinAbs(s.weights[0], 1e-5));  // √(2·gap/l2)
        const auto sparse = optimizer.minimize(objective, synthetic::sparse(p.x), p.y, extras);
        CHECK(sparse.weights[4] == 0);
        CHECK_THAT(sparse.objective, WithinRel(s.objective, 1e-12));
      }
    }
    // Without a penalty nothing draws the weights of such columns, and nothing moves them.
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

/// A column for each level of two categories and one of numbers: with an offset, and of the two
/// with each other, they depend on each other.
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

TEST_CASE("CoordinateDescent: all levels of a category cost no more sweeps than all but one",
          "[optimizers]") {
  const Levels levels;
  const Eigen::MatrixXd columns = levels.x;
  const SparseMatrix<double> sparse = levels.x.sparseView();
  const Matrix<float> floats = levels.x.cast<float>();
  const auto in_all_layouts = [&](const auto& objective, const Vector<double>& y) {
    for (const bool offset : {true, false}) {
      const CoordinateDescent optimizer{.offset = offset};
      const double f = optimizer.minimize(objective, levels.x, y).objective;
      const auto check = [&](const auto& s, double expected) {
        CAPTURE(name_of(s.status), s.objective, s.gap.value_or(-1), s.epochs, s.iterations, offset);
        CHECK(s.status == Status::converged);
        CHECK(s.gap.value_or(1) <= 1e-6 * s.objective);
        CHECK(s.iterations <= 40);
        CHECK(s.epochs <= 1000);
        CHECK_THAT(s.objective, WithinRel(expected, 2e-6));
      };
      check(optimizer.minimize(objective, levels.x, y), f);
      check(optimizer.minimize(objective, columns, y), f);
      check(optimizer.minimize(objective, sparse, y), f);
      check(optimizer.minimize(objective, floats, y), f);
      const auto weighted = optimizer.minimize(objective, columns, y, levels.weights);
      check(weighted, weighted.objective);
      check(optimizer.minimize(objective, sparse, y, levels.weights), weighted.objective);
    }
  };
  for (const double c : {1.0, 1e3, 1e6}) {
    const double lambda = 1 / (c * 400);
    CAPTURE(c);
    in_all_layouts(Objective{Squared{}, L1{lambda}}, levels.numbers);
    in_all_layouts(Objective{Huber{0.7}, ElasticNet{lambda / 2, lambda / 2}}, levels.numbers);
    in_all_layouts(Objective{Log{}, L1{lambda}}, levels.signs);
    in_all_layouts(Objective{SquaredHinge{}, ElasticNet{lambda / 2, lambda / 2}}, levels.signs);
  }
  CHECK(CoordinateDescent{}
            .minimize(Objective{Squared{}, L1{1e-6}}, levels.x, levels.numbers)
            .epochs <= 200);
}

TEST_CASE("CoordinateDescent: weights of dependent columns meet the conditions of a minimum",
          "[optimizers]") {
  const Levels levels;
  const double l1 = 1e-5;
  const CoordinateDescent by{.tolerance = 1e-12};
  const auto check = [&](const auto& loss, const Vector<double>& y) {
    const auto s = by.minimize(Objective{loss, L1{l1}}, levels.x, y);
    CHECK(s.status == Status::converged);
    check_conditions(loss, s, {levels.x, y}, l1, 0, true, 1e-3 * l1);
  };
  check(Squared{}, levels.numbers);
  check(Log{}, levels.signs);
  check(SquaredHinge{}, levels.signs);
}

TEST_CASE("CoordinateDescent: a path from strong to weak is shorter with warm starts",
          "[optimizers]") {
  const auto check = [](const auto& loss) {
    const auto p = problem_for(loss, 100, 40, 111);
    const std::vector<double> lambdas{0.1, 0.07, 0.05, 0.035, 0.025, 0.0175, 0.0125};
    const CoordinateDescent optimizer{.tolerance = 1e-9};
    const Objective objective{loss, L1{}};
    const auto path = lambda_path(optimizer, objective, lambdas, p.x, p.y);
    Index warm = 0;
    Index cold = 0;
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const auto s = optimizer.minimize(Objective{loss, L1{lambdas[k]}}, p.x, p.y);
      CHECK(path[k].status == Status::converged);
      CHECK_THAT(path[k].objective, WithinRel(s.objective, 2e-9));
      warm += path[k].epochs;
      cold += s.epochs;
    }
    CAPTURE(loss.name, warm, cold);
    CHECK(warm < cold);
  };
  check(Squared{});
  check(Log{});
}

TEST_CASE("CoordinateDescent: one class, a start of any size, an early end", "[optimizers]") {
  const auto p = problem_for(Log{}, 30, 3, 121);
  const Objective objective{Log{}, L1{0.01}};
  const auto alone = CoordinateDescent{}.minimize(objective, p.x, Vector<double>::Ones(30).eval());
  CHECK(alone.weights.isZero(0));
  CHECK(alone.objective < 1e-9);
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
  const auto stopped = CoordinateDescent{.tolerance = 1e-12}.minimize(
      objective, p.x, p.y, [](const Progress&) { return Control::stop; });
  CHECK(stopped.status == Status::stopped);
  CHECK(stopped.updates == 1);
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

TEST_CASE("CoordinateDescent: refuses options below 0", "[optimizers]") {
  const auto p = problem_for(Log{}, 10, 3, 131);
  const auto refused = [&](const CoordinateDescent& optimizer, const std::string& words) {
    CHECK_THROWS_WITH(optimizer.minimize(Objective{Log{}, L1{0.1}}, p.x, p.y),
                      "CoordinateDescent::minimize: " + words);
  };
  refused({.tolerance = -1}, "tolerance = -1 is not >= 0");
  refused({.iterations = -1}, "-1 iterations");
}

}  // namespace coordinate_descent_test
