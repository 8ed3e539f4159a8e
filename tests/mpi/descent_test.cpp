// SPDX-License-Identifier: MIT
/// \file Gradient descent on rows divided among processes, compared with all rows on one process.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_descent_test {

using namespace linea;
using namespace divided;

namespace {

constexpr Division divisions[] = {Division::even, Division::last_empty, Division::by_target};

/// Checks that a run on divided rows makes the same steps as a run on all rows.
template <class M, class O, class X>
void takes_the_same_steps(const M& optimizer, const O& objective, const Problem<X>& problem,
                          double tolerance = 1e-9) {
  const auto [alone, shared] = alone_and_shared(optimizer, objective, problem);
  REQUIRE(shared.status == alone.status);
  REQUIRE(shared.epochs == alone.epochs);
  REQUIRE(shared.updates == alone.updates);
  REQUIRE_THAT(shared.first_step, WithinRel(alone.first_step, tolerance));
  REQUIRE((shared.weights - alone.weights).norm() <= tolerance * alone.weights.norm());
  REQUIRE_THAT(shared.offset, WithinRel(alone.offset, tolerance) || WithinAbs(0, tolerance));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, tolerance));
}

}  // namespace

TEST_CASE("GradientDescent: divided rows give the steps of all rows") {
  const auto [x, y] = made_up(203, 6);
  const GradientDescent descent{.epochs = 60, .tolerance = 0};
  for (const auto division : divisions) {
    CAPTURE(division);
    takes_the_same_steps(descent, Objective{Log{}, L2{1e-2}}, divide(x, y, {}, division));
    takes_the_same_steps(descent, Objective{Log{}, ElasticNet{.l1 = 1e-2, .l2 = 1e-2}},
                         divide(x, y, made_up_weights(203), division));
  }
}

TEST_CASE("GradientDescent: sparse rows, and a step found by trial") {
  const auto [x, y] = made_up(203, 6);
  const SparseMatrix<double> sparse = x.sparseView();
  // The hinge loss has no curvature bound. So the first step size is found by trial steps, each on
  // the rows of all ranks.
  takes_the_same_steps(GradientDescent{.epochs = 40, .tolerance = 0}, Objective{Hinge{}, L2{1e-2}},
                       divide(sparse, y, {}, Division::by_target));
}

TEST_CASE("GradientDescent: fewer rows than ranks, and columns far from 0") {
  takes_the_same_steps(GradientDescent{.epochs = 20, .tolerance = 0}, Objective{Log{}, L2{1e-1}},
                       divide(Matrix<double>{{1.0}, {2.0}, {3.0}, {-1.0}},
                              Vector<double>{{1, -1, 1, -1}}, {}, Division::last_empty));
  const auto [x, y] = made_up(203, 4, 1e4);
  takes_the_same_steps(GradientDescent{.epochs = 20, .tolerance = 0}, Objective{Log{}, L2{1e-2}},
                       divide(x, y, {}, Division::even), 1e-7);
}

}  // namespace mpi_descent_test
