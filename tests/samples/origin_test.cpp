// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/samples/origin.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace origin_test {

using namespace linea;

namespace {

using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;

/// 200 samples of five columns in (0, 1), and labels of which one in ten is random.
struct Uniform {
  Matrix<double> x{200, 5};
  Vector<double> y{200};
  Uniform() {
    Random random(3);
    for (Index i = 0; i < 200; ++i) {
      for (Index j = 0; j < 5; ++j) x(i, j) = random.uniform();
      const bool above = x(i, 0) + x(i, 1) - x(i, 3) > 0.5;
      y[i] = (random.below(10) ? above : random.below(2) == 1) ? 1 : -1;
    }
  }
};

/// Returns the origin (d) for x, or an empty vector if there is none.
template <class X>
Vector<scalar_t<X>> origin_of(const X& x, bool offset = true,
                              const Vector<scalar_t<X>>& weights = {}) {
  auto set = detail::samples::admit_samples("test", x, x.rows(), weights);
  detail::samples::choose_origin(set, offset);
  return set.origin ? *set.origin : Vector<scalar_t<X>>{};
}

const Objective objective{Log{}, L2{1e-3}};

}  // namespace

TEST_CASE("Origin: is near the means of columns far from 0, and 0 for others", "[samples]") {
  Matrix<double> x = synthetic::features(3000, 4, 1);
  CHECK(origin_of(x).size() == 0);
  x.col(1).array() += 9;  // the mean is now 9 deviations from 0
  CHECK(origin_of(x).size() == 0);
  x.col(1).array() += 3;
  x.col(3).array() -= 1e6;
  for (const Vector<double>& origin :
       {origin_of(x), origin_of(Columns(x)), origin_of(synthetic::sparse(x))}) {
    REQUIRE(origin.size() == 4);
    CHECK(origin[0] == 0);
    CHECK(origin[2] == 0);
    CHECK_THAT(origin[1], WithinAbs(12, 0.2));
    CHECK_THAT(origin[3], WithinAbs(-1e6, 0.2));
  }
  CHECK(origin_of(x, false).size() == 0);  // without an offset, centring would change F
  CHECK(origin_of(Matrix<float>(x.cast<float>())).size() == 4);
}

TEST_CASE(
    "Origin: constant columns are far from 0, but not zero columns, nor columns missing in a "
    "sparse row",
    "[samples]") {
  Matrix<double> x = synthetic::features(20, 3, 1);
  x.col(0).setConstant(1e-9);
  x.col(1).setZero();
  CHECK(origin_of(x) == Vector<double>{{1e-9, 0, 0}});
  x = synthetic::features(3000, 2, 1).array() + 1e4;
  x(1, 1) = 0;  // this row is not among the sampled rows
  const auto origin = origin_of(synthetic::sparse(x));
  REQUIRE(origin.size() == 2);
  CHECK(origin[0] > 9e3);
  CHECK(origin[1] == 0);
}

TEST_CASE("Origin: of sparse rows that share one of many columns", "[samples]") {
  const Index n = 300, d = 70000;
  Random random(5);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) {
    entries.emplace_back(static_cast<int>(i), 69000, 2000 + random.uniform());
    for (int k = 0; k < 5; ++k)
      entries.emplace_back(static_cast<int>(i), static_cast<int>(random.below(60000)), 1.0);
  }
  SparseMatrix<double> x(n, d);
  x.setFromTriplets(entries.begin(), entries.end());
  const auto origin = origin_of(x);
  REQUIRE(origin.size() == d);
  CHECK_THAT(origin[69000], WithinAbs(2000.5, 0.1));
  CHECK(origin.head(69000).isZero(0));
}

TEST_CASE("Origin: rows of weight 0 are ignored", "[samples]") {
  Matrix<double> x = synthetic::features(40, 2, 1);
  Vector<double> weights = Vector<double>::Ones(40);
  x.topRows(30).setConstant(1e150);
  weights.head(30).setZero();
  CHECK(origin_of(x, true, weights).size() == 0);
  x.bottomRows(10).array() += 100;
  const auto origin = origin_of(x, true, weights);
  REQUIRE(origin.size() == 2);
  CHECK_THAT(origin[0], WithinAbs(100, 2));
}

TEMPLATE_TEST_CASE("Origin: descent on columns far from 0 is as accurate as near 0", "[samples]",
                   Sgd, Pegasos, GradientDescent) {
  const Uniform near;
  TestType optimizer{};
  optimizer.epochs = 2000;
  const double there = optimizer.minimize(objective, near.x, near.y).objective;
  for (const double shift : {30.0, 1e6}) {
    const Matrix<double> x = near.x.array() + shift;
    const auto check = [&](const auto& samples) {
      const auto s = optimizer.minimize(objective, samples, near.y);
      CHECK(s.status == Status::settled);
      CHECK_THAT(s.objective, WithinRel(there, 5e-3));
      // `objective` is F at the solution on the samples as they are stored.
      CHECK_THAT(objective_value(objective, samples, near.y, s.weights, s.offset),
                 WithinRel(s.objective, 1e-12));
      return s;
    };
    const auto s = check(x);
    (void)check(Columns(x));
    (void)check(synthetic::sparse(x));
    const Matrix<float> narrow = x.cast<float>();
    if (shift < 1e3) (void)check(in_double(narrow));
    // The start of a run refers to the samples as they are stored, not to centred samples.
    const auto warm = optimizer.minimize(objective, x, near.y,
                                         {.start_weights = s.weights, .start_offset = s.offset});
    CHECK(warm.objective <= s.objective * (1 + 1e-9));
    // With several targets, each column has the solution of a fit of this column alone.
    Matrix<double> both(200, 2);
    both << near.y, -near.y;
    const auto each = optimizer.minimize_each(objective, x, both);
    CHECK(each[0].weights == s.weights);
    CHECK(each[0].offset == s.offset);
    CHECK(each[0].objective == s.objective);
  }
}

TEST_CASE("Origin: if rounding matters, the status reports it and a constant is no better",
          "[samples]") {
  const Uniform near;
  const auto by_constant = [&](const auto& x) {
    using T = scalar_t<std::remove_cvref_t<decltype(x)>>;
    const double positive = (near.y.array() > 0).cast<double>().mean();
    const auto offset = static_cast<T>(std::log(positive / (1 - positive)));
    return objective_value(objective, x, near.y, Vector<T>(Vector<T>::Zero(5)), offset);
  };
  const Matrix<float> x = (near.x.array() + 1e6).matrix().cast<float>();
  const auto s = Sgd{.epochs = 200}.minimize(objective, x, near.y);
  CHECK(s.status == Status::precision_limit);
  CHECK(s.objective <= by_constant(x) * (1 + 1e-6));
  CHECK_THAT(objective_value(objective, x, near.y, s.weights, s.offset),
             WithinRel(s.objective, 1e-12));
  const Matrix<double> far = near.x.array() + 1e13;
  const auto t = Sgd{.epochs = 200}.minimize(objective, far, near.y);
  CHECK(t.objective <= by_constant(far) * (1 + 1e-9));
}

TEST_CASE("Origin: all of many columns are judged alike", "[samples]") {
  const Index d = 131100;
  Matrix<double> x = Matrix<double>::Zero(4, d);
  Vector<double> far = Vector<double>::Zero(d);
  for (const Index j : {Index{0}, Index{65535}, Index{65536}, Index{70001}, d - 1}) {
    const double mean = 2000 + static_cast<double>(j);
    x.col(j) = Vector<double>{{mean - 1, mean + 1, mean - 2, mean + 2}};
    far[j] = mean;
  }
  const Vector<double> y{{1, -1, 1, -1}};
  const auto dense = detail::samples::admit("test", Squared{}, x, y, {});
  CHECK(detail::samples::far_means(dense) == far);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> stored = x.sparseView();
  const auto sparse = detail::samples::admit("test", Squared{}, stored, y, {});
  CHECK(detail::samples::far_means(sparse) == far);
}

}  // namespace origin_test
