// SPDX-License-Identifier: MIT
/// \file Passes that sum over all samples.
#include <linea/losses/squared.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/passes.hpp>
#include <linea/samples/second_moment.hpp>
#include <linea/samples/training_set.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

/// Checks scores, sums and sums of squares against the columns of x, and the number of passes.
void check(const auto& rows, const Matrix<double>& x, bool with_ones, Index threads) {
  const auto all = [](Index) { return true; };
  Eigen::MatrixXd full = Eigen::MatrixXd::Ones(x.rows(), x.cols() + (with_ones ? 1 : 0));
  full.leftCols(x.cols()) = x;
  detail::samples::Passes passes(rows, with_ones, threads);
  REQUIRE(passes.cols() == full.cols());

  const Vector<double> v = Vector<double>::LinSpaced(full.cols(), -1, 2);
  Vector<double> numbers(x.rows());
  passes.score(v, numbers, all, x.rows());
  REQUIRE((numbers - full * v).norm() < 1e-10);
  REQUIRE(passes.passes() == 1);

  const Vector<double> factors = Vector<double>::LinSpaced(x.rows(), -1, 3);
  Vector<double> sum = Vector<double>::Ones(1);  // will be overwritten
  passes.add_up(factors, sum);
  REQUIRE((sum - full.transpose() * factors).norm() < 1e-9);
  passes.add_up_squares(factors, sum);
  REQUIRE((sum - full.cwiseAbs2().transpose() * factors).norm() < 1e-9);
  REQUIRE(passes.passes() == 3);

  numbers.setZero();
  const auto turn = [&](Index, Index first, Index count, double* coefficients) {
    for (Index k = 0; k < count; ++k) coefficients[k] = numbers[first + k] - factors[first + k];
  };
  passes.score_and_add_up(v, numbers, all, x.rows(), turn, sum);
  REQUIRE((numbers - full * v).norm() < 1e-10);
  REQUIRE((sum - full.transpose() * (full * v - factors)).norm() < 1e-8);
  REQUIRE(passes.passes() == 4);
}

}  // namespace

TEST_CASE("Passes: scores and sums over rows, on one thread and three, in any storage",
          "[samples]") {
  const auto x = synthetic::features(900, 7, 21, 0.4);
  const auto sparse = synthetic::sparse(x);
  for (const bool with_ones : {false, true})
    for (const Index threads : {1, 3}) {
      check(rows_of(x), x, with_ones, threads);
      check(rows_of(sparse), x, with_ones, threads);
    }
}

TEST_CASE("largest_second_moment: is zero for rows of zeros", "[samples]") {
  const Matrix<double> x = Matrix<double>::Zero(5, 3);
  const Vector<double> y{{1, 2, 3, 4, 5}};
  const auto set = detail::samples::admit("test", Squared{}, x, y);
  REQUIRE(detail::samples::largest_second_moment(set, false) == 0);
  REQUIRE_THAT(detail::samples::largest_second_moment(set, true), WithinRel(1.0, 1e-12));
}
