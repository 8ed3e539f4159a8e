// SPDX-License-Identifier: MIT
#include <linea/optimizers/newton/softmax_passes.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

namespace {

template <class X>
void check_products(const X& x, const Matrix<double>& dense, Index k, bool with_ones,
                    Index threads) {
  auto set = detail::samples::admit_samples_in_double("test", x, x.rows(), Vector<scalar_t<X>>{});
  detail::newton::TablePasses<decltype(set.rows)> passes(set, with_ones, k, threads);
  Matrix<double> full(dense.rows(), passes.cols());
  full.leftCols(dense.cols()) = dense;
  if (with_ones) full.rightCols(1).setOnes();
  Random random(7);
  const auto table = [&](Index rows) {
    detail::newton::Table numbers = detail::newton::Table::Zero(rows, passes.stride());
    for (Index i = 0; i < rows; ++i)
      for (Index a = 0; a < k; ++a) numbers(i, a) = synthetic::normal(random);
    return numbers;
  };
  INFO(k << " classes, ones " << with_ones << ", " << threads << " threads");
  detail::newton::Table theta = table(passes.cols());
  const detail::newton::Table given = table(dense.rows());
  detail::newton::Table scores;
  passes.score(theta, scores);
  const detail::newton::Table wanted = full * theta;
  CHECK((scores - wanted).cwiseAbs().maxCoeff() < 1e-11);
  detail::newton::Table sum;
  passes.add_up(given, sum);
  CHECK((sum - full.transpose() * given).cwiseAbs().maxCoeff() < 1e-10);
  passes.score_and_add_up(
      theta, [](Index, const auto& of_block, auto& numbers) { numbers = 2 * of_block; }, sum);
  CHECK((sum - 2 * full.transpose() * wanted).cwiseAbs().maxCoeff() < 1e-9);
  CHECK(passes.passes() == 3);
}

}  // namespace

TEST_CASE("TablePasses: scores and sums for any number of classes", "[optimizers]") {
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

TEST_CASE("TablePasses: the scores of rows of weight 0 are 0", "[optimizers]") {
  Matrix<double> x = synthetic::features(9, 2, 62);
  x.row(4).setConstant(1e308);
  Vector<double> weights = Vector<double>::Ones(9);
  weights[4] = 0;
  const auto check = [&](const auto& samples) {
    auto set = detail::samples::admit_samples("test", samples, 9, weights);
    detail::newton::TablePasses<decltype(set.rows)> passes(set, false, 2, 1);
    detail::newton::Table theta = detail::newton::Table::Constant(2, 2, 10);
    detail::newton::Table scores;
    passes.score(theta, scores);
    CHECK(scores.row(4).isZero(0));
    CHECK_THAT(scores(5, 1), WithinAbs(10 * x.row(5).sum(), 1e-13));
    detail::newton::Table sum;
    passes.score_and_add_up(
        theta,
        [](Index first, const auto& of_block, auto& numbers) {
          for (Index k = 0; k < of_block.rows(); ++k)
            if (first + k == 4) CHECK(of_block.row(k).isZero(0));
          numbers = of_block;
        },
        sum);
    CHECK(sum.allFinite());
  };
  check(x);
  check(detail::ColumnMatrix<double>(x));
  check(synthetic::sparse(x));
}
