// SPDX-License-Identifier: MIT
#include <cmath>  // sqrt
#include <linea/models/validation_curve.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"

namespace validation_curve_test {

using namespace linea;

namespace {

const Eigen::VectorXd alike = Eigen::VectorXd::Constant(4, 10);

/// Returns the curve of four folds whose scores have these means and the deviations −d, −d, d, d.
ValidationCurve curve_of(const std::vector<double>& lambdas, const std::vector<double>& means,
                         double deviation) {
  Matrix<double> scores(4, static_cast<Index>(means.size()));
  for (Index k = 0; k < scores.cols(); ++k) {
    const double mean = means[static_cast<std::size_t>(k)];
    scores.col(k) << mean - deviation, mean - deviation, mean + deviation, mean + deviation;
  }
  return validation_curve(lambdas, scores, alike);
}

}  // namespace

TEST_CASE("validation_curve: means and standard errors agree with the folds", "[models]") {
  const Matrix<double> scores{{1, 4}, {2, 4}, {6, 4}};
  const auto curve = validation_curve({2, 1}, scores, Eigen::VectorXd::Constant(3, 7));
  CHECK_THAT(curve.mean[0], WithinRel(3.0, 1e-15));
  CHECK_THAT(curve.mean[1], WithinRel(4.0, 1e-15));
  // The sample variance is (4 + 1 + 9)/2 = 7. The variance of the mean is a third of the sample
  // variance.
  CHECK_THAT(curve.standard_error[0], WithinRel(std::sqrt(7.0 / 3), 1e-15));
  CHECK_THAT(curve.standard_error[1], WithinAbs(0, 1e-15));
  CHECK(curve.fold_scores == scores);
  CHECK(curve.lambdas == std::vector<double>{2, 1});
  CHECK(curve.best == 0);
  // A fold's score is weighted by its number of samples. The variance of the mean is (3·1² +
  // 1·3²)/4, divided by folds − 1.
  const auto uneven = validation_curve({1}, Matrix<double>{{1}, {5}}, Eigen::Vector2d(3, 1));
  CHECK_THAT(uneven.mean[0], WithinRel(2.0, 1e-15));
  CHECK_THAT(uneven.standard_error[0], WithinRel(std::sqrt(3.0), 1e-15));
}

TEST_CASE("validation_curve: selects the largest lambda within one standard error of the best",
          "[models]") {
  // The standard error is √((4·0.6²/4)/3) = 0.3464….
  const std::vector<double> lambdas{16, 8, 4, 2, 1}, means{2, 1.34, 1.2, 1, 1.5};
  const auto curve = curve_of(lambdas, means, 0.6);
  CHECK(curve.best == 3);
  CHECK_THAT(curve.standard_error[3], WithinRel(0.6 / std::sqrt(3.0), 1e-14));
  CHECK(curve.one_standard_error == 1);
  CHECK(curve_of(lambdas, means, 0.5).one_standard_error == 2);
  CHECK(curve_of(lambdas, means, 0.0).one_standard_error == 3);
  // The result is the same for any order of the lambdas, and uses the standard error of the best λ.
  const auto rising = curve_of({1, 2, 4, 8, 16}, {1.5, 1, 1.2, 1.34, 2}, 0.6);
  CHECK(rising.best == 1);
  CHECK(rising.one_standard_error == 3);
  const Matrix<double> scores{{0.5, 1}, {3, 1}};
  CHECK(validation_curve({2, 1}, scores, Eigen::Vector2d(1, 1)).one_standard_error == 1);
}

TEST_CASE("validation_curve: of equal means selects the largest lambda, and never a mean of NaN",
          "[models]") {
  const double none = test::not_a_number;
  const struct {
    std::vector<double> lambdas, means;
    Index best;
  } rows[] = {{{1, 4, 2}, {0.5, 0.5, 0.5}, 1},
              {{4, 2, 1}, {0.5, 0.5, 0.25}, 2},
              {{0.1, 1}, {-0.5, -0.5 * (1 + 1e-15)}, 1},
              {{0.1, 1}, {0.5, 0.5 * (1 + 1e-14)}, 0},
              {{8, 4, 2, 1}, {none, 3, 2, none}, 2}};
  for (const auto& [lambdas, means, best] : rows) CHECK(curve_of(lambdas, means, 0).best == best);
  CHECK(curve_of({8, 4, 2, 1}, {none, 3, 2, none}, 0.1).one_standard_error == 2);
  // Both lambdas have three errors in fifty samples, in different folds: the means differ only by
  // rounding.
  const Matrix<double> wrong{{0.3, 0.1}, {0, 0.2}, {0, 0}, {0, 0}, {0, 0}};
  const auto tied = validation_curve({0.1, 1}, wrong, Eigen::VectorXd::Constant(5, 10));
  REQUIRE(tied.mean[0] != tied.mean[1]);
  CHECK(tied.best == 1);
}

TEST_CASE("validation_curve: refuses sizes that differ", "[models]") {
  const auto refused = [](const std::vector<double>& lambdas, Index folds,
                          const Eigen::VectorXd& weights, const std::string& why) {
    CHECK_THROWS_WITH(validation_curve(lambdas, Matrix<double>::Ones(folds, 2), weights),
                      "validation_curve: " + why);
  };
  refused({1}, 4, alike, "1 lambdas but scores of 2");
  refused({2, 1}, 4, Eigen::Vector2d(1, 1), "4 folds, at least two are needed, and 2 weights");
  refused({2, 1}, 1, alike.head(1), "1 folds, at least two are needed, and 1 weights");
  refused({2, 1}, 4, Eigen::Vector4d(1, 1, 0, 1), "a fold's weight is not finite and > 0");
}

TEST_CASE("validation_curve: detects a best lambda at the end of the list", "[models]") {
  const struct {
    std::vector<double> lambdas, means;
    bool is_at_edge;
  } rows[] = {{{1, 0.1, 0.01}, {3, 2, 1}, true},
              {{1, 0.1, 0.01}, {1, 2, 3}, true},
              {{0.1, 0.01, 1}, {2, 1, 3}, true},  // the order does not matter
              {{1, 0.1, 0.01}, {3, 1, 2}, false},
              {{1, 0.1, 0.01}, {3, 1, 1}, false},  // flat: a smaller λ brings no gain
              {{1, 0.1, 0.01}, {3, 1 + 1e-8, 1}, false},
              {{1, 0.1, 0}, {3, 2, 1}, false},  // no λ is below 0
              {{1, 0.1, 0.01}, {NAN, 2, 1}, true},
              {{1, 0.1}, {NAN, NAN}, false},
              {{1, 0.1}, {INFINITY, INFINITY}, false},
              {{1}, {3}, false}};
  for (const auto& [lambdas, means, is_at_edge] : rows)
    CHECK(curve_of(lambdas, means, 0).is_at_edge == is_at_edge);
}

}  // namespace validation_curve_test
