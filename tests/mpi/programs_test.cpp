// SPDX-License-Identifier: MIT
/// \file Interior points and the quadratic program on rows that are divided among processes,
/// against all rows on one.
#include <linea/losses/absolute.hpp>
#include <linea/losses/epsilon_insensitive.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/quantile.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/interior_point.hpp>
#include <linea/optimizers/svm_quadratic_program.hpp>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_programs_test {

using namespace linea;
using namespace divided;

namespace {

/// Multipliers of this rank's rows among zeros for those of the others, added up: those of all.
Vector<double> all_of(const Vector<double>& own, Index n, Division division) {
  Vector<double> all = Vector<double>::Zero(n);
  const auto [first, last] = own_rows(n, division);
  REQUIRE(own.size() == last - first);
  all.segment(first, last - first) = own;
  world().sum(all.data(), n);
  return all;
}

/// What a solution of divided rows says is true of all rows: F, and the dual of the multipliers of
/// all ranks, computed from its definition. Its F is that of one process to the tolerance.
template <class L, class P, class X>
void agrees(const Objective<L, P>& objective, const Problem<X>& problem, Division division,
            bool offset) {
  CAPTURE(division, offset);
  const InteriorPoint interior{.offset = offset};
  const auto alone = interior.minimize(objective, problem.all_x, problem.all_y,
                                       {.sample_weights = problem.all_weights});
  const auto shared = interior.minimize(objective, problem.x, problem.y,
                                        {.sample_weights = problem.weights, .processes = world()});
  REQUIRE(alone.status == Status::converged);
  REQUIRE(shared.status == Status::converged);
  REQUIRE(is_same_everywhere(numbers_of(shared)));
  REQUIRE(shared.iterations <= alone.iterations + 5);
  const double f = objective_value(objective, problem.all_x, problem.all_y, shared.weights,
                                   shared.offset, problem.all_weights);
  REQUIRE_THAT(shared.objective, WithinRel(f, 1e-10) || WithinAbs(f, 1e-13));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 2e-8) || WithinAbs(0, 1e-13));
  REQUIRE(shared.dual <= f * (1 + 1e-12) + 1e-14);

  const Index n = problem.all_y.size();
  const Vector<double> alpha = all_of(shared.multipliers, n, division);
  const Vector<double> s =
      problem.all_weights.size() > 0 ? problem.all_weights : Vector<double>::Ones(n);
  double dual = 0;
  for (Index i = 0; i < n; ++i)
    if (s[i] > 0) dual -= s[i] * objective.loss.conjugate(-alpha[i], problem.all_y[i]);
  dual /= s.sum();
  const Vector<double> sum =
      Matrix<double>(problem.all_x).transpose() * s.cwiseProduct(alpha) / s.sum();
  if (const double l2 = strong_convexity_of(objective.penalty); l2 > 0)
    for (const double entry : sum) {
      double l1 = 0;
      if constexpr (ThresholdPenalty<P>) l1 = objective.penalty.threshold(1.0);
      const double beyond = std::max(std::abs(entry) - l1, 0.0);
      dual -= beyond * beyond / (2 * l2);
    }
  REQUIRE_THAT(shared.dual, WithinRel(dual, 1e-7) || WithinAbs(dual, 1e-10));
  if (offset) REQUIRE(std::abs(s.dot(alpha)) <= 1e-9 * s.sum());
}

void solves(const Objective<Hinge, L2>& objective, const Problem<Matrix<double>>& problem,
            Division division, bool offset) {
  CAPTURE(division, offset);
  const SvmQuadraticProgram program{.offset = offset};
  const auto alone = program.minimize(objective, problem.all_x, problem.all_y,
                                      {.sample_weights = problem.all_weights});
  const auto shared = program.minimize(objective, problem.x, problem.y,
                                       {.sample_weights = problem.weights, .processes = world()});
  REQUIRE(shared.status == Status::converged);
  REQUIRE(is_same_everywhere(numbers_of(shared)));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-8));
  REQUIRE((shared.weights - alone.weights).norm() <= 1e-4 * (1 + alone.weights.norm()));
  REQUIRE_THAT(shared.dual, WithinRel(alone.dual, 1e-8));
  const Index n = problem.all_y.size();
  const Vector<double> alpha = all_of(shared.multipliers, n, division);
  const Vector<double> terms = alpha.cwiseProduct(problem.all_y);
  const double lambda = objective.penalty.lambda;
  const double dual =
      alpha.sum() - (problem.all_x.transpose() * terms).squaredNorm() / (2 * lambda);
  REQUIRE_THAT(shared.dual, WithinRel(dual, 1e-9));
  if (offset) REQUIRE(std::abs(terms.sum()) <= 1e-12);
  const Vector<double> slacks = all_of(shared.slacks, n, division);
  for (Index i = 0; i < n; ++i) {
    const double score = problem.all_x.row(i).dot(shared.weights) + shared.offset;
    REQUIRE_THAT(slacks[i], WithinAbs(std::max(1 - problem.all_y[i] * score, 0.0), 1e-6));
  }
}

}  // namespace

TEST_CASE("InteriorPoint: divided rows have the minimum of all rows, and its proof", "[mpi]") {
  const auto [x, y] = made_up(151, 8);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    for (const bool offset : {false, true}) {
      agrees(Objective{Hinge{}, L2{1e-3}}, divide(x, y, {}, division), division, offset);
      agrees(Objective{Hinge{}, L2{1e-3}}, divide(x, y, made_up_weights(151), division), division,
             offset);
    }
  const SparseMatrix<double> sparse = x.sparseView();
  agrees(Objective{Hinge{}, L2{1e-3}}, divide(sparse, y, {}, Division::even), Division::even, true);
}

TEST_CASE("InteriorPoint: divided rows, no penalty and an absolute one", "[mpi]") {
  const auto [x, signs] = made_up(97, 6);
  const auto y = made_up_numbers(x);
  const auto problem = divide(x, y, {}, Division::last_empty);
  agrees(Objective{Quantile{0.3}, L2{0}}, problem, Division::last_empty, true);
  agrees(Objective{Absolute{}, L1{0.05}}, problem, Division::last_empty, true);
  agrees(Objective{EpsilonInsensitive{0.1}, ElasticNet{0.01, 0.01}}, problem, Division::last_empty,
         false);
}

TEST_CASE("InteriorPoint: divided rows, columns that depend on one another and far from 0",
          "[mpi]") {
  auto [x, signs] = made_up(97, 6, 1e4);
  Vector<double> y = made_up_numbers(x);
  y.array() += 500;
  agrees(Objective{Absolute{}, L2{1e-3}}, divide(x, y, {}, Division::even), Division::even, true);
  x.col(0) = x.col(1) - 2 * x.col(2);
  y = made_up_numbers(x);
  agrees(Objective{Absolute{}, L2{0}}, divide(x, y, {}, Division::even), Division::even, true);
}

TEST_CASE("InteriorPoint: more columns than rows, divided", "[mpi]") {
  const auto [x, y] = made_up(12, 30);
  const auto problem = divide(x, y, {}, Division::even);
  agrees(Objective{Hinge{}, L2{0.1}}, problem, Division::even, true);
}

TEST_CASE("SvmQuadraticProgram: divided rows have the minimum of all rows, and its proof",
          "[mpi]") {
  const auto [x, y] = made_up(151, 8);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    for (const bool offset : {false, true}) {
      solves(Objective{Hinge{}, L2{1e-3}}, divide(x, y, {}, division), division, offset);
      solves(Objective{Hinge{}, L2{1e-2}}, divide(x, y, made_up_weights(151), division), division,
             offset);
    }
}

TEST_CASE("SvmQuadraticProgram: divided rows of one class", "[mpi]") {
  const auto [x, y] = made_up(20, 3);
  for (const double target : {-1.0, 1.0}) {
    const Vector<double> same = Vector<double>::Constant(20, target);
    const auto problem = divide(x, same, {}, Division::last_empty);
    const auto solution = SvmQuadraticProgram{}.minimize(Objective{Hinge{}, L2{1}}, problem.x,
                                                         problem.y, {.processes = world()});
    REQUIRE(solution.weights.isZero(0));
    REQUIRE(solution.offset == target);
    REQUIRE(solution.objective == 0);
  }
}

TEST_CASE("hinge_offset: divided samples have the best offset of all", "[mpi]") {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const Index n = 1 + static_cast<Index>(random.below(9));
    Vector<double> p(n), y(n), s(n);
    for (Index i = 0; i < n; ++i) {  // of few values: kinks that coincide, and flat parts
      p[i] = std::ldexp(static_cast<double>(random.below(5)) - 2, round % 3 == 0 ? -40 : 0);
      y[i] = random.below(2) ? 1 : -1;
      s[i] = static_cast<double>(random.below(3));
    }
    s[0] = 1;
    const double near = static_cast<double>(random.below(9)) - 4;
    const auto [first, last] = own_rows(n, Division::even);
    const auto part = [&, from = first, count = last - first](const Vector<double>& v) {
      return Vector<double>(v.segment(from, count));
    };
    REQUIRE(programs::hinge_offset(part(p), part(y), part(s), near, Processes(world())) ==
            programs::hinge_offset(p, y, s, near));
  }
}

TEST_CASE("Auto: proves losses with kinks on few columns by interior points", "[mpi]") {
  const auto [x, y] = made_up(151, 8);
  const auto problem = divide(x, y, {}, Division::by_target);
  const Objective objective{Hinge{}, L2{1e-3}};
  const auto shared = Auto{}.minimize(objective, problem.x, problem.y, {.processes = world()});
  if (world().size() > 1) REQUIRE(shared.optimizer == "InteriorPoint");
  REQUIRE(shared.status == Status::converged);
  const Index before = world().rounds();
  const Matrix<double> wide = Matrix<double>::Ones(world().rank() == 0 ? 2 : 0, 900);
  const Vector<double> signs = Vector<double>::Ones(wide.rows());
  const auto many = Auto{}.minimize(objective, wide, signs, {.processes = world()});
  if (world().size() > 1) {
    REQUIRE(many.optimizer == "DualCoordinateAscent");
    REQUIRE(world().rounds() > before);
  }
}

TEST_CASE("InteriorPoint, SvmQuadraticProgram: a target that is none, on one rank", "[mpi]") {
  const auto [x, y] = made_up(40, 3);
  auto problem = divide(x, y, {}, Division::even);
  if (world().rank() == world().size() - 1) problem.y[0] = 2;
  const Objective objective{Hinge{}, L2{1}};
  const auto refuses = [&](const auto& optimizer) {
    try {
      (void)optimizer.minimize(objective, problem.x, problem.y, {.processes = world()});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what()).find("y(0) = 2 is no target of") != std::string::npos;
    }
    return false;
  };
  REQUIRE(refuses(InteriorPoint{}));
  REQUIRE(refuses(SvmQuadraticProgram{}));
}

}  // namespace mpi_programs_test
