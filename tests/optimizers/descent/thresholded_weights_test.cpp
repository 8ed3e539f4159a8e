// SPDX-License-Identifier: MIT
#include <linea/optimizers/descent/thresholded_weights.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l1.hpp>
#include <linea/rows/rows_of.hpp>

#include "support/catch.hpp"
#include "support/plain_weights.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("ThresholdedWeights: catching up equals soft-thresholding every weight at every step",
          "[optimizers]") {
  same_as_plain(L1{1.5}, 1.0, 3000);
  same_as_plain(ElasticNet{1.5, 0.1}, 0.998, 3000);
  same_as_plain(ElasticNet{0.01, 0.1}, 0.5, 3000);
  same_as_plain(ElasticNet{1.5, 0.1}, 0.99, 900, 600);
  same_as_plain(L1{0.3}, 1.0, 9000);  // longer than the history it keeps
}

TEST_CASE("ThresholdedWeights: weights are exactly zero where the threshold wins", "[optimizers]") {
  const auto x = synthetic::features(5, 4, 1);
  descent::ThresholdedWeights<double, L1> weights(Vector<double>::Constant(4, 0.5), 0, L1{1});
  weights.average(false);
  for (int t = 0; t < 10; ++t) {
    const Step<double> step{1, 0, 0, 0.1};
    weights.shrink(rows_of(x), step);
    weights.finish(step, 0, 1);
  }
  REQUIRE(weights.weights() == Vector<double>::Zero(4));
}
