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
  Eigen::MatrixXd full = Eigen::MatrixXd::Ones(x.rows(), x.cols() + (with_ones ? 1 : 0));
  full.leftCols(x.cols()) = x;
  const detail::samples::RowBlocksOf blocks(rows);
  detail::samples::Passes passes(blocks, with_ones, threads);
  REQUIRE(passes.cols() == full.cols());

  const Vector<double> v = Vector<double>::LinSpaced(full.cols(), -1, 2);
  Vector<double> numbers(x.rows());
  passes.score(v, numbers, nullptr, x.rows());
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
  passes.score_and_add_up(v, numbers, nullptr, x.rows(), turn, sum);
  REQUIRE((numbers - full * v).norm() < 1e-10);
  REQUIRE((sum - full.transpose() * (full * v - factors)).norm() < 1e-8);
  REQUIRE(passes.passes() == 4);
}

/// Checks products with tables of k columns against those of Eigen.
template <class X>
void check_products(const X& x, const Matrix<double>& dense, Index k, bool with_ones,
                    Index threads) {
  using detail::samples::Table;
  const auto set =
      detail::samples::admit_samples_in_double("test", x, x.rows(), Vector<scalar_t<X>>{});
  const detail::samples::RowBlocksOf blocks(set.rows);
  detail::samples::Passes passes(blocks, with_ones, threads, detail::samples::stride_of(k));
  Matrix<double> full(dense.rows(), passes.cols());
  full.leftCols(dense.cols()) = dense;
  if (with_ones) full.rightCols(1).setOnes();
  Random random(7);
  const auto table = [&](Index rows) {
    Table numbers = Table::Zero(rows, passes.stride());
    for (Index i = 0; i < rows; ++i)
      for (Index a = 0; a < k; ++a) numbers(i, a) = synthetic::normal(random);
    return numbers;
  };
  INFO(k << " columns, ones " << with_ones << ", " << threads << " threads");
  Table theta = table(passes.cols());
  const Table given = table(dense.rows());
  Table scores;
  passes.score(theta, scores);
  const Table wanted = full * theta;
  CHECK((scores - wanted).cwiseAbs().maxCoeff() < 1e-11);
  Table sum;
  passes.add_up(given, sum);
  CHECK((sum - full.transpose() * given).cwiseAbs().maxCoeff() < 1e-10);
  passes.score_and_add_up(
      theta, [](Index, const auto& of_block, auto& numbers) { numbers = 2 * of_block; }, sum);
  CHECK((sum - 2 * full.transpose() * wanted).cwiseAbs().maxCoeff() < 1e-9);
  CHECK(passes.passes() == 3);
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

TEST_CASE("Passes: products with tables of any number of columns", "[samples]") {
  const auto x = synthetic::features(333, 7, 61, 0.6);
  const Matrix<float> floats = x.cast<float>();
  const Matrix<double> rounded = floats.cast<double>();
  for (const Index k : {2, 3, 4, 5, 8, 11, 16, 17, 40})
    for (const bool with_ones : {true, false}) {
      check_products(x, x, k, with_ones, 1);
      check_products(detail::ColumnMatrix<double>(x), x, k, with_ones, 1);
      check_products(synthetic::sparse(x), x, k, with_ones, 1);
      check_products(floats, rounded, k, with_ones, 1);
      check_products(synthetic::sparse(floats), rounded, k, with_ones, 1);
      check_products(x.middleCols(2, 3), x.middleCols(2, 3), k, with_ones, 1);
      check_products(x.row(5), x.row(5), k, with_ones, 1);
    }
  check_products(x, x, 5, true, 3);
  check_products(synthetic::sparse(x), x, 5, true, 3);
}

TEST_CASE("RowBlocks: rows that are wanted, rows that are selected, and their entries",
          "[samples]") {
  const auto x = synthetic::features(500, 6, 22, 0.4);
  const auto sparse = synthetic::sparse(x);
  const Sequence members{3, 4, 7, 100, 499};
  const auto check = [&](const auto& rows) {
    const detail::samples::RowBlocksOf blocks(rows);
    const Vector<double> v = Vector<double>::LinSpaced(6, -1, 2);
    Vector<double> wanted = Vector<double>::Zero(40);
    wanted[3] = wanted[39] = 1;
    Vector<double> scores = Vector<double>::Constant(40, 99);
    blocks.scores(100, 40, v, wanted.data(), scores.data());
    for (const Index k : {3, 39}) CHECK_THAT(scores[k], WithinAbs(x.row(100 + k).dot(v), 1e-12));
    if (blocks.is_packed()) CHECK((scores.array() != 99).count() == 2);

    const auto selected = blocks.selected(members);
    REQUIRE(selected->rows() == 5);
    detail::samples::RowBlock block;
    for (const Index count : {1, 5}) {  // one row may be in place, all are gathered
      selected->read(5 - count, count, block);
      for (Index k = 0; k < count; ++k) {
        Vector<double> row = Vector<double>::Zero(6);
        block.for_each(k, [&](Index j, double entry) { row[j] += entry; });
        const auto at = static_cast<std::size_t>(5 - count + k);
        CHECK(row == x.row(static_cast<Index>(members[at])).transpose());
      }
    }
    Vector<double> sum = Vector<double>::Zero(6);
    const Vector<double> ones = Vector<double>::Ones(5);
    selected->add_up(0, 5, ones.data(), sum);
    CHECK((sum - x(members, Eigen::all).colwise().sum().transpose()).norm() < 1e-12);
  };
  check(rows_of(x));
  check(rows_of(sparse));
  const Eigen::MatrixXd columns = x;
  check(rows_of(columns));
}

TEST_CASE("largest_second_moment: is zero for rows of zeros", "[samples]") {
  const Matrix<double> x = Matrix<double>::Zero(5, 3);
  const Vector<double> y{{1, 2, 3, 4, 5}};
  const auto set = detail::samples::admit("test", Squared{}, x, y);
  REQUIRE(detail::samples::largest_second_moment(set, false) == 0);
  REQUIRE_THAT(detail::samples::largest_second_moment(set, true), WithinRel(1.0, 1e-12));
}
