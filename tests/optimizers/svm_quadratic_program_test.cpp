// SPDX-License-Identifier: MIT
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/penalties/l2.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "golden/minima.hpp"
#include "golden/svm.hpp"
#include "support/catch.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace svm_quadratic_program_test {

using namespace linea;

namespace {

const double infinity = std::numeric_limits<double>::infinity();

Objective<Hinge, L2> svm(double lambda) { return {Hinge{}, L2{lambda}}; }

struct Problem {
  Matrix<double> x;
  Vector<double> y;
  Vector<double> weights{};

  /// sᵢ/S.
  Eigen::VectorXd shares() const {
    const Eigen::VectorXd s =
        weights.size() ? Eigen::VectorXd(weights) : Eigen::VectorXd::Ones(y.size());
    return s / s.sum();
  }
};

/// Classes that overlap, entries of which one in three is 0.
Problem overlapping(Index n, Index d, std::uint64_t seed, bool weighted = false) {
  Problem problem{synthetic::features(n, d, seed, 0.67), {}};
  problem.y = synthetic::signs(problem.x, seed + 1, 1.0);
  if (weighted) {
    Random random(seed + 2);
    problem.weights.resize(n);
    for (double& weight : problem.weights) weight = 0.01 + random.uniform();
    if (n > 2) problem.weights[n / 2] = 0;
  }
  return problem;
}

/// Everything that a solution claims, from the definitions.
template <class T>
void check_claims(const SvmSolution<T>& s, const Problem& p, double lambda, bool offset,
                  double tolerance = 1e-9) {
  const Eigen::VectorXd w = s.weights.template cast<double>();
  const auto b = static_cast<double>(s.offset);
  const Eigen::VectorXd shares = p.shares();
  const Eigen::VectorXd& a = s.multipliers;
  const double rounding = 1e-13 * (1 + std::abs(b) + p.x.rowwise().norm().maxCoeff() * w.norm());
  const Eigen::VectorXd losses = (1 - p.y.array() * ((p.x * w).array() + b)).max(0);
  const Eigen::VectorXd pull = p.x.transpose() * a.cwiseProduct(p.y);
  const double primal = shares.dot(losses) + lambda / 2 * w.squaredNorm();
  const double dual = a.sum() - pull.squaredNorm() / (2 * lambda);

  CHECK(s.status == Status::converged);
  CHECK(s.iterate == Iterate::last);
  CHECK_THAT(s.objective, WithinAbs(primal, rounding));
  CHECK_THAT(s.dual, WithinAbs(dual, rounding));
  REQUIRE(s.gap.has_value());
  CHECK(*s.gap >= 0);
  CHECK(*s.gap <= tolerance * s.objective);
  CHECK_THAT(*s.gap, WithinAbs(primal - dual, rounding));

  CHECK(a.minCoeff() >= 0);
  CHECK((a.array() <= shares.array() * (1 + 1e-15)).all());
  if (offset)
    CHECK(std::abs(a.dot(p.y)) < 1e-15);
  else
    CHECK(b == 0);
  CHECK((w - pull / lambda).norm() <= std::sqrt(tolerance) * w.norm() + rounding / lambda);
  // A slack counts as much as the weight of its sample.
  CHECK(shares.cwiseProduct(s.slacks - losses).cwiseAbs().sum() <= tolerance * primal + rounding);
  CHECK(s.slacks.minCoeff() >= -rounding);

  // The support is all but what the last step leaves of multipliers that are to be 0: 1e-15 of
  // their sum as a rule, 1e-7 where hundreds of samples almost touch the margin.
  REQUIRE(std::is_sorted(s.support.begin(), s.support.end()));
  const Eigen::VectorXd within = a(s.support);
  CHECK((within.array() > 0).all());
  CHECK(a.sum() - within.sum() <= 1e-6 * a.sum());
}

/// The largest dual over all 3ⁿ choices of which multipliers are 0, at their bounds and between.
double minimum_by_enumeration(const Problem& p, double lambda, bool offset) {
  const Index n = p.y.size();
  const Eigen::VectorXd bounds = p.shares();
  const Eigen::MatrixXd z = p.y.asDiagonal() * p.x;
  const Eigen::MatrixXd kernel = z * z.transpose() / lambda;
  double largest = -infinity;
  Index choices = 1;
  for (Index i = 0; i < n; ++i) choices *= 3;
  for (Index choice = 0; choice < choices; ++choice) {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(n);
    std::vector<Index> between;
    for (Index i = 0, rest = choice; i < n; ++i, rest /= 3) {
      if (rest % 3 == 1) a[i] = bounds[i];
      if (rest % 3 == 2) between.push_back(i);
    }
    const auto m = static_cast<Index>(between.size());
    const Index size = m + (offset ? 1 : 0);
    if (size > 0) {
      Eigen::MatrixXd left = Eigen::MatrixXd::Zero(size, size);
      Eigen::VectorXd right(size);
      left.topLeftCorner(m, m) = kernel(between, between);
      right.head(m) = (1 - (kernel * a).array()).matrix()(between);
      if (offset) {
        left.col(m).head(m) = p.y(between);
        left.row(m).head(m) = p.y(between).transpose();
        right[m] = -a.dot(p.y);
      }
      const Eigen::VectorXd solution = left.fullPivLu().solve(right);
      for (Index k = 0; k < m; ++k) a[between[static_cast<std::size_t>(k)]] = solution[k];
    }
    const bool feasible = a.minCoeff() >= -1e-12 && (bounds - a).minCoeff() >= -1e-12 &&
                          (!offset || std::abs(a.dot(p.y)) < 1e-12);
    if (feasible) largest = std::max(largest, a.sum() - a.dot(kernel * a) / 2);
  }
  return largest;
}

}  // namespace

TEST_CASE("SVM quadratic program: primal equals dual, and the slacks equal the hinge losses",
          "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{60, 7}, {7, 60}, {20, 20}, {400, 3}, {30, 31}})
    for (const double lambda : {1e-6, 1e-4, 1e-2, 1.0, 10.0})
      for (const bool offset : {true, false})
        for (const bool weighted : {false, true}) {
          CAPTURE(n, d, lambda, offset, weighted);
          const Problem p = overlapping(n, d, 11, weighted);
          // F of 1e-7 is known to a few parts in 1e9: losses of 1e-16 are rounding.
          const double tolerance = lambda < 1e-5 ? 1e-8 : 1e-9;
          const SvmQuadraticProgram program{.offset = offset, .tolerance = tolerance};
          check_claims(program.minimize(svm(lambda), p.x, p.y, p.weights), p, lambda, offset,
                       tolerance);
          check_claims(program.minimize(svm(lambda), synthetic::sparse(p.x), p.y, p.weights), p,
                       lambda, offset, tolerance);
        }
}

TEST_CASE("SVM quadratic program: the objective is that of the metrics", "[optimizers]") {
  const Problem p = overlapping(50, 4, 12, true);
  const auto s = SvmQuadraticProgram{}.minimize(svm(0.01), p.x, p.y, p.weights);
  CHECK_THAT(objective_value(svm(0.01), p.x, p.y, s.weights, s.offset, p.weights),
             WithinRel(s.objective, 1e-14));
}

TEST_CASE("SVM quadratic program: no other (w, b) does better", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{80, 5}, {8, 30}})
    for (const double lambda : {1e-2, 1.0})
      for (const bool offset : {true, false}) {
        CAPTURE(n, d, lambda, offset);
        const Problem p = overlapping(n, d, 13, true);
        const Objective objective = svm(lambda);
        const auto s =
            SvmQuadraticProgram{.offset = offset}.minimize(objective, p.x, p.y, p.weights);
        Random random(14);
        double lowest = infinity;
        for (int power = 0; power < 15; ++power)
          for (int trial = 0; trial < 20; ++trial) {
            const double size = std::pow(4.0, -power);
            Vector<double> w = s.weights;
            for (double& value : w) value += size * synthetic::normal(random);
            const double b = s.offset + (offset ? size * synthetic::normal(random) : 0);
            lowest = std::min(lowest, objective_value(objective, p.x, p.y, w, b, p.weights));
          }
        CHECK(lowest >= s.objective - 1e-14);
        CHECK(lowest < s.objective + 1e-6);  // the perturbations did come near

        const Extras<double> extras{.sample_weights = p.weights};
        const Index epochs = 400'000 / n;
        const Sgd sgd{.epochs = epochs, .tolerance = 0, .offset = offset};
        const Pegasos pegasos{.epochs = epochs, .tolerance = 0, .offset = offset};
        const double by_sgd = sgd.minimize(objective, p.x, p.y, extras).objective;
        const double by_pegasos = pegasos.minimize(objective, p.x, p.y, extras).objective;
        CHECK(by_sgd >= s.objective - 1e-14);
        CHECK(by_pegasos >= s.objective - 1e-14);
        CAPTURE(by_sgd, by_pegasos);
        CHECK(by_sgd <= s.objective + 2e-3);  // from F = 1 at w = 0
        CHECK(by_pegasos <= s.objective + 2e-3);
      }
}

TEST_CASE("SVM quadratic program: no sample counts twice, below its bound or above",
          "[optimizers]") {
  const Problem p = overlapping(200, 6, 15, true);
  const auto s = SvmQuadraticProgram{}.minimize(svm(0.01), p.x, p.y, p.weights);
  const Eigen::ArrayXd agreements = p.y.array() * ((p.x * s.weights).array() + s.offset);
  int between = 0;
  for (Index i = 0; i < 200; ++i) {
    const double share = p.shares()[i];
    if (agreements[i] > 1 + 1e-12) CHECK(s.multipliers[i] == 0);
    if (agreements[i] < 1 - 1e-12) CHECK_THAT(s.multipliers[i], WithinRel(share, 1e-15));
    if (s.multipliers[i] > 0 && s.multipliers[i] < share * (1 - 1e-12)) {
      ++between;
      CHECK_THAT(agreements[i], WithinAbs(1, 1e-12));
    }
  }
  CHECK(static_cast<Index>(s.support.size()) == (s.multipliers.array() > 0).count());
  CHECK(between >= 2);
  CHECK(between <= 7);  // as many as unknowns, in general position
}

/// The dual in long double, with what Σᵢ αᵢyᵢ misses of 0 at the score b of the means m.
template <class T>
long double exact_dual(const SvmSolution<T>& s, const Matrix<T>& x, const Vector<double>& y,
                       double lambda) {
  const auto a = s.multipliers.template cast<long double>().eval();
  const auto targets = y.template cast<long double>().eval();
  const auto entries = x.template cast<long double>().eval();
  const auto means = entries.colwise().mean().transpose().eval();
  const auto terms = a.cwiseProduct(targets).eval();
  const auto sum = ((entries.rowwise() - means.transpose()).transpose() * terms).eval();
  const long double score = s.weights.template cast<long double>().dot(means) + s.offset;
  return a.sum() - sum.squaredNorm() / (2 * static_cast<long double>(lambda)) -
         std::abs(terms.sum() * score);
}

TEMPLATE_TEST_CASE("SVM quadratic program: no rounding lifts the bound above what is proven",
                   "[optimizers]", float, double) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Problem p = overlapping(15, 2, seed);
    const Matrix<TestType> x = (p.x.array() + 1e5).template cast<TestType>();
    const double lambda = seed % 2 == 0 ? 1e-4 : 1e-2;
    const auto s = SvmQuadraticProgram{}.minimize(svm(lambda), x, p.y.cast<TestType>().eval());
    const auto proven = exact_dual(s, x, p.y, lambda);
    CHECK(s.dual <= proven);
    CHECK(s.objective - *s.gap <= proven + 0x1p-53L * s.objective);
    CHECK(s.dual >= proven - 1e-11L * proven);
  }
}

TEST_CASE("SVM quadratic program: between the bounds that LIBSVM reaches", "[optimizers]") {
  const auto& x = shipped::breast_cancer().x;
  const auto& y = shipped::breast_cancer().y;
  for (const auto& golden : golden::svms) {
    CAPTURE(golden.lambda);
    const auto s = SvmQuadraticProgram{}.minimize(svm(golden.lambda), x, y);
    CHECK(s.status == Status::converged);
    CHECK(*s.gap <= 1e-11 * s.objective);
    const double rounding = 16 * std::numeric_limits<double>::epsilon() * golden.primal;  // of F
    CHECK(s.objective <= golden.primal + rounding);
    CHECK(s.objective >= golden.dual - rounding);
    CHECK(static_cast<int>(s.support.size()) == golden.support);
  }
  // LIBLINEAR, which has no offset that is not penalised.
  const SvmQuadraticProgram plain{.offset = false};
  CHECK_THAT(plain.minimize(svm(1e-2), x, y).objective,
             WithinRel(golden::hinge_1e2_no_offset, 1e-8));
  CHECK_THAT(plain.minimize(svm(1e-3), x, y).objective,
             WithinRel(golden::hinge_1e3_no_offset, 1e-8));
}

TEST_CASE("SVM quadratic program: agrees with all active sets tried in turn", "[optimizers]") {
  int trials = 0;
  for (const Index n : {1, 2, 3, 4, 5, 6})
    for (const Index d : {1, 2, 7})
      for (const double lambda : {1e-3, 0.1, 2.0})
        for (const bool offset : {true, false})
          for (const bool lattice : {true, false}) {
            if (n == 6 && lambda == 0.1) continue;
            CAPTURE(n, d, lambda, offset, lattice);
            Problem p = overlapping(n, d, 16 + static_cast<std::uint64_t>(n), n % 2 == 0);
            if (lattice) p.x = p.x.array().round();  // many ties
            const auto s =
                SvmQuadraticProgram{.offset = offset}.minimize(svm(lambda), p.x, p.y, p.weights);
            CHECK_THAT(s.objective, WithinAbs(minimum_by_enumeration(p, lambda, offset), 1e-12));
            ++trials;
          }
  CHECK(trials > 150);
}

TEST_CASE("SVM quadratic program: layouts and scalars agree", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{90, 5}, {9, 40}}) {
    const Problem p = overlapping(n, d, 17, true);
    const Objective objective = svm(0.02);
    const auto rows = SvmQuadraticProgram{}.minimize(objective, p.x, p.y, p.weights);
    const Eigen::MatrixXd columns = p.x;
    const auto by_column = SvmQuadraticProgram{}.minimize(objective, columns, p.y, p.weights);
    CHECK((by_column.weights - rows.weights).norm() < 1e-12 * rows.weights.norm());

    const Matrix<float> x = p.x.cast<float>();
    const Vector<float> y = p.y.cast<float>();
    const Vector<float> weights = p.weights.cast<float>();
    // Floats cannot hold weights that meet the tolerance of 1e-9.
    const auto coarse = SvmQuadraticProgram{.tolerance = 1e-5}.minimize(objective, x, y, weights);
    CHECK(coarse.status == Status::converged);
    for (const auto& s :
         {SvmQuadraticProgram{}.minimize(objective, x, y, weights),
          SvmQuadraticProgram{}.minimize(objective, synthetic::sparse(x), y, weights)}) {
      CHECK((s.status == Status::converged) == (*s.gap <= 1e-9 * s.objective));
      CHECK((s.status == Status::converged || s.status == Status::precision_limit));
      CHECK((s.weights.cast<double>() - rows.weights).norm() < 1e-5 * rows.weights.norm());
      CHECK_THAT(s.objective, WithinRel(rows.objective, 1e-5));
      CHECK(*s.gap <= 1e-5 * s.objective);
      // The gap is that of the rounded weights on the samples as they are.
      const Problem rounded{x.cast<double>(), p.y, weights.cast<double>()};
      const double primal =
          objective_value(objective, rounded.x, rounded.y, Vector<double>(s.weights.cast<double>()),
                          static_cast<double>(s.offset), rounded.weights);
      CHECK_THAT(s.objective, WithinRel(primal, 1e-14));
      CHECK_THAT(*s.gap, WithinAbs(primal - s.dual, 1e-15));
    }
  }
}

TEST_CASE("SVM quadratic program: a weight of k is k repeats, and of 0 is none", "[optimizers]") {
  const Problem p = overlapping(40, 3, 18);
  Eigen::VectorXi counts(40);
  for (Index i = 0; i < 40; ++i) counts[i] = static_cast<int>(i % 4);
  const Objective objective = svm(0.03);
  for (const bool offset : {true, false}) {
    const SvmQuadraticProgram program{.offset = offset};
    const auto repeated = program.minimize(objective, synthetic::repeated(p.x, counts),
                                           synthetic::repeated(p.y, counts));
    Matrix<double> x = p.x;
    x.row(0).setConstant(1e6);  // of weight 0, and nowhere near the others
    const auto weighted = program.minimize(objective, x, p.y, counts.cast<double>());
    CHECK_THAT(weighted.objective, WithinRel(repeated.objective, 1e-13));
    CHECK((weighted.weights - repeated.weights).norm() < 1e-11 * repeated.weights.norm());
    CHECK(weighted.multipliers[0] == 0);
    Index first = 0;
    for (Index i = 0; i < 40; ++i) {
      CHECK_THAT(weighted.multipliers[i],
                 WithinAbs(repeated.multipliers.segment(first, counts[i]).sum(), 1e-12));
      first += counts[i];
    }
  }
}

TEST_CASE("SVM quadratic program: moved, scaled and mirrored samples have the same solution",
          "[optimizers]") {
  const Problem p = overlapping(70, 4, 19);
  const auto s = SvmQuadraticProgram{}.minimize(svm(0.01), p.x, p.y);
  const Eigen::RowVectorXd shift = Eigen::RowVectorXd::LinSpaced(4, -300, 500);
  const auto moved =
      SvmQuadraticProgram{}.minimize(svm(0.01), Matrix<double>(p.x.rowwise() + shift), p.y);
  CHECK_THAT(moved.objective, WithinRel(s.objective, 1e-12));
  CHECK((moved.weights - s.weights).norm() < 1e-9 * s.weights.norm());
  CHECK_THAT(moved.offset, WithinAbs(s.offset - shift.dot(s.weights), 1e-6));
  // λ‖w‖² is the same when x, w and λ are multiplied by 8, 1/8 and 64.
  const auto scaled = SvmQuadraticProgram{}.minimize(svm(0.64), Matrix<double>(8 * p.x), p.y);
  CHECK((8 * scaled.weights - s.weights).norm() < 1e-11 * s.weights.norm());
  const auto mirrored = SvmQuadraticProgram{}.minimize(svm(0.01), p.x, Vector<double>(-p.y));
  CHECK((mirrored.weights + s.weights).norm() < 1e-11 * s.weights.norm());
  CHECK_THAT(mirrored.offset, WithinAbs(-s.offset, 1e-11));
  // A constant column is of no use beside an offset.
  Matrix<double> wider(70, 5);
  wider << p.x, Vector<double>::Constant(70, 1000);
  const auto constant = SvmQuadraticProgram{}.minimize(svm(0.01), wider, p.y);
  CHECK(constant.weights[4] == 0);
  CHECK_THAT(constant.objective, WithinRel(s.objective, 1e-12));
}

TEST_CASE("SVM quadratic program: columns far from zero and of different size", "[optimizers]") {
  const Problem base = overlapping(120, 6, 20);
  for (const double lambda : {1e-4, 1.0}) {
    Problem p = base;
    for (Index j = 0; j < 6; ++j)
      p.x.col(j) = (std::pow(10.0, static_cast<double>(j) - 3) * base.x.col(j)).array() + 100;
    for (const bool offset : {true, false}) {
      CAPTURE(lambda, offset);
      check_claims(SvmQuadraticProgram{.offset = offset}.minimize(svm(lambda), p.x, p.y), p, lambda,
                   offset);
    }
  }
}

TEST_CASE("SVM quadratic program: slow progress is not taken for the end", "[optimizers]") {
  // Far from the path that the interior point is to follow, it goes a dozen rounds with hardly a
  // step.
  Problem p{synthetic::features(1000, 2, 21, 0.6), {}};
  p.y = synthetic::signs(p.x, 22, 0.0);
  p.x.col(0) = (1e-3 * p.x.col(0)).array() + 1000;
  p.x.col(1) *= 1e-2;
  check_claims(SvmQuadraticProgram{.offset = false}.minimize(svm(1e4), p.x, p.y), p, 1e4, false);
}

TEST_CASE("SVM quadratic program: an offset that is not unique is one of the best",
          "[optimizers]") {
  // One class: w = 0, and any b beyond y is enough.
  const Matrix<double> x = synthetic::features(5, 3, 21);
  for (const double target : {1.0, -1.0}) {
    const auto s = SvmQuadraticProgram{}.minimize(svm(0.1), x, Vector<double>::Constant(5, target));
    CHECK(s.status == Status::converged);
    CHECK(s.weights.isZero(0));
    CHECK(s.offset * target >= 1);
    CHECK(s.objective == 0);
    CHECK(*s.gap == 0);
    CHECK(s.slacks.isZero(0));
    CHECK(s.support.empty());
  }
  // A class that is there with weight 0 only is not there.
  Vector<double> y(5);
  y << 1, 1, -1, 1, 1;
  Vector<double> weights = Vector<double>::Ones(5);
  weights[2] = 0;
  const auto single = SvmQuadraticProgram{}.minimize(svm(0.1), x, y, weights);
  CHECK(single.offset >= 1);
  CHECK(single.slacks[2] == 1 + single.offset);
  // As many of each class, and λ so large that all are within the margin.
  Problem p = overlapping(30, 2, 22);
  for (Index i = 0; i < 30; ++i) p.y[i] = i % 2 ? 1 : -1;
  const auto balanced = SvmQuadraticProgram{}.minimize(svm(1e4), p.x, p.y);
  check_claims(balanced, p, 1e4, true);
  CHECK((balanced.multipliers.array() - 1.0 / 30).abs().maxCoeff() < 1e-15);
  CHECK(std::abs(balanced.offset) < 1);
  // Classes that lie on each other: w = 0, and the larger one decides.
  Problem same{Matrix<double>::Ones(5, 2), Vector<double>::Ones(5)};
  same.y[0] = same.y[3] = -1;
  const auto decided = SvmQuadraticProgram{}.minimize(svm(0.1), same.x, same.y);
  check_claims(decided, same, 0.1, true);
  CHECK(decided.weights.isZero(1e-12));
  CHECK_THAT(decided.offset, WithinAbs(1, 1e-12));
  CHECK_THAT(decided.objective, WithinRel(0.8, 1e-12));
}

TEST_CASE("SVM quadratic program: two samples have the solution of the formula", "[optimizers]") {
  // At distance 2c, w = min(1/c, 1/(2λ)·2c/2) along them: α is the same for both, and at most ½.
  for (const double c : {1e-3, 0.5, 4.0})
    for (const double lambda : {1e-6, 0.1, 10.0}) {
      CAPTURE(c, lambda);
      Matrix<double> x(2, 2);
      x << 1 + c, 5, 1 - c, 5;
      const Vector<double> y = (Vector<double>(2) << 1, -1).finished();
      const auto s = SvmQuadraticProgram{}.minimize(svm(lambda), x, y);
      const double w = std::min(1 / c, c / lambda);
      CHECK_THAT(s.weights[0], WithinRel(w, 1e-9));
      CHECK(std::abs(s.weights[1]) < 1e-12 * w);
      CHECK(s.status == Status::converged);
      if (w == 1 / c) CHECK_THAT(s.offset, WithinRel(-w, 1e-9));
    }
  const Matrix<double> one = Matrix<double>::Constant(1, 1, 3);
  const auto s =
      SvmQuadraticProgram{.offset = false}.minimize(svm(0.5), one, Vector<double>::Ones(1));
  CHECK_THAT(s.weights[0], WithinRel(1.0 / 3, 1e-12));
  CHECK_THAT(s.multipliers[0], WithinRel(0.5 / 9, 1e-9));
}

TEST_CASE("SVM quadratic program: many samples in the same place", "[optimizers]") {
  // Entries 0 and 1 in four columns: sixteen places for four hundred samples.
  Problem p{(synthetic::features(400, 4, 23).array() > 0).cast<double>(), {}};
  p.y = synthetic::signs(p.x, 24, 0.3);
  for (const double lambda : {1e-5, 1e-2, 1.0})
    for (const bool offset : {true, false}) {
      CAPTURE(lambda, offset);
      check_claims(SvmQuadraticProgram{.offset = offset}.minimize(svm(lambda), p.x, p.y), p, lambda,
                   offset);
    }
}

TEST_CASE("SVM quadratic program: stopped early, the gap still bounds what is missing",
          "[optimizers]") {
  const Problem p = overlapping(150, 5, 25);
  const double minimum = SvmQuadraticProgram{}.minimize(svm(1e-3), p.x, p.y).objective;
  double before = infinity;
  for (const Index iterations : {1, 4, 8}) {
    // Without the finish by active sets the first places would be further off.
    const auto s = SvmQuadraticProgram{.tolerance = 1e-14, .iterations = iterations}.minimize(
        svm(1e-3), p.x, p.y);
    CHECK(s.epochs == iterations);
    CHECK(std::abs(s.multipliers.dot(p.y)) < 1e-15);
    CHECK_THAT(*s.gap, WithinAbs(s.objective - s.dual, 1e-13));
    CHECK(s.objective - minimum <= *s.gap + 1e-14);
    CHECK(s.dual <= minimum + 1e-14);
    CHECK(*s.gap <= before);
    before = *s.gap;
    if (iterations == 1) CHECK(s.status == Status::epoch_limit);
  }
}

TEST_CASE("SVM quadratic program: stopped early, no worse than the best constant", "[optimizers]") {
  // One sample in nine is positive, whatever its x: b = −1 alone reaches 2/9.
  Vector<double> y = Vector<double>::Constant(90, -1);
  for (Index i = 0; i < 90; i += 9) y[i] = 1;
  for (const double scale : {1.0, 100.0}) {
    const Matrix<double> x = scale * overlapping(90, 3, 25).x;
    for (const double lambda : {1e-5, 1e-3, 0.1})
      for (const Index iterations : {1, 2, 3, 4}) {
        CAPTURE(scale, lambda, iterations);
        const SvmQuadraticProgram program{.iterations = iterations};
        CHECK(program.minimize(svm(lambda), x, y).objective <= 2.0 / 9 + 1e-12);
      }
  }
}

TEST_CASE("SVM quadratic program: refuses λ = 0 and input that is not well-formed",
          "[optimizers]") {
  const Problem p = overlapping(6, 3, 26);
  const SvmQuadraticProgram program;
  const std::string name = "SvmQuadraticProgram::minimize: ";
  REQUIRE_THROWS_AS(program.minimize(svm(0), p.x, p.y), std::invalid_argument);
  REQUIRE_THROWS_WITH(program.minimize(svm(0), p.x, p.y),
                      ContainsSubstring(name + "lambda = 0") && ContainsSubstring("MaximumMargin"));
  REQUIRE_THROWS_WITH(program.minimize(svm(-1), p.x, p.y), ContainsSubstring("lambda = -1"));
  REQUIRE_THROWS_WITH(program.minimize(svm(1), p.x, Vector<double>(p.y.head(4))),
                      name + "x has 6 rows but y has 4");
  Vector<double> y = p.y;
  y[2] = 0;
  REQUIRE_THROWS_WITH(program.minimize(svm(1), p.x, y),
                      ContainsSubstring(name + "y(2) = 0 is no target of hinge"));
  REQUIRE_THROWS_WITH(program.minimize(svm(1), p.x, p.y, Vector<double>::Zero(6)),
                      name + "all sample weights are zero");
  Matrix<double> x = p.x;
  x(3, 1) = infinity;
  REQUIRE_THROWS_WITH(program.minimize(svm(1), x, p.y), name + "x(3, 1) is not finite");
  REQUIRE_THROWS_WITH((SvmQuadraticProgram{.tolerance = -1}.minimize(svm(1), p.x, p.y)),
                      name + "a tolerance of -1");
  REQUIRE_THROWS_WITH((SvmQuadraticProgram{.iterations = 0}.minimize(svm(1), p.x, p.y)),
                      name + "0 iterations");
}

TEST_CASE("SVM quadratic program: numbers that overflow give a finite answer", "[optimizers]") {
  Problem p = overlapping(8, 2, 27);
  p.x *= 1e200;
  const auto s = SvmQuadraticProgram{}.minimize(svm(1e-3), p.x, p.y);
  CHECK(s.weights.allFinite());
  CHECK(std::isfinite(s.offset));
  CHECK(s.objective < 1e-12);  // weights of 1e-198 separate them
  // Weights of 1e40 are found, but are no floats.
  const Matrix<float> tiny = (1e-40 * overlapping(8, 20, 27).x).cast<float>();
  const auto t = SvmQuadraticProgram{}.minimize(svm(1e-90), tiny, p.y);
  CHECK(t.weights.isZero(0));
  CHECK(std::isfinite(t.offset));
  CHECK(std::isfinite(t.objective));
  CHECK_THAT(*t.gap, WithinAbs(t.objective - t.dual, 1e-12));
}

TEST_CASE("SVM quadratic program: a mean of x that overflows leaves a finite offset",
          "[optimizers]") {
  const double largest = std::numeric_limits<double>::max();
  Problem p{Matrix<double>(2, 2), Vector<double>::Ones(2)};
  p.x << -6, largest, 8, largest;
  const auto s = SvmQuadraticProgram{}.minimize(svm(1), p.x, p.y);
  CHECK(s.weights.isZero(0));
  CHECK(s.offset >= 1);
  CHECK(s.objective == 0);
  CHECK(s.status == Status::converged);
  p.y[1] = -1;
  const auto t = SvmQuadraticProgram{}.minimize(svm(1), p.x, p.y);
  CHECK(t.status == Status::converged);
  CHECK(t.weights[1] == 0);
  CHECK(std::isfinite(t.offset));
  CHECK_THAT(t.objective, WithinRel(1.0 / 98, 1e-9));
}

TEST_CASE("SVM quadratic program: a λ next to 0", "[optimizers]") {
  // Separable, then with a sample in the place of another of the other class.
  Problem p{synthetic::features(20, 3, 1), {}};
  p.y = synthetic::signs(p.x, 2, 2.0);
  for (const bool overlap : {false, true}) {
    for (Index i = 1; overlap && i < 20; ++i)
      if (p.y[i] != p.y[0]) p.x.row(0) = p.x.row(i);
    for (const double lambda : {1e-300, 1e-308}) {
      const auto s = SvmQuadraticProgram{}.minimize(svm(lambda), p.x, p.y);
      CHECK(s.weights.allFinite());
      CHECK(s.slacks.size() == 20);
      CHECK(*s.gap >= 0);
      if (overlap) CHECK(s.objective >= 0.1);
      CHECK((s.status == Status::converged) == (*s.gap <= 1e-9 * s.objective + 1e-14));
    }
  }
}

}  // namespace svm_quadratic_program_test
