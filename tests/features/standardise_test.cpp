// SPDX-License-Identifier: MIT
#include <cstdint>
#include <linea/features.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/synthetic.hpp"

namespace standardise_test {

using namespace linea;

namespace {

/// Returns n normal samples. Their columns have means −3, 0, 3, 6 and deviations 1, 10, 100, 1000.
Matrix<double> unlike(Index n, std::uint64_t seed) {
  Matrix<double> x = synthetic::features(n, 4, seed);
  double scale = 1;
  for (Index j = 0; j < 4; ++j, scale *= 10)
    x.col(j).array() = x.col(j).array() * scale + 3 * static_cast<double>(j - 1);
  return x;
}

template <class X>
double off_mean(const X& x) {
  return x.colwise().mean().cwiseAbs().maxCoeff();
}
template <class X>
double off_mean_square(const X& x) {
  return (x.array().square().colwise().mean() - 1).abs().maxCoeff();
}

}  // namespace

TEST_CASE("Standardise: columns have mean 0 and variance 1, in every dense layout", "[features]") {
  const auto x = unlike(500, 1);
  const auto learnt = standardise(x);
  const auto standard = learnt.apply(x);
  CHECK(off_mean(standard) < 1e-14);
  CHECK(off_mean_square(standard) < 1e-13);
  // Scaling back and adding the means restores x up to rounding.
  const Matrix<double> back =
      (standard * learnt.scale.asDiagonal()).rowwise() + learnt.mean.transpose();
  CHECK((back - x).norm() < 1e-14 * x.norm());
  const Eigen::MatrixXd columns = x;
  const auto of_columns = standardise(columns.leftCols(4));
  CHECK(of_columns.mean == learnt.mean);
  CHECK(of_columns.scale == learnt.scale);
  CHECK(learnt.apply(columns) == standard);
  CHECK(learnt.apply(x.array()) == standard);
  CHECK(learnt.apply(columns.middleRows(3, 9)) == standard.middleRows(3, 9));
  CHECK(learnt.apply(x.row(3)) == standard.row(3));
  // The scaling of one set is applied to another.
  const auto other = unlike(5, 5);
  const Matrix<double> expected =
      (other.rowwise() - x.colwise().mean()) * learnt.scale.cwiseInverse().asDiagonal();
  CHECK((learnt.apply(other) - expected).norm() < 1e-12 * expected.norm());
  // Sums of floats are accumulated in double.
  const Matrix<float> narrow = (unlike(20000, 7).array() + 1000).matrix().cast<float>();
  const auto of_floats = standardise(narrow);
  const auto wide = standardise(Matrix<double>(narrow.cast<double>()));
  CHECK((of_floats.mean - wide.mean).norm() < 1e-7 * wide.mean.norm());
  CHECK((of_floats.scale - wide.scale).norm() < 1e-7 * wide.scale.norm());
}

TEST_CASE("Standardise: a constant column becomes exactly 0", "[features]") {
  auto x = unlike(7, 3);
  for (const double constant : {0.1, -1e9 / 3, 0.0, 1e-150}) {
    x.col(2).setConstant(constant);
    const auto learnt = standardise(x);
    CHECK(learnt.scale[2] == 1);
    CHECK(learnt.apply(x).col(2) == Vector<double>::Zero(7));
    CHECK(off_mean_square(learnt.apply(x).leftCols(2)) < 1e-14);
  }
  const Matrix<float> narrow = Matrix<float>::Constant(1000, 1, 0.1F);
  CHECK(standardise(narrow).apply(narrow) == Matrix<float>::Zero(1000, 1));
  const Matrix<double> one = x.topRows(1);
  CHECK(standardise(one).apply(one) == Matrix<double>::Zero(1, 4));
}

TEST_CASE("Standardise: neither a mean far from 0, nor the unit of a column loses digits",
          "[features]") {
  const Matrix<double> x = synthetic::features(300, 1, 11);
  const double scale = standardise(x).scale[0];
  const Matrix<double> far = x.array() + 1e8;
  CHECK_THAT(standardise(far).scale[0], WithinRel(scale, 1e-8));  // x is rounded to 1.5e-8
  CHECK(off_mean(standardise(far).apply(far)) < 1e-7);
  for (const double size : {1e100, 1e-100, 1e149, 1e-149}) {
    const Matrix<double> sized = size * x;
    const auto sparse = synthetic::sparse(sized);
    CHECK_THAT(standardise(sized).scale[0], WithinRel(size * scale, 1e-12));
    CHECK(off_mean_square(standardise(sized).apply(sized)) < 1e-12);
    CHECK(off_mean_square(standardise(sparse).apply(sparse).toDense()) < 1e-12);
  }
  const Matrix<float> denormal = (1e-41 * x).cast<float>();  // about 7000 times the least float
  CHECK(off_mean_square(standardise(denormal).apply(denormal)) < 1e-5);
}

TEST_CASE("Standardise: sparse samples keep their zeros and get mean square 1", "[features]") {
  Matrix<double> x = synthetic::features(200, 4, 8, 0.2);
  x.col(1) *= 1000;
  x.col(3).setZero();
  SparseMatrix<double, Index> sparse = x.sparseView();
  const auto learnt = standardise(sparse);
  const SparseMatrix<double, Index> standard = learnt.apply(sparse);
  const Matrix<double> dense = standard;
  CHECK(learnt.mean == Vector<double>::Zero(4));
  CHECK(learnt.scale[3] == 1);
  CHECK(standard.nonZeros() == sparse.nonZeros());
  CHECK(off_mean_square(dense.leftCols(3)) < 1e-14);
  CHECK(dense == learnt.apply(x));  // dense samples are scaled by the same map
  CHECK(Matrix<double>(learnt.apply(sparse.middleRows(7, 20))) == dense.middleRows(7, 20));
  sparse.reserve(Eigen::VectorXi::Constant(200, 6));
  REQUIRE_FALSE(sparse.isCompressed());
  CHECK(Matrix<double>(learnt.apply(sparse)) == dense);
}

TEST_CASE("Standardise: sample weights are repeats, and weight 0 has no effect", "[features]") {
  const auto x = unlike(40, 7);
  Eigen::VectorXi counts(40);
  for (int i = 0; i < 40; ++i) counts[i] = i % 4;
  const Vector<double> weights = counts.cast<double>();
  const Matrix<double> repeated = synthetic::repeated(x, counts);
  const auto expected = standardise(repeated);
  Matrix<double> spoilt = x;
  for (Index i = 0; i < 40; i += 4) spoilt.row(i).setConstant(1e150);
  for (const double unit : {1.0, 1e149}) {
    const auto learnt = standardise(spoilt, weights * unit);
    CHECK((learnt.mean - expected.mean).norm() < 1e-13 * expected.mean.norm());
    CHECK((learnt.scale - expected.scale).norm() < 1e-13 * expected.scale.norm());
  }
  const auto thin = standardise(synthetic::sparse(spoilt), weights);
  const auto of_repeats = standardise(synthetic::sparse(repeated));
  CHECK((thin.scale - of_repeats.scale).norm() < 1e-13 * of_repeats.scale.norm());
  CHECK(thin.mean.isZero(0));
  // A column counts as constant if it is constant in the samples of weight above 0.
  spoilt.col(2) = (weights.array() > 0).select(Vector<double>::Constant(40, 0.1), 7.0);
  CHECK(standardise(spoilt, weights).scale[2] == 1);
  CHECK(standardise(spoilt, weights).mean[2] == 0.1);
}

TEST_CASE("Standardise: refuses invalid arguments", "[features]") {
  auto x = unlike(5, 9);
  const auto learnt = standardise(x);
  REQUIRE_THROWS_AS(standardise(Matrix<double>(0, 3)), std::invalid_argument);
  REQUIRE_THROWS_WITH(standardise(Matrix<double>(0, 3)), "standardise: x is empty (0 x 3)");
  REQUIRE_THROWS_WITH(standardise(SparseMatrix<double>(2, 0)), "standardise: x is empty (2 x 0)");
  REQUIRE_THROWS_WITH(learnt.apply(x.leftCols(3)),
                      "Standardisation::apply: x has 3 columns, but the number of scales is 4");
  REQUIRE_THROWS_WITH(
      learnt.apply(synthetic::sparse(x)),
      ContainsSubstring("Standardisation::apply: x is sparse but column 0 has mean") &&
          ContainsSubstring("learn from sparse samples, or apply to dense ones"));
  CHECK_THROWS_WITH(standardise(x, Vector<double>::Ones(3)),
                    "standardise: 3 sample weights but y has 5");
  CHECK_THROWS_WITH(standardise(x, Vector<double>::Zero(5)),
                    "standardise: all sample weights are zero");
  CHECK_THROWS_WITH(standardise(x, Vector<double>{{1, 1, -1, 1, 1}}),
                    "standardise: sample weight 2 is -1");
  CHECK_THROWS_WITH(standardise(x, Vector<double>{{1, 1, 1e200, 1, 1}}),
                    "standardise: sample weight 2 is 1e+200" + test::above);
  CHECK_THROWS_WITH(
      standardise(x, Vector<double>(1e-200 * Vector<double>::Ones(5))),
      "standardise: the largest magnitude of the sample weights is 1e-200" + test::below);
  Matrix<double> tiny = x;
  tiny.col(1) = 1e-160 * x.col(1) / x.col(1).cwiseAbs().maxCoeff();
  const std::string column = "standardise: the largest magnitude of column 1 of x is 1e-160";
  CHECK_THROWS_WITH(standardise(tiny), column + test::below);
  CHECK_THROWS_WITH(standardise(synthetic::sparse(tiny)), column + test::below);
  x(3, 2) = 1e200;
  CHECK_THROWS_WITH(standardise(x), "standardise: x(3, 2) is 1e+200" + test::above);
  CHECK_THROWS_WITH(standardise(synthetic::sparse(x)),
                    "standardise: x(3, 2) is 1e+200" + test::above);
  x(3, 2) = test::infinity;
  REQUIRE_THROWS_WITH(standardise(x), "standardise: x(3, 2) is not finite");
  REQUIRE_THROWS_WITH(standardise(synthetic::sparse(x)), "standardise: x(3, 2) is not finite");
}

}  // namespace standardise_test
