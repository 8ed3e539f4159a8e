// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <linea/optimizers/least_squares/centred_moments.hpp>

#include "support/catch.hpp"
#include "support/vector_levels.hpp"

using namespace linea;
using namespace linea::test;

namespace {

struct Moments {
  Eigen::Matrix<long double, Eigen::Dynamic, 1> mean;
  Wide scatter;
};

/// Returns the moments by definition, computed in two passes.
Moments moments_of(const Matrix<double>& a, const Eigen::VectorXd& root, bool centre) {
  const Wide wide = a.cast<long double>();
  const Eigen::Matrix<long double, Eigen::Dynamic, 1> share = root.cast<long double>().cwiseAbs2();
  Moments moments{Eigen::Matrix<long double, Eigen::Dynamic, 1>::Zero(a.cols()), {}};
  if (centre && share.sum() > 0) moments.mean = wide.transpose() * share / share.sum();
  const Wide centred = wide.rowwise() - moments.mean.transpose();
  moments.scatter = centred.transpose() * share.asDiagonal() * centred;
  return moments;
}

/// Is each Cᵢⱼ equal to its expected value, up to one rounding error for each term, relative to the
/// diagonal?
bool is_close(const Eigen::MatrixXd& c, const Wide& expected, double rounding) {
  for (Index j = 0; j < c.cols(); ++j)
    for (Index i = j; i < c.rows(); ++i) {
      const long double scale = std::sqrt(expected(i, i)) * std::sqrt(expected(j, j));
      if (!(std::abs(c(i, j) - expected(i, j)) <= rounding * scale)) return false;
    }
  return true;
}

constexpr double eps = std::numeric_limits<double>::epsilon();

least_squares::CentredMoments taken_in(const Matrix<double>& a, const Eigen::VectorXd& root,
                                       bool centre, linear_algebra::VectorLevel level) {
  least_squares::CentredMoments moments(a.rows(), a.cols(), centre, level);
  for (Index first = 0; first < a.rows(); first += least_squares::CentredMoments::block_rows) {
    const Index count = std::min(least_squares::CentredMoments::block_rows, a.rows() - first);
    for (Index k = 0; k < count; ++k)
      for (Index j = 0; j < a.cols(); ++j) moments.row(k)[j] = a(first + k, j);
    moments.add(root.data() + first, count);
  }
  return moments;
}

}  // namespace

TEST_CASE("Centred moments: equal their definition", "[optimizers]") {
  for (const linear_algebra::VectorLevel level : offered_levels())
    for (const Index rows : {1, 2, 5, 127, 128, 129, 300})
      for (const Index columns : {1, 3, 24, 25, 53})
        for (const bool centre : {true, false}) {
          CAPTURE(static_cast<int>(level), rows, columns, centre);
          auto a = numbers(rows, columns, 4);
          Eigen::VectorXd root = numbers(rows, 1, 5).cwiseAbs();
          if (rows > 4) root[0] = root[3] = 0;
          if (rows > 4) a.row(0).setConstant(1e200);
          if (rows > 256) root.segment(128, 128).setZero();  // a block whose weights are all 0
          const auto taken = taken_in(a, root, centre, level);
          const auto expected = moments_of(a, root, centre);
          CHECK((taken.mean().cast<long double>() - expected.mean).cwiseAbs().maxCoeff() <=
                4 * eps);
          const double rounding = eps * static_cast<double>(rows + 4);
          // A single row has no scatter except rounding.
          if (rows > 1 || !centre)
            CHECK(is_close(taken.scatter(), expected.scatter, rounding));
          else
            CHECK(taken.scatter().cwiseAbs().maxCoeff() <= rounding * rounding);
        }
}

TEST_CASE("Centred moments: far, sorted and outlying rows lose no digits", "[optimizers]") {
  const Index n = 1000;
  Matrix<double> a = numbers(n, 5, 6);
  a.col(1).array() += 1e6;
  a.col(2) = Eigen::VectorXd::LinSpaced(n, -50, 1e5);
  a.col(3).setConstant(0.1);
  a(0, 4) = 1e9;
  const Eigen::VectorXd root = Eigen::VectorXd::Constant(n, 1 / std::sqrt(static_cast<double>(n)));
  const auto expected = moments_of(a, root, true);
  for (const linear_algebra::VectorLevel level : offered_levels()) {
    const auto taken = taken_in(a, root, true, level);
    CHECK(taken.scatter()(3, 3) == 0);  // a constant column must be exactly 0 to be detected
    CHECK(taken.mean()[3] == 0.1);
    for (Index j = 0; j < 5; ++j) {
      const auto mean = static_cast<double>(expected.mean[j]);
      // The first block has a mean of 1e9, so the sums of column 4 round in units of ε·1e9/128.
      CHECK_THAT(taken.mean()[j], WithinRel(mean, (j == 4 ? 32 : 4) * eps));
      const auto variance = static_cast<double>(expected.scatter(j, j));
      if (j != 3) CHECK_THAT(taken.scatter()(j, j), WithinRel(variance, 100 * eps));
    }
  }
}

TEST_CASE("Centred moments: two sets of rows can be joined", "[optimizers]") {
  const auto level = linear_algebra::best_vector_level();
  Matrix<double> a = numbers(300, 25, 4);
  Eigen::VectorXd root = numbers(300, 1, 5).cwiseAbs();
  root[299] = 0;                // with `first` 299, the last set has weight 0
  a.topRows(130).array() += 3;  // the sets have different means
  for (const Index first : {0, 1, 130, 299, 300})
    for (const bool centre : {true, false}) {
      CAPTURE(first, centre);
      auto taken = taken_in(a.topRows(first), root.head(first), centre, level);
      taken.join(taken_in(a.bottomRows(300 - first), root.tail(300 - first), centre, level));
      const auto expected = moments_of(a, root, centre);
      CHECK((taken.mean().cast<long double>() - expected.mean).cwiseAbs().maxCoeff() <= 16 * eps);
      CHECK(is_close(taken.scatter(), expected.scatter, 304 * eps));
    }
}
