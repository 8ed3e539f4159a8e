// SPDX-License-Identifier: MIT
#include <linea/losses/log.hpp>
#include <linea/optimizers/descent/first_step.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/penalties/none.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

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

TEST_CASE("Sgd: the first step is the same whichever way x is stored", "[optimizers]") {
  const auto x = synthetic::features(2500, 3, 1);
  const auto y = synthetic::signs(x, 2);
  const Vector<double> weights = Vector<double>::LinSpaced(2500, 0, 2);
  for (const Index batch : {1, 50, 2500}) {
    const Sgd sgd{.epochs = 1, .batch = batch};
    const auto first_step = [&](const auto& samples) {
      return sgd.minimize(Objective{Log{}, L2{0.01}}, samples, y, weights).first_step;
    };
    CHECK(first_step(Eigen::MatrixXd(x)) == first_step(x));
  }
}
