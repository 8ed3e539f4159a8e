// SPDX-License-Identifier: MIT
/// \file Newton and L-BFGS on rows divided among processes, compared with all rows on one process.
#include <linea/losses/huber.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared_hinge.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/optimizers/certify.hpp>
#include <linea/optimizers/lbfgs.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>
#include <linea/samples/row_blocks.hpp>
#include <utility>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_smooth_test {

using namespace linea;
using namespace divided;

namespace {

/// Checks that the solution on divided rows equals that on all rows, and that its status is
/// correct.
template <class M, class O, class X>
void agrees(const M& optimizer, const O& objective, const Problem<X>& problem, double tolerance) {
  const auto [alone, shared] = alone_and_shared(optimizer, objective, problem);
  REQUIRE(shared.status == (alone.gap ? Status::converged : Status::settled));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, tolerance));
  const double f = objective_value(objective, problem.all_x, problem.all_y, shared.weights,
                                   shared.offset, problem.all_weights);
  REQUIRE_THAT(shared.objective, WithinRel(f, 1e-10));
  REQUIRE(shared.gap.has_value() == alone.gap.has_value());
  if (shared.gap) {
    REQUIRE(*shared.gap <= optimizer.tolerance * f);
    REQUIRE(*shared.bound() <= alone.objective * (1 + 1e-12));
  }
}

}  // namespace

TEST_CASE("objective_value: divided rows give that of all rows") {
  const auto [x, y] = made_up(101, 5);
  const Objective objective{Log{}, L2{0.1}};
  const Vector<double> w = Vector<double>::LinSpaced(5, -1, 1);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    for (const bool weighted : {false, true}) {
      const auto problem =
          divide(x, y, weighted ? made_up_weights(101) : Vector<double>{}, division);
      const double all =
          objective_value(objective, problem.all_x, problem.all_y, w, 0.5, problem.all_weights);
      const double shared = objective_value(objective, mpi::divided(problem.x, world()), problem.y,
                                            w, 0.5, problem.weights, 2);
      REQUIRE_THAT(shared, WithinRel(all, 1e-14));
      REQUIRE(is_same_everywhere(std::vector<double>{shared}));
      if (world().size() == 1) REQUIRE(shared == all);
    }
}

TEST_CASE("Newton: divided rows have the minimum of all rows") {
  const auto [x, y] = made_up(203, 6);
  const Newton newton{.tolerance = 1e-9, .threads = 2};
  for (const auto division : {Division::even, Division::last_empty, Division::by_target}) {
    agrees(newton, Objective{Log{}, L2{1e-3}}, divide(x, y, {}, division), 1e-9);
    agrees(newton, Objective{Log{}, L2{1e-3}}, divide(x, y, made_up_weights(203), division), 1e-9);
  }
}

TEST_CASE("Newton: fewer rows than ranks, and no penalty") {
  Matrix<double> x{{1}, {2}, {3}, {-1}};
  const Vector<double> y{{1, -1, 1, -1}};
  agrees(Newton{.tolerance = 1e-9}, Objective{Log{}, NoPenalty{}}, divide(x, y, {}, Division::even),
         1e-8);
}

TEST_CASE("Newton: a column and targets far from 0 are centred at a common origin") {
  auto [x, y] = made_up(203, 6, 1e5);
  y.array() += 3000;
  agrees(Newton{.tolerance = 1e-9}, Objective{Huber{0.5}, L2{1e-3}},
         divide(x, y, {}, Division::last_empty), 1e-8);
  const SparseMatrix<double> sparse = x.sparseView();
  agrees(Newton{.tolerance = 1e-9}, Objective{Huber{0.5}, L2{1e-3}},
         divide(sparse, y, {}, Division::last_empty), 1e-8);
}

TEST_CASE("Newton: sparse rows, sampled curvatures and a loss of pieces") {
  const auto [x, y] = made_up(9000, 6);
  const SparseMatrix<double> sparse = x.sparseView();
  agrees(Newton{.tolerance = 1e-9}, Objective{SquaredHinge{}, L2{1e-4}},
         divide(sparse, y, {}, Division::by_target), 1e-9);
}

TEST_CASE("Newton: ranks together select the curvatures that one process selects") {
  struct Sums : detail::samples::Parts {
    Processes processes{};
    explicit Sums(Processes all) : processes(std::move(all)) {}
    void sum(double* numbers, Index count) const override { processes.sum(numbers, count); }
  };
  const Index n = 4001;
  const Vector<double> all = Vector<double>::LinSpaced(n, 1, 2);
  for (const auto division : {Division::even, Division::last_empty}) {
    const auto [first, last] = own_rows(n, division);
    const Processes processes(world());
    const auto numbering = processes.numbering(last - first);
    REQUIRE(numbering.first == first);
    REQUIRE(numbering.all == n);
    std::uint32_t turn = 0, turn_alone = 0;
    for (int draw = 0; draw < 3; ++draw) {
      Vector<double> own, alone;
      detail::newton::sample_curvatures(Sums(processes), numbering.first, 8, turn,
                                        Vector<double>(all.segment(first, last - first)), own);
      detail::newton::sample_curvatures({}, 0, 8, turn_alone, all, alone);
      const Vector<double> joined = processes.joined(own);
      REQUIRE((joined.array() == 0).cwiseEqual(alone.array() == 0).all());
      REQUIRE((joined - alone).norm() <= 1e-13 * alone.norm());
    }
  }
}

TEST_CASE("Newton: divided rows need as many passes as all rows") {
  const auto [x, y] = made_up(9000, 6);
  // There are so many columns that a single process does not factorise ∇²F either.
  SparseMatrix<double> sparse(9000, 450);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < 6; ++j) sparse.insert(i, 6 * (i % 75) + j) = x(i, j);
  const auto problem = divide(sparse, y, {}, Division::even);
  const Objective objective{Log{}, L2{1e-4}};
  const auto alone = Newton{}.minimize(objective, sparse, y);
  const auto shared = Newton{}.minimize(objective, mpi::divided(problem.x, world()), problem.y);
  REQUIRE(shared.epochs == alone.epochs);
  REQUIRE(shared.updates == alone.updates);
  for (const Index iterations : {1, 2, 3, 4}) {  // the steps are the same, too
    const Newton few{.iterations = iterations, .tolerance = 0};
    const auto one = few.minimize(objective, sparse, y);
    const auto several = few.minimize(objective, mpi::divided(problem.x, world()), problem.y);
    CAPTURE(iterations);
    REQUIRE_THAT(several.objective, WithinRel(one.objective, 1e-11));
  }
}

TEST_CASE("Lbfgs: divided rows have the minimum of all rows") {
  const auto [x, y] = made_up(203, 6);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    agrees(Lbfgs{.tolerance = 1e-8}, Objective{Log{}, L2{1e-3}},
           divide(x, y, made_up_weights(203), division), 1e-8);
}

TEST_CASE("Lbfgs and certify: floats in double") {
  const auto [x, y] = made_up(203, 6);
  const auto problem = divide(x, y, {}, Division::last_empty);
  const Matrix<float> single = problem.x.cast<float>();
  const Objective objective{Log{}, L2{1e-3}};
  const auto solution =
      Lbfgs{.tolerance = 1e-7}.minimize(objective, mpi::divided(single, world()), problem.y);
  const auto alone = Newton{.tolerance = 1e-9}.minimize(
      objective, Matrix<double>(problem.all_x.cast<float>().cast<double>()), problem.all_y);
  REQUIRE_THAT(solution.objective, WithinRel(alone.objective, 1e-6));
  const auto certificate = certify(objective, solution, mpi::divided(single, world()), problem.y);
  REQUIRE(certificate.dual <= alone.objective);
  REQUIRE(certificate.relative_gap() <= 1e-5);
}

TEST_CASE("One rank gives the bits of x itself") {
  const auto [x, y] = made_up(203, 6);
  MpiCommunicator self(MPI_COMM_SELF);
  const Objective objective{Log{}, L2{1e-3}};
  const auto alone = Newton{}.minimize(objective, x, y);
  const auto one = Newton{}.minimize(objective, mpi::divided(x, self), y);
  REQUIRE(numbers_of(alone) == numbers_of(one));
  REQUIRE(numbers_of(Lbfgs{}.minimize(objective, x, y)) ==
          numbers_of(Lbfgs{}.minimize(objective, mpi::divided(x, self), y)));
  REQUIRE(self.bytes_sent() == 0);
}

TEST_CASE("Two runs on equally many ranks give the same bits") {
  const auto [x, y] = made_up(203, 6);
  const auto problem = divide(x, y, {}, Division::even);
  const Objective objective{Log{}, L2{1e-3}};
  const auto run = [&](Index threads) {
    return numbers_of(Newton{.threads = threads}.minimize(
        objective, mpi::divided(problem.x, world()), problem.y));
  };
  const auto first = run(1);
  REQUIRE(first == run(1));
  REQUIRE(first == run(3));
}

}  // namespace mpi_smooth_test
