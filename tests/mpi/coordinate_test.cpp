// SPDX-License-Identifier: MIT
/// \file CoordinateDescent on rows that are divided among processes, against all rows on one.
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers/coordinate_descent.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/penalties/none.hpp>
#include <stdexcept>
#include <string>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_coordinate_test {

using namespace linea;
using namespace divided;

namespace {

template <class X>
Extras<double> own(const Problem<X>& problem) {
  return {.sample_weights = problem.weights, .processes = world()};
}

/// The minimum of divided rows and of all rows on one process.
template <class Obj, class X>
void agrees(const Obj& objective, bool offset, const Problem<X>& problem) {
  const CoordinateDescent by{.offset = offset, .tolerance = 1e-10};
  const auto alone =
      by.minimize(objective, problem.all_x, problem.all_y, {.sample_weights = problem.all_weights});
  const auto shared = by.minimize(objective, problem.x, problem.y, own(problem));
  REQUIRE(shared.status == alone.status);
  // The same models to rounding, but for weights that a single process moves together.
  REQUIRE(alone.iterations <= shared.iterations + 1);
  REQUIRE(is_same_everywhere(numbers_of(shared)));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-9));
  REQUIRE(shared.gap.has_value() == alone.gap.has_value());
  if (shared.gap) REQUIRE(shared.objective - *shared.gap <= alone.objective);
  const double size = alone.weights.norm();
  REQUIRE((shared.weights - alone.weights).norm() <= 1e-4 * size);
  REQUIRE(std::abs(shared.offset - alone.offset) <= 1e-4 * (size + std::abs(alone.offset)));
  REQUIRE((shared.weights.array() == 0).count() == (alone.weights.array() == 0).count());
}

}  // namespace

TEST_CASE("CoordinateDescent: divided rows have the lasso of all rows", "[mpi]") {
  const auto [x, signs] = made_up(97, 9);
  const auto y = made_up_numbers(x);
  const Objective lasso{Squared{}, L1{0.05}};
  for (const auto division : {Division::even, Division::last_empty, Division::by_target})
    for (const bool offset : {false, true}) {
      agrees(lasso, offset, divide(x, y, {}, division));
      agrees(lasso, offset, divide(x, y, made_up_weights(97), division));
    }
  const SparseMatrix<double> sparse = x.sparseView();
  for (const bool offset : {false, true})
    agrees(lasso, offset, divide(sparse, y, made_up_weights(97), Division::last_empty));
}

TEST_CASE("CoordinateDescent: log loss and elastic nets of divided rows", "[mpi]") {
  const auto [x, signs] = made_up(120, 7);
  const Objective net{Log{}, ElasticNet{.l1 = 0.02, .l2 = 0.01}};
  for (const auto division : {Division::last_empty, Division::by_target})
    for (const bool offset : {false, true})
      agrees(net, offset, divide(x, signs, made_up_weights(120), division));
  agrees(net, true, divide(SparseMatrix<double>(x.sparseView()), signs, {}, Division::even));
  const auto [far, of_far] = made_up(97, 4, 1e4);
  agrees(net, true, divide(far, of_far, {}, Division::even));
}

TEST_CASE(
    "CoordinateDescent: divided rows without a penalty settle, of fewer rows than columns too",
    "[mpi]") {
  const auto [x, signs] = made_up(60, 4);
  const auto y = made_up_numbers(x);
  const CoordinateDescent by{.tolerance = 1e-10};
  const Objective plain{Squared{}, NoPenalty{}};
  const auto problem = divide(x, y, {}, Division::even);
  const auto alone = by.minimize(plain, problem.all_x, problem.all_y);
  const auto shared = by.minimize(plain, problem.x, problem.y, own(problem));
  REQUIRE(shared.status == alone.status);
  REQUIRE((shared.weights - alone.weights).norm() <= 1e-6 * alone.weights.norm());
  const auto [wide, of_wide] = made_up(8, 20);
  agrees(Objective{Squared{}, L1{0.01}}, true,
         divide(wide, made_up_numbers(wide), {}, Division::even));
}

TEST_CASE("CoordinateDescent: many divided columns, few of which count", "[mpi]") {
  const auto [few, signs] = made_up(60, 4);
  Matrix<double> x = 0.01 * Matrix<double>::Ones(60, 5000);
  for (Index i = 0; i < 60; ++i) x(i, (7 * i) % 5000) += 0.02;
  x.leftCols(4) = few;
  const auto y = made_up_numbers(few);
  agrees(Objective{Squared{}, L1{0.05}}, true,
         divide(SparseMatrix<double>(x.sparseView()), y, {}, Division::even));
}

TEST_CASE("SharedGram: forgets columns where they are too many", "[mpi]") {
  if (world().size() == 1) return;
  const auto [x, signs] = made_up(40, 5, 3);
  const auto problem = divide(x, signs, {}, Division::last_empty);
  const core::ColumnMatrix<double> own = problem.x;
  const samples::DenseColumns<> columns(own.data(), own.rows(), own.cols(), own.rows());
  smooth::SharedGram gram(columns, true, Processes(world()), 3);
  const Vector<double> h = Vector<double>::Constant(own.rows(), 0.5);
  const Vector<double> means = x.colwise().mean();
  const Matrix<double> centred = x.rowwise() - means.transpose();
  for (const std::vector<Index>& working : {std::vector<Index>{0, 1}, {1, 4}, {2, 3, 1}, {0, 3}}) {
    gram.prepare(working, h, 20, problem.y);
    const Index last = working.back();
    for (const Index j : working) {
      REQUIRE_THAT(gram.moments(j).mean, WithinRel(means[j], 1e-12));
      REQUIRE_THAT(gram.moments(j).square, WithinRel(0.5 * centred.col(j).squaredNorm(), 1e-12));
      REQUIRE_THAT(gram.slope(j), WithinAbs(centred.col(j).dot(signs), 1e-11));
    }
    gram.move(last, 2);
    for (const Index j : working)
      REQUIRE_THAT(
          gram.slope(j),
          WithinAbs(centred.col(j).dot(signs) + centred.col(j).dot(centred.col(last)), 1e-11));
  }
  REQUIRE_THROWS_AS(gram.prepare({0, 1, 2, 3}, h, 20, problem.y), std::invalid_argument);
}

TEST_CASE("CoordinateDescent: one process has the bits of no communicator", "[mpi]") {
  if (world().size() > 1) return;
  const auto [x, signs] = made_up(60, 4);
  const Objective objective{Log{}, L1{0.01}};
  const auto plain = CoordinateDescent{}.minimize(objective, x, signs);
  const auto shared = CoordinateDescent{}.minimize(objective, x, signs, {.processes = world()});
  REQUIRE(plain.weights == shared.weights);
  REQUIRE(plain.gap == shared.gap);
}

TEST_CASE("CoordinateDescent: what goes wrong on one rank is the same error on all", "[mpi]") {
  if (world().size() == 1) return;
  const auto [x, signs] = made_up(60, 4);
  const auto problem = divide(x, signs, {}, Division::even);
  const bool is_odd = world().rank() == 1;
  const std::string of_one = " (rank 1 of " + std::to_string(world().size()) + ")";
  const Objective objective{Squared{}, L1{1e-3}};
  const auto fit = [&](const Problem<Matrix<double>>& of, const CoordinateDescent& by = {}) {
    return by.minimize(objective, of.x, of.y, own(of));
  };
  auto spoilt = problem;
  if (is_odd) spoilt.x(2, 1) = std::numeric_limits<double>::quiet_NaN();
  REQUIRE_THROWS_WITH(fit(spoilt), "CoordinateDescent::minimize: x(2, 1) is not finite" + of_one);
  REQUIRE_THROWS_WITH(fit(problem, {.tolerance = is_odd ? -1.0 : 1e-6}),
                      ContainsSubstring("tolerance = -1 is not >= 0" + of_one));
  REQUIRE_THROWS_WITH(fit(problem, {.tolerance = 0, .iterations = is_odd ? 1 : 2}),
                      ContainsSubstring("the ranks are out of step"));
  auto wide = problem;
  wide.x = problem.x.col(1).replicate(1, 4097).eval();
  REQUIRE_THROWS_WITH(fit(wide),
                      ContainsSubstring("4097 weights are to move at once, but more than"));
  Extras<double> watched = own(problem);
  if (is_odd)
    watched.observer = [](const Progress&) -> Control {
      throw std::runtime_error("the disk is full");
    };
  REQUIRE_THROWS_WITH(CoordinateDescent{}.minimize(objective, problem.x, problem.y, watched),
                      "the disk is full" + (is_odd ? "" : of_one));
  if (is_odd) watched.observer = [](const Progress&) { return Control::stop; };
  const CoordinateDescent long_run{.tolerance = 0};
  REQUIRE(long_run.minimize(objective, problem.x, problem.y, watched).status == Status::stopped);
  REQUIRE(fit(problem).status == Status::converged);
}

}  // namespace mpi_coordinate_test
