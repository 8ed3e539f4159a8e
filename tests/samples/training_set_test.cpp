// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <linea/core/extras.hpp>
#include <linea/features/polynomial.hpp>
#include <linea/features/standardise.hpp>
#include <linea/losses/hinge.hpp>
#include <linea/losses/huber.hpp>
#include <linea/losses/squared.hpp>
#include <linea/optimizers.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/samples/training_set.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/in_double.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Door: a sparse row that names a column twice", "[samples]") {
  // Row 1 holds columns 2, 0, 2; row 0 is out of order, which is allowed.
  SparseMatrix<double> x(2, 3);
  x.resizeNonZeros(5);
  const std::vector<int> starts{0, 2, 5};
  const std::vector<int> columns{2, 0, 2, 0, 2};
  std::copy(starts.begin(), starts.end(), x.outerIndexPtr());
  std::copy(columns.begin(), columns.end(), x.innerIndexPtr());
  std::fill_n(x.valuePtr(), 5, 1.0);
  const Eigen::Vector2d y(1, -1);
  REQUIRE_THROWS_WITH(Sgd{}.minimize(Objective{Hinge{}, L2{0.1}}, x, y),
                      "Sgd::minimize: row 1 of x names column 2 twice");
  REQUIRE_THROWS_WITH(Ridge{}.minimize(Objective{Squared{}, L2{0.1}}, x, y),
                      "Ridge::minimize: row 1 of x names column 2 twice");
  auto learner = Sgd{}.start<double>(Objective{Hinge{}, L2{0.1}}, 3);
  REQUIRE_NOTHROW(learner.update(x.row(0), 1));
  REQUIRE_THROWS_WITH(learner.update(x.row(1), 1),
                      "Learner::update: row 0 of x names column 2 twice");
  REQUIRE_THROWS_WITH(learner.score(Vector<double>(Vector<double>::Ones(9))),
                      "Learner::score: a sample of 9 numbers, but the model has 3 weights");
}

TEST_CASE("Door: sparse rows of foreign arrays that name columns x does not have", "[samples]") {
  const auto refuses = [](int column, std::vector<int> starts, const std::string& what) {
    const std::vector<int> columns{0, 2, 1, column, 0};
    const std::vector<double> values(5, 1.0);
    const Eigen::Map<const SparseMatrix<double>> x(2, 3, 5, starts.data(), columns.data(),
                                                   values.data());
    const Eigen::Vector2d y(1, -1);
    const Objective objective{Squared{}, L2{0.1}};
    REQUIRE_THROWS_WITH(Sgd{}.minimize(objective, x, y), "Sgd::minimize: " + what);
    REQUIRE_THROWS_WITH(Ridge{}.minimize(objective, x, y), "Ridge::minimize: " + what);
    REQUIRE_THROWS_WITH(DualCoordinateAscent{}.minimize(objective, x, y),
                        "DualCoordinateAscent::minimize: " + what);
    REQUIRE_THROWS_WITH(standardise(x), "standardise: " + what);
    REQUIRE_THROWS_WITH(Polynomial{}.apply(x), "Polynomial::apply: " + what);
  };
  for (const int column : {-1, 3, 1 << 30, -(1 << 30)})
    refuses(column, {0, 2, 5},
            "row 1 of x names column " + std::to_string(column) + ", but x has 3 columns");
  refuses(2, {0, 1 << 30, 5},
          "row 0 of x overlaps the row before it, or ends behind the last entry");
  refuses(2, {0, 2, 1 << 30},
          "row 1 of x overlaps the row before it, or ends behind the last entry");
}

TEST_CASE("Door: a start that does not fit", "[samples]") {
  const auto x = synthetic::features(6, 2, 1);
  const auto y = synthetic::signs(x, 2);
  const Objective objective{Hinge{}, L2{0.1}};
  const Vector<double> w = Vector<double>::Ones(2);
  const auto message = ContainsSubstring("a start_offset goes with start_weights and an offset");
  REQUIRE_THROWS_WITH(Sgd{}.minimize(objective, x, y, {.start_offset = 5}), message);
  REQUIRE_THROWS_WITH(
      (Sgd{.offset = false}.minimize(objective, x, y, {.start_weights = w, .start_offset = 5})),
      message);
  const Vector<double> nan = Vector<double>::Constant(2, std::nan(""));
  REQUIRE_THROWS_WITH(Pegasos{}.minimize(objective, x, y, {.start_weights = nan}),
                      "Pegasos::minimize: the start is not finite");
  REQUIRE_THROWS_WITH(
      Sgd{}.minimize(objective, x, y, {.start_multipliers = Vector<double>::Ones(6)}),
      "Sgd::minimize: start_multipliers are for DualCoordinateAscent; a start of this is "
      "start_weights");
  REQUIRE_THROWS_WITH(Sgd{.average_from = 0}.minimize(objective, x, y),
                      ContainsSubstring("average_from = 0"));
  REQUIRE_THROWS_WITH(Sgd{.retries = -1}.minimize(objective, x, y),
                      ContainsSubstring("-1 retries"));
}

TEST_CASE("Door: sample weights of any scale", "[samples]") {
  const auto x = synthetic::features(20, 2, 1);
  const auto y = synthetic::numbers(x, 2);
  const Objective objective{Squared{}, L2{0.1}};
  const auto expected = Ridge{}.minimize(objective, x, y);
  for (const double scale : {1e-310, 1e308}) {
    const auto solution = Ridge{}.minimize(objective, x, y, Vector<double>::Constant(20, scale));
    CHECK((solution.weights - expected.weights).norm() < 1e-12);
    CHECK_THAT(solution.objective, WithinRel(expected.objective, 1e-12));
  }
}

TEST_CASE("Door: a sample weight above 0 stays above 0, however small it is beside others",
          "[samples]") {
  const auto scaled = [](const auto& weights) {
    return samples::admit_weights("door", weights.size(), weights);
  };
  const Vector<double> wide = scaled(Vector<double>{{1e300, 0, 1e-300, 5e-324}});
  CHECK((wide.array() > 0).cast<int>().matrix() == Eigen::Vector4i(1, 0, 1, 1));
  CHECK(wide[0] == 4);
  const Vector<float> narrow = scaled(Vector<float>{{1e30F, 0, 1e-30F}});
  CHECK((narrow.array() > 0).cast<int>().matrix() == Eigen::Vector3i(1, 0, 1));
}

TEST_CASE("in_double: the door names what is not finite, and sizes that differ", "[samples]") {
  auto [x, copy, y] = float_problem();
  const Objective objective{Hinge{}, L2{1e-2}};
  REQUIRE_THROWS_WITH(Sgd{}.minimize(objective, in_double(x), y.head(7)),
                      ContainsSubstring("x has 300 rows but y has 7"));
  x(17, 3) = std::numeric_limits<float>::quiet_NaN();
  const Eigen::MatrixXf columns = x;
  const auto sparse = synthetic::sparse(x);
  const std::string message = "Sgd::minimize: x(17, 3) is not finite";
  REQUIRE_THROWS_WITH(Sgd{}.minimize(objective, in_double(x), y), message);
  REQUIRE_THROWS_WITH(Sgd{}.minimize(objective, in_double(columns), y), message);
  REQUIRE_THROWS_WITH(Sgd{}.minimize(objective, in_double(sparse), y), message);
  REQUIRE_THROWS_WITH(Ridge{}.minimize(Objective{Squared{}, L2{}}, in_double(x), y),
                      "Ridge::minimize: x(17, 3) is not finite");
}

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

struct Problem {
  Matrix<double> x = synthetic::features(6, 3, 1);
  Vector<double> y = synthetic::signs(x, 2);
};

const Objective hinge{Hinge{}, L2{0.1}};
const Objective squared{Squared{}, L2{0.1}};

/// The calls of one that steps and one that solves, as (name in messages, call): the words of
/// refusals. That all optimizers refuse is a law, tests/optimizers/laws_*_test.cpp.
template <class Check>
void two_optimizers(const Check& check) {
  check("Sgd::minimize", [](const auto& x, const auto& y, const Extras<double>& e) {
    (void)Sgd{}.minimize(hinge, x, y, e);
  });
  check("Ridge::minimize", [](const auto& x, const auto& y, const Extras<double>& e) {
    (void)Ridge{}.minimize(squared, x, y, e.sample_weights);
  });
}

}  // namespace

TEST_CASE("Door: sizes that differ", "[samples]") {
  two_optimizers([](const std::string& name, const auto& call) {
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

TEST_CASE("Door: an empty matrix", "[samples]") {
  two_optimizers([](const std::string& name, const auto& call) {
    REQUIRE_THROWS_WITH(call(Matrix<double>(0, 3), Vector<double>(0), {}),
                        name + ": x is empty (0 x 3)");
    REQUIRE_THROWS_WITH(call(Matrix<double>(2, 0), Vector<double>(Vector<double>::Ones(2)), {}),
                        name + ": x is empty (2 x 0)");
    REQUIRE_THROWS_WITH(call(SparseMatrix<double>(0, 0), Vector<double>(0), {}),
                        name + ": x is empty (0 x 0)");
  });
}

TEST_CASE("Door: entries that are not finite, with row and column", "[samples]") {
  two_optimizers([](const std::string& name, const auto& call) {
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

TEST_CASE("Door: a label the loss does not take", "[samples]") {
  Problem p;
  p.y[3] = 0;
  REQUIRE_THROWS_WITH(Sgd{}.minimize(hinge, p.x, p.y),
                      "Sgd::minimize: y(3) = 0 is no target of hinge, which takes -1 or +1");
  REQUIRE_THROWS_WITH(Perceptron{}.fit(p.x, p.y),
                      "Perceptron::fit: y(3) = 0 is no target of zero-one, which takes -1 or +1");
  REQUIRE_NOTHROW(Sgd{}.minimize(squared, p.x, p.y));
}

TEST_CASE("Door: sample weights", "[samples]") {
  two_optimizers([](const std::string& name, const auto& call) {
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

TEST_CASE("Door: parameters out of their domain", "[samples]") {
  const Problem p;
  const auto refuses = [&](const auto& call, const std::string& message) {
    REQUIRE_THROWS_AS(call(), std::invalid_argument);
    REQUIRE_THROWS_WITH(call(), ContainsSubstring(message));
  };
  refuses(
      [&] {
        (void)Sgd{}.minimize(Objective{Hinge{}, L2{-1}}, p.x, p.y);
      },
      "Sgd::minimize: the penalty's lambda = -1 must be finite and >= 0");
  refuses([&] { (void)Ridge{}.minimize(Objective{Squared{}, L2{nan_value}}, p.x, p.y); }, "lambda");
  refuses(
      [&] {
        (void)Sgd{}.minimize(Objective{Hinge{}, ElasticNet{0.1, -0.1}}, p.x, p.y);
      },
      "must be finite and >= 0");
  refuses(
      [&] {
        (void)Sgd{}.minimize(Objective{Huber{-1}, L2{0.1}}, p.x, p.y);
      },
      "delta = -1 of the loss huber is out of its domain");
  refuses([&] { (void)Sgd{.epochs = -1}.minimize(hinge, p.x, p.y); }, "-1 epochs");
  refuses([&] { (void)Sgd{.batch = 0}.minimize(hinge, p.x, p.y); }, "a batch of 0 samples");
  refuses([&] { (void)Sgd{.tolerance = -1}.minimize(hinge, p.x, p.y); }, "tolerance");
  refuses([&] { (void)BasicSgd<ConstantStep>{.step = {0}}.minimize(hinge, p.x, p.y); },
          "the step size at t = 1 is 0");
  refuses([&] { (void)BasicSgd<ConstantStep>{.step = {nan_value}}.minimize(hinge, p.x, p.y); },
          "the step size at t = 1 is");
  refuses(
      [&] {
        (void)BasicSgd<InverseLambda>{}.minimize(Objective{Hinge{}, L2{0}}, p.x, p.y);
      },
      "needs lambda > 0");
  refuses([&] { Sgd{}.start<double>(hinge, 0); }, "Sgd::start: 0 features");
}

TEST_CASE("Door: more rows than row numbers count are refused before any is read", "[samples]") {
  // Of the rows there is nothing but their number: who reads one crashes.
  if constexpr (sizeof(Index) < 8) return;  // there are none
  const auto n = static_cast<Index>(std::int64_t{1} << 32);
  const Eigen::Map<const Matrix<double>> rows(nullptr, n, 1);
  CHECK_THROWS_WITH(samples::admit_samples("door", rows, n, Vector<double>()),
                    "door: x has 4294967296 rows, more than 2^32 - 1");
  const Eigen::Map<const Matrix<float>> narrow(nullptr, n, 1);
  CHECK_THROWS_WITH(samples::admit_samples_in_double("door", narrow, n, Vector<float>()),
                    "door: x has 4294967296 rows, more than 2^32 - 1");
}
