// SPDX-License-Identifier: MIT
#include <Eigen/LU>
#include <cmath>
#include <linea/activations/exponential.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/standard_errors.hpp>
#include <linea/optimizers/newton.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "golden/standard_errors.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/judged_sets.hpp"
#include "support/synthetic.hpp"

namespace standard_errors_test {

using namespace linea;
using namespace linea::test;
using V = Eigen::VectorXd;
using M = Eigen::MatrixXd;

namespace {

constexpr Objective plain_squares{Squared{}, L2{0}};
constexpr Objective plain_log{Log{}, NoPenalty{}};
constexpr Objective plain_chances{Composed{CrossEntropy{}, Sigmoid{}}, NoPenalty{}};
constexpr Objective plain_counts{Composed{Poisson{}, Exponential{}}, NoPenalty{}};

/// Returns the diabetes data with columns as in the file, not standardised.
const Set& diabetes() {
  static const Set set = raw("examples/data/diabetes.svm");
  return set;
}
const Set& cells() {
  static const Set all = raw("examples/data/wdbc.svm");
  static const Set set{all.x(Eigen::indexing::all, std::vector<int>{1, 4, 8, 9}), all.y};
  return set;
}

V cycle(Index n, Index period, double least) {
  V weights(n);
  for (Index i = 0; i < n; ++i) weights[i] = least + static_cast<double>(i % period);
  return weights;
}

V chances_of(const V& signs) { return (signs.array() + 1) / 2; }

/// Returns the golden estimates as a solution.
Solution<double> solution_of(const golden::Coefficients& golden, bool offset = true) {
  const V all = Eigen::Map<const V>(golden.estimate.data(), std::ssize(golden.estimate));
  Solution<double> solution;
  solution.offset = offset ? all[0] : 0;
  solution.weights = all.tail(all.size() - (offset ? 1 : 0));
  return solution;
}

void same(const StandardErrors& found, const golden::Coefficients& golden, double rounding = 1e-12,
          bool offset = true) {
  std::vector<Coefficient> all = found.weights;
  if (offset) all.insert(all.begin(), found.offset);
  REQUIRE(all.size() == golden.estimate.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    CAPTURE(k);
    CHECK_THAT(all[k].estimate, WithinRel(golden.estimate[k], 100 * rounding));
    CHECK_THAT(all[k].standard_error, WithinRel(golden.standard_error[k], rounding));
    CHECK_THAT(all[k].ratio, WithinRel(golden.ratio[k], 100 * rounding));
    CHECK_THAT(all[k].p_value, WithinRel(golden.p_value[k], 1e4 * rounding));
  }
  CHECK_THAT(found.dispersion, WithinRel(golden.dispersion, rounding));
  CHECK(found.rank == static_cast<Index>(found.weights.size()));
  CHECK(found.distance < 1e-6);
  CHECK(found.note.empty());
}

bool near(const M& found, const M& expected, double rounding) {
  return (found - expected).norm() < rounding * expected.norm();
}

bool all_undefined(const std::vector<Coefficient>& all, const std::vector<std::size_t>& which) {
  for (const auto j : which)
    if (!std::isnan(all[j].standard_error) || !std::isnan(all[j].p_value)) return false;
  return true;
}

/// Returns the covariance for dispersion 1 by definition, in the coordinates (w, b): P⁻¹·J·P⁻¹ with
/// the curvatures cᵢ, J = Σᵢ cᵢ(xᵢ, 1)(xᵢ, 1)ᵀ and P = J + diag(strength, …, strength, 0). Without
/// an offset, the last coordinate is left out.
M by_definition(const M& x, const V& curvatures, double strength, bool offset = true) {
  M all = M::Ones(x.rows(), x.cols() + (offset ? 1 : 0));
  all.leftCols(x.cols()) = x;
  const M information = all.transpose() * curvatures.asDiagonal() * all;
  M penalised = information;
  penalised.diagonal().head(x.cols()).array() += strength;
  const M inverse = penalised.inverse();
  return inverse * information * inverse;
}

/// Returns the standard errors of least squares without a penalty, or with λ.
template <class X>
StandardErrors of_least_squares(const X& x, const V& y, double lambda = 0) {
  return standard_errors(Objective{Squared{}, L2{lambda}},
                         RidgeRegression{.lambda = lambda}.fit(x, y), x, y);
}

/// Returns the standard errors at the minimum that Newton finds.
template <class Obj, class X>
StandardErrors at_minimum(const Obj& objective, const X& x, const V& y, double tolerance) {
  return standard_errors(objective, Newton{.tolerance = tolerance}.minimize(objective, x, y), x, y);
}

}  // namespace

TEST_CASE("Standard errors: of least squares, agree with R's lm", "[models]") {
  const auto& [x, y] = diabetes();
  const auto model = LinearRegression{}.fit(x, y);
  const auto errors = standard_errors(plain_squares, model, x, y);
  same(errors, golden::lm_plain);
  CHECK(errors.freedom == golden::lm_plain.freedom);
  same(standard_errors(plain_squares, model, M(x), y), golden::lm_plain);
  same(standard_errors(plain_squares, model, synthetic::sparse(x), y), golden::lm_plain);
  const std::vector<double> targets(y.begin(), y.end());
  same(standard_errors(Objective{Squared{}, NoPenalty{}}, model, x, targets), golden::lm_plain);

  const auto bare = LinearRegression{.offset = false}.fit(x, y);
  const auto through_zero = standard_errors(plain_squares, bare, x, y, {.offset = false});
  same(through_zero, golden::lm_no_offset, 1e-12, false);
  CHECK(through_zero.freedom == golden::lm_no_offset.freedom);
  CHECK(through_zero.offset.standard_error == 0);

  // Weights are precisions. Samples of weight 0 are ignored.
  const V weights = cycle(y.size(), 4, 0);
  const auto by_weight = LinearRegression{}.fit(x, y, weights);
  const auto weighted =
      standard_errors(plain_squares, by_weight, x, y, {.sample_weights = weights});
  same(weighted, golden::lm_weighted);
  CHECK(weighted.freedom == golden::lm_weighted.freedom);
  // Only ratios of weights matter, except for the dispersion, which is the variance of a sample of
  // weight 1.
  const auto more =
      standard_errors(plain_squares, by_weight, x, y, {.sample_weights = 7 * weights});
  CHECK(near(more.covariance, weighted.covariance, 1e-12));
  CHECK_THAT(more.dispersion, WithinRel(7 * weighted.dispersion, 1e-12));
}

TEST_CASE("Standard errors: of logistic and Poisson regression, agree with R's glm", "[models]") {
  const auto& [x, y] = cells();
  const auto fitted = solution_of(golden::glm_plain);
  same(standard_errors(plain_log, fitted, x, y), golden::glm_plain, 1e-10);
  same(standard_errors(plain_log, fitted, synthetic::sparse(x), y), golden::glm_plain, 1e-10);
  same(standard_errors(plain_chances, fitted, x, chances_of(y)), golden::glm_plain, 1e-10);
  CHECK(standard_errors(plain_log, fitted, x, y).freedom == infinity);
  same(at_minimum(plain_log, x, y, 1e-14), golden::glm_plain, 1e-6);
  const auto bare = solution_of(golden::glm_no_offset, false);
  same(standard_errors(plain_log, bare, x, y, {.offset = false}), golden::glm_no_offset, 1e-10,
       false);
  same(standard_errors(plain_log, solution_of(golden::glm_weighted), x, y,
                       {.sample_weights = cycle(y.size(), 3, 1)}),
       golden::glm_weighted, 1e-10);
  const Matrix<double> some = diabetes().x(Eigen::indexing::all, std::vector<int>{2, 3, 8});
  same(standard_errors(plain_counts, solution_of(golden::glm_poisson), some, diabetes().y),
       golden::glm_poisson, 1e-10);
}

TEST_CASE("Standard errors: of a classifier with labels are the same", "[models]") {
  const auto& [x, y] = cells();
  const V labels = y.unaryExpr([](double t) { return t > 0 ? 8.0 : 3.0; });
  const ProbabilisticClassifier<double> model{
      {{solution_of(golden::glm_plain)}, ClassLabels(labels)}};
  same(standard_errors(plain_log, model, x, labels), golden::glm_plain, 1e-10);
  CHECK_THROWS_WITH(standard_errors(plain_log, model, x, y), ContainsSubstring("label -1 is none"));
  // Samples of weight 0 may have labels that the model does not know.
  V weights = V::Ones(y.size()), others = labels;
  weights[3] = 0;
  others[3] = 9;
  CHECK(standard_errors(plain_log, model, x, others, {.sample_weights = weights}).covariance ==
        standard_errors(plain_log, model, x, labels, {.sample_weights = weights}).covariance);
}

TEST_CASE("Standard errors: of a likelihood, weight k counts as k samples, weight 0 as none",
          "[models]") {
  const auto x = synthetic::features(60, 3, 1);
  const V y = synthetic::signs(x, 2, 2.0);
  Eigen::VectorXi counts(60);
  for (int i = 0; i < 60; ++i) counts[i] = i % 4;
  const V weights = counts.cast<double>();
  for (const double lambda : {0.0, 0.1}) {
    const Objective objective{Log{}, L2{lambda}};
    const auto fitted = Newton{.tolerance = 1e-13}.minimize(objective, x, y, weights);
    const auto weighted = standard_errors(objective, fitted, x, y, {.sample_weights = weights});
    const auto repeated = standard_errors(objective, fitted, synthetic::repeated(x, counts),
                                          synthetic::repeated(y, counts));
    CHECK(near(weighted.covariance, repeated.covariance, 1e-12));
    CHECK(weighted.note.empty());
  }
}

TEST_CASE("Standard errors: of a penalised estimate, agree with their definition", "[models]") {
  const auto x = synthetic::features(40, 4, 3);
  const V numbers = synthetic::numbers(x, 4);
  const V signs = synthetic::signs(x, 5, 2.0);
  const V weights = cycle(40, 5, 0);
  for (const bool offset : {true, false})
    for (const double lambda : {1e-3, 0.1, 10.0}) {
      CAPTURE(offset, lambda);
      const double strength = lambda * weights.sum();
      const StandardErrorOptions<double> options{offset, weights};
      const Index size = offset ? 5 : 4;
      const auto is_expected = [&](const StandardErrors& errors, const M& expected) {
        return errors.note.empty() &&
               near(errors.covariance.topLeftCorner(size, size), expected, 1e-10);
      };
      const auto ridge =
          RidgeRegression{.lambda = lambda, .offset = offset}.fit(x, numbers, weights);
      const auto errors =
          standard_errors(Objective{Squared{}, L2{lambda}}, ridge, x, numbers, options);
      // H = X·P⁻¹·Xᵀ·diag(s) for the sample weights s, with a column of ones in X if there is an
      // offset. 32 samples have positive weight.
      M all = M::Ones(40, size);
      all.leftCols(4) = x;
      M penalised = all.transpose() * weights.asDiagonal() * all;
      penalised.diagonal().head(4).array() += strength;
      const M hat = all * penalised.inverse() * all.transpose() * M(weights.asDiagonal());
      const double freedom = 32 - 2 * hat.trace() + (hat * hat).trace();
      CHECK_THAT(errors.freedom, WithinRel(freedom, 1e-10));
      const double dispersion = (ridge.predict(x) - numbers).cwiseAbs2().dot(weights) / freedom;
      CHECK_THAT(errors.dispersion, WithinRel(dispersion, 1e-10));
      const M expected = dispersion * by_definition(x, weights, strength, offset);
      CHECK(is_expected(errors, expected));
      CHECK(std::isnan(errors.weights[0].p_value));
      CHECK_THAT(errors.weights[2].ratio,
                 WithinRel(ridge.weights[2] / std::sqrt(expected(2, 2)), 1e-9));

      const Objective logistic{Log{}, L2{lambda}};
      const auto fitted =
          Newton{.tolerance = 1e-14, .offset = offset}.minimize(logistic, x, signs, weights);
      const V scores = (x * fitted.weights).array() + fitted.offset;
      const V chances = (1 + (-scores.array()).exp()).inverse();
      const V curvatures = weights.array() * chances.array() * (1 - chances.array());
      CHECK(is_expected(standard_errors(logistic, fitted, x, signs, options),
                        by_definition(x, curvatures, strength, offset)));
    }
  // With a penalty there may be more columns than samples.
  const auto wide = synthetic::features(6, 9, 3);
  const auto errors = of_least_squares(wide, synthetic::numbers(wide, 4), 0.5);
  CHECK(near(errors.covariance, errors.dispersion * by_definition(wide, V::Ones(6), 3), 1e-10));
  CHECK(errors.note.empty());
}

TEST_CASE("Standard errors: scales and shifts of the columns have no effect", "[models]") {
  const auto& [x, y] = diabetes();
  const auto errors = of_least_squares(x, y);
  const auto scale = [](std::size_t j) { return std::ldexp(1.0, static_cast<int>(8 * j) - 40); };
  Matrix<double> other = x;
  for (Index j = 0; j < 10; ++j) other.col(j) *= scale(static_cast<std::size_t>(j));
  const auto scaled = of_least_squares(other, y);
  const auto moved = of_least_squares(Matrix<double>(x.array() + 0x1p20), y);
  for (std::size_t j = 0; j < 10; ++j) {
    const double expected = errors.weights[j].standard_error;
    CHECK_THAT(scale(j) * scaled.weights[j].standard_error, WithinRel(expected, 1e-11));
    CHECK_THAT(moved.weights[j].standard_error, WithinRel(expected, 1e-8));
  }
  CHECK(scaled.note.empty());
}

TEST_CASE("Standard errors: NaN for dependent columns only", "[models]") {
  const auto& [x, y] = diabetes();
  Matrix<double> more(x.rows(), 12);
  more << x, x.col(0) + 2 * x.col(4), V::Constant(x.rows(), 3);
  const auto errors = of_least_squares(more, y);
  CHECK(errors.rank == 10);
  CHECK(errors.freedom == 431);
  CHECK(errors.note ==
        "the samples determine 10 of 12 weights only: columns are dependent, or samples are too "
        "few");
  CHECK(all_undefined(errors.weights, {0, 4, 10, 11}));
  for (const std::size_t j : {1U, 2U, 3U, 5U, 6U, 7U, 8U, 9U})
    CHECK_THAT(errors.weights[j].standard_error,
               WithinRel(golden::lm_plain.standard_error[j + 1], 1e-9));
  // The samples determine the offset: the constant column has weight 0 and does not change it.
  CHECK_THAT(errors.offset.standard_error, WithinRel(golden::lm_plain.standard_error[0], 1e-9));
  CHECK(std::isnan(errors.covariance(0, 1)));
  CHECK(std::isfinite(errors.covariance(1, 2)));

  // A penalty determines all weights.
  const auto penalised = of_least_squares(more, y, 0.1);
  CHECK(penalised.note.empty());
  CHECK(penalised.weights[11].standard_error == 0);
  const double strength = 0.1 * static_cast<double>(x.rows());
  CHECK(near(penalised.covariance,
             penalised.dispersion * by_definition(more, V::Ones(x.rows()), strength), 1e-6));
  CHECK_THAT(of_least_squares(more, y, 1e-30).note, ContainsSubstring("lambda is lost"));
}

TEST_CASE("Standard errors: of too few samples, of constant columns, and of an exact fit",
          "[models]") {
  const auto x = synthetic::features(4, 3, 1);
  const V y = synthetic::numbers(x, 2);
  const auto four = of_least_squares(x, y);
  CHECK(four.freedom == 0);
  CHECK(std::isnan(four.dispersion));
  CHECK(std::isnan(four.weights[1].standard_error));
  CHECK(four.note ==
        "no degree of freedom is left to estimate the dispersion: samples 4, coefficients 4");
  const V three = V::Ones(4) - V::Unit(4, 2);
  CHECK_THAT(standard_errors(plain_squares, LinearRegression{}.fit(x, y, three), x, y,
                             {.sample_weights = three})
                 .note,
             ContainsSubstring("the samples determine 2 of 3 weights only"));

  const Matrix<double> ones = Matrix<double>::Ones(5, 2);
  const V steps = V::LinSpaced(5, 0, 4);
  const auto mean = of_least_squares(ones, steps);
  CHECK(mean.rank == 0);
  CHECK(std::isnan(mean.weights[0].standard_error));
  CHECK_THAT(mean.offset.standard_error, WithinRel(std::sqrt(2.5 / 5), 1e-14));
  const auto single = of_least_squares(Matrix<double>(ones.topRows(1)), V(steps.head(1)));
  CHECK_THAT(single.note, ContainsSubstring("samples 1, coefficients 3"));
  CHECK(std::isnan(single.offset.standard_error));

  const auto many = synthetic::features(20, 2, 1);
  const V exact = many * Eigen::Vector2d(1, 2);
  const std::string note =
      "the fit is exact: the residuals that estimate the dispersion are rounding";
  CHECK(of_least_squares(many, exact).note == note);
  CHECK(of_least_squares(Matrix<float>(many.cast<float>()), exact).note == note);
}

TEST_CASE("Standard errors: undefined for separable classes without penalty", "[models]") {
  const std::string note = "a plane separates the two classes: without penalty there is no minimum";
  const auto x = synthetic::features(30, 2, 1);
  const V y = x.col(0).unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
  const auto fitted = Newton{.iterations = 20}.minimize(plain_log, x, y);
  const auto errors = standard_errors(plain_log, fitted, x, y);
  CHECK(errors.note == note);
  CHECK(std::isnan(errors.weights[0].standard_error));
  CHECK(std::isnan(errors.distance));
  Solution<double> at;
  at.weights = Eigen::Vector2d(0.1, 0.2);  // far from the infimum
  CHECK(standard_errors(plain_log, at, x, y).note == note);
  at.weights = Eigen::Vector2d(-1e6, 0);  // so far away that the curvature is 0
  CHECK(standard_errors(plain_log, at, x, y).note ==
        "the curvature of the loss is 0 or not finite");
  // So far away that the curvatures are denormal, and samples of nearly the largest numbers.
  const M few{{1, 0.5}, {2, -0.3}, {-1, 0.2}, {-1.5, -0.7}};
  for (const double unit : {1.0, 1e149}) {
    at.weights = Eigen::Vector2d((unit == 1 ? 730 : 30) / unit, 0);
    const auto of_few = standard_errors(plain_log, at, M(few * unit), V{{1, 1, -1, -1}});
    CHECK(of_few.note == note);
    CHECK(of_few.rank == 0);
  }
}

TEST_CASE("Standard errors: undefined for a group with one class only without penalty",
          "[models]") {
  // The second column is non-zero for four samples, all of one class. Each class has half of the
  // other samples.
  Matrix<double> x(16, 2);
  V y(16);
  for (Index i = 0; i < 16; ++i) {
    x.row(i) << static_cast<double>(i % 3 == 0), static_cast<double>(i >= 12);
    y[i] = i >= 12 || i % 2 == 0 ? 1 : -1;
  }
  const Matrix<double> rest = x.topRows(12).leftCols(1);
  const auto expected = at_minimum(plain_log, rest, V(y.head(12)), 1e-13);
  const auto check = [&](const StandardErrors& errors, double rounding) {
    CHECK_THAT(errors.weights[0].standard_error,
               WithinRel(expected.weights[0].standard_error, rounding));
    CHECK_THAT(errors.offset.standard_error, WithinRel(expected.offset.standard_error, rounding));
    CHECK(all_undefined(errors.weights, {1}));
    CHECK(std::isnan(errors.covariance(0, 1)));
    CHECK(errors.rank == 2);
    CHECK(errors.note ==
          "4 samples are separated from the others: without a penalty there is no finite estimate "
          "of w[1]; the errors of the other coefficients are those without these samples");
  };
  for (const double tolerance : {1e-4, 1e-6, 1e-12}) {
    CAPTURE(tolerance);
    const auto near_it = Newton{.tolerance = tolerance}.minimize(plain_log, x, y);
    check(standard_errors(plain_log, near_it, x, y), 1e-2);
    check(standard_errors(plain_log, near_it, synthetic::sparse(x), y), 1e-2);
  }
  check(at_minimum(plain_log, Matrix<float>(x.cast<float>()), y, 1e-6), 1e-2);
  const auto fitted = Newton{.tolerance = 1e-12}.minimize(plain_log, x, y);
  check(standard_errors(plain_chances, fitted, x, chances_of(y)), 1e-6);
  // With the same column twice, neither of its two weights is determined, with or without the
  // separated samples.
  Matrix<double> twice(16, 3);
  twice << x, x.col(1);
  const auto of_twice = at_minimum(plain_log, twice, y, 1e-12);
  CHECK(std::isnan(of_twice.weights[1].standard_error));
  CHECK_THAT(of_twice.note, ContainsSubstring("there is no finite estimate of a sum of dependent"));
  // A sample of the other class makes the estimate finite, unless the weight of that sample is 0.
  Matrix<double> more(17, 2);
  more << x, x.row(12);
  V targets(17);
  targets << y, -1;
  const auto finite = at_minimum(plain_log, more, targets, 1e-12);
  CHECK(finite.note.empty());
  CHECK(finite.weights[1].standard_error < 3);
  const V weights = V::Ones(17) - V::Unit(17, 16);
  check(standard_errors(plain_log, fitted, more, targets, {.sample_weights = weights}), 1e-6);
  // A probability strictly between 0 and 1 makes the estimate finite, too, and with a penalty there
  // is a minimum.
  V between = chances_of(targets);
  between[16] = 0.9;
  CHECK(at_minimum(plain_chances, more, between, 1e-12).note.empty());
  CHECK(at_minimum(Objective{Log{}, L2{1e-3}}, x, y, 1e-12).note.empty());
  // The score of sample 1 opposes the separation, but by no more than rounding.
  Matrix<double> nearly = x;
  nearly(1, 1) = 1e-13;
  const auto undecided = at_minimum(plain_log, nearly, y, 1e-12);
  CHECK(all_undefined(undecided.weights, {0, 1}));
  CHECK(std::isnan(undecided.offset.standard_error));
  CHECK(undecided.note ==
        "rounding hides whether samples are separated from the others, which would leave estimates "
        "without a finite value; a penalty makes all estimates finite");
}

TEST_CASE("Standard errors: classes that share one value of a column", "[models]") {
  // In column 0 the classes share only the value 2. Column 1 does not separate the samples with
  // this value.
  Matrix<double> x(12, 2);
  V y(12);
  for (Index i = 0; i < 12; ++i) {
    const auto k = static_cast<double>(i);
    x.row(i) << (i < 3 ? -1 - k : i < 9 ? 2 : 2.5 + k), static_cast<double>((i * i) % 5);
    y[i] = i < 3 || (i < 9 && i % 2 == 0) ? -1 : 1;
  }
  const auto fitted = Newton{.iterations = 60, .tolerance = 1e-9}.minimize(plain_log, x, y);
  const auto errors = standard_errors(plain_log, fitted, x, y);
  const Matrix<double> middle = x.middleRows(3, 6).rightCols(1);
  const auto expected = at_minimum(plain_log, middle, V(y.segment(3, 6)), 1e-13);
  CHECK_THAT(errors.weights[1].standard_error, WithinRel(expected.weights[0].standard_error, 1e-3));
  CHECK(std::isnan(errors.weights[0].standard_error));
  CHECK(std::isnan(errors.offset.standard_error));
  CHECK_THAT(errors.note, ContainsSubstring("no finite estimate of offset, w[0];"));
}

TEST_CASE("Standard errors: undefined for a group without a count without penalty", "[models]") {
  Matrix<double> x = Matrix<double>::Zero(8, 3);
  for (Index i = 2; i < 8; ++i) x(i, i / 2 - 1) = 1;
  V y{{1, 2, 2, 3, 0, 0, 3, 4}};
  PoissonRegression recipe;
  recipe.lambda = 0;
  const auto check = [&](const StandardErrors& errors) {
    CHECK_THAT(errors.weights[0].standard_error, WithinRel(std::sqrt(1 / 3.0 + 1 / 5.0), 1e-3));
    CHECK_THAT(errors.weights[2].standard_error, WithinRel(std::sqrt(1 / 3.0 + 1 / 7.0), 1e-3));
    CHECK_THAT(errors.offset.standard_error, WithinRel(std::sqrt(1 / 3.0), 1e-3));
    CHECK(std::isnan(errors.weights[1].standard_error));
    CHECK_THAT(errors.note,
               ContainsSubstring("2 samples are separated from the others: without a penalty there "
                                 "is no finite estimate of w[1];"));
  };
  const auto model = recipe.fit(x, y);
  const Matrix<float> narrow = x.cast<float>();
  check(standard_errors(plain_counts, model, x, y));
  check(standard_errors(plain_counts, model, synthetic::sparse(x), y));
  check(standard_errors(plain_counts, recipe.fit(narrow, y), narrow, y));
  const auto nothing = standard_errors(plain_counts, model, x, V::Zero(8));
  CHECK(nothing.note == "all counts are 0: without penalty there is no minimum");
  CHECK(std::isnan(nothing.offset.standard_error));
  // One positive count makes the estimate finite.
  V bound = y;
  bound[4] = 1;
  CHECK(standard_errors(plain_counts, recipe.fit(x, bound), x, bound).note.empty());
  // Without an offset, the first two samples, whose x is 0, do not affect the weights. Each weight
  // depends on one group only.
  recipe.offset = false;
  const auto alone = standard_errors(plain_counts, recipe.fit(x, y), x, y, {.offset = false});
  CHECK_THAT(alone.weights[0].standard_error, WithinRel(std::sqrt(1 / 5.0), 1e-3));
  CHECK(std::isnan(alone.weights[1].standard_error));
}

TEST_CASE("Standard errors: units and shifts do not hide or make up a separation", "[models]") {
  // Column 0 is 1 for the last four samples, which are all of one class, or all without a count.
  Matrix<double> x(16, 2);
  V y(16);
  for (Index i = 0; i < 16; ++i) {
    x.row(i) << static_cast<double>(i >= 12), static_cast<double>(i % 3) - 1;
    y[i] = i >= 12 || i % 2 == 0 ? 1 : -1;
  }
  V counts = (y.array() + 1).matrix();
  counts.tail(4).setZero();
  const auto check = [&](const auto& objective, const V& targets) {
    const Matrix<double> rest = x.topRows(12).rightCols(1);
    const double expected =
        at_minimum(objective, rest, V(targets.head(12)), 1e-13).weights[0].standard_error;
    for (const double shift : {0.0, 1.0, 10.0, 547.0, 1e4, -1e6})
      for (const double scale : {1e-5, 0.3, 1.0, 1e5}) {
        Matrix<double> moved = x;
        moved.col(0) = scale * (x.col(0).array() + shift);
        moved.col(1) = (x.col(1).array() - 3 * shift) / scale;
        const auto errors = at_minimum(objective, moved, targets, 1e-12);
        CAPTURE(shift, scale, errors.note);
        CHECK(std::isnan(errors.weights[0].standard_error));
        CHECK_THAT(errors.weights[1].standard_error / scale, WithinRel(expected, 1e-3));
        // The offset is the score at 0, which is far from the samples if the columns are shifted.
        CHECK(std::isnan(errors.offset.standard_error) == (shift != 0));
        CHECK_THAT(errors.note, ContainsSubstring(shift == 0 ? "no finite estimate of w[0];"
                                                             : "estimate of offset, w[0];"));
      }
  };
  check(plain_log, y);
  check(plain_counts, counts);
}

TEST_CASE("Standard errors: report the distance of the solution from the minimum", "[models]") {
  const auto& [x, y] = diabetes();
  auto model = LinearRegression{}.fit(x, y);
  const auto errors = standard_errors(plain_squares, model, x, y);
  model.weights[4] += 0.5 * errors.weights[4].standard_error;  // this column is far from 0
  const auto moved = standard_errors(plain_squares, model, x, y);
  CHECK_THAT(moved.distance,
             WithinRel(0.5 * std::sqrt(errors.dispersion / moved.dispersion), 1e-8));
  CHECK_THAT(moved.note, ContainsSubstring("the solution is not at the minimum"));
  // Entries that a sparse row does not store count as 0 in standard errors, too.
  const Matrix<double> few = synthetic::features(60, 3, 1, 0.4).cwiseAbs();
  const V numbers = synthetic::numbers(few, 2);
  CHECK(standard_errors(plain_squares, LinearRegression{}.fit(few, numbers), synthetic::sparse(few),
                        numbers)
            .distance < 1e-9);
  // A ridge regression is not at the minimum of least squares, nor at that for another λ.
  const auto ridge = RidgeRegression{.lambda = 1}.fit(x, y);
  const auto distance = [&, &x = x, &y = y](double lambda) {
    return standard_errors(Objective{Squared{}, L2{lambda}}, ridge, x, y).distance;
  };
  CHECK(distance(1) < 1e-9);
  CHECK(distance(0) > 0.1);
  CHECK(distance(2) > 0.01);
}

TEST_CASE("Standard errors: are computed in double for samples of float, or for a view of them",
          "[models]") {
  const Matrix<float> x = synthetic::features<float>(50, 3, 1);
  const Matrix<double> exact = x.cast<double>();
  const V y = synthetic::numbers(exact, 2);
  const auto of = [&](const auto& samples) {
    using T = scalar_t<std::remove_cvref_t<decltype(samples)>>;
    const Vector<T> weights = cycle(50, 3, 1).cast<T>();
    const auto errors = standard_errors(plain_squares, LinearRegression{}.fit(samples, y, weights),
                                        samples, y, {.sample_weights = weights});
    CHECK(errors.note.empty());
    return errors.covariance;
  };
  CHECK(near(of(x), of(exact), 1e-9));
  CHECK(near(of(in_double(x)), of(exact), 1e-12));
}

TEST_CASE("Standard errors: refuse invalid arguments", "[models]") {
  const auto& [x, y] = cells();
  auto fitted = solution_of(golden::glm_plain);
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, Matrix<double>(x.leftCols(3)), y),
                    "standard_errors: 4 weights for 3 features");
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, V(y.head(7))),
                    "standard_errors: x has 569 rows but y has 7");
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, V(2 * y)),
                    ContainsSubstring("is no target of log"));
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, y, {.sample_weights = V::Zero(569)}),
                    "standard_errors: all sample weights are zero");
  CHECK_THROWS_WITH(standard_errors(Objective{Log{}, L2{-1}}, fitted, x, y),
                    ContainsSubstring("lambda"));
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, y, {.offset = false}),
                    ContainsSubstring("but options.offset is false"));
  fitted.weights[1] = not_a_number;
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, y),
                    "standard_errors: the weights are not finite");
}

TEST_CASE("Standard errors: are printed as a table", "[models]") {
  const auto text_of = [](const StandardErrors& errors) {
    std::ostringstream text;
    text << std::fixed << errors;  // `errors` ignores `fixed` and does not change it
    return text.str();
  };
  const auto& [x, y] = cells();
  CHECK(text_of(standard_errors(plain_log, solution_of(golden::glm_plain), x, y)) ==
        "             estimate   std. error          z    p-value\n"
        "w[0]        -0.309158    0.0336348     -9.192   3.87e-20\n"
        "w[1]         -122.131      14.2064     -8.597   8.19e-18\n"
        "w[2]         -29.5706      5.61585     -5.266    1.4e-07\n"
        "w[3]          202.585      27.2547      7.433   1.06e-13\n"
        "offset        11.3408      1.46225      7.756   8.79e-15\n");

  Solution<double> bare;
  bare.weights = Eigen::Vector2d(1, 0);
  const Matrix<double> same_columns = Matrix<double>::Constant(4, 2, 2);
  CHECK(text_of(standard_errors(plain_squares, bare, same_columns, Eigen::Vector4d(1, 2, 2, 3),
                                {.offset = false})) ==
        "             estimate   std. error          t    p-value\n"
        "w[0]                1          nan        nan        nan\n"
        "w[1]                0          nan        nan        nan\n"
        "dispersion 0.666667 with 3 degrees of freedom\n"
        "note: the samples determine 1 of 2 weights only: columns are dependent, or samples are "
        "too few\n");
}

}  // namespace standard_errors_test
