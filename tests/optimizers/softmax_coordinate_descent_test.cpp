// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <linea/core/penalty.hpp>
#include <linea/models/sparse_softmax_regression.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/softmax_coordinate_descent.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties.hpp>

#include "golden/softmax.hpp"
#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/softmax.hpp"
#include "support/synthetic.hpp"

namespace softmax_coordinate_descent_test {

using namespace linea;
using namespace linea::test;

TEST_CASE("SoftmaxCoordinateDescent: scikit-learn's minima", "[optimizers]") {
  const auto& [x, y] = shipped::iris();
  const auto check = [&, &x = x, &y = y](const auto& penalty, double golden, double zeros) {
    const auto s = SoftmaxCoordinateDescent{.tolerance = 1e-10}.minimize(penalty, x, y);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinRel(golden, 1e-9));
    CHECK(static_cast<double>((s.weights.array() == 0).count()) == zeros);
  };
  check(L1{1e-2}, golden::softmax_iris_l1, golden::softmax_iris_l1_zeros);
  check(ElasticNet{5e-3, 5e-3}, golden::softmax_iris_net, golden::softmax_iris_net_zeros);
  check(L2{1e-2}, golden::softmax_iris_1e2, 0);
}

TEST_CASE("SoftmaxCoordinateDescent: the conditions of a minimum hold, and so does the gap",
          "[optimizers]") {
  for (const Index k : {2, 3, 6})
    for (const bool offset : {true, false})
      for (const auto& net : {ElasticNet{0.02, 0}, ElasticNet{0, 0.02}, ElasticNet{0.01, 1e-4}}) {
        CAPTURE(k, offset, net.l1, net.l2);
        const Matrix<double> x = synthetic::features(80, 7, 11, 0.7);
        const auto y = classes_of(x, k, 12);
        Vector<double> weights = synthetic::features(80, 1, 13).col(0).cwiseAbs();
        weights[50] = 0;
        const SoftmaxCoordinateDescent exact{.tolerance = 1e-12, .offset = offset};
        const auto s = exact.minimize(net, x, y, weights);
        CHECK(s.status == Status::converged);
        CHECK(s.gap.value() >= 0);
        const ExactSoftmax at(x, y, weights, s.weights, s.offset);
        const double penalty = net.value(s.weights.reshaped());
        CHECK_THAT(s.objective, WithinRel(static_cast<double>(at.value) + penalty, 1e-13));
        for (Index a = 0; a < k; ++a) {
          for (Index j = 0; j < 7; ++j) {
            const double w = s.weights(j, a);
            const double slope = static_cast<double>(at.slopes(j, a)) + net.l2 * w;
            if (w == 0)
              CHECK(std::abs(slope) <= net.l1 + 1e-5);
            else
              CHECK_THAT(slope, WithinAbs(w > 0 ? -net.l1 : net.l1, 1e-5));
          }
          if (offset) CHECK(std::abs(static_cast<double>(at.slopes(7, a))) <= 1e-5);
        }
        const auto sparse = exact.minimize(net, synthetic::sparse(x), y, weights);
        CHECK_THAT(sparse.objective, WithinRel(s.objective, 2e-12));
        const auto rough = SoftmaxCoordinateDescent{.iterations = 1, .offset = offset}.minimize(
            net, x, y, weights);
        CHECK(rough.objective - *rough.gap <= s.objective * (1 + 1e-13));
        const auto again = exact.minimize(
            net, x, y, {.sample_weights = weights, .start_weights = s.weights.reshaped()});
        CAPTURE(s.iterations);
        CHECK(again.iterations <= 2 + s.iterations / 10);
        if (net.l1 > 0) continue;
        const auto newton =
            SoftmaxNewton{.tolerance = 1e-12, .offset = offset}.minimize(L2{net.l2}, x, y, weights);
        CHECK_THAT(newton.objective, WithinRel(s.objective, 1e-11));
        CHECK((newton.weights - s.weights).norm() <= 1e-4);
      }
}

/// Returns normal columns (n × d), and two more that are combinations of the first two.
Matrix<double> dependent_columns(Index n, Index d, std::uint64_t seed) {
  Matrix<double> x(n, d + 2);
  x << synthetic::features(n, d, seed), Vector<double>::Zero(n), Vector<double>::Zero(n);
  x.col(d) = x.col(0) + x.col(1);
  x.col(d + 1) = x.col(0) - 2 * x.col(1);
  return x;
}

/// Returns the minimum of F with L1{l1} over weights and offsets of k classes, by accelerated
/// proximal gradient steps of length 1/L in long double, which restart where F would rise (Beck and
/// Teboulle, SIAM Journal on Imaging Sciences 2 (2009); O'Donoghue and Candès, Foundations of
/// Computational Mathematics 15 (2015)).
double minimum_by_gradients(const Matrix<double>& x, const Vector<Index>& y, Index k, double l1) {
  const Index d = x.cols();
  // The curvature of the loss in the scores is at most ½.
  const long double step =
      2 / ((x.squaredNorm() + static_cast<double>(x.rows())) / static_cast<double>(x.rows()));
  Matrix<long double> here = Matrix<long double>::Zero(d + 1, k), ahead = here;
  long double momentum = 1;
  const auto at = [&](const Matrix<long double>& theta) {
    return ExactSoftmax(x, y, {}, theta.topRows(d).cast<double>(),
                        theta.row(d).transpose().cast<double>());
  };
  for (int round = 0; round < 4000; ++round) {
    Matrix<long double> next = ahead - step * at(ahead).slopes;
    for (long double& w : next.topRows(d).reshaped()) w = soft_threshold(w, step * l1);
    if ((ahead - next).cwiseProduct(next - here).sum() > 0) momentum = 1;
    const long double other = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    ahead = next + (momentum - 1) / other * (next - here);
    momentum = other;
    here = next;
  }
  return static_cast<double>(at(here).value + l1 * here.topRows(d).cwiseAbs().sum());
}

TEST_CASE("SoftmaxCoordinateDescent: a run that ends early has a useful gap", "[optimizers]") {
  const auto& [x, y] = shipped::iris();
  for (const Index iterations : {0, 1, 2}) {
    CAPTURE(iterations);
    const auto s =
        SoftmaxCoordinateDescent{.iterations = iterations}.minimize(ElasticNet{1e-3, 1e-4}, x, y);
    CHECK(*s.gap < s.objective);  // D(0) = 0
  }
}

TEST_CASE("SoftmaxCoordinateDescent: few iterations for dependent columns", "[optimizers]") {
  const Matrix<double> x = dependent_columns(60, 4, 21);
  const auto y = classes_of(x, 3, 22);
  const SoftmaxCoordinateDescent exact{.iterations = 12, .tolerance = 1e-9};
  const auto s = exact.minimize(L1{1e-3}, x, y);
  CAPTURE(s.iterations);
  CHECK(s.status == Status::converged);
  CHECK_THAT(s.objective, WithinRel(minimum_by_gradients(x, y, 3, 1e-3), 1e-8));
  const auto ridge = exact.minimize(L2{1e-3}, x, y);
  CHECK(ridge.status == Status::converged);
  const auto newton = SoftmaxNewton{.tolerance = 1e-12}.minimize(L2{1e-3}, x, y);
  CHECK_THAT(ridge.objective, WithinRel(newton.objective, 1e-9));
}

TEST_CASE("SoftmaxCoordinateDescent: paths of dependent columns in any storage", "[optimizers]") {
  // About 30 and 150 non-zero weights, where joint steps factorise or use conjugate gradients.
  for (const Index k : {2, 8})
    for (const bool offset : {true, false}) {
      const Matrix<double> x = dependent_columns(300, 18, 31);
      const auto y = classes_of(x, k, 32);
      Vector<double> start;
      for (const double l1 : {1e-2, 1e-3, 1e-4}) {
        CAPTURE(k, offset, l1);
        const SoftmaxCoordinateDescent plain{.iterations = 20, .offset = offset};
        const auto s = plain.minimize(L1{l1}, x, y);
        CHECK(s.status == Status::converged);
        const auto check = [&](const auto& other, double tolerance = 2e-6) {
          CHECK(other.status == Status::converged);
          CHECK_THAT(static_cast<double>(other.objective), WithinRel(s.objective, tolerance));
        };
        check(plain.minimize(L1{l1}, synthetic::sparse(x), y));
        check(plain.minimize(L1{l1}, Matrix<float>(x.cast<float>()), y), 1e-5);
        if (start.size() > 0) check(plain.minimize(L1{l1}, x, y, {.start_weights = start}));
        start = s.weights.reshaped();
      }
    }
}

TEST_CASE("SparseSoftmaxRegression: labels, probabilities, options", "[models]") {
  const auto& [x, classes] = shipped::iris();
  const Vector<double> y = 10 * classes.array().cast<double>() + 5;
  const auto model = SparseSoftmaxRegression{.lambda = 1e-2}.fit(x, y);
  CHECK(model.status == Status::converged);
  CHECK_THAT(model.objective, WithinRel(golden::softmax_iris_l1, 1e-6));
  CHECK(model.labels[2] == 25);
  CHECK((model.predict(x).array() == y.array()).cast<double>().mean() > 0.9);
  CHECK_THAT(model.probabilities(x).row(7).sum(), WithinAbs(1, 1e-12));
  CHECK(model.penalty == "elastic-net (l1 = 0.01, l2 = 0)");
  // Standardised takes a start for the raw columns.
  const Standardised recipe{SparseSoftmaxRegression{.lambda = 1e-2}};
  const Matrix<double> raw = 10 * x.array() + 3;
  const auto scaled = recipe.fit(raw, y);
  CHECK_THAT(scaled.objective, WithinRel(golden::softmax_iris_l1, 1e-6));
  const auto again = recipe.fit(raw, y, {.start_weights = scaled.weights.reshaped()});
  CHECK(again.iterations <= 1);
  CHECK_THAT(again.objective, WithinRel(scaled.objective, 1e-6));
  CHECK_THROWS_WITH((SparseSoftmaxRegression{.l1_ratio = 2}.fit(x, y)),
                    "SparseSoftmaxRegression::fit: l1_ratio = 2, but must be from 0 to 1");
}

}  // namespace softmax_coordinate_descent_test
