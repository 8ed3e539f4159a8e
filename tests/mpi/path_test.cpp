// SPDX-License-Identifier: MIT
/// \file RidgePath on rows that are divided among processes, against all rows on one.
#include <algorithm>  // max
#include <linea/optimizers/ridge_path.hpp>
#include <string>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_path_test {

using namespace linea;
using namespace divided;

namespace {

template <class X>
auto on_ranks(const RidgePath& path, const Problem<X>& problem) {
  return path.fit(problem.x, problem.y, {.sample_weights = problem.weights, .processes = world()});
}

void agrees(const Eigen::VectorXd& one, const Eigen::VectorXd& other, double tolerance,
            double rounding = 0) {
  REQUIRE(one.size() == other.size());
  for (Index k = 0; k < one.size(); ++k) {
    CAPTURE(k, one[k], other[k]);
    REQUIRE(std::abs(one[k] - other[k]) <= tolerance * std::abs(other[k]) + rounding);
  }
}

/// The paths of divided rows and of all rows on one process.
template <class X>
void agrees(const RidgePath& path, const Problem<X>& problem, double tolerance = 1e-9,
            double tolerance_of_gcv = 1e-9) {
  const auto alone =
      path.fit(problem.all_x, problem.all_y, {.sample_weights = problem.all_weights});
  const auto shared = on_ranks(path, problem);
  for (const auto* numbers : {&shared.objectives, &shared.leave_one_out, &shared.degrees_of_freedom,
                              &shared.generalised_cross_validation})
    REQUIRE(is_same_everywhere(*numbers));
  REQUIRE(is_same_everywhere(shared.offsets));
  REQUIRE(shared.weights.cols() == alone.weights.cols());
  for (Index k = 0; k < alone.weights.cols(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    CAPTURE(k, alone.lambdas[at]);
    REQUIRE_THAT(shared.lambdas[at], WithinRel(alone.lambdas[at], 1e-9));
    REQUIRE(shared.statuses[at] == alone.statuses[at]);
    const double size = alone.weights.col(k).norm();
    REQUIRE((shared.weights.col(k) - alone.weights.col(k)).norm() <= tolerance * size);
    REQUIRE(std::abs(shared.offsets[k] - alone.offsets[k]) <=
            tolerance * (size + std::abs(alone.offsets[k])));
  }
  const double mean_square =
      problem.all_y.squaredNorm() / static_cast<double>(problem.all_y.size());
  agrees(shared.objectives, alone.objectives, tolerance, 1e-14 * mean_square);
  agrees(shared.degrees_of_freedom, alone.degrees_of_freedom, tolerance);
  agrees(shared.leave_one_out, alone.leave_one_out, tolerance);
  agrees(shared.generalised_cross_validation, alone.generalised_cross_validation,
         std::max(tolerance, tolerance_of_gcv));
  REQUIRE(shared.best == alone.best);
  REQUIRE(shared.is_at_edge == alone.is_at_edge);
}

const std::vector<double> some_lambdas{10, 0.1, 1e-3};

}  // namespace

TEST_CASE("RidgePath: divided rows have the path and the errors of all rows", "[mpi]") {
  const auto [x, signs] = made_up(97, 6);
  const auto y = made_up_numbers(x);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    for (const bool offset : {false, true}) {
      const RidgePath path{.lambdas = some_lambdas, .offset = offset};
      agrees(path, divide(x, y, {}, division));
      agrees(path, divide(x, y, made_up_weights(97), division));
    }
  const SparseMatrix<double> sparse = x.sparseView();
  agrees(RidgePath{.lambdas = some_lambdas},
         divide(sparse, y, made_up_weights(97), Division::even));
  agrees(RidgePath{.lambdas = some_lambdas, .leave_one_out = false},
         divide(x, y, {}, Division::last_empty));
}

TEST_CASE("RidgePath: finds lambdas of its own for divided rows, on threads too", "[mpi]") {
  const auto [x, signs] = made_up(300, 5);
  agrees(RidgePath{.threads = 2}, divide(x, made_up_numbers(x), {}, Division::even), 1e-8);
}

TEST_CASE("RidgePath: divided rows far from 0", "[mpi]") {
  const auto [x, signs] = made_up(97, 6, 1e5);
  agrees(RidgePath{.lambdas = some_lambdas}, divide(x, made_up_numbers(x), {}, Division::even),
         1e-7);
}

TEST_CASE("RidgePath: samples that are fitted anew are those of any rank", "[mpi]") {
  auto [x, signs] = made_up(40, 4);
  auto y = made_up_numbers(x);
  // The first row, and the last, alone have a column; the second weighs more than all others.
  for (const Index i : {0, 39}) x.col(i == 0 ? 0 : 3).setZero();
  x(0, 0) = 1e4;
  x(39, 3) = 1e4;
  Vector<double> weights = Vector<double>::Ones(40);
  agrees(RidgePath{.lambdas = {1e-1, 1e-4, 0}}, divide(x, y, weights, Division::last_empty), 1e-6);
  weights[1] = 1e7;
  agrees(RidgePath{.lambdas = {1e-1, 1e-4}}, divide(x, y, weights, Division::even), 1e-6);
}

TEST_CASE("RidgePath: fewer divided rows than columns", "[mpi]") {
  const auto [x, signs] = made_up(9, 12);
  agrees(RidgePath{.lambdas = some_lambdas}, divide(x, made_up_numbers(x), {}, Division::even),
         1e-8);
  agrees(RidgePath{.lambdas = some_lambdas},
         divide(x, made_up_numbers(x), {}, Division::last_empty), 1e-8);
}

TEST_CASE(
    "RidgePath: fewer divided rows than columns, without a penalty or with lambdas of its own",
    "[mpi]") {
  const auto [x, signs] = made_up(20, 24);
  const auto problem = divide(x, made_up_numbers(x), {}, Division::even);
  agrees(RidgePath{.lambdas = {1e-2, 0}}, problem, 1e-6);
  // Generalised cross-validation divides by the freedom that is left, 1e-5 for the least λ, 1e-6 of
  // the largest eigenvalue. On ranks it is the difference of a sum over 24 columns and the 5 that
  // are too many, whose eigenvalues are 0 but for rounding: known to 5·2.2e-16/1e-6 = 1e-9.
  agrees(RidgePath{}, problem, 1e-5, 1e-4);
}

TEST_CASE("RidgePath: floats that are divided", "[mpi]") {
  const auto [x, signs] = made_up(97, 6);
  const auto problem = divide(x, made_up_numbers(x), {}, Division::even);
  const RidgePath path{.lambdas = some_lambdas};
  const auto alone = path.fit(problem.all_x.cast<float>().eval(), problem.all_y);
  const auto shared =
      path.fit(problem.x.cast<float>().eval(), problem.y, Extras<float>{.processes = world()});
  REQUIRE(shared.status == Status::converged);
  REQUIRE((shared.weights - alone.weights).norm() <= 1e-6F * alone.weights.norm());
  agrees(shared.leave_one_out, alone.leave_one_out, 1e-9);
}

TEST_CASE("RidgePath: one process has the bits of no communicator", "[mpi]") {
  if (world().size() > 1) return;
  const auto [x, signs] = made_up(60, 4);
  const auto y = made_up_numbers(x);
  const auto plain = RidgePath{}.fit(x, y);
  const auto shared = RidgePath{}.fit(x, y, {.processes = world()});
  REQUIRE(plain.weights == shared.weights);
  REQUIRE(plain.leave_one_out == shared.leave_one_out);
  REQUIRE(plain.objectives == shared.objectives);
}

TEST_CASE("RidgePath: what is wrong on one rank is refused on all", "[mpi]") {
  if (world().size() == 1) return;
  const auto [x, signs] = made_up(40, 3);
  const auto problem = divide(x, signs, {}, Division::even);
  const bool is_odd = world().rank() == 1;
  const std::string of_one = " (rank 1 of " + std::to_string(world().size()) + ")";
  const auto fit = [&](const RidgePath& path, const Problem<Matrix<double>>& of) {
    return on_ranks(path, of);
  };
  const std::string differ = "lambdas, offset and leave_one_out must be the same on all ranks";
  const RidgePath path{.lambdas = {0.1, 0.01}};
  REQUIRE_THROWS_WITH(fit({.lambdas = {is_odd ? 0.2 : 0.1, 0.01}}, problem),
                      ContainsSubstring(differ));
  REQUIRE_THROWS_WITH(fit({.lambdas = std::vector<double>(is_odd ? 2 : 3, 0.1)}, problem),
                      ContainsSubstring(differ));
  REQUIRE_THROWS_WITH(fit({.lambdas = {0.1}, .leave_one_out = is_odd}, problem),
                      ContainsSubstring(differ));
  REQUIRE_THROWS_WITH(fit({.lambdas = {is_odd ? -1.0 : 1.0}}, problem), ContainsSubstring(of_one));
  auto spoilt = problem;
  if (is_odd) spoilt.y[1] = std::numeric_limits<double>::quiet_NaN();
  REQUIRE_THROWS_WITH(fit(path, spoilt), "RidgePath::fit: y(1) is not finite" + of_one);
  spoilt = problem;
  if (is_odd) spoilt.x(1, 2) = std::numeric_limits<double>::infinity();
  REQUIRE_THROWS_WITH(fit(path, spoilt), "RidgePath::fit: x(1, 2) is not finite" + of_one);
  auto wide = problem;
  wide.x.setZero(wide.x.rows(), 4097);
  REQUIRE_THROWS_WITH(fit(path, wide), ContainsSubstring("4097 columns, but more than 4096"));
  REQUIRE(fit(path, problem).status == Status::converged);
}

}  // namespace mpi_path_test
