// SPDX-License-Identifier: MIT
/// \file Dual coordinate ascent and certify on rows that are divided among processes, against all
/// rows on one.
#include <cmath>  // pow, sqrt
#include <linea/losses/absolute.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/samples/best_constant.hpp>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_dual_test {

using namespace linea;
using namespace divided;

namespace {

constexpr double tolerance = 1e-3;

/// Divided rows have the F of all rows to the tolerance; the gap is of F of all rows, and so are
/// the multipliers of the ranks, put together.
template <class L, class X>
void agrees(const Objective<L, L2>& objective, const Problem<X>& problem, bool offset) {
  const DualCoordinateAscent ascent{.tolerance = tolerance, .offset = offset};
  const auto minimum = DualCoordinateAscent{.tolerance = 1e-7, .offset = offset}
                           .minimize(objective, problem.all_x, problem.all_y,
                                     {.sample_weights = problem.all_weights})
                           .objective;
  const auto shared = ascent.minimize(objective, problem.x, problem.y,
                                      {.sample_weights = problem.weights, .processes = world()});
  REQUIRE(shared.status == Status::converged);
  REQUIRE(is_same_everywhere(numbers_of(shared)));
  const double f = objective_value(objective, problem.all_x, problem.all_y, shared.weights,
                                   shared.offset, problem.all_weights);
  REQUIRE_THAT(shared.objective, WithinRel(f, 1e-11));  // scores of up to 1e4 are rounded
  REQUIRE(shared.gap);
  REQUIRE(*shared.gap <= tolerance * f * (1 + 1e-9));
  REQUIRE(f <= minimum * (1 + tolerance) + 1e-12);
  REQUIRE(shared.dual <= minimum * (1 + 1e-9));
  REQUIRE(shared.multipliers.size() == problem.y.size());

  // They are a start that is as good at once.
  const auto again = ascent.minimize(objective, problem.x, problem.y,
                                     {.sample_weights = problem.weights,
                                      .start_multipliers = shared.multipliers,
                                      .processes = world()});
  REQUIRE(again.dual >= shared.dual * (1 - 1e-12));
}

}  // namespace

TEST_CASE("DualCoordinateAscent: divided rows have the minimum of all rows", "[mpi]") {
  const auto [x, y] = made_up(211, 12);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    for (const bool offset : {false, true}) {
      agrees(Objective{Hinge{}, L2{1e-2}}, divide(x, y, {}, division), offset);
      agrees(Objective{Hinge{}, L2{1e-2}}, divide(x, y, made_up_weights(211), division), offset);
    }
}

TEST_CASE("DualCoordinateAscent: a smooth loss, sparse rows", "[mpi]") {
  const auto [x, y] = made_up(211, 12);
  const SparseMatrix<double> sparse = x.sparseView();
  agrees(Objective{Log{}, L2{1e-2}}, divide(sparse, y, {}, Division::even), true);
}

TEST_CASE("DualCoordinateAscent: targets and a column far from 0", "[mpi]") {
  auto [x, y] = made_up(211, 6, 1e4);
  y.array() += 500;
  agrees(Objective{Absolute{}, L2{1e-2}}, divide(x, y, {}, Division::last_empty), true);
}

TEST_CASE("DualCoordinateAscent: an offset does not make the ranks get in each other's way",
          "[mpi]") {
  Random random(3);
  const Index n = 1000, d = 2000;
  SparseMatrix<double> x(n, d);
  Vector<double> y(n);
  for (Index i = 0; i < n; ++i) {  // words, of which the first hundred tell the classes apart
    double score = 0.3;
    for (int k = 0; k < 30; ++k) {
      const auto j = static_cast<Index>(std::pow(random.uniform(), 3) * static_cast<double>(d));
      x.coeffRef(i, j) = std::sqrt(1.0 / 30);
      if (j < 100) score += j % 2 == 0 ? 0.2 : -0.2;
    }
    y[i] = score + random.uniform() > 0.5 ? 1 : -1;
  }
  const auto problem = divide(x, y, {}, Division::even);
  const Objective objective{Hinge{}, L2{1e-3}};
  const DualCoordinateAscent ascent{.tolerance = 1e-3};
  const auto alone = ascent.minimize(objective, x, y);
  const auto shared = ascent.minimize(objective, problem.x, problem.y, {.processes = world()});
  REQUIRE(shared.status == Status::converged);
  REQUIRE(shared.epochs <= 3 * alone.epochs);
}

TEST_CASE("DualCoordinateAscent: the joint step never lowers the dual", "[mpi]") {
  const auto [x, y] = made_up(211, 12);
  const auto problem = divide(x, y, {}, Division::by_target);
  double last = 0;
  Index calls = 0;
  const auto solution =
      DualCoordinateAscent{.epochs = 30, .tolerance = 0, .offset = false}.minimize(
          Objective{Hinge{}, L2{1e-3}}, problem.x, problem.y,
          {.observer =
               [&](const Progress& progress) {
                 const double bound = progress.best_objective - progress.gap;
                 if (!(bound >= last - 1e-12)) last = std::numeric_limits<double>::infinity();
                 last = std::max(last, bound);
                 ++calls;
                 return Control::proceed;
               },
           .processes = world()});
  REQUIRE(std::isfinite(last));
  REQUIRE(calls == solution.epochs);
}

TEST_CASE("best_constant: ranks, which halve thrice at a time, find that of one process", "[mpi]") {
  const auto problem = made_up(211, 3);
  const auto& x = problem.first;
  const auto& y = problem.second;
  const Vector<double> numbers = made_up_numbers(x);
  const Processes processes(world());
  const auto agrees_for = [&](const auto& loss, const Vector<double>& targets) {
    const auto alone = samples::admit("test", loss, x, targets);
    const auto [first, last] = own_rows(targets.size(), Division::even);
    const auto count = last - first;
    const Matrix<double> own = x.middleRows(first, count);
    const auto shared = samples::admit(
        "test", loss, own, Vector<double>(targets.segment(first, count)), {}, processes);
    const double one = samples::best_constant(loss, alone);
    const double all = samples::best_constant(loss, shared);
    REQUIRE(is_same_everywhere(std::vector<double>{all}));
    REQUIRE_THAT(all, WithinAbs(one, 1e-12));
    if (world().size() == 1) REQUIRE(all == one);
  };
  agrees_for(Hinge{}, y);
  agrees_for(Log{}, y);
  agrees_for(Absolute{}, numbers);
}

TEST_CASE("DualCoordinateAscent: many rows of few columns take several joint steps an epoch",
          "[mpi]") {
  const auto [x, y] = made_up(3000, 12);
  const auto problem = divide(x, y, {}, Division::even);
  const auto set = samples::admit("test", Hinge{}, problem.x, problem.y, {}, Processes(world()));
  REQUIRE(dual::joint_steps(dual::entries_by_number(set), 1) == 4);
  // As many entries for each column as rows of this process: of 13, one step for every eight.
  const auto some = samples::admit("test", Hinge{}, Matrix<double>(problem.x.topRows(13)),
                                   Vector<double>(problem.y.head(13)), {}, Processes(world()));
  REQUIRE(dual::joint_steps(dual::entries_by_number(some), 1) == 2);
  const auto few = samples::admit("test", Hinge{}, Matrix<double>(problem.x.topRows(1)),
                                  Vector<double>(problem.y.head(1)), {}, Processes(world()));
  REQUIRE(dual::joint_steps(dual::entries_by_number(few), 1) == 1);
  for (const bool offset : {false, true})
    agrees(Objective{Hinge{}, L2{1e-2}}, divide(x, y, {}, Division::last_empty), offset);
  agrees(Objective{Log{}, L2{1e-2}}, problem, true);
}

TEST_CASE("DualCoordinateAscent: a start at zero exchanges no vectors of zeros", "[mpi]") {
  const Index d = 5000;
  const auto [x, y] = made_up(40, d);
  const auto problem = divide(x, y, {}, Division::even);
  const Objective objective{Hinge{}, L2{1e-2}};
  const DualCoordinateAscent ascent{.epochs = 0, .offset = false};
  const auto sent = [&](const Vector<double>& multipliers) {
    const Index before = world().bytes_sent();
    const auto solution = ascent.minimize(objective, problem.x, problem.y,
                                          {.start_multipliers = multipliers, .processes = world()});
    REQUIRE(solution.epochs == 0);
    REQUIRE(std::isfinite(solution.dual));
    return world().bytes_sent() - before;
  };
  const Index ranks = world().size();
  const Index of_one_sum = 16 * d * (ranks - 1) / ranks;
  REQUIRE(sent({}) <= of_one_sum / 10);
  REQUIRE(sent(0.5 * problem.y) >= 2 * of_one_sum);  // where it is, and what that proves
}

TEST_CASE("certify: of divided rows it proves what it proves of all rows", "[mpi]") {
  const auto [x, y] = made_up(211, 6);
  const Objective objective{Hinge{}, L2{1e-2}};
  const auto solution = DualCoordinateAscent{.tolerance = 1e-4}.minimize(objective, x, y);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target}) {
    const auto problem = divide(x, y, {}, division);
    const auto proof = certify(objective, solution, problem.x, problem.y, {.processes = world()});
    REQUIRE_THAT(proof.primal, WithinRel(solution.objective, 1e-10));
    REQUIRE(proof.dual <= proof.primal);
    REQUIRE(proof.relative_gap() <= 0.02);
  }
  Solution<double> zero;
  zero.weights = Vector<double>::Zero(6);
  const auto problem = divide(x, y, {}, Division::even);
  const auto proof =
      certify(objective, zero, problem.x, problem.y, {.epochs = 0, .processes = world()});
  REQUIRE(proof.dual <= solution.objective);
}

}  // namespace mpi_dual_test
