// SPDX-License-Identifier: MIT
#include <linea/optimizers/newton/softmax_method.hpp>
#include <linea/optimizers/newton/softmax_objective.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>
#include <type_traits>
#include <utility>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

/// Samples and classes for SoftmaxNewton. Sample i has class i mod k, or classes[i].
template <class X>
struct SoftmaxProblem {
  using Set = detail::samples::TrainingSet<decltype(rows_of(std::declval<const X&>()))>;

  Set set;
  Vector<Index> classes;
  detail::samples::Frame<> frame;
  detail::samples::RowBlocksOf<decltype(Set::rows)> rows;
  detail::newton::SoftmaxSamples samples;
  detail::newton::SoftmaxObjective objective;

  SoftmaxProblem(const X& x, Index k, double lambda, bool has_offset,
                 const Vector<double>& weights = {}, Index threads = 1, Vector<Index> of_class = {})
      : set(detail::samples::admit_samples("test", x, x.rows(), weights)),
        classes(of_class.size() > 0 ? std::move(of_class) : in_turn(x.rows(), k)),
        frame(set, has_offset),
        rows(set.rows),
        samples{rows, set.weights, frame, classes, k},
        objective(samples, lambda, has_offset, threads) {}
  SoftmaxProblem(const SoftmaxProblem&) = delete;

  static Vector<Index> in_turn(Index n, Index k) {
    Vector<Index> classes(n);
    for (Index i = 0; i < n; ++i) classes[i] = i % k;
    return classes;
  }

  /// Returns a table of normal numbers, with 0 in the columns after the classes.
  detail::newton::Table random_table(std::uint64_t seed) const {
    Random random(seed);
    detail::newton::Table table = detail::newton::Table::Zero(objective.cols(), objective.stride());
    for (Index j = 0; j < table.rows(); ++j)
      for (Index a = 0; a < objective.classes(); ++a) table(j, a) = synthetic::normal(random);
    return table;
  }

  struct Point {
    detail::newton::Table scores, gradient;
    detail::newton::SoftmaxObjective::State at;
    double value;
  };
  Point at(detail::newton::Table& theta) {
    Point point;
    objective.score(theta, point.scores);
    point.value = objective.evaluate(theta, point.scores, point.at);
    objective.find_gradient(theta, point.at, point.gradient);
    return point;
  }
};

}  // namespace

// The bound must hold at any point, also at points whose offsets do not balance the classes.
TEST_CASE("SoftmaxObjective: the bound is below the minimum", "[optimizers]") {
  const auto x = synthetic::features(50, 4, 41);
  Vector<double> weights(50);
  for (Index i = 0; i < 50; ++i) weights[i] = static_cast<double>(i % 5);
  const Vector<Index> y = SoftmaxProblem<Matrix<double>>::in_turn(50, 3);
  for (const bool has_offset : {true, false})
    for (const double lambda : {0.02, 1.0}) {
      SoftmaxProblem<Matrix<double>> problem(x, 3, lambda, has_offset, weights);
      auto& f = problem.objective;
      const auto best = SoftmaxNewton{.tolerance = 1e-13, .offset = has_offset}.minimize(
          L2{lambda}, x, y, weights);
      REQUIRE(best.status == Status::converged);
      detail::newton::Table minimum = detail::newton::Table::Zero(f.cols(), f.stride());
      minimum.topLeftCorner(4, 3) = best.weights;
      if (has_offset) minimum.row(4).head(3) = best.offset.transpose();
      double nearest = std::numeric_limits<double>::infinity();
      for (std::uint64_t seed = 1; seed < 40; ++seed) {
        const double away = std::pow(0.5, static_cast<double>(seed % 20));
        detail::newton::Table theta = minimum + away * problem.random_table(seed);
        const auto here = problem.at(theta);
        const double bound = f.bound(here.value, theta, here.gradient, here.scores, here.at);
        CHECK(bound <= best.objective + 1e-13);
        nearest = std::min(nearest, here.value - bound);
      }
      CHECK(nearest < 1e-3 * best.objective);
      const auto here = problem.at(minimum);
      const double bound = f.bound(here.value, minimum, here.gradient, here.scores, here.at);
      CHECK(here.value - bound < 1e-12 * best.objective);
    }
}

TEST_CASE("SoftmaxObjective: the bound with a tiny imbalance", "[optimizers]") {
  // Without an offset, w = ±19 is the best, with F = 10·exp(−38). With an offset, w = ±10 and b =
  // ∓10 are better.
  const double lambda = std::exp(-38.0) / 38;
  const Matrix<double> x{{3}, {-1}};
  SoftmaxProblem<Matrix<double>> problem(x, 2, lambda, true);
  auto& f = problem.objective;
  const auto at = [&](double w, double b) {
    detail::newton::Table theta = detail::newton::Table::Zero(f.cols(), f.stride());
    theta.topLeftCorner(2, 2) << w, -w, b, -b;
    return theta;
  };
  detail::newton::Table theta = at(19, 0);
  const auto here = problem.at(theta);
  detail::newton::Table better = at(10, -10);
  const double there = problem.at(better).value;
  REQUIRE(there < 0.3 * here.value);
  CHECK(f.bound(here.value, theta, here.gradient, here.scores, here.at) <= there);
}

namespace {

/// Returns the number of passes in which conjugate gradients solve the Newton system.
template <class X>
Index rounds(const X& x, Index k, double lambda) {
  SoftmaxProblem<X> problem(x, k, lambda, true);
  detail::newton::Table theta = 0.3 * problem.random_table(73);
  problem.objective.centre(theta);
  const auto here = problem.at(theta);
  detail::newton::SoftmaxDirection next(problem.objective);
  const Index before = problem.objective.passes();
  next.find(here, 1e-6);
  const Index after = problem.objective.passes();
  detail::newton::Table image;
  problem.objective.find_curvature(next.direction, here.at.slopes, image);
  CHECK((image + here.gradient).norm() < 1e-3 * here.gradient.norm());
  return after - before;
}

}  // namespace

TEST_CASE("Preconditioner: few iterations for any columns", "[optimizers]") {
  Matrix<double> x = synthetic::features(3000, 20, 74);
  // The columns are far from orthogonal.
  for (Index j = 1; j < 20; ++j) x.col(j) += 3 * x.col(j - 1);
  CHECK(rounds(x, 4, 1e-8) <= 40);
  x.array().rowwise() *= Eigen::Array<double, 1, 20>::LinSpaced(-3, 3).exp();
  CHECK(rounds(x, 4, 1e-8) <= 40);
  CHECK(rounds(synthetic::sparse(x), 4, 1e-8) <= 40);
}

TEST_CASE("Preconditioner: the diagonal alone for many columns", "[optimizers]") {
  Matrix<double> x = synthetic::features(30, 1200, 75);
  for (Index j = 0; j < x.cols(); ++j) x.col(j) *= j % 2 ? 1e4 : 1e-3;
  CHECK(rounds(x, 3, 1e-2) <= 200);
}

TEST_CASE("Preconditioner: diagonals until products have cost as much as a block", "[optimizers]") {
  Matrix<double> x = synthetic::features(300, 150, 76);
  for (Index j = 1; j < x.cols(); ++j) x.col(j) += x.col(j - 1);  // far from orthogonal
  SoftmaxProblem<Matrix<double>> problem(x, 2, 1e-6, true);
  detail::newton::Table theta = 0.001 * problem.random_table(77);
  problem.objective.centre(theta);
  const auto here = problem.at(theta);
  detail::newton::SoftmaxDirection next(problem.objective);
  const Index start = problem.objective.passes();
  next.find(here, 1e-6);
  const Index first = problem.objective.passes() - start;
  CHECK(!next.is_whole());
  CHECK(first > 10);
  CHECK(first < 40);
  next.find(here, 1e-6);
  CHECK(next.is_whole());
  CHECK(problem.objective.passes() - start - first < 10);
  detail::newton::Table image;
  problem.objective.find_curvature(next.direction, here.at.slopes, image);
  CHECK((image + here.gradient).norm() < 1e-3 * here.gradient.norm());
}

TEST_CASE("EvaluateRows: accurate for probabilities near 1", "[optimizers]") {
  const Vector<double> p{{0, 60, 20, 0}}, still = Vector<double>::Zero(4);
  const Vector<Index> y{{1}};
  const double share = 0.5;
  Vector<double> slopes(4);
  detail::newton::Sums sums(4);
  detail::linear_algebra::run_baseline(detail::newton::EvaluateRows(
      {0, 1, 3, 4, y.data(), &share}, p.data(), still.data(), 0, 0, slopes.data(), sums));
  sums.finish();
  const double rest = std::exp(-40.0) + std::exp(-60.0);
  CHECK_THAT(sums.value, WithinRel(0.5 * rest, 1e-14));
  CHECK_THAT(sums.negative_entropy,
             WithinRel(-0.5 * (41 * std::exp(-40.0) + 61 * std::exp(-60.0)), 1e-14));
  CHECK(slopes.sum() == 0);
  CHECK(sums.balance == slopes);
  CHECK_THAT(slopes[1], WithinRel(-0.5 * rest, 1e-14));
  CHECK(slopes[3] == 0);
}

namespace {

/// Compares the sums and slopes of `k` classes with their formulas in long double, at one level.
void check_rows(detail::linear_algebra::VectorLevel level, Index k) {
  const Index n = 40, stride = detail::samples::stride_of(k);
  Random random(7);
  detail::newton::Table p = detail::newton::Table::Zero(n, stride), m = p, slopes = p;
  Vector<Index> y(n);
  Vector<double> shares(n);
  for (Index i = 0; i < n; ++i) {
    y[i] = static_cast<Index>(random.below(static_cast<unsigned>(k)));
    shares[i] = i == 5 ? 0 : random.uniform();
    for (Index a = 0; a < k; ++a) {
      p(i, a) = i < 3 ? 2 : (i < 6 ? 900 : 10) * (random.uniform() - 0.5);
      m(i, a) = random.uniform();
    }
  }
  const double t = 0.75;
  detail::newton::Sums sums(stride);
  detail::linear_algebra::run_at(
      level, detail::newton::EvaluateRows({0, n, k, stride, y.data(), shares.data()}, p.data(),
                                          m.data(), stride, t, slopes.data(), sums));
  sums.finish();
  long double value = 0, slope = 0, entropy = 0;
  Vector<double> balance = Vector<double>::Zero(stride);
  for (Index i = 0; i < n; ++i) {
    std::vector<long double> at(static_cast<std::size_t>(k));
    for (Index a = 0; a < k; ++a)
      at[static_cast<std::size_t>(a)] = static_cast<double>(p(i, a) + t * m(i, a));
    const long double top = *std::max_element(at.begin(), at.end());
    long double sum = 0;
    for (const long double one : at) sum += std::exp(one - top);
    for (Index a = 0; a < k; ++a) {
      const long double log_q = at[static_cast<std::size_t>(a)] - top - std::log(sum);
      const long double q = std::exp(log_q);
      const long double expected = shares[i] * (q - (a == y[i]));
      INFO("row " << i << ", class " << a << " of " << k);
      CHECK(std::abs(static_cast<double>(slopes(i, a) - expected)) <= 1e-14 * shares[i]);
      balance[a] += static_cast<double>(expected);
      slope += expected * m(i, a);
      if (q > 0) entropy += shares[i] * q * log_q;
      if (a == y[i]) value -= shares[i] * log_q;
    }
    for (Index a = k; a < stride; ++a) CHECK(slopes(i, a) == 0);
  }
  CHECK_THAT(sums.value, WithinRel(static_cast<double>(value), 1e-14));
  CHECK(std::abs(sums.slope - static_cast<double>(slope)) <= 1e-13);
  CHECK_THAT(sums.negative_entropy, WithinRel(static_cast<double>(entropy), 1e-13));
  CHECK((sums.balance - balance).cwiseAbs().maxCoeff() <= 1e-13);
}

}  // namespace

TEST_CASE("EvaluateRows: the formulas, for any number of classes, at each level", "[optimizers]") {
  using detail::linear_algebra::VectorLevel;
  for (const auto level : {VectorLevel::baseline, VectorLevel::avx2, VectorLevel::avx512})
    if (detail::linear_algebra::is_offered(level))
      for (const Index k : {2, 3, 4, 5, 8, 9, 20, 300})
        if (level <= detail::samples::level_for(detail::samples::stride_of(k)))
          check_rows(level, k);
}

TEST_CASE("EvaluateRows: no score that is not finite is lost", "[optimizers]") {
  using detail::linear_algebra::VectorLevel;
  const double infinity = std::numeric_limits<double>::infinity();
  const auto value = [&](VectorLevel level, Index k, Index place, double score, double move) {
    const Index stride = detail::samples::stride_of(k);
    Vector<double> p = Vector<double>::Zero(stride), m = p, slopes = p;
    p[place] = score;
    m[place] = move;
    const Index y = 0;
    const double share = 1;
    detail::newton::Sums sums(stride);
    detail::linear_algebra::run_at(
        level, detail::newton::EvaluateRows({0, 1, k, stride, &y, &share}, p.data(), m.data(),
                                            stride, 0, slopes.data(), sums));
    return sums.value;
  };
  for (const auto level : {VectorLevel::baseline, VectorLevel::avx2, VectorLevel::avx512})
    for (const Index k : {2, 4, 9, 16}) {
      if (!detail::linear_algebra::is_offered(level) ||
          level > detail::samples::level_for(detail::samples::stride_of(k)))
        continue;
      for (Index place = 0; place < k; ++place) {
        INFO("level " << static_cast<int>(level) << ", class " << place << " of " << k);
        CHECK(!std::isfinite(value(level, k, place, std::nan(""), 0)));
        CHECK(!std::isfinite(value(level, k, place, infinity, 0)));
        // A step of length 0 does not depend on the direction.
        CHECK_THAT(value(level, k, place, 0, infinity),
                   WithinRel(std::log(static_cast<double>(k)), 1e-14));
      }
    }
}

TEST_CASE("solve_all: the systems of all columns", "[optimizers]") {
  for (const Index size : {1, 31, 32, 33, 100}) {
    const Matrix<double> a = synthetic::features(2 * size + 3, size, 9);
    detail::ColumnMatrix<double> square = a.transpose() * a;
    square.diagonal().array() += 0.1;
    const detail::newton::Table right = synthetic::features(size, 16, 10);
    detail::newton::Table v = right;
    const detail::linear_algebra::Cholesky<double> factor(square);
    detail::newton::solve_all(factor.triangle(), v);
    INFO("size " << size);
    CHECK((square * v - right).cwiseAbs().maxCoeff() <= 1e-9);
  }
}

TEST_CASE("SoftmaxObjective: the offsets balance the classes for any weights", "[optimizers]") {
  const auto x = synthetic::features(200, 3, 51);
  Vector<Index> rare = Vector<Index>::Zero(200);
  for (Index i = 0; i < 200; ++i) rare[i] = i == 7 ? 2 : i % 2;
  for (const double size : {0.0, 1.0, 30.0})
    for (const bool is_rare : {false, true}) {
      SoftmaxProblem<Matrix<double>> problem(x, 3, 0.1, true, {}, 2,
                                             is_rare ? rare : Vector<Index>{});
      detail::newton::Table theta = size * problem.random_table(52);
      const detail::newton::Table weights = theta.topRows(3);
      auto here = problem.at(theta);
      const double before = here.value;
      problem.objective.polish(theta, here.scores, here.at, here.value, 0);
      INFO("size " << size << ", rare " << is_rare);
      CHECK(here.value < before);
      CHECK(theta.topRows(3) == weights);
      const auto anew = problem.at(theta);
      CHECK((anew.scores - here.scores).cwiseAbs().maxCoeff() < 1e-11);
      CHECK((anew.at.slopes - here.at.slopes).cwiseAbs().maxCoeff() < 1e-13);
      CHECK_THAT(anew.value, WithinRel(here.value, 1e-12));
      CHECK(anew.gradient.row(3).cwiseAbs().maxCoeff() < 1e-11);
    }
}

TEST_CASE("Preconditioner: its noise bounds the rounding of the gradient", "[optimizers]") {
  auto x = synthetic::features(300, 6, 80);
  x.col(5) = x.col(0) - 2 * x.col(3);  // makes F flat along (1, 0, 0, -2, 0, -1)
  SoftmaxProblem<Matrix<double>> problem(x, 3, 0, true);
  detail::newton::Table theta = problem.random_table(81);
  detail::newton::Table moved = theta;
  for (Index a = 0; a < 3; ++a) {
    const double step = 0.3 * static_cast<double>(a + 1);
    moved(0, a) += step;
    moved(3, a) -= 2 * step;
    moved(5, a) -= step;
  }
  const auto here = problem.at(theta);
  const detail::newton::Table rounding = problem.at(moved).gradient - here.gradient;
  detail::newton::Preconditioner preconditioner(problem.objective);
  preconditioner.find(here.at, 0);
  if (GENERATE(false, true)) preconditioner.find(here.at, 1000000);  // a block for each class
  detail::newton::Table scaled;
  const auto square = [&](const detail::newton::Table& residual) {
    return preconditioner.apply(residual, scaled);
  };
  const double noise = std::pow(preconditioner.noise(), 2);
  CHECK(square(rounding) > 0);
  CHECK(square(rounding) < noise);
  CHECK(noise < 1e-10 * square(here.gradient));
}

TEST_CASE("SoftmaxObjective: huge entries in rows of weight 0 have no effect", "[optimizers]") {
  Matrix<double> x = synthetic::features(9, 2, 62);
  x.row(4).setConstant(1e149);
  Vector<double> weights = Vector<double>::Ones(9);
  weights[4] = 0;
  const auto check = [&](const auto& stored) {
    SoftmaxProblem<std::remove_cvref_t<decltype(stored)>> problem(stored, 2, 0.1, false, weights);
    auto& f = problem.objective;
    detail::newton::Table theta = detail::newton::Table::Constant(2, 2, 10), image;
    const auto here = problem.at(theta);
    CHECK(here.scores.row(4).isZero(0));
    CHECK_THAT(here.scores(5, 1), WithinAbs(10 * x.row(5).sum(), 1e-13));
    CHECK(here.gradient.allFinite());
    f.find_curvature(theta, here.at.slopes, image);
    CHECK(image.allFinite());
    CHECK(f.mean_squares().allFinite());
  };
  check(x);
  check(detail::ColumnMatrix<double>(x));
  check(synthetic::sparse(x));
}
