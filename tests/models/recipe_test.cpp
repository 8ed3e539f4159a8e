// SPDX-License-Identifier: MIT
#include <cmath>
#include <concepts>
#include <functional>
#include <linea/activations/exponential.hpp>
#include <linea/losses/composed.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/poisson.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/models/recipe.hpp>
#include <linea/models/summary.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/ridge.hpp>
#include <sstream>
#include <string>

#include "support/catch.hpp"

using namespace linea;

namespace {

const Matrix<double> x{{-2.0, 1.0}, {-1.0, -1.0}, {1.0, 0.5}, {3.0, -1.0}};
const Vector<double> signs{{-1.0, -1.0, 1.0, 1.0}};

template <class M>
std::string printed(const M& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

}  // namespace

TEST_CASE("model_of: converts a solution to the model of its loss") {
  const Objective logistic{Log{}, L2{1e-2}};
  const auto solution = Newton{}.minimize(logistic, x, signs);
  const auto model = model_of(solution, logistic);
  static_assert(std::same_as<decltype(model), const ProbabilisticClassifier<double>>);
  CHECK(model.weights == solution.weights);
  CHECK(model.gap == solution.gap);
  CHECK(model.loss == "log");
  CHECK(model.predict(x) == signs);
  const Vector<double> scores = (x * solution.weights).array() + solution.offset;
  CHECK((model.scores(x) - scores).norm() < 1e-12 * scores.norm());
  CHECK(model.probability(x.row(2)) > 0.5);

  static_assert(std::same_as<decltype(model_of(Solution<float>{}, Objective{Hinge{}, L2{}})),
                             Classifier<float>>);

  const Objective squares{Squared{}, L2{1e-2}};
  const Vector<double> y{{1.0, 2.0, 3.0, 5.0}};
  const auto line = model_of(Ridge{}.minimize(squares, x, y), squares);
  static_assert(std::same_as<decltype(line), const Regressor<double>>);
  CHECK(line.predict(x) == line.scores(x));
  CHECK(line.optimizer == "Ridge");

  Matrix<double> targets(4, 2);
  targets << y, -y;
  const auto lines = model_of(Ridge{}.minimize(squares, x, targets), squares);
  static_assert(std::same_as<decltype(lines), const MultiTargetRegressor<double>>);
  CHECK((lines.predict(x).col(1) + lines.predict(x).col(0)).norm() < 1e-12);

  const Objective counts{Composed{Poisson{}, Exponential{}}, L2{1e-2}};
  const auto rates = model_of(Newton{}.minimize(counts, x, y), counts);
  CHECK_THAT(rates.predict(x)[3], WithinRel(std::exp(rates.scores(x)[3]), 1e-15));
}

TEST_CASE("predict: returns integer labels on request") {
  const Objective objective{Log{}, L2{1e-2}};
  const auto model = model_of(Newton{}.minimize(objective, x, signs), objective);
  const Eigen::VectorXi labels = model.predict<int>(x);
  CHECK(labels == Eigen::VectorXi{{-1, -1, 1, 1}});
}

TEST_CASE("Solutions, statuses, models of many targets and confusion matrices can be printed") {
  const Objective objective{Log{}, L2{1e-2}};
  const auto solution = Newton{}.minimize(objective, x, signs);
  CHECK_THAT(printed(solution),
             ContainsSubstring("2 weights, F = ") && ContainsSubstring("by Newton, converged\n"));
  CHECK(printed(Status::epoch_limit) == "epoch-limit");
  Matrix<double> targets(4, 2);
  targets << signs, -signs;
  const Objective squares{Squared{}, L2{1e-2}};
  CHECK_THAT(printed(model_of(Ridge{}.minimize(squares, x, targets), squares)),
             ContainsSubstring("2 x 2 weights, F = "));
  CHECK(printed(confusion_matrix(Vector<double>{{1, 1, -1, -1}}, signs)) ==
        " y \\ pred.        -1         1\n"
        "        -1         0         2\n"
        "         1         2         0\n");
}

TEST_CASE("An observer without a return value can be passed in Extras") {
  const Objective objective{Log{}, L2{1e-2}};
  Index seen = 0;
  const auto solution = Newton{}.minimize(
      objective, x, signs, {.observer = [&](const Progress& progress) { seen = progress.epoch; }});
  CHECK(seen == solution.iterations);
  const auto stopped = Newton{.tolerance = 0}.minimize(
      objective, x, signs, {.observer = [](const Progress&) { return Control::stop; }});
  CHECK(stopped.status == Status::stopped);
  const std::function<Control(const Progress&)> none;
  CHECK(!Extras<double>{.observer = none}.observer);
  const std::function<Control(const Progress&)> kept = Extras<double>{}.observer;
  CHECK(kept(Progress{}) == Control::proceed);
  CHECK(Newton{}.minimize(objective, x, signs, {.observer = none}).weights == solution.weights);
}
