// SPDX-License-Identifier: MIT
/// \file Ridge, and Auto, on rows that are divided among processes, against all rows on one.
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/lambda_path.hpp>
#include <linea/optimizers/auto.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/penalties/l1.hpp>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_ridge_test {

using namespace linea;
using namespace divided;

namespace {

template <class X>
void agrees(double lambda, bool offset, const Problem<X>& problem, double tolerance = 1e-9) {
  const Objective objective{Squared{}, L2{lambda}};
  const Ridge ridge{.offset = offset};
  const auto alone = ridge.minimize(objective, problem.all_x, problem.all_y,
                                    {.sample_weights = problem.all_weights});
  const auto shared = ridge.minimize(objective, problem.x, problem.y,
                                     {.sample_weights = problem.weights, .processes = world()});
  REQUIRE(shared.status == Status::converged);
  REQUIRE(is_same_everywhere(numbers_of(shared)));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-9));
  REQUIRE((shared.weights - alone.weights).norm() <= tolerance * alone.weights.norm());
  if (!alone.dual) REQUIRE(shared.rank == alone.rank);
}

}  // namespace

TEST_CASE("Ridge: divided rows have the weights of all rows", "[mpi]") {
  const auto [x, signs] = made_up(97, 6);
  const auto y = made_up_numbers(x);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    for (const bool offset : {false, true}) {
      agrees(1e-2, offset, divide(x, y, {}, division));
      agrees(1e-2, offset, divide(x, y, made_up_weights(97), division));
    }
  agrees(0, true, divide(SparseMatrix<double>(x.sparseView()), y, {}, Division::even));
}

TEST_CASE("Ridge: columns far from 0, and columns that depend on one another", "[mpi]") {
  auto [x, signs] = made_up(97, 6, 1e5);
  const auto y = made_up_numbers(x);
  agrees(1e-3, true, divide(x, y, {}, Division::even), 1e-7);
  x.col(0) = x.col(1) - 2 * x.col(2);
  agrees(0, true, divide(x, y, {}, Division::even), 1e-7);
}

TEST_CASE("Ridge: converged is within a millionth, however far from 0 the columns lie", "[mpi]") {
  for (const double far : {1e7, 1e9, 1e11, 1e12}) {
    CAPTURE(far);
    const auto [x, signs] = made_up(400, 4, far);
    Vector<double> y = 1e-3 * signs;
    y.array() += 0.3 * (x.col(0).array() - far);
    const auto problem = divide(x, y, {}, Division::even);
    const Objective objective{Squared{}, L2{1e-6}};
    const auto alone = Ridge{}.minimize(objective, problem.all_x, problem.all_y);
    const auto shared = Ridge{}.minimize(objective, problem.x, problem.y, {.processes = world()});
    REQUIRE(is_same_everywhere(numbers_of(shared)));
    if (shared.status == Status::converged)
      REQUIRE(shared.objective <= alone.objective * (1 + 2e-6));
    else
      REQUIRE(far >= 1e9);
  }
}

TEST_CASE("Ridge: options that are not the same on all ranks are refused", "[mpi]") {
  const auto [x, signs] = made_up(40, 3);
  const auto problem = divide(x, signs, {}, Division::even);
  const bool is_odd = world().rank() == 1;
  const auto fit = [&](double lambda, bool offset) {
    return Ridge{.offset = offset}.minimize(Objective{Squared{}, L2{lambda}}, problem.x, problem.y,
                                            {.processes = world()});
  };
  if (world().size() == 1) return;
  REQUIRE_THROWS_WITH(fit(is_odd ? 1.0 : 1e-4, true),
                      ContainsSubstring("lambda and offset must be the same"));
  REQUIRE_THROWS_WITH(fit(1e-4, is_odd), ContainsSubstring("lambda and offset must be the same"));
  REQUIRE(fit(1e-4, true).status == Status::converged);
}

TEST_CASE("Ridge: fewer rows than ranks or columns, and several targets", "[mpi]") {
  const auto [x, signs] = made_up(4, 6);
  agrees(1e-2, true, divide(x, made_up_numbers(x), {}, Division::even), 1e-8);
  Matrix<double> y(4, 2);
  y.col(0) = made_up_numbers(x);
  y.col(1) = signs;
  const Objective objective{Squared{}, L2{0.1}};
  const auto problem = divide(x, signs, {}, Division::even);
  const auto [first, last] = own_rows(4, Division::even);
  const auto alone = Ridge{}.minimize(objective, x, y);
  const auto shared =
      Ridge{}.minimize(objective, problem.x, Matrix<double>(y.middleRows(first, last - first)),
                       {.processes = world()});
  REQUIRE((shared.weights - alone.weights).norm() <= 1e-8 * alone.weights.norm());
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-9));
}

TEST_CASE("Auto: takes for divided rows what is right for all of them", "[mpi]") {
  const auto [x, signs] = made_up(97, 6);
  const auto problem = divide(x, signs, {}, Division::last_empty);
  const auto squared =
      Auto{}.minimize(Objective{Squared{}, L2{0.1}}, problem.x, problem.y, {.processes = world()});
  REQUIRE(squared.optimizer == "Ridge");
  const Objective objective{Hinge{}, L2{0.1}};
  // One process and several need not take the same optimizer, but both prove what they answer.
  const auto hinge = Auto{}.minimize(objective, problem.x, problem.y, {.processes = world()});
  const auto alone = Auto{}.minimize(objective, x, signs);
  REQUIRE(hinge.status == Status::converged);
  REQUIRE(hinge.objective - *hinge.gap <= alone.objective);
  REQUIRE(alone.objective - *alone.gap <= hinge.objective);
  REQUIRE_THAT(hinge.objective, WithinRel(alone.objective, 1e-4));
  REQUIRE(is_same_everywhere(numbers_of(hinge)));
}

TEST_CASE("Auto: takes coordinate descent for L1 on divided rows", "[mpi]") {
  const auto [x, signs] = made_up(97, 6);
  const auto problem = divide(x, made_up_numbers(x), {}, Division::last_empty);
  const Objective objective{Squared{}, L1{0.1}};
  const auto shared = Auto{}.minimize(objective, problem.x, problem.y, {.processes = world()});
  REQUIRE(shared.optimizer == "CoordinateDescent");
  REQUIRE(shared.status == Status::converged);
  const auto alone = Auto{}.minimize(objective, problem.all_x, problem.all_y);
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-5));
}

TEST_CASE("lambda_path: by Auto, also where a rank has no rows", "[mpi]") {
  const auto [x, signs] = made_up(60, 5);
  const auto problem = divide(x, signs, {}, Division::last_empty);
  const Objective objective{Log{}, L2{1}};
  const std::vector<double> lambdas{1, 0.5, 0.2};
  const auto shared = lambda_path(Auto{.tolerance = 1e-9}, objective, lambdas, problem.x, problem.y,
                                  {.processes = world()});
  const auto alone =
      lambda_path(Auto{.tolerance = 1e-9}, objective, lambdas, problem.all_x, problem.all_y);
  for (std::size_t k = 0; k < lambdas.size(); ++k)
    REQUIRE_THAT(shared[k].objective, WithinRel(alone[k].objective, 1e-8));
}

}  // namespace mpi_ridge_test
