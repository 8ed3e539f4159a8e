// SPDX-License-Identifier: MIT
#include <linea/losses/log.hpp>
#include <linea/optimizers/descent/first_step.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/none.hpp>

#include "support/catch.hpp"

using namespace linea;

TEST_CASE("Learner: the automatic step knows the largest sample so far, from batches too",
          "[optimizers]") {
  const Objective o{Log{}, NoPenalty{}};
  auto a = Sgd{}.start<double>(o, 1);
  auto b = Sgd{}.start<double>(o, 1);
  for (const double v : {100.0, 1.0, 1.0}) {
    Matrix<double> x(1, 1);
    x << v;
    const double before = a.step_size();
    a.update(x.row(0), 1);
    b.update_batch(x, Vector<double>::Ones(1));
    REQUIRE(a.step_size() < before);
    REQUIRE(a.solution().weights == b.solution().weights);
  }
}
