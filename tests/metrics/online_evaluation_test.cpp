// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/core/random.hpp>
#include <linea/losses/huber.hpp>
#include <linea/losses/log.hpp>
#include <linea/losses/squared.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/online_evaluation.hpp>
#include <linea/metrics/ranking.hpp>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/refusal.hpp"

namespace online_evaluation_test {

namespace {

using namespace linea;
using test::refusal_of;

TEST_CASE("OnlineEvaluation: three samples by hand") {
  OnlineEvaluation evaluation(Squared{}, 2);
  CHECK(std::isnan(evaluation.mean_loss()));
  CHECK(std::isnan(evaluation.window_loss()));
  evaluation.add(3, 1);      // loss 2
  evaluation.add(0, -1, 3);  // loss 1/2, three times
  evaluation.add(1, 1, 0);   // ignored
  CHECK(evaluation.mean_loss() == (2 + 1.5) / 4);
  CHECK(evaluation.window_loss() == (2 + 1.5) / 4);
  CHECK(evaluation.window_accuracy() == 0.25);
  evaluation.add(-2, -2);  // loss 0
  CHECK(evaluation.mean_loss() == 3.5 / 5);
  CHECK(evaluation.window_loss() == 1.5 / 4);
  CHECK(evaluation.window_accuracy() == 0.25);
  CHECK(evaluation.samples() == 3);
}

TEST_CASE("OnlineEvaluation: the window has the metrics of its samples") {
  const Index n = 50, window = 20;
  Random random(1);
  Vector<double> scores(n), y(n), weights(n);
  OnlineEvaluation evaluation(Log{}, window);
  for (Index i = 0; i < n; ++i) {
    scores[i] = random.uniform() - 0.4;
    y[i] = random.below(2) == 0 ? -1 : 1;
    weights[i] = 0.5 + random.uniform();
    evaluation.add(scores[i], y[i], weights[i]);
  }
  const Vector<double> last = scores.tail(window);
  const Vector<double> predicted = (last.array() < 0).select(-Vector<double>::Ones(window), 1.0);
  const Vector<double> of_last = weights.tail(window);
  CHECK(evaluation.window_accuracy() ==
        Approx(accuracy(predicted, y.tail(window), of_last)).epsilon(1e-14));
  CHECK(evaluation.window_roc_auc() ==
        Approx(roc_auc(last, y.tail(window), 1, of_last)).epsilon(1e-14));
}

TEST_CASE("OnlineEvaluation: windows without a gain") {
  OnlineEvaluation evaluation(Squared{}, 2);
  Index expected[] = {0, 1, 2, 0, 1};
  const double errors[] = {3, 3, 4, 2, 5};
  for (int k = 0; k < 5; ++k) {
    evaluation.add(errors[k], 0);
    CHECK(evaluation.windows_without_gain() == (k == 0 ? 0 : expected[k - 1]));
    evaluation.add(errors[k], 0);
    CHECK(evaluation.windows_without_gain() == expected[k]);
  }
}

TEST_CASE("OnlineEvaluation: what is wrong is said, and changes nothing") {
  CHECK(refusal_of([] { OnlineEvaluation(Log{}, 0); }) ==
        "OnlineEvaluation: window = 0 is not >= 1");
  CHECK(refusal_of([] { OnlineEvaluation(Huber{-1}); }) ==
        "OnlineEvaluation: delta = -1 of the loss huber is out of its domain");
  OnlineEvaluation evaluation(Log{}, 3);
  evaluation.add(1, 1);
  CHECK(refusal_of([&] { evaluation.add(1, 0); }) ==
        "OnlineEvaluation::add: the target 0 is none of log, which takes -1 or +1");
  CHECK(refusal_of([&] { evaluation.add(test::not_a_number, 1); }) ==
        "OnlineEvaluation::add: the score is not finite");
  CHECK(refusal_of([&] { evaluation.add(1, 1, -1); }) ==
        "OnlineEvaluation::add: the weight -1 is not finite and >= 0");
  CHECK(refusal_of([&] { static_cast<void>(evaluation.window_roc_auc()); }) != "");
  CHECK(evaluation.samples() == 1);
  CHECK(evaluation.mean_loss() == Log{}.value(1.0, 1.0));
}

}  // namespace

}  // namespace online_evaluation_test
