// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/data/labels.hpp>
#include <linea/metrics.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"

namespace counted_test {

using namespace linea;
using namespace linea::test;

namespace {

/// Calls check(name, metric) for the metrics of probabilities or scores with a positive label.
template <class Check>
void every_metric(const Check& check) {
  check("log_loss", [](const auto&... all) { return log_loss(all...); });
  check("log_likelihood", [](const auto&... all) { return log_likelihood(all...); });
  check("likelihood", [](const auto&... all) { return likelihood(all...); });
  check("brier_score", [](const auto&... all) { return brier_score(all...); });
  check("roc_auc", [](const auto&... all) { return roc_auc(all...); });
  check("average_precision", [](const auto&... all) { return average_precision(all...); });
}

}  // namespace

TEST_CASE("Metrics: take vectors of Eigen and of the standard library, of any type", "[metrics]") {
  STATIC_REQUIRE(!Numbers<SparseMatrix<double>>);
  STATIC_REQUIRE(detail::Labels<ClassLabels>);
  STATIC_REQUIRE(!detail::Labels<std::string_view*>);
  CHECK(detail::doubles_of(std::vector<int>{3, -1}) == vector({3, -1}));
  CHECK(detail::doubles_of(std::vector<float>{}).size() == 0);
  CHECK(detail::labels_of("accuracy", ClassLabels(vector({4, 2, 4}))) == vector({2, 4}));
  const std::vector<double> list(predicted.begin(), predicted.end());
  const std::vector<signed char> is{1, 0, 0, 1, 1, 0, 1, 0};
  CHECK(accuracy(list, std::vector<int>{1, 2, 2, 3, 1, 3, 3, 2}, std::vector<float>(8, 2)) ==
        accuracy(predicted, y));
  CHECK(likelihood(chances, is, 1, s) == likelihood(chances, positive, 1, s));
  CHECK(agreements(std::vector<float>{0.5F, -2}, std::vector<int>{-1, -1}) ==
        Eigen::Vector2f(-0.5F, 2));
  CHECK_THROWS_WITH(accuracy(list, std::vector<int>{1}), "accuracy: 8 predictions but y has 1");
}

TEST_CASE("Positive label: the larger of any two labels", "[metrics]") {
  every_metric([](const std::string& name, const auto& metric) {
    CAPTURE(name);
    const double expected = metric(chances, positive, 1);
    CHECK(metric(chances, positive) == expected);
    CHECK(metric(chances, positive, PositiveLabel{}, s) == metric(chances, positive, 1, s));
    for (const auto& [low, high] : {std::pair(1.0, 2.0), {2, 4}, {-1, 1}, {0.5, 1.5}, {-3, -2}}) {
      const V labels = low + (high - low) * positive.array();
      CHECK(metric(chances, labels) == expected);
      CHECK(metric(chances, labels, ClassLabels(labels)) == expected);
      CHECK(metric(chances, labels, high) == expected);
    }
    CHECK(metric(chances, Eigen::VectorXi(positive.cast<int>())) == expected);
    CHECK(metric(chances, std::vector<bool>{true, false, false, true, true, false, true, false}) ==
          expected);
  });
}

TEST_CASE("Positive label: must be given for one label, or three", "[metrics]") {
  every_metric([](const std::string& name, const auto& metric) {
    const std::string unnamed = " is the only label, so the positive one must be named";
    CHECK_THROWS_WITH(metric(chances, V(V::Zero(8))), name + ": 0" + unnamed);
    CHECK_THROWS_WITH(metric(chances, V(V::Ones(8))), name + ": 1" + unnamed);
    // A sample of weight 0 is ignored.
    CHECK_THROWS_WITH(metric(vector({0.5, 0.5}), vector({1, 2}), PositiveLabel{}, vector({1, 0})),
                      name + ": 1" + unnamed);
    CHECK_THROWS_WITH(metric(chances, y),
                      name +
                          ": there are more than two labels, such as 1, 2 and 3, so the "
                          "positive one must be named");
    CHECK(std::isfinite(metric(chances, y, 3)));
    CHECK_THROWS_WITH(metric(chances, positive, not_a_number),
                      name + ": the positive label is not a number");
  });
  CHECK(log_loss(vector({0.5, 0.25}), vector({7, 7}), 7) == -std::log(0.125) / 2);
  CHECK(brier_score(vector({1, 1}), vector({0, 0}), 1) == 1);
}

TEST_CASE("Positive label: a model's labels apply to samples of one label", "[metrics]") {
  const ClassLabels labels(vector({2, 4}));
  const V q = vector({0.9, 0.9});
  CHECK(brier_score(q, vector({2, 2}), labels) == Approx(0.81));
  CHECK(brier_score(q, vector({4, 4}), labels) == Approx(0.01));
  CHECK(log_loss(q, vector({2, 2}), labels) == Approx(-std::log(0.1)));
  CHECK_THROWS_WITH(roc_auc(q, vector({2, 2}), labels), "roc_auc: no sample has the label 4");
  CHECK_THROWS_WITH(log_loss(q, vector({2, 3}), labels),
                    "log_loss: the label 3 is neither 2 nor 4");
  CHECK_THROWS_WITH(log_loss(q, vector({2, 3}), ClassLabels(vector({1, 2, 3}))),
                    "log_loss: two labels are needed, but the model has 3");
}

}  // namespace counted_test
