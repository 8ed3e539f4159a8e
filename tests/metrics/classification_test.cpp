// SPDX-License-Identifier: MIT
#include <limits>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/likelihood.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"

using namespace linea;
using namespace linea::test;

TEST_CASE("Confusion matrix: labels of either vector, and their sums are the truth's",
          "[metrics]") {
  const auto matrix = confusion_matrix(vector({5, -1}), vector({0.5, -1}));
  CHECK(matrix.labels == vector({-1, 0.5, 5}));
  CHECK(matrix.counts == (Eigen::Matrix3d() << 1, 0, 0, 0, 0, 1, 0, 0, 0).finished());
  CHECK(confusion_matrix(predicted, y).counts.diagonal().sum() / 8 == accuracy(predicted, y));
  CHECK_THROWS_WITH(confusion_matrix(vector({1, not_a_number}), vector({1, 2})),
                    "confusion_matrix: prediction 1 is not a number");
  CHECK_THROWS_WITH(confusion_matrix(vector({1, 2}), vector({not_a_number, 2})),
                    "confusion_matrix: y(0) is not a number");
  CHECK(confusion_matrix(vector({1, 7}), vector({1, 8}), vector({1, 0})).labels == vector({1}));
}

TEST_CASE("Log loss: any label may be the positive one, and certainty may be infinitely wrong",
          "[metrics]") {
  CHECK(log_loss(chances, positive, 1) == log_loss(chances, V(8 * positive), 8));
  CHECK_THAT(log_loss(V(1 - chances.array()), positive, 0),
             WithinRel(log_loss(chances, positive), 1e-12));  // 1 − (1 − q) loses digits of q
  CHECK(log_loss(vector({1, 0}), vector({1, 0})) == 0);
  CHECK(log_loss(vector({0, 0}), vector({1, 0})) == infinity);
  CHECK_THROWS_WITH(log_loss(vector({0.5, 1.25}), vector({1, 0})),
                    "log_loss: probability 1 is 1.25, which is outside [0, 1]");
}
