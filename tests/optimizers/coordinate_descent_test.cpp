// SPDX-License-Identifier: MIT
#include <algorithm>  // max, min
#include <cmath>
#include <limits>
#include <linea/core/random.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/penalties.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"
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

/// The slope of the mean loss for each weight, and last for the offset, from the definition.
template <class L, class S>
Vector<double> gradient_of(const L& loss, const S& s, const Problem& p) {
  Vector<double> gradient = Vector<double>::Zero(p.x.cols() + 1);
  double total = 0;
  for (Index i = 0; i < p.x.rows(); ++i) {
    const double weight = p.weights.size() ? p.weights[i] : 1.0;
    double score = s.offset;
    for (Index j = 0; j < p.x.cols(); ++j) score += s.weights[j] * p.x(i, j);
    const double slope = weight * loss.derivative(score, p.y[i]);
    for (Index j = 0; j < p.x.cols(); ++j) gradient[j] += slope * p.x(i, j);
    gradient[p.x.cols()] += slope;
    total += weight;
  }
  return gradient / total;
}

/// The conditions of a minimum for l1·‖w‖₁ + l2/2·‖w‖².
template <class L, class S>
void check_conditions(const L& loss, const S& s, const Problem& p, double l1, double l2,
                      bool offset, double tolerance) {
  const Vector<double> gradient = gradient_of(loss, s, p);
  const Index d = p.x.cols();
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
  });
}

TEST_CASE("CoordinateDescent: agrees with the lasso and the elastic net of scikit-learn",
          "[optimizers]") {
  // Their objective, |y − Xw|²/(2n) + alpha·|w|₁, is that of Squared with L1{alpha}.
  const auto& [x, y] = shipped::diabetes();
  const auto check = [&](const auto& s, const std::vector<double>& weights, double value,
                         double tolerance) {
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinRel(value, 1e-12));
    for (Index j = 0; j < 10; ++j) {
      const double expected = weights[static_cast<std::size_t>(j)];
      CAPTURE(j);
      CHECK_THAT(s.weights[j], WithinAbs(expected, tolerance));
      if (expected == 0) CHECK(s.weights[j] == 0);
    }
  };
  const Objective l1{Squared{}, L1{2.0}};
  const auto s = CoordinateDescent{.tolerance = 1e-13}.minimize(l1, x, y);
  check(s, golden_lasso, 1620.5997117191616, 1e-7);
  CHECK_THAT(s.offset, WithinRel(152.13348416289602, 1e-12));
  check(CoordinateDescent{.offset = false, .tolerance = 1e-13}.minimize(l1, x, y), golden_lasso,
        13192.898213490225, 1e-7);
  // F is l2-strongly convex: w is at most √(2·gap/l2) from the minimum.
  check(CoordinateDescent{.tolerance = 1e-13}.minimize(Objective{Squared{}, ElasticNet{0.75, 0.25}},
                                                       x, y),
        golden_net, 1677.3486944531148, 4e-5);
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
  const auto q = problem_for(Log{}, 50, 6, 12);
  // At w = 0 the chance of a class is its share.
  const double share = (q.y.array() > 0).cast<double>().mean();
  const Vector<double> slopes =
      (q.y.array() > 0).select(Vector<double>::Constant(50, share - 1), share);
  const double most = (q.x.transpose() * slopes).cwiseAbs().maxCoeff() / 50;
  const CoordinateDescent optimizer{.tolerance = 1e-10};
  CHECK(optimizer.minimize(Objective{Log{}, L1{1.0001 * most}}, q.x, q.y).weights.isZero(0));
  CHECK(zeros_of(optimizer.minimize(Objective{Log{}, L1{0.999 * most}}, q.x, q.y).weights) == 5);
}

TEST_CASE("CoordinateDescent: agrees with the sparse logistic regression of scikit-learn",
          "[optimizers]") {
  const auto& [x, y] = shipped::breast_cancer();
  const auto check = [](const auto& s, const std::vector<double>& weights, double value) {
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinRel(value, 1e-9));
    CHECK(s.objective <= value * (1 + 1e-12));
    for (Index j = 0; j < 30; ++j) {
      const double expected = weights[static_cast<std::size_t>(j)];
      CAPTURE(j);
      CHECK_THAT(s.weights[j], WithinAbs(expected, 2e-5));
      if (expected == 0) CHECK(s.weights[j] == 0);
    }
  };
  const Objective objective{Log{}, L1{1e-2}};
  const auto s = CoordinateDescent{.tolerance = 1e-12}.minimize(objective, x, y);
  check(s, golden_logistic, 0.15930738045800086);
  CHECK_THAT(s.offset, WithinAbs(0.6165844359382459, 2e-5));
  check(CoordinateDescent{.offset = false, .tolerance = 1e-12}.minimize(objective, x, y),
        golden_logistic_no_offset, 0.1642463716942931);
}

TEST_CASE("CoordinateDescent: with L2 agrees with ridge regression, Newton's method and the dual",
          "[optimizers]") {
  const auto& [x, y] = shipped::diabetes();
  for (const bool offset : {true, false})
    for (const double lambda : {1e-2, 1.0}) {
      const Objective objective{Squared{}, L2{lambda}};
      const auto ridge = least_squares_minimum(x, y, lambda, offset);
      const auto s =
          CoordinateDescent{.offset = offset, .tolerance = 1e-14}.minimize(objective, x, y);
      CAPTURE(offset, lambda);
      CHECK(s.status == Status::converged);
      CHECK((s.weights - ridge.weights).norm() <= 1e-6 * ridge.weights.norm());
      CHECK_THAT(s.offset, WithinAbs(ridge.offset, 1e-8));
      CHECK_THAT(s.objective, WithinRel(ridge.objective, 1e-13));
    }
  const auto& cancer = shipped::breast_cancer();
  for (const bool offset : {true, false}) {
    CAPTURE(offset);
    const Objective objective{Log{}, L2{1e-2}};
    const auto newton = log_minimum(cancer.x, cancer.y, 1e-2, offset);
    const auto s = CoordinateDescent{.offset = offset, .tolerance = 1e-14}.minimize(
        objective, cancer.x, cancer.y);
    CHECK(s.status == Status::converged);
    CHECK((s.weights - newton.weights).norm() <= 1e-6 * newton.weights.norm());
    CHECK_THAT(s.objective, WithinRel(newton.objective, 1e-12));
  }
  for_each_smooth_loss([](const auto& loss) {
    const auto p = problem_for(loss, 60, 5, 21, true);
    const Objective objective{loss, L2{0.02}};
    CAPTURE(loss.name);
    const auto dual = DualCoordinateAscent{.tolerance = 1e-10}.minimize(
        objective, p.x, p.y, {.sample_weights = p.weights});
    const auto s = CoordinateDescent{.tolerance = 1e-12}.minimize(objective, p.x, p.y,
                                                                  {.sample_weights = p.weights});
    CHECK_THAT(s.objective, WithinRel(dual.objective, 2e-10));
    CHECK(dual.dual <= s.objective * (1 + 1e-14));
    CHECK(s.objective - *s.gap <= dual.objective);
  });
}

TEST_CASE("CoordinateDescent: an elastic net is a lasso of more samples", "[optimizers]") {
  // Rows √(n·l2)·I with targets 0 add l2/2·|w|² to the mean over the n others.
  const auto p = problem_for(Squared{}, 40, 6, 31);
  const double l1 = 0.2;
  const double l2 = 0.3;
  const CoordinateDescent optimizer{.offset = false, .tolerance = 1e-14};
  const auto net = optimizer.minimize(Objective{Squared{}, ElasticNet{l1, l2}}, p.x, p.y);
  Problem more{Matrix<double>::Zero(46, 6), Vector<double>::Zero(46)};
  more.x.topRows(40) = p.x;
  more.x.bottomRows(6).diagonal().setConstant(std::sqrt(40 * l2));
  more.y.head(40) = p.y;
  const double shrunk = l1 * 40 / 46;
  const auto lasso = optimizer.minimize(Objective{Squared{}, L1{shrunk}}, more.x, more.y);
  CHECK((net.weights - lasso.weights).norm() <= 1e-7 * net.weights.norm());  // √(2·gap/l2)
  CHECK(zeros_of(net.weights) == zeros_of(lasso.weights));
  CHECK_THAT(net.objective, WithinRel(lasso.objective * 46 / 40, 1e-12));
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

TEST_CASE("CoordinateDescent: a sample of weight k is k samples, and one of weight 0 none",
          "[optimizers]") {
  for_each_smooth_loss([](const auto& loss) {
    const auto p = problem_for(loss, 30, 4, 61);
    Eigen::VectorXi counts(30);
    for (Index i = 0; i < 30; ++i) counts[i] = static_cast<int>(i % 4);
    auto y = p.y;
    for (Index i = 0; i < 30; i += 4)
      if constexpr (std::remove_cvref_t<decltype(loss)>::targets ==
                    std::string_view("a finite number"))
        y[i] = 1e200;  // nobody asks
    const Objective objective{loss, ElasticNet{0.02, 0.01}};
    for (const bool offset : {true, false}) {
      CAPTURE(loss.name, offset);
      const CoordinateDescent optimizer{.offset = offset, .tolerance = 1e-13};
      const auto weighted =
          optimizer.minimize(objective, p.x, y, {.sample_weights = 3 * counts.cast<double>()});
      const auto repeated = optimizer.minimize(objective, synthetic::repeated(p.x, counts),
                                               synthetic::repeated(p.y, counts));
      CHECK(weighted.status == Status::converged);
      CHECK_THAT(weighted.objective, WithinRel(repeated.objective, 1e-12));
      CHECK((weighted.weights - repeated.weights).norm() <= 1e-6 * repeated.weights.norm());
      CHECK(zeros_of(weighted.weights) == zeros_of(repeated.weights));
    }
  });
}

TEST_CASE("CoordinateDescent: the same answer in every layout, and from floats", "[optimizers]") {
  const auto check = [](const auto& loss, bool offset, bool weighted) {
    const Matrix<float> floats = synthetic::features<float>(70, 9, 71, 0.6);
    Problem p{floats.cast<double>(), {}};
    p.y = synthetic::signs(p.x, 72, 1.0);
    if (weighted) p.weights = problem_for(loss, 70, 2, 73, true).weights;
    CAPTURE(loss.name, offset, weighted);
    const Objective objective{loss, ElasticNet{0.06, 0.001}};
    const CoordinateDescent optimizer{.offset = offset, .tolerance = 1e-13};
    const auto expected = optimizer.minimize(objective, p.x, p.y, {.sample_weights = p.weights});
    CHECK(zeros_of(expected.weights) > 0);
    CHECK(zeros_of(expected.weights) < 9);
    const auto agrees = [&](const auto& x) {
      const auto s = optimizer.minimize(objective, x, p.y, {.sample_weights = p.weights});
      CHECK(s.status == Status::converged);
      CHECK((s.weights - expected.weights).norm() <= 1e-7 * expected.weights.norm());
      CHECK_THAT(s.offset, WithinAbs(expected.offset, 1e-7));
      CHECK_THAT(s.objective, WithinRel(expected.objective, 1e-12));
    };
    const Eigen::MatrixXd columns = p.x;
    agrees(columns);
    Eigen::MatrixXd framed = Eigen::MatrixXd::Constant(75, 12, 99);
    framed.block(2, 1, 70, 9) = p.x;
    agrees(framed.block(2, 1, 70, 9));
    agrees(synthetic::sparse(p.x));
    using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
    Eigen::MatrixXd wide = Eigen::MatrixXd::Constant(140, 18, 99);
    Eigen::Map<Eigen::MatrixXd, 0, Strides> strided(wide.data(), 70, 9, Strides(280, 2));
    strided = p.x;
    agrees(strided);
    agrees(in_double(floats));
    const auto s = optimizer.minimize(objective, floats, p.y,
                                      {.sample_weights = p.weights.template cast<float>()});
    static_assert(std::same_as<decltype(s.weights), Vector<float>>);
    CHECK(s.status == Status::converged);
    CHECK((s.weights.template cast<double>() - expected.weights).norm() <=
          1e-5 * expected.weights.norm());
    CHECK(zeros_of(s.weights.template cast<double>()) == zeros_of(expected.weights));
    // The gap is that of the rounded weights.
    if (!weighted) CHECK(*s.gap >= s.objective - expected.objective - 1e-13);
  };
  for (const bool offset : {true, false})
    for (const bool weighted : {true, false}) {
      check(Squared{}, offset, weighted);
      check(Log{}, offset, weighted);
    }
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

TEST_CASE("CoordinateDescent: huge entries of a sample of weight 0 are not felt, with L1 either",
          "[optimizers]") {
  auto p = problem_for(Squared{}, 40, 6, 95);
  p.weights = Vector<double>::Ones(40);
  p.weights[3] = p.weights[20] = 0;
  const Objective objective{Squared{}, L1{0.05}};
  const CoordinateDescent optimizer{.tolerance = 1e-12};
  const auto expected = optimizer.minimize(objective, p.x, p.y, p.weights);
  for (const double huge : {1e15, 1e200}) {
    p.x.row(3).setConstant(huge);
    p.x(20, 2) = -huge;
    const auto agrees = [&](const auto& x) {
      const auto s = optimizer.minimize(objective, x, p.y, p.weights);
      CHECK(s.status == Status::converged);
      CHECK((s.weights - expected.weights).norm() <= 1e-9);
      CHECK_THAT(s.objective, WithinRel(expected.objective, 1e-13));
    };
    agrees(p.x);
    agrees(Eigen::MatrixXd(p.x));
    agrees(synthetic::sparse(p.x));
  }
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
  const auto converges = [](const auto& objective, const auto& x, const Vector<double>& y,
                            bool offset, const Extras<double>& extras) {
    const auto s = CoordinateDescent{.offset = offset}.minimize(objective, x, y, extras);
    CAPTURE(name_of(s.status), s.objective, s.gap.value_or(-1), s.epochs, s.iterations, offset);
    CHECK(s.status == Status::converged);
    CHECK(s.gap.value_or(1) <= 1e-6 * s.objective);
    CHECK(s.iterations <= 40);
    CHECK(s.epochs <= 1000);
    return s;
  };
  const Eigen::MatrixXd columns = levels.x;
  const SparseMatrix<double> sparse = levels.x.sparseView();
  const Extras<double> weighted{.sample_weights = levels.weights};
  const auto in_all_layouts = [&](const auto& objective, const Vector<double>& y) {
    for (const bool offset : {true, false}) {
      const auto s = converges(objective, levels.x, y, offset, {});
      const double f = s.objective;
      CHECK_THAT(converges(objective, columns, y, offset, {}).objective, WithinRel(f, 2e-6));
      CHECK_THAT(converges(objective, sparse, y, offset, {}).objective, WithinRel(f, 2e-6));
      (void)converges(objective, columns, y, offset, weighted);
      (void)converges(objective, sparse, y, offset, weighted);
      const Matrix<float> floats = levels.x.cast<float>();
      const auto rough = CoordinateDescent{.offset = offset}.minimize(objective, floats, y);
      CHECK(rough.status == Status::converged);
      CHECK_THAT(rough.objective, WithinRel(f, 2e-6));
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
  const auto squared = Objective{Squared{}, L1{1e-6}};
  CHECK(converges(squared, levels.x, levels.numbers, true, {}).epochs <= 200);
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

TEST_CASE("CoordinateDescent: more columns than samples, and few of them used", "[optimizers]") {
  for_each_smooth_loss([](const auto& loss) {
    const auto p = problem_for(loss, 30, 200, 101);
    const auto least = [&](bool offset) {
      const auto s = CoordinateDescent{.offset = offset, .tolerance = 1e-12}.minimize(
          Objective{loss, L1{0.05}}, p.x, p.y);
      CAPTURE(loss.name, offset);
      CHECK(s.status == Status::converged);
      CHECK(200 - zeros_of(s.weights) <= 30);
      CHECK(zeros_of(s.weights) < 200);
      check_conditions(loss, s, p, 0.05, 0, offset, 1e-7 * (1 + p.y.cwiseAbs().maxCoeff()));
    };
    least(true);
    least(false);
  });
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
      // Where it ended there is nothing left to do.
      const auto again =
          optimizer.minimize(Objective{loss, L1{lambdas[k]}}, p.x, p.y,
                             {.start_weights = path[k].weights, .start_offset = path[k].offset});
      CHECK(again.updates <= 1);
    }
    CAPTURE(loss.name, warm, cold);
    CHECK(warm < cold);
  };
  check(Squared{});
  check(Log{});
}

TEST_CASE("CoordinateDescent: one class, one sample, a start of any size, an early end",
          "[optimizers]") {
  auto p = problem_for(Log{}, 30, 3, 121);
  const Objective objective{Log{}, L1{0.01}};
  Vector<double> ones = Vector<double>::Ones(30);
  const auto alone = CoordinateDescent{}.minimize(objective, p.x, ones);
  CHECK(alone.weights.isZero(0));
  CHECK(alone.objective < 1e-9);
  const auto one = CoordinateDescent{}.minimize(Objective{Squared{}, L1{0.1}}, p.x.topRows(1),
                                                Vector<double>(Vector<double>::Constant(1, 7)));
  CHECK(one.weights.isZero(0));
  CHECK_THAT(one.offset, WithinAbs(7, 1e-12));

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
  p.x *= 1e200;  // finite, though its square is not
  CHECK_NOTHROW(CoordinateDescent{}.minimize(objective, p.x, p.y));
}

TEST_CASE("CoordinateDescent: the door", "[optimizers]") {
  const auto p = problem_for(Log{}, 10, 3, 131);
  const Objective objective{Log{}, L1{0.1}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string name = "CoordinateDescent::minimize: ";
  const auto refused = [&](const auto& call, const std::string& words) {
    CHECK_THROWS_AS(call(), std::invalid_argument);
    CHECK_THROWS_WITH(call(), ContainsSubstring(words));
  };
  const auto with = [&](const auto& penalty) {
    return [&p, penalty] {
      (void)CoordinateDescent{}.minimize(Objective{Log{}, penalty}, p.x, p.y);
    };
  };
  refused(with(L1{-1}), name + "the penalty's lambda = -1 must be finite and >= 0");
  refused(with(L1{nan}), name + "the penalty's lambda");
  refused(with(ElasticNet{0.1, -2}), "l2 = -2");
  refused(
      [&] {
        (void)CoordinateDescent{}.minimize(Objective{Huber{-1}, L1{1}}, p.x, p.y);
      },
      "delta");
  refused([&] { (void)CoordinateDescent{.tolerance = -1}.minimize(objective, p.x, p.y); },
          name + "tolerance = -1 is not >= 0");
  refused([&] { (void)CoordinateDescent{.tolerance = nan}.minimize(objective, p.x, p.y); },
          "tolerance");
  refused([&] { (void)CoordinateDescent{.iterations = -1}.minimize(objective, p.x, p.y); },
          name + "-1 iterations");
  refused([&] { (void)CoordinateDescent{}.minimize(objective, p.x, p.y.head(9)); },
          name + "x has 10 rows but y has 9");
  refused([&] { (void)CoordinateDescent{}.minimize(objective, p.x, Vector<double>::Zero(10)); },
          name + "y(0) = 0 is no target of log");
  refused(
      [&] {
        (void)CoordinateDescent{}.minimize(objective, Matrix<double>(0, 3), Vector<double>());
      },
      name + "x is empty");
  Matrix<double> x = p.x;
  x(4, 1) = nan;
  refused([&] { (void)CoordinateDescent{}.minimize(objective, x, p.y); },
          name + "x(4, 1) is not finite");
  const auto extras = [&](const Extras<double>& given) {
    return
        [&p, &objective, given] { (void)CoordinateDescent{}.minimize(objective, p.x, p.y, given); };
  };
  refused(extras({.start_weights = Vector<double>::Zero(2)}), "2 start weights for 3 features");
  refused(extras({.start_weights = Vector<double>::Constant(3, nan)}), "start is not finite");
  refused(extras({.start_multipliers = Vector<double>::Zero(10)}), "start_multipliers");
  refused(extras({.sample_weights = Vector<double>::Ones(9)}), "9 sample weights");
  refused(extras({.sample_weights = Vector<double>::Zero(10)}), "zero");
  refused(
      [&] {
        (void)CoordinateDescent{.offset = false}.minimize(
            objective, p.x, p.y, {.start_weights = Vector<double>::Zero(3), .start_offset = 1});
      },
      "start_offset");
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
