// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <linea/optimizers/svm_quadratic_program.hpp>
#include <linea/penalties/l2.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/synthetic.hpp"

namespace svm_quadratic_program_test {

using namespace linea;
using synthetic::Problem;
using synthetic::problem_for;

namespace {

Objective<Hinge, L2> svm(double lambda) { return {Hinge{}, L2{lambda}}; }

/// Checks the status and the solution: objective, dual, gap, multipliers, offset, weights, slacks
/// and support.
template <class T>
void check_claims(const SvmSolution<T>& s, const Problem& p, double lambda, bool offset,
                  double tolerance = 1e-9) {
  const Eigen::VectorXd w = s.weights.template cast<double>();
  const auto b = static_cast<double>(s.offset);
  const Eigen::VectorXd shares = p.parts();
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
  // The error of a slack counts with the weight of its sample.
  CHECK(shares.cwiseProduct(s.slacks - losses).cwiseAbs().sum() <= tolerance * primal + rounding);
  CHECK(s.slacks.minCoeff() >= -rounding);

  // The support excludes dual variables that are 0 up to the accuracy of the run. Their share in
  // the sum of all dual variables is usually 1e-15, or 1e-7 if hundreds of samples are close to the
  // margin.
  REQUIRE(std::is_sorted(s.support.begin(), s.support.end()));
  const Eigen::VectorXd within = a(s.support);
  CHECK((within.array() > 0).all());
  CHECK(a.sum() - within.sum() <= 1e-6 * a.sum());
}

}  // namespace

TEST_CASE("SVM quadratic program: primal equals dual", "[optimizers]") {
  for (const auto& [n, d] : {std::pair<Index, Index>{60, 7}, {7, 60}, {20, 20}, {400, 3}, {30, 31}})
    for (const double lambda : {1e-6, 1e-4, 1e-2, 1.0, 10.0})
      for (const bool offset : {true, false})
        for (const bool weighted : {false, true}) {
          CAPTURE(n, d, lambda, offset, weighted);
          const Problem p = problem_for(Hinge{}, n, d, 11, weighted);
          // An F of 1e-7 is accurate to a few parts in 1e9: its losses have rounding errors of
          // 1e-16.
          const double tolerance = lambda < 1e-5 ? 1e-8 : 1e-9;
          const SvmQuadraticProgram program{.tolerance = tolerance, .offset = offset};
          check_claims(program.minimize(svm(lambda), p.x, p.y, p.weights), p, lambda, offset,
                       tolerance);
          check_claims(program.minimize(svm(lambda), synthetic::sparse(p.x), p.y, p.weights), p,
                       lambda, offset, tolerance);
        }
}

TEST_CASE("SVM quadratic program: difficult central paths", "[optimizers]") {
  Problem uneven =
      problem_for(Hinge{}, 120, 6, 20);  // columns far from zero and of different scales
  for (Index j = 0; j < 6; ++j)
    uneven.x.col(j) = (std::pow(10.0, static_cast<double>(j) - 3) * uneven.x.col(j)).array() + 100;
  // In this problem a dozen iterations make hardly any progress.
  Problem slow{synthetic::features(1000, 2, 21, 0.6), {}};
  slow.y = synthetic::signs(slow.x, 22, 0.0);
  slow.x.col(0) = (1e-3 * slow.x.col(0)).array() + 1000;
  slow.x.col(1) *= 1e-2;
  // There are only 16 different samples.
  Problem places{(synthetic::features(400, 4, 23).array() > 0).cast<double>(), {}};
  places.y = synthetic::signs(places.x, 24, 0.3);
  const struct {
    const Problem& p;
    double lambda;
    std::vector<bool> offsets;
  } rows[] = {{uneven, 1e-4, {true, false}}, {uneven, 1, {true, false}},
              {slow, 1e4, {false}},          {places, 1e-5, {true, false}},
              {places, 1e-2, {true, false}}, {places, 1, {true, false}}};
  for (const auto& [p, lambda, offsets] : rows)
    for (const bool offset : offsets) {
      CAPTURE(p.x.rows(), lambda, offset);
      check_claims(SvmQuadraticProgram{.offset = offset}.minimize(svm(lambda), p.x, p.y), p, lambda,
                   offset);
    }
}

TEST_CASE("SVM quadratic program: few samples and ties to the last digit", "[optimizers]") {
  for (const Index n : {1, 2, 3, 4, 5, 6})
    for (const Index d : {1, 2, 7})
      for (const double lambda : {1e-3, 0.1, 2.0})
        for (const bool offset : {true, false})
          for (const bool lattice : {true, false}) {
            CAPTURE(n, d, lambda, offset, lattice);
            Problem p = problem_for(Hinge{}, n, d, 16 + static_cast<std::uint64_t>(n), n % 2 == 0);
            if (lattice) p.x = p.x.array().round();
            const auto s =
                SvmQuadraticProgram{.offset = offset}.minimize(svm(lambda), p.x, p.y, p.weights);
            check_claims(s, p, lambda, offset);
            CHECK(s.objective - s.dual <= 1e-12);
          }
}

TEST_CASE("SVM quadratic program: dual variables are exactly at their bounds", "[optimizers]") {
  const Problem p = problem_for(Hinge{}, 200, 6, 15, true);
  const auto s = SvmQuadraticProgram{}.minimize(svm(0.01), p.x, p.y, p.weights);
  const Eigen::ArrayXd agreements = p.y.array() * ((p.x * s.weights).array() + s.offset);
  int between = 0;
  for (Index i = 0; i < 200; ++i) {
    const double share = p.parts()[i];
    if (agreements[i] > 1 + 1e-12) CHECK(s.multipliers[i] == 0);
    if (agreements[i] < 1 - 1e-12) CHECK_THAT(s.multipliers[i], WithinRel(share, 1e-15));
    if (s.multipliers[i] > 0 && s.multipliers[i] < share * (1 - 1e-12)) {
      ++between;
      CHECK_THAT(agreements[i], WithinAbs(1, 1e-12));
    }
  }
  CHECK(static_cast<Index>(s.support.size()) == (s.multipliers.array() > 0).count());
  CHECK(between >= 2);
  CHECK(between <= 7);  // the number of unknowns, if samples are in general position
}

TEST_CASE("SVM quadratic program: an offset that is not unique", "[optimizers]") {
  // With one class, w = 0 and any b beyond y is optimal.
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
  // A class whose samples all have weight 0 is ignored.
  const Vector<double> y{{1, 1, -1, 1, 1}}, weights{{1, 1, 0, 1, 1}};
  const auto single = SvmQuadraticProgram{}.minimize(svm(0.1), x, y, weights);
  CHECK(single.offset >= 1);
  CHECK(single.slacks[2] == 1 + single.offset);
  // Both classes have the same number of samples, and λ is so large that all samples are within the
  // margin.
  Problem p = problem_for(Hinge{}, 30, 2, 22);
  for (Index i = 0; i < 30; ++i) p.y[i] = i % 2 ? 1 : -1;
  const auto balanced = SvmQuadraticProgram{}.minimize(svm(1e4), p.x, p.y);
  check_claims(balanced, p, 1e4, true);
  CHECK((balanced.multipliers.array() - 1.0 / 30).abs().maxCoeff() < 1e-15);
  CHECK(std::abs(balanced.offset) < 1);
  // The samples of both classes coincide: w = 0, and the larger class determines b.
  Problem same{Matrix<double>::Ones(5, 2), Vector<double>::Ones(5)};
  same.y[0] = same.y[3] = -1;
  const auto decided = SvmQuadraticProgram{}.minimize(svm(0.1), same.x, same.y);
  check_claims(decided, same, 0.1, true);
  CHECK(decided.weights.isZero(1e-12));
  CHECK_THAT(decided.offset, WithinAbs(1, 1e-12));
  CHECK_THAT(decided.objective, WithinRel(0.8, 1e-12));
}

TEST_CASE("SVM quadratic program: refuses λ = 0 and invalid input", "[optimizers]") {
  const Problem p = problem_for(Hinge{}, 6, 3, 26);
  const auto refuses = [&](const SvmQuadraticProgram& program, double lambda,
                           const std::string& words) {
    CHECK_THROWS_WITH(program.minimize(svm(lambda), p.x, p.y),
                      ContainsSubstring("SvmQuadraticProgram::minimize: " + words));
  };
  refuses({}, 0, "lambda = 0, but must be > 0; MaximumMargin finds");
  refuses({.tolerance = -1}, 1, "a tolerance of -1");
  refuses({.iterations = 0}, 1, "0 iterations");
}

TEST_CASE("SVM quadratic program: numbers at the ends of their range", "[optimizers]") {
  // The best weights, of about 1e40, overflow in float.
  const Matrix<float> tiny = (1e-40 * problem_for(Hinge{}, 8, 20, 27).x).cast<float>();
  const auto t = SvmQuadraticProgram{}.minimize(svm(1e-90), tiny, problem_for(Hinge{}, 8, 2, 27).y);
  CHECK(t.weights.isZero(0));
  CHECK(std::isfinite(t.offset));
  CHECK(std::isfinite(t.objective));
  CHECK_THAT(*t.gap, WithinAbs(t.objective - t.dual, 1e-12));
  const double largest = 1e150;
  const Matrix<double> x{{-6, largest}, {8, largest}};
  const auto same = SvmQuadraticProgram{}.minimize(svm(1), x, Vector<double>{{1, 1}});
  CHECK(same.status == Status::converged);
  CHECK(same.weights.isZero(0));
  CHECK(same.offset >= 1);
  CHECK(same.objective == 0);
  const auto apart = SvmQuadraticProgram{}.minimize(svm(1), x, Vector<double>{{1, -1}});
  CHECK(apart.status == Status::converged);
  CHECK(apart.weights[1] == 0);
  CHECK(std::isfinite(apart.offset));
  CHECK_THAT(apart.objective, WithinRel(1.0 / 98, 1e-9));
}

TEST_CASE("SVM quadratic program: a tiny λ", "[optimizers]") {
  // The samples are separable; then one of them moves onto a sample of the other class.
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

TEST_CASE("Active set: repairs lead from a wrong start to the solution", "[optimizers]") {
  // For each entry, the problem is ½α² − hα over 0 ≤ α ≤ 1, with the solution α = clamp(h, 0, 1).
  const Vector<double> h{{-1, 0.25, 0.5, 2, 3}};
  detail::interior_point::BoxProgram<> program(5, 5, true);
  program.rows.setIdentity();
  program.levels = h;
  program.bounds.setOnes();
  program.strengths.setOnes();
  const Vector<double> half = Vector<double>::Constant(5, 0.5), none = Vector<double>::Zero(5);
  detail::interior_point::BoxPoint<> point{none, half, half, none, none};
  point.slacks << 9, 9, 0, 0, 0;  // as if the first two variables were at their bounds
  detail::interior_point::ActiveSet active(program, point);
  detail::interior_point::BoxPoint<> solved = active.solve(point);
  int repairs = 0;
  for (; repairs < 10 && active.repair(solved); ++repairs) solved = active.solve(point);
  CHECK(repairs > 0);
  CHECK(repairs < 10);
  CHECK((solved.multipliers - h.cwiseMax(0).cwiseMin(1)).norm() < 1e-14);
}

}  // namespace svm_quadratic_program_test
