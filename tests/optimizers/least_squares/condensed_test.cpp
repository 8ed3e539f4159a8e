// SPDX-License-Identifier: MIT
#include <linea/optimizers/least_squares/condensed.hpp>
#include <linea/rows/rows_of.hpp>
#include <linea/samples/training_set.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Condensed samples: every w and b has the mean square of all rows", "[optimizers]") {
  const auto x = synthetic::features(300, 3, 31);
  core::ColumnMatrix<double> y(300, 2);
  y.col(0) = Vector<double>::LinSpaced(300, -1, 2);
  y.col(1) = x.col(0).cwiseAbs() + Vector<double>::Ones(300);
  Vector<double> weights(300);
  for (Index i = 0; i < 300; ++i) weights[i] = static_cast<double>(i % 4);
  const auto set = samples::admit_samples("test", x, x.rows(), weights);

  const auto condensed = least_squares::condense(set, y);
  REQUIRE(condensed.x.rows() == 10);  // two for each of three features and two targets
  REQUIRE(condensed.y.rows() == 10);
  REQUIRE(condensed.weights.size() == 10);
  REQUIRE_THAT(condensed.weights.sum(), WithinRel(set.weights.sum(), 1e-13));
  const auto mean_square = [](const auto& rows, const auto& targets, const auto& s, const auto& w,
                              double b) {
    const Vector<double> errors = (rows * w).array() + b - targets.array();
    return s.dot(errors.cwiseAbs2()) / s.sum();
  };
  for (const Index seed : {1, 2, 3}) {
    const Vector<double> w = synthetic::features(1, 3, static_cast<unsigned>(seed)).row(0);
    for (const double b : {-2.0, 0.0, 1.5})
      for (const Index k : {0, 1})
        REQUIRE_THAT(mean_square(condensed.x, condensed.y.col(k), condensed.weights, w, b),
                     WithinRel(mean_square(x, y.col(k), weights, w, b), 1e-12));
  }
}
