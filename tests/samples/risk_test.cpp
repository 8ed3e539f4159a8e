// SPDX-License-Identifier: MIT
#include <linea/core/workers.hpp>
#include <linea/losses/log.hpp>
#include <linea/samples/risk.hpp>
#include <linea/samples/training_set.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;

TEST_CASE("Threads: the objective has the same bits with any number", "[samples]") {
  const auto x = synthetic::features(20000, 5, 1);
  const auto y = synthetic::signs(x, 2, 1.0);
  const auto set = samples::admit("test", Log{}, x, y);
  const Vector<double> w = Vector<double>::LinSpaced(5, -1, 1);
  const double alone = samples::risk_of_rows(Log{}, set.rows, set.y, set.weights, w, 0.5);
  for (const Index count : {1, 2, 3, 7}) {
    Workers workers(count);
    CHECK(samples::risk_of_rows(Log{}, set.rows, set.y, set.weights, w, 0.5, &workers) == alone);
  }
}
