// SPDX-License-Identifier: MIT
#include <Eigen/LU>
#include <cmath>
#include <linea/activations/exponential.hpp>
#include <linea/activations/sigmoid.hpp>
#include <linea/io/libsvm.hpp>
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
#include "support/synthetic.hpp"

namespace standard_errors_test {

using namespace linea;
using namespace linea::test;
using V = Eigen::VectorXd;
using M = Eigen::MatrixXd;

namespace {

constexpr Objective plain_squares{Squared{}, NoPenalty{}};
constexpr Objective plain_log{Log{}, NoPenalty{}};
constexpr Objective plain_counts{Composed{Poisson{}, Exponential{}}, NoPenalty{}};

struct Set {
  Matrix<double> x;
  V y;
};

/// As it is stored: not standardised.
Set read(const std::string& name) {
  const auto data = read_libsvm<double>(std::string(LINEA_SOURCE_DIR "/examples/data/") + name);
  return {data.x, data.y};
}
const Set& diabetes() {
  static const Set set = read("diabetes.svm");
  return set;
}
const Set& cells() {
  static const Set set = [] {
    const Set all = read("wdbc.svm");
    return Set{all.x(Eigen::indexing::all, std::vector<int>{1, 4, 8, 9}), all.y};
  }();
  return set;
}

V cycle(Index n, Index period, double least) {
  V weights(n);
  for (Index i = 0; i < n; ++i) weights[i] = least + static_cast<double>(i % period);
  return weights;
}

/// The golden estimates as a solution.
Solution<double> solution_of(const golden::Coefficients& golden, bool offset) {
  const auto skipped = static_cast<std::size_t>(offset ? 1 : 0);
  Solution<double> solution;
  solution.offset = offset ? golden.estimate[0] : 0;
  solution.weights = Eigen::Map<const V>(golden.estimate.data() + skipped,
                                         static_cast<Index>(golden.estimate.size() - skipped));
  return solution;
}

void same(const StandardErrors& found, const golden::Coefficients& golden, bool offset,
          double rounding) {
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

/// By the definition, in the coordinates (w, b): P⁻¹·J·P⁻¹ of J = Σ cᵢ(xᵢ, 1)(xᵢ, 1)ᵀ and P = J +
/// diag(strength, …, strength, 0).
M by_definition(const M& x, const V& curvatures, double strength, bool offset) {
  M all(x.rows(), x.cols() + (offset ? 1 : 0));
  all.leftCols(x.cols()) = x;
  if (offset) all.col(x.cols()).setOnes();
  const M information = all.transpose() * curvatures.asDiagonal() * all;
  M penalised = information;
  penalised.diagonal().head(x.cols()).array() += strength;
  const M inverse = penalised.inverse();
  return inverse * information * inverse;
}

/// Of least squares without penalty, or with λ.
template <class X>
StandardErrors of_least_squares(const X& x, const V& y, double lambda = 0) {
  return standard_errors(Objective{Squared{}, L2{lambda}},
                         RidgeRegression{.lambda = lambda}.fit(x, y), x, y);
}

/// Of the minimum as Newton finds it.
template <class Obj, class X>
StandardErrors at_minimum(const Obj& objective, const X& x, const V& y, double tolerance) {
  return standard_errors(objective, Newton{.tolerance = tolerance}.minimize(objective, x, y), x, y);
}

M block(const StandardErrors& errors, Index size) {
  return errors.covariance.topLeftCorner(size, size);
}

}  // namespace

TEST_CASE("Standard errors: of least squares, those of R's lm", "[models]") {
  const auto& [x, y] = diabetes();
  const auto model = LinearRegression{}.fit(x, y);
  const auto errors = standard_errors(plain_squares, model, x, y);
  same(errors, golden::lm_plain, true, 1e-12);
  CHECK(errors.freedom == golden::lm_plain.freedom);
  same(standard_errors(plain_squares, model, M(x), y), golden::lm_plain, true, 1e-12);
  same(standard_errors(plain_squares, model, synthetic::sparse(x), y), golden::lm_plain, true,
       1e-12);
  const std::vector<double> targets(y.begin(), y.end());
  same(standard_errors(Objective{Squared{}, L2{0}}, model, x, targets), golden::lm_plain, true,
       1e-12);

  const auto bare = LinearRegression{.offset = false}.fit(x, y);
  const auto through_zero = standard_errors(plain_squares, bare, x, y, {.offset = false});
  same(through_zero, golden::lm_no_offset, false, 1e-12);
  CHECK(through_zero.freedom == golden::lm_no_offset.freedom);
  CHECK(through_zero.offset.standard_error == 0);
}

TEST_CASE("Standard errors: weights of least squares are precisions, as in R's lm", "[models]") {
  const auto& [x, y] = diabetes();
  const V weights = cycle(y.size(), 4, 0);
  const auto model = LinearRegression{}.fit(x, y, weights);
  const auto errors = standard_errors(plain_squares, model, x, y, {.sample_weights = weights});
  same(errors, golden::lm_weighted, true, 1e-12);
  CHECK(errors.freedom == golden::lm_weighted.freedom);  // samples of weight 0 are none
  // Only their ratios matter, but to the dispersion, which is the variance at weight 1.
  const auto more = standard_errors(plain_squares, model, x, y, {.sample_weights = 7 * weights});
  CHECK((more.covariance - errors.covariance).norm() < 1e-12 * errors.covariance.norm());
  CHECK_THAT(more.dispersion, WithinRel(7 * errors.dispersion, 1e-12));
}

TEST_CASE("Standard errors: of logistic regression, those of R's glm", "[models]") {
  const auto& [x, y] = cells();
  const auto fitted = solution_of(golden::glm_plain, true);
  same(standard_errors(plain_log, fitted, x, y), golden::glm_plain, true, 1e-10);
  same(standard_errors(plain_log, fitted, synthetic::sparse(x), y), golden::glm_plain, true, 1e-10);
  CHECK(standard_errors(plain_log, fitted, x, y).freedom == infinity);
  same(standard_errors(plain_log, solution_of(golden::glm_no_offset, false), x, y,
                       {.offset = false}),
       golden::glm_no_offset, false, 1e-10);

  const V times = cycle(y.size(), 3, 1);
  same(standard_errors(plain_log, solution_of(golden::glm_weighted, true), x, y,
                       {.sample_weights = times}),
       golden::glm_weighted, true, 1e-10);

  // The minimum as linea finds it.
  const auto found = Newton{.tolerance = 1e-14}.minimize(plain_log, x, y);
  same(standard_errors(plain_log, found, x, y), golden::glm_plain, true, 1e-6);
}

TEST_CASE("Standard errors: the same of a classifier with labels, and of chances", "[models]") {
  const auto& [x, y] = cells();
  const V labels = y.unaryExpr([](double t) { return t > 0 ? 8.0 : 3.0; });
  ProbabilisticClassifier<double> model{
      {{solution_of(golden::glm_plain, true)}, ClassLabels(labels)}};
  same(standard_errors(plain_log, model, x, labels), golden::glm_plain, true, 1e-10);
  CHECK_THROWS_WITH(standard_errors(plain_log, model, x, y), ContainsSubstring("label -1 is none"));
  // Samples of weight 0 may have labels that the model has not.
  V weights = V::Ones(y.size());
  weights[3] = 0;
  V others = labels;
  others[3] = 9;
  CHECK(standard_errors(plain_log, model, x, others, {.sample_weights = weights}).covariance ==
        standard_errors(plain_log, model, x, labels, {.sample_weights = weights}).covariance);
  const Objective chances{Composed{CrossEntropy{}, Sigmoid{}}, NoPenalty{}};
  const V zero_or_one = (y.array() + 1) / 2;
  same(standard_errors(chances, solution_of(golden::glm_plain, true), x, zero_or_one),
       golden::glm_plain, true, 1e-10);
}

TEST_CASE("Standard errors: of Poisson regression, those of R's glm", "[models]") {
  const auto& [all, y] = diabetes();
  const Matrix<double> x = all(Eigen::indexing::all, std::vector<int>{2, 3, 8});
  same(standard_errors(plain_counts, solution_of(golden::glm_poisson, true), x, y),
       golden::glm_poisson, true, 1e-10);
}

TEST_CASE("Standard errors: of a likelihood, weight k is k samples, and of weight 0 none",
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
    CHECK((weighted.covariance - repeated.covariance).norm() < 1e-12 * repeated.covariance.norm());
    CHECK(weighted.note.empty());
  }
  const Matrix<double> one{{1.5}};
  Solution<double> at;
  at.weights = V::Constant(1, 0.4);
  const Objective objective{Log{}, L2{0.1}};
  const auto weighted = standard_errors(objective, at, one, V::Ones(1),
                                        {.offset = false, .sample_weights = V::Constant(1, 3)});
  const auto repeated =
      standard_errors(objective, at, one.replicate(3, 1).eval(), V::Ones(3), {.offset = false});
  CHECK_THAT(weighted.weights[0].standard_error,
             WithinRel(repeated.weights[0].standard_error, 1e-12));
}

TEST_CASE("Standard errors: of a penalised estimate, by their definition", "[models]") {
  const auto x = synthetic::features(40, 4, 3);
  const V numbers = synthetic::numbers(x, 4);
  const V signs = synthetic::signs(x, 5, 2.0);
  const V weights = cycle(40, 5, 0);
  const double total = weights.sum();
  for (const bool offset : {true, false})
    for (const double lambda : {1e-3, 0.1, 10.0}) {
      CAPTURE(offset, lambda);
      const StandardErrorOptions<double> options{offset, weights};
      const Index size = offset ? 5 : 4;

      const auto ridge =
          RidgeRegression{.lambda = lambda, .offset = offset}.fit(x, numbers, weights);
      const auto errors =
          standard_errors(Objective{Squared{}, L2{lambda}}, ridge, x, numbers, options);
      // H = X·P⁻¹·Xᵀ·diag(s) of the samples that count, the offset with them.
      M all(40, size);
      all.leftCols(4) = x;
      if (offset) all.col(4).setOnes();
      M penalised = all.transpose() * weights.asDiagonal() * all;
      penalised.diagonal().head(4).array() += lambda * total;
      const M hat = all * penalised.inverse() * all.transpose() * M(weights.asDiagonal());
      const double freedom = 32 - 2 * hat.trace() + (hat * hat).trace();
      CHECK_THAT(errors.freedom, WithinRel(freedom, 1e-10));
      const V residual = ridge.predict(x) - numbers;
      const double dispersion = residual.cwiseAbs2().dot(weights) / freedom;
      CHECK_THAT(errors.dispersion, WithinRel(dispersion, 1e-10));
      const M expected = dispersion * by_definition(x, weights, lambda * total, offset);
      CHECK((block(errors, size) - expected).norm() < 1e-10 * expected.norm());
      CHECK(std::isnan(errors.weights[0].p_value));
      CHECK_THAT(errors.weights[2].ratio,
                 WithinRel(ridge.weights[2] / std::sqrt(expected(2, 2)), 1e-9));

      const Objective logistic{Log{}, L2{lambda}};
      const auto fitted =
          Newton{.offset = offset, .tolerance = 1e-14}.minimize(logistic, x, signs, weights);
      const auto of_log = standard_errors(logistic, fitted, x, signs, options);
      const V scores = (x * fitted.weights).array() + fitted.offset;
      V curvatures = weights;
      for (Index i = 0; i < 40; ++i) {
        const double chance = 1 / (1 + std::exp(-scores[i]));
        curvatures[i] *= chance * (1 - chance);
      }
      const M of_log_expected = by_definition(x, curvatures, lambda * total, offset);
      CHECK((block(of_log, size) - of_log_expected).norm() < 1e-10 * of_log_expected.norm());
      CHECK(errors.note.empty());
      CHECK(of_log.note.empty());
    }
}

TEST_CASE("Standard errors: scales and shifts of the columns do not matter", "[models]") {
  const auto& [x, y] = diabetes();
  const auto errors = of_least_squares(x, y);
  Matrix<double> other = x;
  for (Index j = 0; j < 10; ++j) other.col(j) *= std::ldexp(1.0, static_cast<int>(8 * j - 40));
  const auto scaled = of_least_squares(other, y);
  other = x.array() + 0x1p20;
  const auto moved = of_least_squares(other, y);
  for (Index j = 0; j < 10; ++j) {
    const auto k = static_cast<std::size_t>(j);
    CHECK_THAT(std::ldexp(scaled.weights[k].standard_error, static_cast<int>(8 * j - 40)),
               WithinRel(errors.weights[k].standard_error, 1e-11));
    CHECK_THAT(moved.weights[k].standard_error, WithinRel(errors.weights[k].standard_error, 1e-8));
  }
  CHECK(scaled.note.empty());
}

TEST_CASE("Standard errors: what dependent columns do not decide is NaN, and the rest is not",
          "[models]") {
  const auto& [x, y] = diabetes();
  Matrix<double> more(x.rows(), 12);
  more << x, x.col(0) + 2 * x.col(4), V::Constant(x.rows(), 3);
  const auto errors = of_least_squares(more, y);
  CHECK(errors.rank == 10);
  CHECK(errors.freedom == 431);
  CHECK(errors.note ==
        "the samples decide 10 of 12 weights only: columns depend on each other, or samples are "
        "too few");
  for (const std::size_t j : {0U, 4U, 10U, 11U}) {
    CHECK(std::isnan(errors.weights[j].standard_error));
    CHECK(std::isnan(errors.weights[j].p_value));
  }
  for (const std::size_t j : {1U, 2U, 3U, 5U, 6U, 7U, 8U, 9U})
    CHECK_THAT(errors.weights[j].standard_error,
               WithinRel(golden::lm_plain.standard_error[j + 1], 1e-9));
  // Predictions are decided, so the offset is: but for the column that is constant, whose weight is
  // 0.
  CHECK_THAT(errors.offset.standard_error, WithinRel(golden::lm_plain.standard_error[0], 1e-9));
  CHECK(std::isnan(errors.covariance(0, 1)));
  CHECK(std::isfinite(errors.covariance(1, 2)));

  // A penalty decides them.
  const auto penalised = of_least_squares(more, y, 0.1);
  CHECK(penalised.note.empty());
  CHECK(penalised.covariance.allFinite());
  CHECK(penalised.weights[11].standard_error == 0);
  const M expected =
      penalised.dispersion *
      by_definition(more, V::Ones(x.rows()), 0.1 * static_cast<double>(x.rows()), true);
  CHECK((penalised.covariance - expected).norm() < 1e-6 * expected.norm());
  CHECK_THAT(of_least_squares(more, y, 1e-30).note, ContainsSubstring("lambda is lost"));
}

TEST_CASE("Standard errors: too few samples are said to be", "[models]") {
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
             ContainsSubstring("the samples decide 2 of 3 weights only"));
  // With a penalty more columns than samples will do.
  const auto wide = synthetic::features(6, 9, 3);
  const V numbers = synthetic::numbers(wide, 4);
  const auto errors = of_least_squares(wide, numbers, 0.5);
  const M expected = errors.dispersion * by_definition(wide, V::Ones(6), 3, true);
  CHECK((errors.covariance - expected).norm() < 1e-10 * expected.norm());
  CHECK(errors.note.empty());
}

TEST_CASE("Standard errors: of columns that are all constant, of one sample, and of an exact fit",
          "[models]") {
  const Matrix<double> ones = Matrix<double>::Ones(5, 2);
  const V y = V::LinSpaced(5, 0, 4);
  const auto mean = of_least_squares(ones, y);
  CHECK(mean.rank == 0);
  CHECK(std::isnan(mean.weights[0].standard_error));
  CHECK_THAT(mean.offset.standard_error, WithinRel(std::sqrt(2.5 / 5), 1e-14));
  const auto single = of_least_squares(ones.topRows(1), V(y.head(1)));
  CHECK_THAT(single.note, ContainsSubstring("samples 1, coefficients 3"));
  CHECK(std::isnan(single.offset.standard_error));

  const auto x = synthetic::features(20, 2, 1);
  const V exact = x * Eigen::Vector2d(1, 2);
  CHECK(of_least_squares(x, exact).note ==
        "the fit is exact: what the dispersion is estimated from is rounding");
  const Matrix<float> narrow = x.cast<float>();
  CHECK_THAT(of_least_squares(narrow, exact).note, ContainsSubstring("the fit is exact"));
}

TEST_CASE("Standard errors: classes that a plane separates have none without penalty", "[models]") {
  const auto x = synthetic::features(30, 2, 1);
  const V y = x.col(0).unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
  const auto fitted = Newton{.iterations = 20}.minimize(plain_log, x, y);
  const auto errors = standard_errors(plain_log, fitted, x, y);
  CHECK(errors.note == "a plane separates the two classes: without penalty there is no minimum");
  CHECK(std::isnan(errors.weights[0].standard_error));
  CHECK(std::isnan(errors.distance));
  // So far out that no curvature is left.
  Solution<double> far;
  far.weights = Eigen::Vector2d(-1e6, 0);
  CHECK(standard_errors(plain_log, far, x, y).note ==
        "the curvature of the loss is 0 or not finite");
}

TEST_CASE("Standard errors: of a group with one class only there are none without penalty",
          "[models]") {
  // The second column is of four samples that are all of one class; the rest are half and half.
  Matrix<double> x(16, 2);
  V y(16);
  for (Index i = 0; i < 16; ++i) {
    x.row(i) << static_cast<double>(i % 3 == 0), static_cast<double>(i >= 12);
    y[i] = i >= 12 || i % 2 == 0 ? 1 : -1;
  }
  const Matrix<double> rest = x.topRows(12).leftCols(1);
  const V y_of_rest = y.head(12);
  const auto expected = at_minimum(plain_log, rest, y_of_rest, 1e-13);
  const auto check = [&](const StandardErrors& errors, double rounding) {
    CHECK_THAT(errors.weights[0].standard_error,
               WithinRel(expected.weights[0].standard_error, rounding));
    CHECK_THAT(errors.offset.standard_error, WithinRel(expected.offset.standard_error, rounding));
    CHECK(std::isnan(errors.weights[1].standard_error));
    CHECK(std::isnan(errors.weights[1].p_value));
    CHECK(std::isnan(errors.covariance(0, 1)));
    CHECK(errors.rank == 2);
    CHECK(errors.note ==
          "4 samples are separated from the others: without a penalty there is no finite estimate "
          "of w[1]; the errors of the other coefficients are those without these samples");
  };
  for (const double tolerance : {1e-4, 1e-6, 1e-12}) {
    const auto fitted = Newton{.tolerance = tolerance}.minimize(plain_log, x, y);
    CAPTURE(tolerance, fitted.weights.transpose());
    check(standard_errors(plain_log, fitted, x, y), 1e-2);
    check(standard_errors(plain_log, fitted, synthetic::sparse(x), y), 1e-2);
  }
  const auto fitted = Newton{.tolerance = 1e-12}.minimize(plain_log, x, y);
  const Matrix<float> narrow = x.cast<float>();
  check(at_minimum(plain_log, narrow, y, 1e-6), 1e-2);
  // Twice the same column: neither of the two weights is decided, with or without those samples.
  Matrix<double> twice(16, 3);
  twice << x, x.col(1);
  const auto of_twice = at_minimum(plain_log, twice, y, 1e-12);
  CHECK(std::isnan(of_twice.weights[1].standard_error));
  CHECK_THAT(of_twice.note, ContainsSubstring("there is no finite estimate of a sum of columns"));
  const Objective chances{Composed{CrossEntropy{}, Sigmoid{}}, L2{0}};
  check(standard_errors(chances, fitted, x, V((y.array() + 1) / 2)), 1e-6);
  Solution<double> scaled = fitted;
  scaled.weights[1] *= 1e8;
  Matrix<double> small = x;
  small.col(1) *= 1e-8;
  check(standard_errors(plain_log, scaled, small, y), 1e-6);
  // A sample of the other class makes the estimate finite, unless its weight is 0.
  Matrix<double> more(17, 2);
  more << x, x.row(12);
  V targets(17);
  targets << y, -1;
  V weights = V::Ones(17);
  const auto finite = Newton{.tolerance = 1e-12}.minimize(plain_log, more, targets, weights);
  const auto errors =
      standard_errors(plain_log, finite, more, targets, {.sample_weights = weights});
  CHECK(errors.note.empty());
  CHECK(errors.weights[1].standard_error < 3);
  weights[16] = 0;
  check(standard_errors(plain_log, fitted, more, targets, {.sample_weights = weights}), 1e-6);
  // A chance that is neither 0 nor 1 does so too.
  V between = (targets.array() + 1) / 2;
  between[16] = 0.9;
  const auto bound = Newton{.tolerance = 1e-12}.minimize(chances, more, between);
  CHECK(standard_errors(chances, bound, more, between).note.empty());
  // With a penalty there is a minimum.
  const Objective penalised{Log{}, L2{1e-3}};
  CHECK(at_minimum(penalised, x, y, 1e-12).note.empty());
}

TEST_CASE("Standard errors: classes that share one value of a column", "[models]") {
  // They meet at 2, where the other column has both of them on all sides.
  Matrix<double> x(12, 2);
  V y(12);
  for (Index i = 0; i < 12; ++i) {
    x.row(i) << (i < 3   ? -1.0 - static_cast<double>(i)
                 : i < 9 ? 2.0
                         : 2.5 + static_cast<double>(i)),
        static_cast<double>((i * i) % 5);
    y[i] = i < 3 || (i < 9 && i % 2 == 0) ? -1 : 1;
  }
  const auto fitted = Newton{.tolerance = 1e-9, .iterations = 60}.minimize(plain_log, x, y);
  const auto errors = standard_errors(plain_log, fitted, x, y);
  const Matrix<double> middle = x.middleRows(3, 6).rightCols(1);
  const V of_middle = y.segment(3, 6);
  const auto expected = at_minimum(plain_log, middle, of_middle, 1e-13);
  CHECK_THAT(errors.weights[1].standard_error, WithinRel(expected.weights[0].standard_error, 1e-3));
  CHECK(std::isnan(errors.weights[0].standard_error));
  CHECK(std::isnan(errors.offset.standard_error));
  CHECK_THAT(errors.note, ContainsSubstring("no finite estimate of offset, w[0];"));
  // Two of them are on the wrong side: nearly separated, and yet there is a minimum.
  Matrix<double> near = x;
  near(4, 0) += 1e-3;
  near(5, 0) -= 1e-3;
  const auto steep = Newton{.tolerance = 1e-13, .iterations = 200}.minimize(plain_log, near, y);
  const auto finite = standard_errors(plain_log, steep, near, y);
  CHECK_THAT(finite.note, !ContainsSubstring("separated"));
  CHECK(finite.weights[0].standard_error > 0);
  // A solution that is far from the infimum, of classes that a plane separates.
  V sides = y;
  sides.segment(3, 6).setConstant(1);
  Solution<double> start;
  start.weights = Eigen::Vector2d(0.1, 0.2);
  CHECK(standard_errors(plain_log, start, x, sides).note ==
        "a plane separates the two classes: without penalty there is no minimum");
}

TEST_CASE("Standard errors: of a group without a count there are none without penalty",
          "[models]") {
  Matrix<double> x(8, 3);
  x.setZero();
  for (Index i = 2; i < 8; ++i) x(i, i / 2 - 1) = 1;
  V y(8);
  y << 1, 2, 2, 3, 0, 0, 3, 4;
  const auto check = [](const StandardErrors& errors) {
    CHECK_THAT(errors.weights[0].standard_error, WithinRel(std::sqrt(1 / 3.0 + 1 / 5.0), 1e-3));
    CHECK_THAT(errors.weights[2].standard_error, WithinRel(std::sqrt(1 / 3.0 + 1 / 7.0), 1e-3));
    CHECK_THAT(errors.offset.standard_error, WithinRel(std::sqrt(1 / 3.0), 1e-3));
    CHECK(std::isnan(errors.weights[1].standard_error));
    CHECK_THAT(errors.note,
               ContainsSubstring("2 samples are separated from the others: without a penalty there "
                                 "is no finite estimate of w[1];"));
  };
  PoissonRegression recipe;
  recipe.lambda = 0;
  const auto model = recipe.fit(x, y);
  check(standard_errors(plain_counts, model, x, y));
  check(standard_errors(plain_counts, model, synthetic::sparse(x), y));
  const Matrix<float> narrow = x.cast<float>();
  check(standard_errors(plain_counts, recipe.fit(narrow, y), narrow, y));
  // Without offset the groups are three columns of their own, and the first samples say nothing.
  recipe.offset = false;
  const auto alone = standard_errors(plain_counts, recipe.fit(x, y), x, y, {.offset = false});
  CHECK_THAT(alone.weights[0].standard_error, WithinRel(std::sqrt(1 / 5.0), 1e-3));
  CHECK(std::isnan(alone.weights[1].standard_error));
  // A single count binds the group.
  y[4] = 1;
  recipe.offset = true;
  CHECK(standard_errors(plain_counts, recipe.fit(x, y), x, y).note.empty());
  const auto nothing = standard_errors(plain_counts, model, x, V::Zero(8));
  CHECK(nothing.note == "all counts are 0: without penalty there is no minimum");
  CHECK(std::isnan(nothing.offset.standard_error));
}

TEST_CASE("Standard errors: say how far the solution is from the minimum", "[models]") {
  const auto& [x, y] = diabetes();
  auto model = LinearRegression{}.fit(x, y);
  const auto errors = standard_errors(plain_squares, model, x, y);
  model.weights[4] += 0.5 * errors.weights[4].standard_error;  // of a column far from 0
  const auto moved = standard_errors(plain_squares, model, x, y);
  CHECK_THAT(moved.distance,
             WithinRel(0.5 * std::sqrt(errors.dispersion / moved.dispersion), 1e-8));
  CHECK_THAT(moved.note, ContainsSubstring("the solution is not at the minimum"));
  // Entries that a sparse row does not store count as 0 there too.
  const Matrix<double> few = synthetic::features(60, 3, 1, 0.4).cwiseAbs();
  const V numbers = synthetic::numbers(few, 2);
  CHECK(standard_errors(plain_squares, LinearRegression{}.fit(few, numbers), synthetic::sparse(few),
                        numbers)
            .distance < 1e-9);
  // A ridge regression is not at the minimum of least squares, nor at that of another λ.
  const Objective ridge{Squared{}, L2{1.0}};
  const auto other = RidgeRegression{.lambda = 1}.fit(x, y);
  CHECK(standard_errors(ridge, other, x, y).distance < 1e-9);
  CHECK(standard_errors(plain_squares, other, x, y).distance > 0.1);
  CHECK(standard_errors(Objective{Squared{}, L2{2.0}}, other, x, y).distance > 0.01);
}

TEST_CASE("Standard errors: in double for samples of float, or for a view of them", "[models]") {
  const Matrix<float> x = synthetic::features<float>(50, 3, 1);
  const Matrix<double> exact = x.cast<double>();
  const V y = synthetic::numbers(exact, 2);
  const Vector<float> weights = cycle(50, 3, 1).cast<float>();
  const V same_weights = weights.cast<double>();
  const auto expected =
      standard_errors(plain_squares, LinearRegression{}.fit(exact, y, same_weights), exact, y,
                      {.sample_weights = same_weights});
  const auto narrow = LinearRegression{}.fit(x, y, weights);
  const auto errors = standard_errors(plain_squares, narrow, x, y, {.sample_weights = weights});
  CHECK((errors.covariance - expected.covariance).norm() < 1e-9 * expected.covariance.norm());
  CHECK(errors.note.empty());
  const auto view = in_double(x);
  const auto wide = LinearRegression{}.fit(view, y, same_weights);
  const auto of_view =
      standard_errors(plain_squares, wide, view, y, {.sample_weights = same_weights});
  CHECK((of_view.covariance - expected.covariance).norm() < 1e-12 * expected.covariance.norm());
}

TEST_CASE("Standard errors: refuse what does not fit", "[models]") {
  const auto& [x, y] = cells();
  auto fitted = solution_of(golden::glm_plain, true);
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x.leftCols(3), y),
                    "standard_errors: 4 weights for 3 features");
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, y.head(7)),
                    "standard_errors: x has 569 rows but y has 7");
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, V(2 * y)),
                    ContainsSubstring("is no target of log"));
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, y, {.sample_weights = V::Zero(569)}),
                    "standard_errors: all sample weights are zero");
  CHECK_THROWS_WITH(standard_errors(Objective{Log{}, L2{-1}}, fitted, x, y),
                    ContainsSubstring("lambda"));
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, y, {.offset = false}),
                    ContainsSubstring("not 0 as told"));
  fitted.weights[1] = not_a_number;
  CHECK_THROWS_WITH(standard_errors(plain_log, fitted, x, y),
                    "standard_errors: the weights are not finite");
}

TEST_CASE("Standard errors: print as a table", "[models]") {
  const auto& [x, y] = cells();
  std::ostringstream text;
  text << std::fixed;  // is left as it is, and does not matter
  text << standard_errors(plain_log, solution_of(golden::glm_plain, true), x, y);
  CHECK(text.str() ==
        "             estimate   std. error          z    p-value\n"
        "w[0]        -0.309158    0.0336348     -9.192   3.87e-20\n"
        "w[1]         -122.131      14.2064     -8.597   8.19e-18\n"
        "w[2]         -29.5706      5.61585     -5.266    1.4e-07\n"
        "w[3]          202.585      27.2547      7.433   1.06e-13\n"
        "offset        11.3408      1.46225      7.756   8.79e-15\n");

  Solution<double> bare;
  bare.weights = Eigen::Vector2d(1, 0);
  const Matrix<double> same_columns = Matrix<double>::Constant(4, 2, 2);
  std::ostringstream other;
  other << standard_errors(plain_squares, bare, same_columns, Eigen::Vector4d(1, 2, 2, 3),
                           {.offset = false});
  CHECK(
      other.str() ==
      "             estimate   std. error          t    p-value\n"
      "w[0]                1          nan        nan        nan\n"
      "w[1]                0          nan        nan        nan\n"
      "dispersion 0.666667 with 3 degrees of freedom\n"
      "note: the samples decide 1 of 2 weights only: columns depend on each other, or samples are "
      "too few\n");
}

}  // namespace standard_errors_test
