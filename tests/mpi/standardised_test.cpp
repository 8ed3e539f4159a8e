// SPDX-License-Identifier: MIT
/// \file Scalings, and recipes on scaled columns, of rows that are divided among processes, against
/// all rows on one.
#include <limits>
#include <linea/features/standardise.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/newton.hpp>
#include <stdexcept>
#include <string>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_standardised_test {

using namespace linea;
using namespace divided;

namespace {

constexpr Division divisions[] = {Division::even, Division::last_empty, Division::by_target};

/// Columns of very different size, one far from 0 and one constant.
std::pair<Matrix<double>, Vector<double>> uneven(Index n) {
  auto [x, y] = made_up(n, 6, 1e6);
  x.col(1) *= 1e-9;
  x.col(2) *= 1e170;
  x.col(3).setConstant(0.1);
  return {x, y};
}

template <class X>
void has_scaling_of_all(const Problem<X>& problem, double tolerance) {
  const auto alone = standardise(problem.all_x, problem.all_weights);
  const auto shared = standardise(problem.x, problem.weights, world());
  REQUIRE(is_same_everywhere(shared.mean));
  REQUIRE(is_same_everywhere(shared.scale));
  for (Index j = 0; j < alone.mean.size(); ++j) {
    CAPTURE(j);
    REQUIRE_THAT(shared.mean[j], WithinRel(alone.mean[j], tolerance) ||
                                     WithinAbs(alone.mean[j], tolerance * alone.scale[j]));
    REQUIRE_THAT(shared.scale[j], WithinRel(alone.scale[j], tolerance));
    if (world().size() == 1) REQUIRE(shared.mean[j] == alone.mean[j]);
  }
}

}  // namespace

TEST_CASE("standardise: divided rows have the scaling of all rows", "[mpi]") {
  const auto [x, y] = uneven(101);
  for (const auto division : divisions)
    for (const bool weighted : {false, true}) {
      CAPTURE(division, weighted);
      const auto problem =
          divide(x, y, weighted ? made_up_weights(101) : Vector<double>{}, division);
      has_scaling_of_all(problem, 1e-10);
      const auto scaling = standardise(problem.x, problem.weights, world());
      REQUIRE(scaling.mean[3] == 0.1);  // exactly: the column becomes 0
      REQUIRE(scaling.scale[3] == 1);
      const SparseMatrix<double> sparse = x.sparseView();
      has_scaling_of_all(divide(sparse, y, problem.all_weights, division), 1e-12);
    }
}

TEST_CASE("standardise: a fault of one rank is the same error on all", "[mpi]") {
  const auto [x, y] = uneven(20);
  const Index size = world().size();
  const bool is_last = world().rank() == size - 1;
  const std::string rank =
      size == 1 ? "" : " (rank " + std::to_string(size - 1) + " of " + std::to_string(size) + ")";
  const auto refusal = [&](const Matrix<double>& own, const Vector<double>& weights) {
    try {
      standardise(own, weights, world());
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  auto problem = divide(x, y, {}, Division::even);
  REQUIRE(refusal(problem.x, Vector<double>::Zero(problem.x.rows())) ==
          "standardise: all sample weights are zero");
  if (size > 1)
    REQUIRE(refusal(problem.x, is_last ? Vector<double>{} : Vector<double>::Ones(problem.x.rows()))
                .find("0 sample weights but y has ") != std::string::npos);
  if (is_last) problem.x(0, 2) = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(refusal(problem.x, {}) == "standardise: x(0, 2) is not finite" + rank);
}

TEST_CASE("Standardised: the model of divided rows is that of all rows", "[mpi]") {
  auto [x, y] = made_up(151, 5, 1e3);
  x.col(1) *= 1e-4;
  const Standardised recipe{LogisticRegression{.lambda = 1e-2}.with(Newton{.tolerance = 1e-9})};
  for (const auto division : divisions) {
    const auto problem = divide(x, y, made_up_weights(151), division);
    const auto alone =
        recipe.fit(problem.all_x, problem.all_y, {.sample_weights = problem.all_weights});
    const auto shared =
        recipe.fit(problem.x, problem.y, {.sample_weights = problem.weights, .processes = world()});
    REQUIRE(shared.status == Status::converged);
    REQUIRE(is_same_everywhere(numbers_of(shared)));
    REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-8));
    REQUIRE((shared.scores(problem.all_x) - alone.scores(problem.all_x)).norm() <=
            1e-4 * alone.scores(problem.all_x).norm());
  }
}

TEST_CASE("Standardised: several classes of divided rows", "[mpi]") {
  const auto [x, y] = made_up(97, 5);
  Vector<double> classes = y;
  for (Index i = 0; i < classes.size(); ++i)
    if (x(i, 1) > 0.4) classes[i] = 4;
  const OneVsRest recipe{
      Standardised{LogisticRegression{.lambda = 1e-2}.with(Newton{.tolerance = 1e-9})}};
  const auto problem = divide(x, classes, {}, Division::last_empty);
  const auto alone = recipe.fit(problem.all_x, problem.all_y);
  const auto shared = recipe.fit(problem.x, problem.y, {.processes = world()});
  REQUIRE(shared.labels.values() == std::vector<double>{-1, 1, 4});
  for (std::size_t k = 0; k < 3; ++k) {
    REQUIRE(is_same_everywhere(numbers_of(shared.models[k])));
    REQUIRE_THAT(shared.models[k].objective, WithinRel(alone.models[k].objective, 1e-8));
    REQUIRE((shared.models[k].weights - alone.models[k].weights).norm() <=
            1e-4 * alone.models[k].weights.norm());
  }
}

}  // namespace mpi_standardised_test
