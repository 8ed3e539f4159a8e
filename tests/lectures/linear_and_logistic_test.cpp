// SPDX-License-Identifier: MIT
/// \file Tests the chapter linear-and-logistic-learners of the lectures: equations 7.1–7.3, Figures
/// 7.8–7.12, Examples 7.11–7.13. The book is Poole and Mackworth, Artificial Intelligence:
/// Foundations of Computational Agents.
#include <cmath>
#include <linea/activations/sigmoid.hpp>
#include <linea/core/extras.hpp>
#include <linea/io/csv.hpp>
#include <linea/losses.hpp>
#include <linea/metrics/regression.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/optimizers/gradient_descent.hpp>
#include <linea/optimizers/maximum_margin.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/orders/cyclic.hpp>
#include <linea/orders/with_replacement.hpp>
#include <linea/step_sizes/constant.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/minimum.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

namespace {

CsvData<double> table(const std::string& name) {
  return read_csv<double>(LINEA_SOURCE_DIR "/examples/data/" + name);
}

/// Runs incremental gradient descent as in the chapter: in the listed order, with η = 0.05, and
/// from zero unless there is a start.
template <class L>
Solution<double> sweep(const L& loss, const Matrix<double>& x, const Vector<double>& y,
                       Index sweeps, const Extras<double>& start = {}) {
  return BasicSgd<ConstantStep, Cyclic>{
      .epochs = sweeps, .tolerance = 0, .step = {0.05}, .iterate = Iterate::last, .retries = 0}
      .minimize(Objective{loss, NoPenalty{}}, x, y, start);
}

const Composed squared_of_sigmoid{Squared{}, Sigmoid{}};

/// Returns σ(⟨w, x⟩ + b) for all rows of x.
Vector<double> predictions(const Matrix<double>& x, const Vector<double>& w, double b) {
  const Vector<double> lin = (x * w).array() + b;
  return lin.unaryExpr([](double p) { return Sigmoid{}.value(p); });
}

/// Returns all points of {0, 1}^d as rows, in the order of binary numbers whose highest bit is the
/// first column.
Matrix<double> corners(Index d) {
  Matrix<double> x(Index{1} << d, d);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < d; ++j) x(i, j) = static_cast<double>((i >> (d - 1 - j)) & 1);
  return x;
}

}  // namespace

TEST_CASE(
    "Lectures: incremental, stochastic and batched gradient descent, batches that grow, and "
    "termination by steps, by small error and by small change are options of one optimizer",
    "[lectures]") {
  const auto x = synthetic::features(60, 3, 1);
  const auto y = synthetic::numbers(x, 2, 0.1);
  const Objective objective{Squared{}, NoPenalty{}};
  const double minimum = least_squares_minimum(x, y, 0).objective;
  const double eta = 0.05;

  // The algorithm of Figure 7.8, with the changes applied after each batch. η times the mean over a
  // batch of m samples is the chapter's η/m times the sum.
  const auto by_hand = [&](Index sweeps, Index batch) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(4);
    for (Index sweep = 0; sweep < sweeps; ++sweep)
      for (Index first = 0; first < 60; first += batch) {
        Eigen::VectorXd change = Eigen::VectorXd::Zero(4);
        const Index last = std::min<Index>(first + batch, 60);
        for (Index i = first; i < last; ++i) {
          Eigen::VectorXd e(4);
          e << x.row(i).transpose(), 1;
          change += eta * (y[i] - w.dot(e)) * e;
        }
        w += change / static_cast<double>(last - first);
      }
    return w;
  };
  const auto run = [&](const auto& optimizer) { return optimizer.minimize(objective, x, y); };
  for (const Index batch : {1, 7, 60}) {
    const auto solution = run(BasicSgd<ConstantStep, Cyclic>{
        .epochs = 5, .tolerance = 0, .step = {eta}, .batch = batch, .iterate = Iterate::last});
    REQUIRE((solution.weights - by_hand(5, batch).head(3)).norm() < 1e-13);
    REQUIRE_THAT(solution.offset, WithinAbs(by_hand(5, batch)[3], 1e-13));
  }
  // Batches of the whole set are gradient descent, and batches of one random sample are stochastic
  // gradient descent. With growing batches a run ends far closer to the minimum than with a
  // constant step on single samples.
  const auto whole =
      run(BasicGradientDescent<ConstantStep>{.epochs = 400, .tolerance = 0, .step = {eta}});
  BasicSgd<ConstantStep, WithReplacement> single{
      .epochs = 400, .tolerance = 0, .step = {eta}, .iterate = Iterate::last};
  const auto stochastic = run(single);
  single.batch_growth = 1.02;
  const auto growing = run(single);
  REQUIRE(whole.updates == 400);
  REQUIRE(stochastic.updates == 24000);
  REQUIRE(growing.updates < stochastic.updates);
  REQUIRE_THAT(whole.objective, WithinRel(minimum, 1e-6));
  REQUIRE(growing.objective - minimum < 0.1 * (stochastic.objective - minimum));

  REQUIRE(run(Sgd{.max_updates = 130, .tolerance = 0}).updates == 130);
  const auto small_error =
      run(Sgd{.epochs = 1000, .tolerance = 0, .target_objective = 1.1 * minimum});
  REQUIRE(small_error.status == Status::converged);
  REQUIRE(small_error.objective <= 1.1 * minimum);
  REQUIRE(small_error.epochs < 1000);
  const auto small_change =
      run(GradientDescent{.epochs = 1000, .tolerance = 0, .change_tolerance = 1e-6});
  REQUIRE(small_change.status == Status::settled);
  REQUIRE(small_change.epochs < 1000);
  REQUIRE_THAT(small_change.objective, WithinRel(minimum, 1e-6));
}

TEST_CASE("Lectures: sums of squared and of absolute errors, whose descent takes derivative 0 at 0",
          "[lectures]") {
  const Vector<double> p{{1, 2, 4}};
  const Vector<double> y{{1, 4, 1}};
  REQUIRE(sum_of_squared_errors(p, y) == 0 + 4 + 9);
  REQUIRE(sum_of_absolute_errors(p, y) == 0 + 2 + 3);
  // Equation (7.2): the slope of the squared error in a prediction is −2δ. The slope of Squared,
  // which has a factor ½, is −δ.
  REQUIRE(Squared{}.derivative(2.0, 4.0) == -2);
  REQUIRE(Absolute{}.derivative(2.0, 4.0) == -1);
  REQUIRE(Absolute{}.derivative(4.0, 1.0) == 1);
  REQUIRE(Absolute{}.derivative(1.0, 1.0) == 0);
  // If all residuals are 0, the derivatives of the absolute error are 0, and the weights do not
  // move.
  const auto x = synthetic::features(20, 2, 3);
  const Vector<double> exact = x.col(0) - 2 * x.col(1);
  Extras<double> extras;
  extras.start_weights = Vector<double>{{1, -2}};
  const auto still =
      BasicSgd<ConstantStep>{.epochs = 3, .step = {0.1}, .iterate = Iterate::last}.minimize(
          Objective{Absolute{}, NoPenalty{}}, x, exact, extras);
  REQUIRE(still.weights == extras.start_weights);
  REQUIRE(still.offset == 0);
  // The squared error is minimal at the mean, and the absolute error at the median.
  const Matrix<double> none = Matrix<double>::Zero(5, 1);
  const Vector<double> skew{{0, 1, 2, 3, 94}};
  const auto constant = [&](const auto& loss) {
    return GradientDescent{.epochs = 20000}
        .minimize(Objective{loss, NoPenalty{}}, none, skew)
        .offset;
  };
  REQUIRE_THAT(constant(Squared{}), WithinAbs(20, 0.01));
  REQUIRE_THAT(constant(Absolute{}), WithinAbs(2, 0.05));
}

TEST_CASE("Lectures: logistic regression on targets {0, 1} and on ±1 agree", "[lectures]") {
  const auto& set = shipped::breast_cancer();
  const Vector<double> bits = (set.y.array() + 1) / 2;
  for (const double lambda : {0.0, 0.01}) {
    const GradientDescent descent{.epochs = 100, .tolerance = 0};
    const auto on_bits =
        descent.minimize(Objective{SigmoidCrossEntropy{}, L2{lambda}}, set.x, bits);
    const auto on_signs = descent.minimize(Objective{Log{}, L2{lambda}}, set.x, set.y);
    REQUIRE((on_bits.weights - on_signs.weights).norm() < 1e-12 * on_signs.weights.norm());
    REQUIRE_THAT(on_bits.offset, WithinRel(on_signs.offset, 1e-10));
    REQUIRE_THAT(on_bits.objective, WithinRel(on_signs.objective, 1e-12));
  }
  // The update of Figure 7.10, η·(Y − pred(e)), is the same for log loss and for cross-entropy.
  for (const double score : {-3.0, 0.0, 0.7})
    for (const double bit : {0.0, 1.0}) {
      const double slope = Sigmoid{}.value(score) - bit;
      REQUIRE_THAT(SigmoidCrossEntropy{}.derivative(score, bit), WithinRel(slope, 1e-14));
      REQUIRE_THAT(Log{}.derivative(score, 2 * bit - 1), WithinRel(slope, 1e-14));
    }
}

TEST_CASE(
    "Lectures: the holiday data, squared error on the sigmoid, in the listed order from zero, "
    "give the book's weights and predictions",
    "[lectures]") {
  const auto data = table("holidays.csv");
  REQUIRE(data.x.rows() == 19);
  REQUIRE(data.x.cols() == 5);
  const auto solution = sweep(squared_of_sigmoid, data.x, data.y, 10000);
  // The weights of the book's formula with its printed decimals, and the weights of an independent
  // run.
  const Vector<double> book{{2.3, 0.01, -9.1, -4.5, 6.8}};
  const Vector<double> run{{2.291, 0.013, -9.116, -4.469, 6.778}};
  const Vector<double> halves{{0.05, 0.005, 0.05, 0.05, 0.05}};
  for (Index j = 0; j < 5; ++j) {
    REQUIRE_THAT(solution.weights[j], WithinAbs(book[j], halves[j]));
    REQUIRE_THAT(solution.weights[j], WithinAbs(run[j], 5e-4));
  }
  REQUIRE_THAT(solution.offset, WithinAbs(0.01, 0.005));
  REQUIRE_THAT(solution.offset, WithinAbs(0.008, 5e-4));
  // The last column of Figure 7.12 in the book.
  const Vector<double> column{{0.00011, 0.00011, 0.01121, 0.00113, 0.09279, 0.99015, 0.50250,
                               0.90970, 0.00113, 0.99024, 0.91052, 0.50250, 0.01110, 0.00001,
                               0.00001, 0.10065, 0.50500, 0.99890, 0.50500}};
  // The book computed the table from its printed, rounded weights: these weights reproduce the
  // table to the last digit. Predictions by the unrounded weights differ by less than 0.0123.
  REQUIRE((predictions(data.x, book, 0.01) - column).cwiseAbs().maxCoeff() < 5.1e-6);
  REQUIRE((predictions(data.x, solution.weights, solution.offset) - column).cwiseAbs().maxCoeff() <
          0.0123);
  // The book: "This data set is not linearly separable."
  const Vector<double> signs = 2 * data.y.array() - 1;
  REQUIRE(MaximumMargin{}.fit(data.x, signs).separability == Separability::not_separable);
}

TEST_CASE(
    "Lectures: the holiday function is stable with different starts, and more sweeps do not help "
    "the four holidays at one half",
    "[lectures]") {
  const auto data = table("holidays.csv");
  const auto after = [&](Index sweeps, const Extras<double>& start) {
    return sweep(squared_of_sigmoid, data.x, data.y, sweeps, start);
  };
  const auto zero = after(10000, {}), many = after(50000, {});
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto other = after(10000, random_start<double>(5, seed, 0.5));
    REQUIRE((other.weights - zero.weights).cwiseAbs().maxCoeff() < 0.05);
  }
  const Vector<double> longer = predictions(data.x, many.weights, many.offset);
  const Vector<double> before = predictions(data.x, zero.weights, zero.offset);
  int at_half = 0;
  for (Index i = 0; i < 19; ++i) {
    const bool undecided = std::abs(before[i] - 0.5) < 0.1;
    at_half += undecided;
    REQUIRE((undecided ? std::abs(longer[i] - 0.5) <= 0.1
                       : std::abs(longer[i] - data.y[i]) <= std::abs(before[i] - data.y[i])));
  }
  REQUIRE(at_half == 4);
}

TEST_CASE(
    "Lectures: the reading data give the chapter's function, and the log loss a steeper one "
    "that decides alike",
    "[lectures]") {
  const auto data = table("reading.csv");  // columns Known, New, Short, Home
  REQUIRE(data.x.rows() == 18);
  for (Index i = 0; i < 18; ++i)
    REQUIRE(data.y[i] == (data.x(i, 2) == 1 && (data.x(i, 1) == 1 || data.x(i, 0) == 1)));
  Matrix<double> x(18, 3);
  x << data.x.col(2), data.x.col(1), data.x.col(0);  // columns Short, New, Known
  const auto squared = sweep(squared_of_sigmoid, x, data.y, 3000);
  const auto log = sweep(SigmoidCrossEntropy{}, x, data.y, 3000);
  // An independent run gave the offset −8.17 and the weights 6.88, 3.20, 2.94. The chapter rounds
  // them to −8 and 7, 3, 3.
  const Vector<double> run{{6.88, 3.20, 2.94}};
  const Vector<double> chapter{{7, 3, 3}};
  REQUIRE_THAT(squared.offset, WithinAbs(-8.17, 0.005));
  REQUIRE_THAT(squared.offset, WithinAbs(-8, 0.5));
  for (Index j = 0; j < 3; ++j) {
    REQUIRE_THAT(squared.weights[j], WithinAbs(run[j], 0.005));
    REQUIRE_THAT(squared.weights[j], WithinAbs(chapter[j], 0.5));
  }
  REQUIRE((log.weights.array() > squared.weights.array()).all());
  REQUIRE(log.offset < squared.offset);
  for (const auto& solution : {squared, log})
    REQUIRE(((x * solution.weights).array() > -solution.offset).cast<double>().matrix() == data.y);
}

TEST_CASE(
    "Lectures: and, or separate, xor and 'if x then y else z' do not: the perceptron says so, "
    "and the maximum-margin solver proves it",
    "[lectures]") {
  const auto answers = [](const Matrix<double>& x, const auto& truth) {
    Vector<double> y(x.rows());
    for (Index i = 0; i < x.rows(); ++i) y[i] = truth(x.row(i)) ? 1 : -1;
    return y;
  };
  const auto square = corners(2);
  const auto both = answers(square, [](const auto& e) { return e[0] == 1 && e[1] == 1; });
  const auto either = answers(square, [](const auto& e) { return e[0] == 1 || e[1] == 1; });
  for (const auto& y : {both, either}) {
    const auto perceptron = Perceptron{}.fit(square, y);
    REQUIRE(perceptron.status == Status::converged);
    REQUIRE(perceptron.objective == 0);
    // The separator of maximum margin has w = (2, 2), and three of the four corners lie on its
    // margin boundaries.
    const auto widest = MaximumMargin{}.fit(square, y);
    REQUIRE(widest.separability == Separability::separable);
    REQUIRE((widest.weights - Vector<double>{{2, 2}}).norm() < 1e-9);
    REQUIRE_THAT(widest.margin, WithinRel(std::sqrt(0.125), 1e-9));
  }
  const auto cube = corners(3);
  const auto exclusive = answers(square, [](const auto& e) { return e[0] != e[1]; });
  const auto choice = answers(cube, [](const auto& e) { return (e[0] == 1 ? e[1] : e[2]) == 1; });
  const auto proves = [](const Matrix<double>& x, const Vector<double>& y) {
    const auto perceptron = Perceptron{.epochs = 1000}.fit(x, y);
    REQUIRE(perceptron.status == Status::epoch_limit);
    REQUIRE(perceptron.mistakes >= 1000);
    const auto widest = MaximumMargin{}.fit(x, y);
    REQUIRE(widest.separability == Separability::not_separable);
    // The dual variables prove this: a weighted mean of positive corners equals a weighted mean of
    // negative corners, so no hyperplane separates the corners.
    const Eigen::VectorXd signed_shares = widest.multipliers.cwiseProduct(y);
    REQUIRE(widest.multipliers.minCoeff() >= 0);
    REQUIRE_THAT(widest.multipliers.sum(), WithinRel(2.0, 1e-12));
    REQUIRE_THAT(signed_shares.sum(), WithinAbs(0, 1e-12));
    REQUIRE((x.transpose() * signed_shares).norm() < 1e-9);
  };
  proves(square, exclusive);
  proves(cube, choice);
}

TEST_CASE(
    "Lectures: several classes by indicator variables: the probabilities are qᵢ/Σq, and the "
    "prediction is their mode",
    "[lectures]") {
  const auto& set = shipped::iris();
  const LogisticRegression recipe{.lambda = 1e-3};
  const auto model = OneVsRest{recipe}.fit(set.x, set.y);
  const auto probabilities = model.probabilities(set.x);
  const auto predicted = model.predict(set.x);
  Matrix<double> q(150, 3);
  for (Index k = 0; k < 3; ++k) {
    // Learn the indicator variable of class k separately.
    const Vector<double> indicator = (set.y.array() == model.labels[k]).cast<double>();
    q.col(k) = recipe.fit(set.x, indicator).probabilities(set.x);
  }
  for (Index i = 0; i < 150; ++i) {
    REQUIRE((probabilities.row(i) - q.row(i) / q.row(i).sum()).norm() < 1e-12);
    Index mode = 0;
    q.row(i).maxCoeff(&mode);
    REQUIRE(predicted[i] == model.labels[mode]);
  }
  REQUIRE((predicted.array() == set.y.array()).count() > 135);
}
