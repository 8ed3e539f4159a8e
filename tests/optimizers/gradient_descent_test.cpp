// SPDX-License-Identifier: MIT
#include <Eigen/Eigenvalues>
#include <cstdint>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/losses.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

namespace gradient_descent_test {

using namespace linea;

namespace {

/// Returns the largest eigenvalue of (1/S)Σᵢ sᵢzᵢzᵢᵀ with S = Σᵢ sᵢ, by a full decomposition. zᵢ is
/// (xᵢ, 1), or xᵢ without an offset.
double largest_eigenvalue(const Matrix<double>& x, const Vector<double>& s, bool offset) {
  Matrix<double> z(x.rows(), x.cols() + (offset ? 1 : 0));
  z.leftCols(x.cols()) = x;
  if (offset) z.col(x.cols()).setOnes();
  const Eigen::MatrixXd moments = z.transpose() * s.asDiagonal() * z / s.sum();
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(moments).eigenvalues().maxCoeff();
}

}  // namespace

TEST_CASE("GradientDescent: its steps are those of the formula", "[optimizers]") {
  const auto x = synthetic::features(40, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const double eta = 0.3;
  const double lambda = 0.01;
  for (const Eigen::VectorXd& s :
       {Eigen::VectorXd(Eigen::VectorXd::Ones(40)), Eigen::VectorXd::LinSpaced(40, 0, 2).eval()}) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(3);
    double b = 0;
    for (int step = 0; step < 7; ++step) {  // w ← w − η(mean of ℓ′x + λw), b ← b − η·mean of ℓ′
      const Eigen::ArrayXd p = (x * w).array() + b;
      const Eigen::VectorXd slope = -s.array() / s.sum() * y.array() / (1 + (y.array() * p).exp());
      const Eigen::VectorXd gradient = x.transpose() * slope + lambda * w;
      b -= eta * slope.sum();
      w -= eta * gradient;
    }
    const auto descent = BasicGradientDescent<ConstantStep>{
        .epochs = 7, .tolerance = 0, .step = {eta}, .iterate = Iterate::last};
    const auto solution = descent.minimize(Objective{Log{}, L2{lambda}}, x, y, Vector<double>(s));
    CHECK((solution.weights - w).norm() < 1e-14);
    CHECK_THAT(solution.offset, WithinAbs(b, 1e-14));
    CHECK(solution.updates == 7);
    CHECK(solution.epochs == 7);
  }
}

TEST_CASE("GradientDescent: is Sgd on one batch of all samples", "[optimizers]") {
  const auto x = synthetic::features(30, 4, 3);
  const auto y = synthetic::signs(x, 4);
  const Objective objective{Hinge{}, ElasticNet{0.01, 0.02}};
  const auto one =
      BasicGradientDescent<InverseScaling>{.epochs = 12, .tolerance = 0, .step = {0.5, 0.5}}
          .minimize(objective, x, y);
  const auto other =
      BasicSgd<InverseScaling, Cyclic>{
          .epochs = 12, .tolerance = 0, .step = {0.5, 0.5}, .batch = all_samples}
          .minimize(objective, x, y);
  REQUIRE(one.weights == other.weights);
  REQUIRE(one.offset == other.offset);
  REQUIRE(one.objective == other.objective);
}

TEST_CASE("GradientDescent: the safe step inverts the largest curvature", "[optimizers]") {
  for (const bool offset : {true, false})
    for (const bool weighted : {true, false})
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Index d = 1 + static_cast<Index>(seed);
        Matrix<double> x = synthetic::features(50, d, seed);
        x.col(0) *= seed % 3 == 0 ? 100.0 : 1.0;
        x.array() += seed % 2 == 0 ? 3.0 : 0.0;
        const auto y = synthetic::signs(x, seed + 1);
        Extras<double> extras;
        if (weighted) {
          extras.sample_weights = Vector<double>::LinSpaced(50, 0, 5);
        }
        const Vector<double> s = weighted ? extras.sample_weights : Vector<double>::Ones(50);
        const double largest = 0.25 * largest_eigenvalue(x, s, offset) + 0.1;
        const auto solution = GradientDescent{.epochs = 1, .offset = offset}.minimize(
            Objective{Log{}, L2{0.1}}, x, y, extras);
        // The step is 5 % shorter by design. The power iteration may underestimate the eigenvalue
        // by up to two per cent.
        REQUIRE(solution.first_step * largest < 1.0);
        REQUIRE(solution.first_step * largest > 1 / 1.06);
      }
}

TEST_CASE("GradientDescent: validation errors have its own name", "[optimizers]") {
  const auto x = synthetic::features(5, 2, 1);
  const Vector<double> y = Vector<double>::Ones(5);
  const Objective objective{Log{}, L2{0.1}};
  CHECK_THROWS_WITH(GradientDescent{.retries = -1}.minimize(objective, x, y),
                    ContainsSubstring("GradientDescent::minimize: -1 retries"));
  CHECK_THROWS_WITH(GradientDescent{.change_tolerance = -1}.minimize(objective, x, y),
                    ContainsSubstring("change_tolerance = -1 is not >= 0"));
}

TEST_CASE("GradientDescent: a loss with kinks gets a step by trial, and SafeStep itself refuses it",
          "[optimizers]") {
  const auto x = synthetic::features(80, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const Objective objective{Hinge{}, L2{0.01}};
  const auto descent = GradientDescent{.epochs = 300, .tolerance = 0}.minimize(objective, x, y);
  const auto sgd = Sgd{.epochs = 300, .tolerance = 0}.minimize(objective, x, y);
  REQUIRE_THAT(descent.objective, WithinRel(sgd.objective, 0.02));
  REQUIRE_THROWS_WITH(BasicSgd<SafeStep>{}.minimize(objective, x, y),
                      ContainsSubstring("SafeStep: the loss has no curvature bound"));
}

TEST_CASE("GradientDescent: the safe step finds one direction among many", "[optimizers]") {
  // Each row has one column. The first column is in three rows, and the others are in one row each:
  // the eigenvalues are 3/n and 1/n.
  const Index d = 30000;
  SparseMatrix<double> x(d + 2, d);
  x.reserve(Eigen::VectorXi::Constant(d + 2, 1));
  for (Index i = 0; i < d + 2; ++i) x.insert(i, i < 3 ? 0 : i - 2) = 1;
  x.makeCompressed();
  const auto y = synthetic::in_turn(d + 2, 5);
  double before = std::numeric_limits<double>::infinity();
  const auto solution = GradientDescent{.epochs = 10, .tolerance = 0, .offset = false}.minimize(
      Objective{Squared{}, NoPenalty{}}, x, y, [&](const Progress& now) {
        REQUIRE(now.objective() <= before);
        before = now.objective();
      });
  REQUIRE_THAT(solution.first_step * 3 / static_cast<double>(d + 2), WithinRel(1 / 1.05, 0.01));
  REQUIRE(solution.restarts == 0);
}

TEST_CASE("GradientDescent: its options are those of a training run", "[optimizers]") {
  const auto x = synthetic::features(40, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const Objective log{Log{}, L2{0.01}};
  const Objective kinked{Hinge{}, L2{0.01}};
  const Objective squared{Squared{}, NoPenalty{}};
  const auto whole = GradientDescent{.epochs = 50, .tolerance = 0}.minimize(log, x, y);
  const double target = 1.01 * whole.objective;
  const auto near =
      GradientDescent{.epochs = 50, .tolerance = 0, .target_objective = target}.minimize(log, x, y);
  CHECK(near.status == Status::converged);
  CHECK(near.epochs < 50);
  // A run with a step that is far too long recovers if it has retries, and diverges without them.
  BasicGradientDescent<SafeStep> wild{
      .epochs = 50, .step = {400 * whole.first_step}, .iterate = Iterate::last, .retries = 0};
  const auto lost = wild.minimize(squared, x, y);
  CHECK(lost.first_step == 400 * whole.first_step);  // a first step that is given is not changed
  CHECK(lost.status == Status::diverged);
  wild.retries = 10;
  const auto kept = wild.minimize(squared, x, y);
  CHECK(kept.status != Status::diverged);
  CHECK(kept.restarts > 0);
  CHECK(kept.last_step < kept.first_step);
  CHECK(kept.iterate == Iterate::last);
  // For a loss with kinks, `step` sets the first step, and a given start is used.
  const Extras<double> start{.start_weights = Vector<double>::Constant(3, 0.1), .start_offset = -2};
  const auto none = GradientDescent{.epochs = 0, .step = {0.25}}.minimize(kinked, x, y, start);
  CHECK(none.weights == start.start_weights);
  CHECK(none.offset == -2);
  CHECK(none.first_step == AutomaticStep(0.25).bound_to({0.01, 1, false})(1));
  CHECK_THROWS_WITH(GradientDescent{.step = {-1}}.minimize(log, x, y),
                    ContainsSubstring("SafeStep: size = -1 is not >= 0"));
}

}  // namespace gradient_descent_test
