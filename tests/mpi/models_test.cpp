// SPDX-License-Identifier: MIT
/// \file Recipes for classes on rows that are divided among processes, against all rows on one.
#include <linea/models/classifiers.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/optimizers/newton.hpp>

#include "mpi/divided.hpp"
#include "support/catch.hpp"

namespace mpi_models_test {

using namespace linea;
using namespace divided;

namespace {

const Newton newton{.tolerance = 1e-9};

/// The model of divided rows has the labels, F and, to `tolerance`, the weights of all rows.
template <class M>
void is_same_model(const M& shared, const M& alone, double tolerance) {
  REQUIRE(shared.labels.values() == alone.labels.values());
  REQUIRE(is_same_everywhere(numbers_of(shared)));
  REQUIRE_THAT(shared.objective, WithinRel(alone.objective, 1e-8));
  REQUIRE((shared.weights - alone.weights).norm() <= tolerance * alone.weights.norm());
  REQUIRE(std::abs(shared.offset - alone.offset) <= tolerance * alone.weights.norm());
}

/// Labels 3 and 8 for targets −1 and +1.
Vector<double> labels_of(const Vector<double>& y) { return 2.5 * y.array() + 5.5; }

}  // namespace

TEST_CASE("Classifiers: divided rows, of one class on a rank, have the model of all", "[mpi]") {
  const auto [x, y] = made_up(151, 6);
  for (const auto division : {Division::even, Division::last_empty, Division::by_target}) {
    auto problem = divide(x, labels_of(y), made_up_weights(151), division);
    const LogisticRegression plain{.lambda = 1e-2};
    const auto recipe = plain.with(newton);
    is_same_model(recipe.fit(problem.x, problem.y, {.processes = world()}),
                  recipe.fit(problem.all_x, problem.all_y), 1e-4);
    is_same_model(
        recipe.fit(problem.x, problem.y, {.sample_weights = problem.weights, .processes = world()}),
        recipe.fit(problem.all_x, problem.all_y, {.sample_weights = problem.all_weights}), 1e-4);
    for (const auto& weights : {ClassWeights(balanced), ClassWeights{{3, 2}, {8, 0.5}}}) {
      LogisticRegression weighted = plain;
      weighted.class_weights = weights;
      is_same_model(weighted.with(newton).fit(problem.x, problem.y, {.processes = world()}),
                    weighted.with(newton).fit(problem.all_x, problem.all_y), 1e-4);
    }
  }
}

TEST_CASE("OneVsRest: divided rows, of which no rank has all classes", "[mpi]") {
  const auto [x, y] = made_up(120, 5);
  Vector<double> classes = labels_of(y);
  for (Index i = 0; i < classes.size(); ++i)
    if (x(i, 1) > 0.4) classes[i] = -1;
  const auto problem = divide(x, classes, {}, Division::by_target);
  const OneVsRest recipe{LogisticRegression{.lambda = 1e-2, .threads = 2}.with(newton)};
  const auto shared = recipe.fit(problem.x, problem.y, {.processes = world()});
  const auto alone = recipe.fit(problem.all_x, problem.all_y);
  REQUIRE(shared.labels.values() == std::vector<double>{-1, 3, 8});
  for (std::size_t k = 0; k < 3; ++k) is_same_model(shared.models[k], alone.models[k], 1e-4);
}

TEST_CASE("Classifiers: divided rows of one class, or of three, are refused by all", "[mpi]") {
  const auto samples = made_up(20, 3);
  const auto& y = samples.second;
  const auto refusal = [&, &x = samples.first](const Vector<double>& labels) {
    const auto problem = divide(x, labels, {}, Division::by_target);
    try {
      (void)LogisticRegression{}.fit(problem.x, problem.y, {.processes = world()});
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  REQUIRE_THAT(refusal(Vector<double>::Ones(20)),
               ContainsSubstring("two classes are needed, but all 20 samples are of class 1"));
  Vector<double> three = y;
  three[0] = 7;
  REQUIRE_THAT(refusal(three), ContainsSubstring("y has 3; OneVsRest takes more than two"));
  if (world().size() == 1) return;
  Vector<double> strange = y;
  strange[19] = std::numeric_limits<double>::quiet_NaN();
  REQUIRE_THAT(refusal(strange), ContainsSubstring("is not finite"));
}

}  // namespace mpi_models_test
