// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <cmath>
#include <linea/activations/exponential.hpp>
#include <linea/losses.hpp>
#include <linea/losses/composed.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties.hpp>
#include <string>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/synthetic.hpp"

namespace penalty_factors_test {

using namespace linea;
using synthetic::problem_for;

namespace {

const Vector<double> factors{{1, 0.3, 4, 1, 0.01, 2}};
const CoordinateDescent exact{.tolerance = 1e-13};

}  // namespace

TEST_CASE("PenaltyFactors: a factor is a column divided by it", "[penalties]") {
  const auto check = [](const auto& loss, const auto& penalty, const Vector<double>& divisors) {
    const auto p = problem_for(loss, 50, 6, 17, true);
    const Matrix<double> scaled = p.x * divisors.cwiseInverse().asDiagonal();
    const Objective objective{loss, PenaltyFactors{penalty, factors}};
    const auto s = exact.minimize(objective, p.x, p.y, p.weights);
    const auto of_scaled = exact.minimize(Objective{loss, penalty}, scaled, p.y, p.weights);
    CAPTURE(loss.name, penalty.name);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.objective, WithinRel(of_scaled.objective, 1e-12));
    CHECK((s.weights.cwiseProduct(divisors) - of_scaled.weights).norm() <= 1e-5);
    CHECK(((s.weights.array() == 0) == (of_scaled.weights.array() == 0)).all());
    // The gap of a rough run, far from the minimum, is correct.
    const auto rough = CoordinateDescent{.iterations = 1}.minimize(objective, p.x, p.y, p.weights);
    CHECK(rough.objective - *rough.gap <= s.objective * (1 + 1e-13));
    const auto certificate = certify(objective, s, p.x, p.y, {.sample_weights = p.weights});
    CHECK(certificate.dual <= s.objective);
    CHECK_THAT(certificate.dual, WithinRel(s.objective, 1e-5));
  };
  check(Squared{}, L1{0.1}, factors);
  check(Log{}, L1{0.03}, factors);
  check(Log{}, L2{0.03}, factors.cwiseSqrt());
  check(Huber{}, NonNegative{L1{0.1}}, factors);
}

TEST_CASE("PenaltyFactors: only the products of factors and strengths matter", "[penalties]") {
  // w minimises ((w − 2)² + (−w − 0)²)/4 + f·λ/2·w², so that w = 2/(2 + 2f·λ).
  const Matrix<double> x{{1}, {-1}};
  const Vector<double> y{{2, 0}};
  const CoordinateDescent optimizer{.tolerance = 1e-12, .offset = false};
  for (const double factor : {1e-300, 1e-160, 1.0, 1e160, 1e162, 1e300}) {
    CAPTURE(factor);
    const Vector<double> one{{factor}};
    const PenaltyFactors l2{L2{1 / factor}, one};
    const auto s = optimizer.minimize(Objective{Squared{}, l2}, x, y);
    CHECK(s.status == Status::converged);
    CHECK_THAT(s.weights[0], WithinRel(0.5, 1e-6));
    CHECK_THAT(s.objective, WithinRel(0.75, 1e-12));
    CHECK(s.objective - *s.gap <= 0.75);
    CHECK(certify(Objective{Squared{}, l2}, s, x, y, {.offset = false}).dual <= 0.75);
    // With λ·f = 0.25 for the absolute penalty, w = 1 − 0.25.
    const PenaltyFactors l1{NonNegative{L1{0.25 / factor}}, one};
    const auto sparse = optimizer.minimize(Objective{Squared{}, l1}, x, y);
    CHECK(sparse.status == Status::converged);
    CHECK_THAT(sparse.weights[0], WithinRel(0.75, 1e-6));
    // Factors and strengths beyond the range of float have a product within it.
    const auto floats = Sgd{.epochs = 300, .offset = false}.minimize(
        Objective{Squared{}, l2}, Matrix<float>(x.cast<float>()), y);
    CHECK_THAT(floats.objective, WithinRel(0.75, 1e-2));
  }
}

TEST_CASE("PenaltyFactors: a column of factor 0 is not penalised", "[penalties]") {
  const auto p = problem_for(Squared{}, 50, 6, 23);
  Vector<double> some = factors;
  some[1] = some[4] = 0;
  const auto s = exact.minimize(Objective{Squared{}, PenaltyFactors{L2{0.3}, some}}, p.x, p.y);
  CHECK(s.status == Status::settled);
  CHECK(!s.gap);
  const Matrix<double> centred = p.x.rowwise() - p.x.colwise().mean();
  Matrix<double> a = centred.transpose() * centred / 50;
  a.diagonal() += 0.3 * some;
  CHECK((s.weights - a.ldlt().solve(centred.transpose() * p.y / 50)).norm() <= 1e-6);
  // The lasso leaves columns 1 and 4 unpenalised, too: their slopes vanish for any λ.
  const auto sparse = exact.minimize(Objective{Squared{}, PenaltyFactors{L1{1e3}, some}}, p.x, p.y);
  CHECK(sparse.status == Status::settled);
  CHECK((sparse.weights.array() != 0).count() == 2);
  const Vector<double> residuals = (p.x * sparse.weights - p.y).array() + sparse.offset;
  for (const Index j : {1, 4}) CHECK(std::abs(p.x.col(j).dot(residuals)) <= 1e-6);
  // Sgd uses the factors of the columns, too.
  const auto descent =
      Sgd{.epochs = 300}.minimize(Objective{Squared{}, PenaltyFactors{L2{0.3}, some}}, p.x, p.y);
  CHECK_THAT(descent.objective, WithinRel(s.objective, 1e-2));
}

TEST_CASE("PenaltyFactors: a column of offsets", "[penalties]") {
  // For squared loss, the result is the same as with the offsets subtracted from the targets.
  const auto p = problem_for(Squared{}, 50, 6, 29, true);
  Matrix<double> rest(50, 5);
  rest << p.x.leftCols(2), p.x.rightCols(3);
  const PenaltyFactors<L1> held{.penalty = {0.1}, .offset_column = 2};
  const auto s = exact.minimize(Objective{Squared{}, held}, p.x, p.y, p.weights);
  const auto other = exact.minimize(Objective{Squared{}, L1{0.1}}, rest,
                                    Vector<double>(p.y - p.x.col(2)), p.weights);
  CHECK(s.status == Status::converged);
  CHECK(s.weights[2] == 1);
  CHECK_THAT(s.objective, WithinRel(other.objective, 1e-12));
  CHECK((s.weights.tail(3) - other.weights.tail(3)).norm() <= 1e-5);
}

TEST_CASE("PenaltyFactors: counts with the logarithms of their exposures as offsets",
          "[penalties]") {
  // R 4.2.2: glm(N ~ x, offset = log(e), family = poisson) for N = 0, 1, 2, 2 and e = 1, 1, 2, 2.
  Matrix<double> x(4, 2);
  x.col(0) << 1, 1.5, 2, 3;
  x.col(1) << 0, 0, std::log(2.0), std::log(2.0);
  const Vector<double> counts{{0, 1, 2, 2}};
  const Objective objective{Composed{Poisson{}, Exponential{}},
                            PenaltyFactors<NoPenalty>{.offset_column = 1}};
  const auto check = [&](const auto& s, double tolerance) {
    CAPTURE(s.optimizer);
    CHECK_THAT(s.weights[0], WithinAbs(0.4114909, tolerance));
    CHECK(s.weights[1] == 1);
    CHECK_THAT(s.offset, WithinAbs(-1.0845508, tolerance));
  };
  const Vector<double> zero = Vector<double>::Zero(2);
  for (const Vector<double>& start : {Vector<double>{}, zero}) {
    const Extras<double> extras{.start_weights = start};
    check(Newton{.tolerance = 1e-12}.minimize(objective, x, counts, extras), 1e-7);
    check(Lbfgs{.tolerance = 1e-12}.minimize(objective, x, counts, extras), 1e-6);
    const GradientDescent descent{.epochs = 20000, .tolerance = 0};
    check(descent.minimize(objective, x, counts, extras), 1e-3);
  }
  // Without an epoch, the result is the start, where the mean count is that of the samples.
  const auto first = Sgd{.epochs = 0}.minimize(objective, x, counts);
  CHECK(first.weights == Vector<double>::Unit(2, 1));
  CHECK_THAT(first.offset, WithinRel(std::log(5.0 / 6), 1e-9));
  const auto chosen = Auto{.tolerance = 1e-12}.minimize(objective, x, counts);
  CHECK(chosen.optimizer == "Newton");
  CHECK(chosen.reason == "a smooth loss and no penalty");
  check(chosen, 1e-7);
}

TEST_CASE("PenaltyFactors: descent starts at the nearest weights of finite penalty",
          "[penalties]") {
  // The offsets are far from 0, so that the runs centre them.
  auto p = problem_for(Squared{}, 60, 3, 31);
  p.x.col(1).array() += 1000;
  p.y += p.x.col(1);
  const Objective objective{Squared{}, PenaltyFactors<L2>{.penalty = {0.1}, .offset_column = 1}};
  const double best = exact.minimize(objective, p.x, p.y).objective;
  const auto check = [&](const auto& s) {
    CHECK(s.weights[1] == 1);
    CHECK_THAT(s.objective, WithinRel(best, 1e-2));
    CHECK_THAT(s.objective, WithinRel(objective_value(objective, s, p.x, p.y), 1e-9));
  };
  check(Sgd{}.minimize(objective, p.x, p.y));
  check(Sgd{.iterate = Iterate::average, .threads = 3}.minimize(objective, p.x, p.y));
  check(GradientDescent{}.minimize(objective, p.x, p.y));
  check(Sgd{}.minimize(objective, p.x, p.y, {.start_weights = Vector<double>{{5, 0, -5}}}));
  const Matrix<double> targets = p.y.rowwise().replicate(2);
  for (const auto& s : Sgd{}.minimize_each(objective, p.x, targets)) check(s);
  // Negative start weights become 0 if weights must not be negative.
  const Objective positive{Squared{}, NonNegative{L1{0.1}}};
  const Vector<double> negative = Vector<double>::Constant(3, -1);
  CHECK(
      Sgd{.epochs = 0}.minimize(positive, p.x, p.y, {.start_weights = negative}).weights.isZero(0));
  auto learner = Sgd{}.start<double>(objective, 3);
  CHECK(learner.solution().weights == Vector<double>::Unit(3, 1));
  learner.epoch(p.x, p.y);
  CHECK(learner.solution().weights[1] == 1);
}

TEST_CASE("PenaltyFactors: Newton and Lbfgs agree with CoordinateDescent", "[penalties]") {
  const auto check = [](const auto& loss, Index n, bool offset) {
    auto p = problem_for(loss, n, 6, 53, true);
    p.x.col(4).array() += 100;
    const PenaltyFactors<L2> penalty{
        .penalty = {0.02}, .factors = factors, .offset_column = offset ? 4 : 1};
    const Objective objective{loss, penalty};
    const Extras<double> extras{.sample_weights = p.weights};
    const CoordinateDescent reference{.tolerance = 1e-13, .offset = offset};
    const auto right = reference.minimize(objective, p.x, p.y, extras);
    const auto compare = [&](const auto& s) {
      CAPTURE(n, offset, s.optimizer, loss.name);
      CHECK(s.status == Status::converged);
      CHECK(s.weights[penalty.offset_column] == 1);
      CHECK_THAT(s.objective, WithinRel(right.objective, 1e-10));
      CHECK(s.objective - s.gap.value() <= right.objective * (1 + 1e-13));
      CHECK((s.weights - right.weights).norm() <= 1e-4);
    };
    compare(Newton{.tolerance = 1e-10, .offset = offset}.minimize(objective, p.x, p.y, extras));
    compare(Lbfgs{.tolerance = 1e-10, .offset = offset}.minimize(objective, p.x, p.y, extras));
    // The gap of a rough run, far from the minimum, is correct.
    const auto rough =
        Newton{.iterations = 1, .offset = offset}.minimize(objective, p.x, p.y, extras);
    CHECK(rough.objective - rough.gap.value() <= right.objective * (1 + 1e-13));
    CHECK_THAT(rough.objective,
               WithinRel(objective_value(objective, rough, p.x, p.y, p.weights), 1e-11));
  };
  for (const Index n : {40, 3000})  // Newton's method factorises ∇²F of the 3000 samples
    for (const bool offset : {true, false}) {
      check(Log{}, n, offset);
      check(Squared{}, n, offset);
    }
}

TEST_CASE("PenaltyFactors: other columns may be shifted and scaled beside an offset column",
          "[penalties]") {
  const auto p = problem_for(Log{}, 300, 4, 61);
  const Vector<double> scales{{1e4, 1, 1e-5, 1}};
  Matrix<double> moved = p.x * scales.asDiagonal();
  moved.col(0).array() += 3e6;
  const Objective plain{Log{}, PenaltyFactors<NoPenalty>{.offset_column = 3}};
  const Newton newton{.tolerance = 1e-12};
  const auto one = newton.minimize(plain, p.x, p.y), other = newton.minimize(plain, moved, p.y);
  CHECK_THAT(one.objective, WithinRel(other.objective, 1e-10));
  CHECK((one.weights - other.weights.cwiseProduct(scales)).norm() <= 1e-5);
}

TEST_CASE("PenaltyFactors: logistic regression with a fixed offset a sample", "[penalties]") {
  using Real = long double;
  for (const bool has_offset : {true, false}) {
    const auto p = problem_for(Log{}, 60, 4, 37);
    const double lambda = 0.05;
    // Compute the reference by Newton's method on the other three columns and a constant, with
    // p.x.col(3) added to the scores.
    Matrix<Real> x(60, 4);
    x << p.x.leftCols(3).cast<Real>(), Vector<Real>::Constant(60, has_offset ? 1 : 0);
    Vector<Real> theta = Vector<Real>::Zero(4);
    const Eigen::Vector4d penalised{lambda, lambda, lambda, has_offset ? 0.0 : 1.0};
    for (int step = 0; step < 30; ++step) {
      Vector<Real> gradient = penalised.cast<Real>().cwiseProduct(theta);
      Matrix<Real> hessian = penalised.cast<Real>().asDiagonal();
      for (Index i = 0; i < 60; ++i) {
        const Real y = p.y[i];
        const Real score = x.row(i).dot(theta) + static_cast<Real>(p.x(i, 3));
        const Real wrong = 1 / (1 + std::exp(y * score));
        gradient -= y * wrong / 60 * x.row(i).transpose();
        hessian += wrong * (1 - wrong) / 60 * x.row(i).transpose() * x.row(i);
      }
      theta -= hessian.ldlt().solve(gradient);
    }
    const CoordinateDescent optimizer{.tolerance = 1e-14, .offset = has_offset};
    const Objective objective{Log{}, PenaltyFactors<L2>{.penalty = {lambda}, .offset_column = 3}};
    const auto s = optimizer.minimize(objective, p.x, p.y);
    CAPTURE(has_offset);
    CHECK(s.status <= Status::precision_limit);
    CHECK(s.gap.value() <= 1e-12);
    CHECK(s.weights[3] == 1);
    CHECK((s.weights.head(3) - theta.head(3).cast<double>()).norm() <= 1e-6);
    CHECK_THAT(s.offset, WithinAbs(static_cast<double>(theta[3]), 1e-6));
    const auto newton =
        Newton{.tolerance = 1e-14, .offset = has_offset}.minimize(objective, p.x, p.y);
    CHECK((newton.weights.head(3) - theta.head(3).cast<double>()).norm() <= 1e-7);
    CHECK_THAT(newton.offset, WithinAbs(static_cast<double>(theta[3]), 1e-7));
    const auto certificate = certify(objective, s, p.x, p.y, {.offset = has_offset});
    CHECK_THAT(certificate.dual, WithinRel(s.objective, 1e-6));
    CHECK(certificate.dual <= s.objective);
  }
}

TEST_CASE("PenaltyFactors: all weights are 0 from the largest slope over its factor on",
          "[penalties]") {
  const auto p = problem_for(Squared{}, 50, 6, 41);
  const Vector<double> slopes = p.x.transpose() * (p.y.array() - p.y.mean()).matrix() / 50;
  const double most = slopes.cwiseAbs().cwiseQuotient(factors).maxCoeff();
  const auto path = lambda_path(exact, Objective{Squared{}, PenaltyFactors{L1{}, factors}},
                                {most * (1 + 1e-9), most * (1 - 1e-3)}, p.x, p.y);
  CHECK(path[0].weights.isZero(0));
  CHECK((path[1].weights.array() != 0).count() == 1);
}

TEST_CASE("PenaltyFactors: wrong factors are refused", "[penalties]") {
  const auto p = problem_for(Squared{}, 20, 3, 43);
  const auto refuses = [&](const PenaltyFactors<L1>& penalty, const std::string& message) {
    const Objective objective{Squared{}, penalty};
    CHECK_THROWS_WITH(CoordinateDescent{}.minimize(objective, p.x, p.y),
                      "CoordinateDescent::minimize: " + message);
    CHECK_THROWS_WITH(Sgd{}.minimize(objective, p.x, p.y), "Sgd::minimize: " + message);
  };
  refuses({{0.1}, Vector<double>{{1, 1}}}, "2 penalty factors for 3 features");
  refuses({{0.1}, Vector<double>{{1, -1, 1}}},
          "penalty factor 1 is -1, but must be finite and >= 0");
  refuses({{1e10}, Vector<double>{{1, 1, 1e300}}},
          "penalty factor 2 = 1e+300 times the penalty (l1, lambda = 1e+10) overflows; choose a "
          "smaller factor or strength");
  refuses({.penalty = {0.1}, .offset_column = 3}, "offset_column = 3 of 3 features");
  refuses({{-1}}, "the penalty's lambda = -1 must be finite and >= 0");
}

}  // namespace penalty_factors_test
