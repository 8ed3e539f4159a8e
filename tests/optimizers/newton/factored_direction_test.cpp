// SPDX-License-Identifier: MIT
/// \file Newton's method where columns are few, and what it is made of.
#include <Eigen/Cholesky>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties.hpp>
#include <linea/rows/rows_of.hpp>
#include <set>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

samples::TrainingSet<decltype(rows_of(std::declval<const Matrix<double>&>()))> set_of(
    const Matrix<double>& x, const Vector<double>& y, const Vector<double>& weights = {}) {
  return {.rows = rows_of(x), .y = y, .weights = weights};
}

/// ∇F of the log loss on some rows, (d + 1) or (d).
Vector<double> gradient_on(const std::set<Index>& members, const Matrix<double>& x,
                           const Vector<double>& y, const Vector<double>& weights, double lambda,
                           const Vector<double>& theta) {
  const Index d = x.cols();
  Vector<double> sum = Vector<double>::Zero(theta.size());
  double all = 0;
  for (const Index i : members) {
    const double s = weights.size() ? weights[i] : 1.0;
    const double score = x.row(i).dot(theta.head(d)) + (theta.size() > d ? theta[d] : 0);
    const double slope = -y[i] / (1 + std::exp(y[i] * score));
    sum.head(d) += s * slope * x.row(i).transpose();
    if (theta.size() > d) sum[d] += s * slope;
    all += s;
  }
  sum /= all;
  sum.head(d) += lambda * theta.head(d);
  return sum;
}

/// The rows that the draw of one in `stride` is made of, as its header has it.
std::set<Index> drawn(Index n, std::uint64_t stride, const Vector<double>& weights) {
  std::set<Index> members;
  for (Index i = 0; i < n; ++i) {
    const auto hash = static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) * 2654435769U);
    if (hash < (std::uint64_t{1} << 32U) / stride && (weights.size() == 0 || weights[i] > 0))
      members.insert(i);
  }
  return members;
}

}  // namespace

TEST_CASE("KeptCurvature: solves the equations of its rows, or says that they are not positive",
          "[optimizers]") {
  const Matrix<double> x = synthetic::features(200, 7, 3);
  for (const bool has_offset : {false, true}) {
    const Index size = has_offset ? 8 : 7;
    newton::KeptCurvature<> curvature;
    CHECK(!curvature.is_known());
    const auto c = [](Index k) { return 0.1 + 0.01 * static_cast<double>(k); };
    const auto entries = [&](Index k, auto&& f) {
      for (Index j = 0; j < 7; ++j) f(j, x(k, j));
    };
    REQUIRE(curvature.take(7, has_offset, 0.3, 200, 7, c, entries));
    Eigen::MatrixXd matrix = 0.3 * Eigen::MatrixXd::Identity(size, size);
    if (has_offset) matrix(7, 7) = 0;
    for (Index k = 0; k < 200; ++k) {
      Vector<double> row = Vector<double>::Ones(size);
      row.head(7) = x.row(k);
      matrix += c(k) * row * row.transpose();
    }
    const Vector<double> r = Vector<double>::LinSpaced(size, 1, -2);
    Vector<double> s = r;
    curvature.solve(s);
    CHECK((matrix * s - r).norm() <= 1e-10);
    CHECK(!curvature.take(
        7, true, 0.3, 200, 7, [](Index) { return 0.0; }, entries));
    CHECK(!curvature.is_known());
  }
}

TEST_CASE(
    "RememberedChanges: the corrected matrix takes the last change of the gradient to the step",
    "[optimizers]") {
  newton::RememberedChanges<> changes(2);
  const Matrix<double> steps = synthetic::features(4, 5, 11);
  const Eigen::MatrixXd root = synthetic::features(5, 5, 12);
  const Eigen::MatrixXd bend = root.transpose() * root + Eigen::MatrixXd::Identity(5, 5);
  const auto halve = [](Vector<double>& v) { v *= 0.5; };
  Vector<double> direction;
  changes.find_direction(steps.row(0).transpose(), direction, halve);
  CHECK(direction == -0.5 * steps.row(0).transpose());
  for (Index k = 0; k < 4; ++k) {
    const Vector<double> step = steps.row(k).transpose();
    REQUIRE(changes.add(step, bend * step));
    changes.find_direction(bend * step, direction, halve);
    CHECK((direction + step).norm() <= 1e-12 * step.norm());
  }
  CHECK(!changes.add(direction, -direction));
  changes.clear();
  CHECK(changes.is_empty());
}

TEST_CASE("SampledMinimum: about the minimum on its rows, which are among those of smaller strides",
          "[optimizers]") {
  const Matrix<double> x = synthetic::features(4000, 6, 21);
  const Vector<double> y = synthetic::signs(x, 22, 1.0);
  Vector<double> weights = Vector<double>::LinSpaced(4000, 0.5, 1.5);
  for (Index i = 0; i < 4000; i += 7) weights[i] = 0;
  weights *= 4000 / weights.sum();
  const double lambda = 1e-3;
  for (const auto& s : {Vector<double>{}, weights})
    for (const bool has_offset : {false, true}) {
      const auto set = set_of(x, y, s);
      Vector<double> theta = Vector<double>::Zero(has_offset ? 7 : 6);
      const Log loss;
      for (const Index stride : {16, 4}) {
        CAPTURE(stride, has_offset, s.size());
        newton::SampledMinimum sample(loss, set, lambda, has_offset, stride);
        const auto members = drawn(4000, static_cast<std::uint64_t>(stride), s);
        CHECK(sample.samples() == static_cast<Index>(members.size()));
        CHECK(std::abs(sample.samples() - (s.size() ? 6 : 7) * 4000 / (7 * stride)) <= 10);
        newton::KeptCurvature<> curvature;
        const double before = gradient_on(members, x, y, s, lambda, theta).norm();
        REQUIRE(sample.descend(1e-10, theta, curvature));
        CHECK(curvature.is_known());
        const double after = gradient_on(members, x, y, s, lambda, theta).norm();
        CHECK(before > 1e-3);
        CHECK(after <= 1e-4 * before);
      }
    }
}

TEST_CASE("SampledMinimum: gives up where its rows do not bend F", "[optimizers]") {
  Matrix<double> x = synthetic::features(1000, 3, 21);
  const Vector<double> y = synthetic::signs(x, 22, 1.0);
  x *= 1e200;  // whose squares overflow
  const auto set = set_of(x, y);
  const Log loss;
  newton::SampledMinimum sample(loss, set, 1e-3, false, 4);
  Vector<double> theta = Vector<double>::Zero(3);
  newton::KeptCurvature<> curvature;
  CHECK(!sample.descend(1e-3, theta, curvature));
}

TEST_CASE("Newton: where columns are few, a proof of the same minimum in few passes",
          "[optimizers]") {
  // Columns of very different size that nearly depend on each other: conjugate gradients took
  // hundreds of passes.
  Matrix<double> x = synthetic::features(6000, 20, 31);
  for (Index j = 10; j < 20; ++j) x.col(j) = x.col(j - 10) + 1e-2 * x.col(j);
  for (Index j = 0; j < 20; ++j) x.col(j) *= std::pow(10.0, static_cast<double>(j % 4));
  const Vector<double> y = synthetic::signs(x, 32, 2.0);
  const Eigen::MatrixXd columns = x;
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = x.sparseView();
  Extras<double> weighted;
  weighted.sample_weights = Vector<double>::LinSpaced(6000, 0, 2);
  for (const double lambda : {1e-2, 1e-4, 1e-6})
    for (const bool has_offset : {false, true})
      for (const auto& extras : {Extras<double>{}, weighted}) {
        CAPTURE(lambda, has_offset, extras.sample_weights.size());
        const Objective objective{Log{}, L2{lambda}};
        const Newton newton{.offset = has_offset, .tolerance = 1e-8};
        const auto solution = newton.minimize(objective, x, y, extras);
        CHECK(solution.status == Status::converged);
        CHECK(solution.epochs <= 100);
        const auto proof =
            certify(objective, solution, x, y,
                    {.offset = has_offset, .sample_weights = extras.sample_weights, .epochs = 0});
        CHECK(proof.gap() <= 2e-8 * solution.objective);
        const auto agrees = [&](const Solution<double>& other) {
          CHECK(other.status == Status::converged);
          CHECK_THAT(other.objective, WithinRel(solution.objective, 2e-8));
        };
        agrees(newton.minimize(objective, columns, y, extras));
        agrees(newton.minimize(objective, sparse, y, extras));
        Extras<double> started = extras;
        started.start_weights = 0.9 * solution.weights;
        agrees(newton.minimize(objective, x, y, started));
      }
}

TEST_CASE("Newton: samples of few columns that mislead cost passes, not the minimum",
          "[optimizers]") {
  // Every row that the first directions are made from has its label turned.
  const Matrix<double> x = synthetic::features(4096, 8, 41);
  Vector<double> y = synthetic::signs(x, 42, 0.3);
  for (const Index i : drawn(4096, 4, {})) y[i] = -y[i];
  const Objective objective{Log{}, L2{1e-4}};
  const auto solution = Newton{.tolerance = 1e-9}.minimize(objective, x, y);
  const auto other = Lbfgs{.tolerance = 1e-9}.minimize(objective, x, y);
  CHECK(solution.status == Status::converged);
  CHECK_THAT(solution.objective, WithinRel(other.objective, 2e-9));
  CHECK(solution.epochs <= 60);
}
