// SPDX-License-Identifier: MIT
#include <linea/optimizers/newton/softmax_objective.hpp>
#include <linea/optimizers/softmax_newton.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/softmax_problem.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// F, ∇F and ∇²F·v against differences along a random line.
template <class X>
void check_derivatives(const X& x, bool has_offset, const Vector<double>& weights, Index threads) {
  SoftmaxProblem<X> problem(x, 3, 0.05, has_offset, weights, threads);
  auto& f = problem.objective;
  newton::Table theta = problem.random_table(1), v = problem.random_table(2);
  const double step = 1e-5;
  newton::Table ahead = theta + step * v, behind = theta - step * v, image, moves;
  const auto here = problem.at(theta), next = problem.at(ahead), last = problem.at(behind);
  CHECK_THAT((next.value - last.value) / (2 * step),
             WithinAbs(here.gradient.cwiseProduct(v).sum(), 1e-8));
  f.find_curvature(v, here.at.q, image);
  CHECK((image - (next.gradient - last.gradient) / (2 * step)).cwiseAbs().maxCoeff() < 1e-8);
  CHECK(image.rightCols(1).isZero(0));  // fills up a register

  // Along the line, from scores and moves alone.
  f.score(v, moves);
  typename std::remove_reference_t<decltype(f)>::State state;
  const auto point = f.evaluate(f.line(theta, v, here.scores, moves), step, state);
  CHECK_THAT(point.value, WithinAbs(next.value, 1e-13));
  CHECK_THAT(point.slope, WithinAbs(next.gradient.cwiseProduct(v).sum(), 1e-12));
  if (has_offset)
    CHECK((next.gradient.row(x.cols()) - state.sums.balance.transpose()).norm() < 1e-14);

  newton::Table diagonal;
  f.find_diagonal(here.at.q, diagonal);
  for (Index j = 0; j < theta.rows(); ++j) {
    newton::Table unit = newton::Table::Zero(theta.rows(), theta.cols());
    unit(j, 1) = 1;
    f.find_curvature(unit, here.at.q, image);
    CHECK_THAT(diagonal(j, 1), WithinAbs(image(j, 1), 1e-14));
  }
}

}  // namespace

TEST_CASE("SoftmaxObjective: gradient and curvature are those of differences", "[optimizers]") {
  const auto x = synthetic::features(40, 5, 21, 0.7);
  Vector<double> weights(40);
  for (Index i = 0; i < 40; ++i) weights[i] = static_cast<double>((i + 1) % 3);
  for (const bool has_offset : {true, false}) {
    check_derivatives(x, has_offset, {}, 1);
    check_derivatives(x, has_offset, weights, 2);
    check_derivatives(core::ColumnMatrix<double>(x), has_offset, weights, 1);
    check_derivatives(synthetic::sparse(x), has_offset, weights, 2);
  }
  check_derivatives(Matrix<double>(x.array() + 1000), true, weights, 1);
}

// Wherever it is asked: the offsets of these points are far from balanced.
TEST_CASE("SoftmaxObjective: the bound is below the minimum, and at it near the minimum",
          "[optimizers]") {
  const auto x = synthetic::features(50, 4, 41);
  Vector<double> weights(50);
  for (Index i = 0; i < 50; ++i) weights[i] = static_cast<double>(i % 5);
  const Vector<Index> y = SoftmaxProblem<Matrix<double>>::in_turn(50, 3);
  for (const bool has_offset : {true, false})
    for (const double lambda : {0.02, 1.0}) {
      SoftmaxProblem<Matrix<double>> problem(x, 3, lambda, has_offset, weights);
      auto& f = problem.objective;
      const auto best = SoftmaxNewton{.offset = has_offset, .tolerance = 1e-13}.minimize(
          L2{lambda}, x, y, weights);
      REQUIRE(best.status == Status::converged);
      newton::Table minimum = newton::Table::Zero(f.cols(), f.stride());
      minimum.topLeftCorner(4, 3) = best.weights;
      if (has_offset) minimum.row(4).head(3) = best.offset.transpose();
      double nearest = std::numeric_limits<double>::infinity();
      for (std::uint64_t seed = 1; seed < 40; ++seed) {
        const double away = std::pow(0.5, static_cast<double>(seed % 20));
        newton::Table theta = minimum + away * problem.random_table(seed);
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

TEST_CASE(
    "SoftmaxObjective: the bound of chances that miss the balance by less than the rounding of 1",
    "[optimizers]") {
  // w = ±19 is the best without an offset, with F = 10·exp(−38); w = ±10 and b = ∓10 are better.
  const double lambda = std::exp(-38.0) / 38;
  const Matrix<double> x{{3}, {-1}};
  SoftmaxProblem<Matrix<double>> problem(x, 2, lambda, true);
  auto& f = problem.objective;
  const auto at = [&](double w, double b) {
    newton::Table theta = newton::Table::Zero(f.cols(), f.stride());
    theta.topLeftCorner(2, 2) << w, -w, b, -b;
    return theta;
  };
  newton::Table theta = at(19, 0);
  const auto here = problem.at(theta);
  newton::Table better = at(10, -10);
  const double there = problem.at(better).value;
  REQUIRE(there < 0.3 * here.value);
  CHECK(f.bound(here.value, theta, here.gradient, here.scores, here.at) <= there);
}

TEST_CASE("SoftmaxObjective: the offsets balance the classes for any weights", "[optimizers]") {
  const auto x = synthetic::features(200, 3, 51);
  Vector<Index> rare = Vector<Index>::Zero(200);
  for (Index i = 0; i < 200; ++i) rare[i] = i == 7 ? 2 : i % 2;
  for (const double size : {0.0, 1.0, 30.0})
    for (const bool is_rare : {false, true}) {
      SoftmaxProblem<Matrix<double>> problem(x, 3, 0.1, true, {}, 2,
                                             is_rare ? rare : Vector<Index>{});
      newton::Table theta = size * problem.random_table(52);
      const newton::Table weights = theta.topRows(3);
      auto here = problem.at(theta);
      const double before = here.value;
      problem.objective.polish(theta, here.scores, here.at, here.value);
      INFO("size " << size << ", rare " << is_rare);
      CHECK(here.value < before);
      CHECK(theta.topRows(3) == weights);
      const auto anew = problem.at(theta);
      CHECK((anew.scores - here.scores).cwiseAbs().maxCoeff() < 1e-11);
      CHECK((anew.at.q - here.at.q).cwiseAbs().maxCoeff() < 1e-11);
      CHECK_THAT(anew.value, WithinRel(here.value, 1e-12));
      CHECK(anew.gradient.row(3).cwiseAbs().maxCoeff() < 1e-11);
    }
}
