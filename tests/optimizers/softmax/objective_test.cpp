// SPDX-License-Identifier: MIT
#include <linea/optimizers/softmax/objective.hpp>

#include "support/catch.hpp"
#include "support/softmax_problem.hpp"

using namespace linea;
using namespace linea::test;

namespace {

/// F, ∇F and ∇²F·v against differences along random lines.
template <class X>
void check_derivatives(const X& x, bool has_offset, const Vector<double>& weights, Index threads) {
  SoftmaxProblem<X> problem(x, 3, 0.05, has_offset, weights, threads);
  auto& f = problem.objective;
  softmax::Table theta = problem.random_table(1);
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    softmax::Table v = problem.random_table(seed);
    const auto here = problem.at(theta);
    const double step = 1e-5;
    softmax::Table ahead = theta + step * v;
    softmax::Table behind = theta - step * v;
    const auto next = problem.at(ahead);
    const auto last = problem.at(behind);
    const double slope = here.gradient.cwiseProduct(v).sum();
    CHECK_THAT((next.value - last.value) / (2 * step), WithinAbs(slope, 1e-8));
    softmax::Table image;
    f.find_curvature(v, here.q, image);
    const softmax::Table bend = (next.gradient - last.gradient) / (2 * step);
    CHECK((image - bend).cwiseAbs().maxCoeff() < 1e-8);
    CHECK(image.rightCols(1).isZero(0));  // fills up a register

    // Along the line, from scores and moves alone.
    softmax::Table moves;
    f.passes().score(v, moves);
    softmax::Table q;
    softmax::Sums sums;
    const auto line = f.line(theta, v, here.scores, moves);
    const auto point = f.evaluate(line, step, q, sums);
    CHECK_THAT(point.value, WithinAbs(next.value, 1e-13));
    CHECK_THAT(point.slope, WithinAbs(next.gradient.cwiseProduct(v).sum(), 1e-12));
    if (has_offset) CHECK((next.gradient.row(x.cols()) - sums.balance.transpose()).norm() < 1e-14);

    softmax::Table diagonal;
    f.find_diagonal(here.q, diagonal);
    softmax::Table unit = softmax::Table::Zero(theta.rows(), theta.cols());
    const Index j = static_cast<Index>(seed) % theta.rows();
    unit(j, 1) = 1;
    f.find_curvature(unit, here.q, image);
    CHECK_THAT(diagonal(j, 1), WithinAbs(image(j, 1), 1e-14));
  }
}

}  // namespace

TEST_CASE("SoftmaxObjective: gradient and curvature are those of differences", "[optimizers]") {
  const auto x = synthetic::features(40, 5, 21, 0.7);
  Vector<double> weights(40);
  for (Index i = 0; i < 40; ++i) weights[i] = static_cast<double>((i + 1) % 3);
  for (const bool has_offset : {true, false})
    for (const Index threads : {1, 2}) {
      check_derivatives(x, has_offset, {}, threads);
      check_derivatives(x, has_offset, weights, threads);
      check_derivatives(core::ColumnMatrix<double>(x), has_offset, weights, threads);
      check_derivatives(synthetic::sparse(x), has_offset, weights, threads);
      const Matrix<double> far = (x.array() + 1000).matrix();
      check_derivatives(far, true, weights, threads);
    }
}

TEST_CASE("SoftmaxObjective: the sums of each class", "[optimizers]") {
  const auto x = synthetic::features(30, 4, 22);
  const Vector<double> weights = Vector<double>::LinSpaced(30, 0, 2);
  SoftmaxProblem<Matrix<double>> problem(x, 3, 1, true, weights, 1);
  softmax::Table sums;
  problem.objective.find_class_sums(sums);
  softmax::Table wanted = softmax::Table::Zero(5, 4);
  for (Index i = 0; i < 30; ++i) {
    wanted.col(i % 3).head(4) += weights[i] / weights.sum() * x.row(i).transpose();
    wanted(4, i % 3) += weights[i] / weights.sum();
  }
  CHECK((sums - wanted).norm() < 1e-14);
}
