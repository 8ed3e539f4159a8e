// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/metrics/empirical_risk.hpp>
#include <linea/models/recipes.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/least_squares/double_rows.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/ridge.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/shuffled.hpp>
#include <linea/penalties.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes/automatic.hpp>
#include <linea/step_sizes/constant.hpp>
#include <linea/step_sizes/inverse_lambda.hpp>
#include <type_traits>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

/// Floats, the same numbers as doubles, and targets ±1.
struct Problem {
  Matrix<float> x;
  Matrix<double> copy = x.cast<double>();
  Vector<double> y = synthetic::signs(copy, 12);
};

Problem problem(double density = 1) { return {synthetic::features<float>(300, 21, 11, density)}; }

/// fit(x, y) on in_double(x) against that on a double copy: bit for bit by rows, dense and sparse, and by columns
/// where the order of visits is the same, up to `tolerance` of the solution.
template <class F>
void same_solution(F&& fit, double tolerance = 1e-12) {
  const auto same = [](const auto& seen, const auto& copied) {
    static_assert(std::same_as<std::remove_cvref_t<decltype(seen.weights)>, Vector<double>>);
    CHECK(seen.weights == copied.weights);
    CHECK(seen.offset == copied.offset);
    CHECK(seen.objective == copied.objective);
    CHECK(copied.weights.norm() > 0.01);
  };
  const auto [x, copy, y] = problem();
  same(fit(in_double(x), y), fit(copy, y));
  const Eigen::Map<const Matrix<float>> map(x.data(), x.rows(), x.cols());
  same(fit(in_double(map), y), fit(copy, y));
  same(fit(in_double(x.middleCols(1, 9)), y), fit(copy.middleCols(1, 9), y));

  const Eigen::MatrixXf columns = x;
  const Eigen::MatrixXd columns_copy = copy;
  const auto seen = fit(in_double(columns), y);
  const auto copied = fit(columns_copy, y);
  CHECK((seen.weights - copied.weights).norm() <= tolerance * copied.weights.norm());
  CHECK(std::abs(seen.offset - copied.offset) <= tolerance * copied.weights.norm());
  CHECK(std::abs(seen.objective - copied.objective) <= tolerance);

  const auto [z, z_copy, z_y] = problem(0.3);
  const auto sparse = synthetic::sparse(z);
  same(fit(in_double(sparse), z_y), fit(synthetic::sparse(z_copy), z_y));
}

template <class Optimizer, class O>
auto minimize(const Optimizer& optimizer, const O& objective) {
  return [=](const auto& x, const auto& y) { return optimizer.minimize(objective, x, y); };
}

}  // namespace

// The default order draws its sets by the size of a row, which is half as much in floats: hence Cyclic and
// Shuffled here.
TEST_CASE("in_double: Sgd takes the steps it takes on a double copy", "[optimizers]") {
  for (const Iterate iterate : {Iterate::best, Iterate::last, Iterate::average}) {
    const BasicSgd<AutomaticStep, Cyclic> cyclic{.epochs = 6, .iterate = iterate};
    same_solution(minimize(cyclic, Objective{Hinge{}, L2{1e-2}}));
    same_solution(minimize(cyclic, Objective{Log{}, L1{1e-2}}));
    const BasicSgd<AutomaticStep, Shuffled> shuffled{.epochs = 6, .batch = 7, .iterate = iterate};
    same_solution(minimize(shuffled, Objective{Squared{}, NoPenalty{}}));
  }
}

TEST_CASE("in_double: Pegasos and the perceptron take the steps they take on a double copy",
          "[optimizers]") {
  for (const Iterate iterate : {Iterate::last, Iterate::average}) {
    const BasicPegasos<InverseLambda, Shuffled> pegasos{.epochs = 6, .iterate = iterate};
    same_solution(minimize(pegasos, Objective{Hinge{}, L2{1e-2}}));
  }
  for (const bool average : {false, true})
    same_solution([&](const auto& x, const auto& y) {
      return Perceptron{.epochs = 5, .average = average}.fit(x, y);
    });
}

TEST_CASE("in_double: gradient descent goes where it goes on a double copy", "[optimizers]") {
  same_solution(minimize(GradientDescent{.epochs = 20}, Objective{Log{}, L2{1e-2}}));
}

TEST_CASE("in_double: threads give the bits of as many on a double copy", "[optimizers]") {
  const BasicSgd<AutomaticStep, Shuffled> sgd{.epochs = 4, .threads = 2};
  same_solution(minimize(sgd, Objective{Hinge{}, L2{1e-2}}));
}

TEST_CASE("in_double: the default order reaches the minimum, and many targets at once",
          "[optimizers]") {
  const auto [x, copy, y] = problem();
  const Objective objective{Log{}, L2{0.1}};
  const Sgd sgd{.epochs = 300, .tolerance = 1e-9};
  const auto seen = sgd.minimize(objective, in_double(x), y);
  const auto copied = sgd.minimize(objective, copy, y);
  CHECK_THAT(seen.objective, WithinRel(copied.objective, 1e-5));
  Matrix<double> targets(y.size(), 2);
  targets << y, -y;
  const auto each = sgd.minimize_each(objective, in_double(x), targets);
  CHECK(each[0].weights == seen.weights);
}

TEST_CASE("in_double: Ridge solves what it solves for a double copy", "[optimizers]") {
  const auto near = [](const auto& seen, const auto& copied) {
    static_assert(std::same_as<std::remove_cvref_t<decltype(seen.weights)>, Vector<double>>);
    CHECK((seen.weights - copied.weights).norm() <= 1e-12 * copied.weights.norm());
    CHECK(std::abs(seen.offset - copied.offset) <= 1e-12 * copied.weights.norm());
    CHECK_THAT(seen.objective, WithinRel(copied.objective, 1e-12));
    CHECK(seen.rank == copied.rank);
  };
  const Objective objective{Squared{}, L2{1e-3}};
  for (const Index n : {300, 15}) {  // as equations of the features, and of the samples
    const auto [x, copy, y] = problem(0.5);
    const Matrix<float> top = x.topRows(n);
    const Matrix<double> top_copy = copy.topRows(n);
    const Vector<double> targets = synthetic::numbers(copy, 13).head(n);
    const Eigen::MatrixXf columns = top;
    const auto sparse = synthetic::sparse(top);
    const auto expected = Ridge{}.minimize(objective, top_copy, targets);
    near(Ridge{}.minimize(objective, in_double(top), targets), expected);
    near(Ridge{}.minimize(objective, in_double(columns), targets), expected);
    near(Ridge{}.minimize(objective, in_double(sparse), targets), expected);
  }
}

TEST_CASE("in_double: recipes fit and predict", "[optimizers]") {
  const auto [x, copy, y] = problem();
  const LinearSvm svm{.lambda = 1e-2};
  const Classifier<double> model = svm.fit(in_double(x), y);
  CHECK(model.scores(in_double(x)) == model.scores(copy));
  CHECK(model.predict(in_double(x)) == model.predict(copy));
  CHECK((model.predict(in_double(x)).array() == y.array()).count() > 270);
  const Vector<float> sample = x.row(4);
  CHECK_THAT(model.score(in_double(sample)), WithinRel(model.scores(copy)[4], 1e-12));
  const Objective objective{Hinge{}, L2{1e-2}};
  CHECK(objective_value(objective, in_double(x), y, model.weights, model.offset) ==
        objective_value(objective, copy, y, model.weights, model.offset));
  const auto ridge = RidgeRegression{.lambda = 1e-3}.fit(in_double(x), y);
  CHECK(ridge.predict(in_double(x)) == ridge.predict(copy));
}

TEST_CASE("in_double: a learner is fed floats one by one", "[optimizers]") {
  const auto [x, copy, y] = problem();
  const BasicSgd<AutomaticStep, Cyclic> sgd;
  const auto start = [&] { return sgd.start<double>(Objective{Log{}, L2{1e-2}}, 21); };
  auto seen = start();
  auto copied = start();
  for (Index i = 0; i < 50; ++i) {
    const Vector<float> sample = x.row(i);
    if (i % 2)
      seen.update(in_double(sample), y[i]);
    else
      seen.update(in_double(x.row(i)), y[i]);
    copied.update(copy.row(i), y[i]);
  }
  seen.update_batch(in_double(x.topRows(30)), y.head(30));
  copied.update_batch(copy.topRows(30), y.head(30));
  seen.epoch(in_double(x), y);
  copied.epoch(copy, y);
  CHECK(copied.current_weights().norm() > 0.1);
  CHECK(seen.current_weights() == copied.current_weights());
}

TEST_CASE("in_double: steps too small for a float still move the weights", "[optimizers]") {
  // On x = 1 with target 2 the distance 2 − w shrinks by 1 − η a step; from w = 1 a step of 2e-8 is less than half
  // of what a float can tell from nothing.
  const Index n = 1000000;
  const Matrix<float> x = Matrix<float>::Ones(n, 1);
  const Vector<double> y = Vector<double>::Constant(n, 2);
  BasicSgd<ConstantStep, Cyclic> sgd{.epochs = 1, .tolerance = 0, .offset = false};
  sgd.step.size = 2e-8;
  sgd.iterate = Iterate::last;
  Extras<float> from_one;
  from_one.start_weights = Vector<float>::Ones(1);
  Extras<double> from_one_in_double;
  from_one_in_double.start_weights = Vector<double>::Ones(1);
  const Objective objective{Squared{}, NoPenalty{}};
  CHECK(sgd.minimize(objective, x, y, from_one).weights[0] == 1.0F);
  const double moved = sgd.minimize(objective, in_double(x), y, from_one_in_double).weights[0];
  CHECK_THAT(moved, WithinRel(2 - std::pow(1 - 2e-8, n), 1e-9));
}

TEST_CASE("in_double: the door names what is not finite, and sizes that differ", "[optimizers]") {
  auto [x, copy, y] = problem();
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

TEST_CASE("DoubleRows: the memory of rows that lie in one piece", "[optimizers]") {
  const auto lie_at = [](const auto& x, Index first, Index last) {
    const auto rows = rows_of(x);
    return least_squares::DoubleRows<std::remove_const_t<decltype(rows)>>::bytes(rows, first, last);
  };
  const Matrix<float> x = Matrix<float>::Ones(7, 5);
  const auto some = lie_at(x, 2, 6);
  CHECK(some.data() == reinterpret_cast<const char*>(&x(2, 0)));
  CHECK(some.size() == 4 * 5 * sizeof(float));
  CHECK(lie_at(x, 3, 3).empty());
  // One row lies in one piece, rows with gaps between them do not, and columns never do.
  const Matrix<double> wide = Matrix<double>::Ones(7, 5);
  CHECK(lie_at(wide.leftCols(4), 1, 2).data() == reinterpret_cast<const char*>(&wide(1, 0)));
  CHECK(lie_at(wide.leftCols(4), 1, 2).size() == 4 * sizeof(double));
  CHECK(lie_at(wide.leftCols(4), 1, 3).empty());
  CHECK(lie_at(Eigen::MatrixXd(wide), 0, 7).empty());
  CHECK(lie_at(synthetic::sparse(wide), 0, 7).empty());
  CHECK(lie_at(in_double(x), 0, 7).empty());
}
