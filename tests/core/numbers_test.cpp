// SPDX-License-Identifier: MIT
/// \file Targets and weights of any type, and x as an expression of Eigen, give the same bits.
#include <array>
#include <linea/all.hpp>
#include <span>
#include <vector>

#include "support/catch.hpp"

using namespace linea;

namespace {

const Matrix<double> x{{1, 2}, {2, 1}, {-1, -2}, {-2, 0.5}, {0.5, -1}, {-0.5, 1.5}};
const std::vector<int> labels{1, 1, 0, 0, 1, 0};
const std::vector<int> signs{1, 1, -1, -1, 1, -1};

template <class V>
V converted(const std::vector<int>& numbers) {
  V all(static_cast<Index>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    all[static_cast<Index>(i)] = static_cast<typename V::Scalar>(numbers[i]);
  return all;
}

/// Calls f with the six numbers in vectors, arrays, spans and expressions of several types.
template <class F>
void in_every_form(const std::vector<int>& numbers, const F& f) {
  f(numbers);
  f(converted<Vector<double>>(numbers));
  f(converted<Vector<float>>(numbers));
  f(converted<Eigen::Matrix<short, 6, 1>>(numbers));
  f(converted<Eigen::RowVectorXd>(numbers));
  f(converted<Eigen::ArrayXd>(numbers));
  f(-converted<Vector<double>>(numbers) * -1);
  f(std::span<const int>(numbers));
  const int plain[] = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
  f(plain);
  std::array<signed char, 6> small{};
  for (std::size_t i = 0; i < 6; ++i) small[i] = static_cast<signed char>(numbers[i]);
  f(small);
  Matrix<double> wide(6, 3);
  for (Index i = 0; i < 6; ++i) wide(i, 1) = numbers[static_cast<std::size_t>(i)];
  f(wide.col(1));
}

}  // namespace

TEST_CASE("Recipes and optimizers accept labels in every form", "[core]") {
  const Vector<double> expected = LogisticRegression{}.fit(x, labels).weights;
  const auto fits = [&](const auto& y) {
    CHECK(LogisticRegression{}.fit(x, y).weights == expected);
  };
  in_every_form(labels, fits);
  fits(std::vector<bool>{true, true, false, false, true, false});
  fits(converted<Eigen::Array<bool, Eigen::Dynamic, 1>>(labels));

  const Objective objective{Log{}, L2{0.1}};
  const Vector<double> solved = Newton{}.minimize(objective, x, signs).weights;
  in_every_form(
      signs, [&](const auto& y) { CHECK(Newton{}.minimize(objective, x, y).weights == solved); });
}

TEST_CASE("Every optimizer accepts a std::vector of targets", "[core]") {
  const Vector<double> y = converted<Vector<double>>(signs);
  const Objective objective{Log{}, L2{0.1}};
  const auto same = [&](const auto& minimise) {
    CHECK(minimise(signs).weights == minimise(y).weights);
  };
  const auto by = [&](const auto& optimizer, const auto& f) {
    same([&](const auto& targets) { return optimizer.minimize(f, x, targets); });
  };
  by(Sgd{.epochs = 3}, objective);
  by(CoordinateDescent{}, Objective{Log{}, L1{0.1}});
  by(DualCoordinateAscent{}, objective);
  by(InteriorPoint{}, Objective{Hinge{}, L1{0.1}});
  by(Auto{}, Objective{Hinge{}, L2{0.1}});
  by(Ridge{}, Objective{Squared{}, L2{0.1}});
  same([](const auto& targets) { return RidgePath{.lambdas = {1, 0.1}}.fit(x, targets); });
  same([](const auto& targets) { return Perceptron{}.fit(x, targets); });
  same([](const auto& targets) { return MaximumMargin{}.fit(x, targets); });
  CHECK(SoftmaxNewton{}.minimize(L2{0.1}, x, labels).weights ==
        SoftmaxNewton{}.minimize(L2{0.1}, x, converted<Vector<int>>(labels)).weights);
  same([&](const auto& targets) {
    return lambda_path(Newton{}, Objective{Log{}, L2{}}, {1, 0.1}, x, targets).back();
  });
  const auto solution = Newton{}.minimize(objective, x, signs);
  CHECK(certify(objective, solution, x, signs).dual == certify(objective, solution, x, y).dual);
  CHECK(CrossValidation{.folds = 2}.choose(Newton{}, objective, {0.1}, x, signs).mean ==
        CrossValidation{.folds = 2}.choose(Newton{}, objective, {0.1}, x, y).mean);
}

TEST_CASE("Weights of any scalar and form may be combined with x of any scalar", "[core]") {
  const std::vector<int> weights{1, 2, 3, 0, 1, 2};
  const Objective objective{Log{}, L2{0.1}};
  const Matrix<float> floats = x.cast<float>();
  const Vector<float> own = converted<Vector<float>>(weights);
  const Vector<float> start{{0.5F, 0.25F}};
  const Extras<float> plain{.sample_weights = own, .start_weights = start};
  const Vector<float> expected =
      Newton{.iterations = 1}.minimize(objective, floats, signs, plain).weights;
  in_every_form(weights, [&](const auto& s) {
    const auto solution = Newton{.iterations = 1}.minimize(
        objective, floats, signs, {.sample_weights = s, .start_weights = start.cast<double>()});
    CHECK(solution.weights == expected);
  });
}

TEST_CASE("x in expressions of Eigen and of fixed size give the same bits", "[core]") {
  const Vector<double> expected = Ridge{}.minimize(Objective{Squared{}, L2{0.1}}, x, signs).weights;
  const Vector<double> scores = RidgeRegression{.lambda = 0.1}.fit(x, signs).scores(x);
  const auto check = [&](const auto& samples) {
    const auto model = RidgeRegression{.lambda = 0.1}.fit(samples, signs);
    CHECK((model.scores(samples) - scores).norm() < 1e-14);
    CHECK(model.weights.isApprox(expected, 1e-14));
    CHECK(Newton{}.minimize(Objective{Log{}, L2{0.1}}, samples, signs).status == Status::converged);
  };
  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::MatrixXd columns = x;
  check(columns);
  check(Eigen::Ref<const Eigen::MatrixXd>(columns));
  check(Eigen::Matrix<double, 6, 2>(x));
  check(Eigen::Array<double, 6, 2>(x));
  Matrix<double> wide = x.replicate(2, 2);
  check(wide.block(6, 2, 6, 2));
  Matrix<double> spread(6, 4);
  Eigen::Map<Matrix<double>, 0, Strides> strided(spread.data(), 6, 2, Strides(4, 2));
  strided = x;
  check(strided);
}
