// SPDX-License-Identifier: MIT
/// \file Rows of one's own, as docs/extend.md has them.
#include <linea/losses/log.hpp>
#include <linea/optimizers/dual_coordinate_ascent.hpp>
#include <linea/optimizers/newton.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/rows_from.hpp>
#include <vector>

#include "extend/works.hpp"

TEST_CASE("Your own rows: have the minimum of the matrix that they stand for", "[extend]") {
  // Sample i is a list of words; feature j counts word j.
  const std::vector<std::vector<int>> words{{0, 2}, {1}, {0, 1, 2}, {2}, {1, 2}, {0}};
  const auto x = linea::rows_from<double>(6, 3, [&](linea::Index i, auto&& entry) {
    for (const int word : words[static_cast<std::size_t>(i)]) entry(word, 1.0);
  });
  const linea::Vector<double> y{{1, -1, 1, -1, -1, 1}};
  const linea::Objective objective{linea::Log{}, linea::L2{0.01}};
  const auto solution = linea::Newton{}.minimize(objective, x, y);

  linea::Matrix<double> matrix = linea::Matrix<double>::Zero(6, 3);
  for (linea::Index i = 0; i < 6; ++i)
    for (const int word : words[static_cast<std::size_t>(i)]) matrix(i, word) = 1;
  const auto expected = linea::Newton{}.minimize(objective, matrix, y);
  CHECK((solution.weights - expected.weights).norm() < 1e-9);
  const linea::Vector<double> s{{1, 2, 1, 3, 1, 1}};
  const auto weighted = linea::DualCoordinateAscent{.tolerance = 1e-8}.minimize(objective, x, y, s);
  CHECK_THAT(linea::Newton{}.minimize(objective, matrix, y, s).objective,
             WithinRel(weighted.objective, 1e-6));
  const linea::Sgd sgd{.epochs = 5};
  CHECK(sgd.minimize(objective, x, y).weights ==
        sgd.minimize(objective, synthetic::sparse(matrix), y).weights);
  const auto chosen =
      linea::CrossValidation{.folds = 2}.choose(linea::Newton{}, objective, {0.1, 1}, x, y, s);
  CHECK(chosen.mean.allFinite());
}

TEST_CASE("Your own rows: a column beyond the last is refused at once", "[extend]") {
  const auto made = [] {
    return linea::rows_from<double>(2, 3, [](linea::Index i, auto&& entry) { entry(3 * i, 1.0); });
  };
  CHECK_THROWS_WITH(made(), "rows_from: row 1 names column 3 of 3");
  CHECK_THROWS_WITH(linea::rows_from<double>(-1, 3, [](linea::Index, auto&&) {}),
                    "rows_from: -1 rows of 3");
}
