// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/losses.hpp>
#include <linea/optimizers.hpp>
#include <linea/penalties.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

struct Problem {
  Matrix<double> x = synthetic::features(6, 3, 1);
  Vector<double> y = synthetic::signs(x, 2);
};

const Objective hinge{Hinge{}, L2{0.1}};
const Objective squared{Squared{}, L2{0.1}};

/// Every optimizer's call on x and y, as (name in messages, call).
template <class Check>
void every_optimizer(const Check& check) {
  check("Sgd::minimize", [](const auto& x, const auto& y, const Extras<double>& e) {
    Sgd{}.minimize(hinge, x, y, e);
  });
  check("Pegasos::minimize", [](const auto& x, const auto& y, const Extras<double>& e) {
    Pegasos{}.minimize(hinge, x, y, e);
  });
  check("Perceptron::fit",
        [](const auto& x, const auto& y, const Extras<double>& e) { Perceptron{}.fit(x, y, e); });
  check("Ridge::minimize", [](const auto& x, const auto& y, const Extras<double>& e) {
    Ridge{}.minimize(squared, x, y, e.sample_weights);
  });
}

}  // namespace

TEST_CASE("Door: sizes that differ", "[optimizers]") {
  every_optimizer([](const std::string& name, const auto& call) {
    const Problem p;
    REQUIRE_THROWS_AS(call(p.x, Vector<double>(p.y.head(3)), {}), std::invalid_argument);
    REQUIRE_THROWS_WITH(call(p.x, Vector<double>(p.y.head(3)), {}),
                        name + ": x has 6 rows but y has 3");
    REQUIRE_THROWS_WITH(call(p.x, p.y, {.sample_weights = Vector<double>::Ones(5)}),
                        name + ": 5 sample weights but y has 6");
  });
  const Problem p;
  REQUIRE_THROWS_WITH(Sgd{}.minimize(hinge, p.x, p.y, {.start_weights = Vector<double>::Ones(4)}),
                      "Sgd::minimize: 4 start weights for 3 features");
}

TEST_CASE("Door: an empty matrix", "[optimizers]") {
  every_optimizer([](const std::string& name, const auto& call) {
    REQUIRE_THROWS_WITH(call(Matrix<double>(0, 3), Vector<double>(0), {}),
                        name + ": x is empty (0 x 3)");
    REQUIRE_THROWS_WITH(call(Matrix<double>(2, 0), Vector<double>(Vector<double>::Ones(2)), {}),
                        name + ": x is empty (2 x 0)");
    REQUIRE_THROWS_WITH(call(SparseMatrix<double>(0, 0), Vector<double>(0), {}),
                        name + ": x is empty (0 x 0)");
  });
}

TEST_CASE("Door: entries that are not finite, with row and column", "[optimizers]") {
  every_optimizer([](const std::string& name, const auto& call) {
    for (const double bad : {nan_value, infinity, -infinity}) {
      Problem p;
      p.x(4, 1) = bad;
      REQUIRE_THROWS_WITH(call(p.x, p.y, {}), name + ": x(4, 1) is not finite");
      const Eigen::MatrixXd columns = p.x;
      REQUIRE_THROWS_WITH(call(columns, p.y, {}), name + ": x(4, 1) is not finite");
      const SparseMatrix<double> sparse = p.x.sparseView();
      REQUIRE_THROWS_WITH(call(sparse, p.y, {}), name + ": x(4, 1) is not finite");
      Problem q;
      q.y[2] = bad;
      REQUIRE_THROWS_WITH(call(q.x, q.y, {}), ContainsSubstring(name + ": y(2"));
    }
    Problem huge;  // finite, though its square is not
    huge.x *= 1e200;
    REQUIRE_NOTHROW(call(huge.x, huge.y, {}));
  });
}

TEST_CASE("Door: a label the loss does not take", "[optimizers]") {
  Problem p;
  p.y[3] = 0;
  REQUIRE_THROWS_WITH(Sgd{}.minimize(hinge, p.x, p.y),
                      "Sgd::minimize: y(3) = 0 is no target of hinge, which takes -1 or +1");
  REQUIRE_THROWS_WITH(Perceptron{}.fit(p.x, p.y),
                      "Perceptron::fit: y(3) = 0 is no target of zero-one, which takes -1 or +1");
  REQUIRE_NOTHROW(Sgd{}.minimize(squared, p.x, p.y));
}

TEST_CASE("Door: sample weights", "[optimizers]") {
  every_optimizer([](const std::string& name, const auto& call) {
    const Problem p;
    Vector<double> weights = Vector<double>::Ones(6);
    weights[2] = -1;
    REQUIRE_THROWS_WITH(call(p.x, p.y, {.sample_weights = weights}),
                        name + ": sample weight 2 is -1");
    weights[2] = nan_value;
    REQUIRE_THROWS_WITH(call(p.x, p.y, {.sample_weights = weights}),
                        ContainsSubstring(name + ": sample weight 2 is"));
    REQUIRE_THROWS_WITH(call(p.x, p.y, {.sample_weights = Vector<double>::Zero(6)}),
                        name + ": all sample weights are zero");
  });
}

TEST_CASE("Door: parameters out of their domain", "[optimizers]") {
  const Problem p;
  const auto refuses = [&](const auto& call, const std::string& message) {
    REQUIRE_THROWS_AS(call(), std::invalid_argument);
    REQUIRE_THROWS_WITH(call(), ContainsSubstring(message));
  };
  refuses(
      [&] {
        Sgd{}.minimize(Objective{Hinge{}, L2{-1}}, p.x, p.y);
      },
      "Sgd::minimize: the penalty's lambda = -1 must be finite and >= 0");
  refuses([&] { Ridge{}.minimize(Objective{Squared{}, L2{nan_value}}, p.x, p.y); }, "lambda");
  refuses(
      [&] {
        Sgd{}.minimize(Objective{Hinge{}, ElasticNet{0.1, -0.1}}, p.x, p.y);
      },
      "must be finite and >= 0");
  refuses(
      [&] {
        Sgd{}.minimize(Objective{Huber{-1}, L2{0.1}}, p.x, p.y);
      },
      "delta = -1 of the loss huber is out of its domain");
  refuses([&] { Sgd{.epochs = -1}.minimize(hinge, p.x, p.y); }, "-1 epochs");
  refuses([&] { Sgd{.batch = 0}.minimize(hinge, p.x, p.y); }, "a batch of 0 samples");
  refuses([&] { Sgd{.tolerance = -1}.minimize(hinge, p.x, p.y); }, "tolerance");
  refuses([&] { BasicSgd<ConstantStep>{.step = {0}}.minimize(hinge, p.x, p.y); },
          "the step size at t = 1 is 0");
  refuses([&] { BasicSgd<ConstantStep>{.step = {nan_value}}.minimize(hinge, p.x, p.y); },
          "the step size at t = 1 is");
  refuses(
      [&] {
        BasicSgd<InverseLambda>{}.minimize(Objective{Hinge{}, L2{0}}, p.x, p.y);
      },
      "needs lambda > 0");
  refuses([&] { Sgd{}.start<double>(hinge, 0); }, "Sgd::start: 0 features");
}

TEST_CASE("Door: online, a bad sample is refused and changes nothing", "[optimizers]") {
  Problem p;
  auto learner = Sgd{}.start<double>(hinge, 3);
  learner.update(p.x.row(0), p.y[0]);
  const auto before = learner.solution();
  REQUIRE_THROWS_WITH(learner.update(Vector<double>(Vector<double>::Ones(2)), 1),
                      "Learner::update: the sample has 2 features but the learner has 3 weights");
  REQUIRE_THROWS_WITH(learner.update(p.x.row(1), 3),
                      "Learner::update: y = 3 is no target of hinge, which takes -1 or +1");
  REQUIRE_THROWS_WITH(learner.update(p.x.row(1), 1, -2),
                      "Learner::update: the sample weight is -2");
  REQUIRE_THROWS_WITH(learner.update(p.x.topRows(2), 1),
                      "Learner::update: a sample is one row, but x has 2");
  p.x(1, 2) = nan_value;
  REQUIRE_THROWS_WITH(learner.update(p.x.row(1), 1), "Learner::update: x(0, 2) is not finite");
  REQUIRE_THROWS_WITH(learner.epoch(p.x, p.y), "Learner::epoch: x(1, 2) is not finite");
  REQUIRE_THROWS_WITH(learner.epoch(p.x.leftCols(2), p.y),
                      "Learner::epoch: x has 2 columns but the learner has 3 weights");
  REQUIRE(learner.solution().weights == before.weights);
  REQUIRE(learner.updates() == 1);
}
