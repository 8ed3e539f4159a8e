// SPDX-License-Identifier: MIT
#include <linea/optimizers/numerics/gram.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("add_gram: adds the sum of the rows' squares, entry by entry or in blocks",
          "[optimizers]") {
  for (const Index columns : {1, 3, 23, 24, 25, 60})
    for (const Index count : {0, 1, 127, 128, 300})
      for (const bool is_full : {true, false}) {
        CAPTURE(columns, count, is_full);
        Matrix<double> x = synthetic::features(count + 1, columns, 7).topRows(count);
        if (!is_full)  // an entry in five
          for (Index i = 0; i < count; ++i)
            for (Index j = 0; j < columns; ++j)
              if ((3 * i + j) % 5 != 0) x(i, j) = 0;
        core::ColumnMatrix<double> matrix = Eigen::MatrixXd::Constant(columns, columns, 2.5);
        const auto row = [&](Index k, auto&& put) {
          for (Index j = 0; j < columns; ++j)
            if (x(k, j) != 0) put(j, x(k, j));
        };
        numerics::add_gram(matrix, count, static_cast<double>(columns) / (is_full ? 1 : 5), row);
        const Eigen::MatrixXd expected =
            Eigen::MatrixXd::Constant(columns, columns, 2.5) + x.transpose() * x;
        for (Index j = 0; j < columns; ++j)
          for (Index i = j; i < columns; ++i)
            REQUIRE_THAT(matrix(i, j),
                         WithinAbs(expected(i, j), 1e-12 * (1 + static_cast<double>(count))));
      }
}

TEST_CASE("add_gram: a row may have more entries than it is said to", "[optimizers]") {
  core::ColumnMatrix<double> matrix = Eigen::MatrixXd::Zero(40, 40);
  numerics::add_gram(matrix, 2, 0.5, [](Index k, auto&& put) {
    for (Index j = 0; j < 40; ++j) put(j, static_cast<double>(k + j));
  });
  for (Index j = 0; j < 40; ++j)
    for (Index i = j; i < 40; ++i)
      REQUIRE(matrix(i, j) == static_cast<double>(i * j + (i + 1) * (j + 1)));
}

TEST_CASE("gram_cost: few entries are taken one by one, full rows are not", "[optimizers]") {
  CHECK(numerics::gram_cost(14, 123) == 14 * 18 / 2.0);
  CHECK(numerics::gram_cost(64, 64) < 64 * 68 / 2.0);
}
