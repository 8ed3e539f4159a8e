// SPDX-License-Identifier: MIT
/// \file Passes that sum over all samples.
#include <linea/losses/squared.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/row_passes.hpp>
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
    detail::samples::RowEntries entries;
    for (Index k = 0; k < 5; ++k) {
      selected->read(k, entries);
      Vector<double> row = Vector<double>::Zero(6);
      for (std::size_t e = 0; e < entries.count; ++e) row[entries.columns[e]] += entries.values[e];
      CHECK(row == x.row(static_cast<Index>(members[static_cast<std::size_t>(k)])).transpose());
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
