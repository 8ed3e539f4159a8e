// SPDX-License-Identifier: MIT
/// \file What holds of every metric: golden values, weights as repeats, and what is refused.
//
// Golden values: sklearn.metrics of scikit-learn 1.2.1 on the vectors below, by
//   accuracy_score(y, p), zero_one_loss(y, p), confusion_matrix(y, p), log_loss(positive, chances),
//   mean_squared_error(a, b), mean_absolute_error(a, b), r2_score(a, b), r2_score(d, bad),
// each again with sample_weight=s. Sums of errors by hand.
#include <cmath>
#include <limits>
#include <linea/losses/squared.hpp>
#include <linea/metrics.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"
#include "support/synthetic.hpp"

namespace laws_test {

using namespace linea;
using namespace linea::test;

namespace {

constexpr double rounding = 1e-14;  // relative: some tens of additions

/// Every metric of two vectors and weights, as check(name, predicted, y, metric).
template <class Check>
void every_metric(const Check& check) {
  const auto each = [&](const char* name, const V& p, const V& t, const auto& metric) {
    check(std::string(name), p, t, [&](const auto& guess, const auto& truth, const auto& weights) {
      return metric(guess, truth, weights);
    });
  };
  each("accuracy", predicted, y, [](auto&... all) { return accuracy(all...); });
  each("error_rate", predicted, y, [](auto&... all) { return error_rate(all...); });
  each("confusion_matrix", predicted, y,
       [](auto&... all) { return confusion_matrix(all...).counts(1, 2); });
  each("class_metrics", predicted, y,
       [](auto&... all) { return class_metrics(all...).support[1]; });
  each("balanced_accuracy", predicted, y, [](auto&... all) { return balanced_accuracy(all...); });
  each("matthews_correlation", predicted, y,
       [](auto&... all) { return matthews_correlation(all...); });
  for (const double of : {1.0, 2.0}) {
    each("precision", predicted, y,
         [&](auto& p, auto& t, auto& w) { return precision(p, t, of, w); });
    each("recall", predicted, y, [&](auto& p, auto& t, auto& w) { return recall(p, t, of, w); });
    each("f1", predicted, y, [&](auto& p, auto& t, auto& w) { return f1(p, t, of, w); });
  }
  for (const Average of : {Average::macro, Average::weighted}) {
    each("precision", predicted, y,
         [&](auto& p, auto& t, auto& w) { return precision(p, t, of, w); });
    each("recall", predicted, y, [&](auto& p, auto& t, auto& w) { return recall(p, t, of, w); });
    each("f1", predicted, y, [&](auto& p, auto& t, auto& w) { return f1(p, t, of, w); });
  }
  each("log_loss", chances, positive,
       [](auto& p, auto& t, auto& w) { return log_loss(p, t, 1, w); });
  each("log_likelihood", chances, positive,
       [](auto& p, auto& t, auto& w) { return log_likelihood(p, t, 1, w); });
  each("brier_score", chances, positive,
       [](auto& p, auto& t, auto& w) { return brier_score(p, t, 1, w); });
  each("roc_auc", chances, positive, [](auto& p, auto& t, auto& w) { return roc_auc(p, t, 1, w); });
  each("average_precision", chances, positive,
       [](auto& p, auto& t, auto& w) { return average_precision(p, t, 1, w); });
  each("mean_squared_error", b, a, [](auto&... all) { return mean_squared_error(all...); });
  each("root_mean_squared_error", b, a,
       [](auto&... all) { return root_mean_squared_error(all...); });
  each("sum_of_squared_errors", b, a, [](auto&... all) { return sum_of_squared_errors(all...); });
  each("mean_absolute_error", b, a, [](auto&... all) { return mean_absolute_error(all...); });
  each("sum_of_absolute_errors", b, a, [](auto&... all) { return sum_of_absolute_errors(all...); });
  each("median_absolute_error", b, a, [](auto&... all) { return median_absolute_error(all...); });
  each("mean_absolute_percentage_error", b, a,
       [](auto&... all) { return mean_absolute_percentage_error(all...); });
  each("explained_variance", b, a, [](auto&... all) { return explained_variance(all...); });
  each("r2", b, a, [](auto&... all) { return r2(all...); });
  each("empirical_risk", b, a, [](auto&... all) { return empirical_risk(Squared{}, all...); });
}

}  // namespace

TEST_CASE("Metrics: scikit-learn's values, with sample weights and without", "[metrics]") {
  CHECK_THAT(accuracy(predicted, y), WithinRel(0.625, rounding));
  CHECK_THAT(accuracy(predicted, y, s), WithinRel(0.6511627906976745, rounding));
  CHECK_THAT(error_rate(predicted, y), WithinRel(0.375, rounding));
  CHECK_THAT(error_rate(predicted, y, s), WithinRel(0.34883720930232553, rounding));
  CHECK_THAT(log_loss(chances, positive), WithinRel(0.5481386626514737, rounding));
  CHECK_THAT(log_loss(chances, positive, 1, s), WithinRel(0.4685248496740332, rounding));
  CHECK_THAT(mean_squared_error(b, a), WithinRel(12.890625, rounding));
  CHECK_THAT(mean_squared_error(b, a, s), WithinRel(19.093023255813954, rounding));
  CHECK_THAT(mean_absolute_error(b, a), WithinRel(1.75, rounding));
  CHECK_THAT(mean_absolute_error(b, a, s), WithinRel(2.441860465116279, rounding));
  // Differences 0.25, 0.5, 0.5, 1, 1, 0.75, 0, 10: all sums are exact.
  CHECK(sum_of_squared_errors(b, a) == 103.125);
  CHECK(sum_of_squared_errors(b, a, s) == 205.25);
  CHECK(sum_of_absolute_errors(b, a) == 14);
  CHECK(sum_of_absolute_errors(b, a, s) == 26.25);
  CHECK_THAT(r2(b, a), WithinRel(0.9998816169733136, rounding));
  CHECK_THAT(r2(b, a, s), WithinRel(0.9998734452380453, rounding));
  CHECK_THAT(r2(bad, d), WithinRel(-0.6, rounding));
  CHECK_THAT(r2(bad, d, s), WithinRel(-1.5009380863039397, rounding));

  const auto plain = confusion_matrix(predicted, y);
  CHECK(plain.labels == vector({1, 2, 3}));
  CHECK(plain.counts == (Eigen::Matrix3d() << 1, 1, 0, 0, 2, 1, 1, 0, 2).finished());
  CHECK(confusion_matrix(predicted, y, s).counts ==
        (Eigen::Matrix3d() << 1, 3, 0, 0, 4, 0.5, 0.25, 0, 2).finished());
}

TEST_CASE("Metrics: a sample of weight k counts as k samples, and of weight 0 as none",
          "[metrics]") {
  Eigen::VectorXi counts(8);
  counts << 2, 1, 3, 0, 1, 4, 1, 2;
  every_metric([&](const std::string& name, const V& p, const V& t, const auto& metric) {
    CAPTURE(name);
    const auto weighted = metric(p, t, counts.cast<double>());
    const auto repeated =
        metric(synthetic::repeated(p, counts), synthetic::repeated(t, counts), V());
    CHECK_THAT(weighted, WithinRel(repeated, rounding));
  });
  // Even where the answer for the absent sample is infinite.
  CHECK(log_loss(vector({0, 0.5}), vector({1, 1}), 1, vector({0, 2})) == std::log(2.0));
}

TEST_CASE("Metrics: refuse sizes that differ, no samples and weights that are none", "[metrics]") {
  every_metric([](const std::string& name, const V& p, const V& t, const auto& metric) {
    CHECK_THROWS_AS(metric(p.head(3), t, V()), std::invalid_argument);
    CHECK_THROWS_WITH(metric(p.head(3), t, V()), name + ": 3 predictions but y has 8");
    CHECK_THROWS_WITH(metric(V(), V(), V()), name + ": no samples");
    CHECK_THROWS_WITH(metric(p, t, V::Ones(5)), name + ": 5 sample weights but y has 8");
    CHECK_THROWS_WITH(metric(p, t, V::Zero(8)), name + ": all sample weights are zero");
    V weights = s;
    weights[6] = -0.5;
    CHECK_THROWS_WITH(metric(p, t, weights), name + ": sample weight 6 is -0.5");
    weights[6] = not_a_number;
    CHECK_THROWS_WITH(metric(p, t, weights), ContainsSubstring(name + ": sample weight 6 is"));
  });
}

TEST_CASE("Metrics: refuse predictions and labels that are not numbers, but for weight 0",
          "[metrics]") {
  every_metric([](const std::string& name, const V& p, const V& t, const auto& metric) {
    V wrong = p;
    wrong[5] = not_a_number;
    CHECK_THROWS_WITH(metric(wrong, t, V()), name + ": prediction 5 is not a number");
    V some = s;
    some[5] = 0;
    CHECK(metric(wrong, t, some) == metric(p, t, some));
    wrong = t;
    wrong[2] = not_a_number;
    CHECK_THROWS_WITH(metric(p, wrong, V()), name + ": y(2) is not a number");
    some = s;
    some[2] = 0;
    CHECK(metric(p, wrong, some) == metric(p, t, some));
  });
}

TEST_CASE("Metrics: means do not feel the scale of the weights", "[metrics]") {
  every_metric([](const std::string& name, const V& p, const V& t, const auto& metric) {
    CAPTURE(name);
    for (const int exponent : {-1070, 1020}) {
      const double scale = std::ldexp(1.0, exponent);
      const double plain = metric(p, t, s);
      const double found = metric(p, t, V(scale * s));
      // Sums and counts have the scale of the weights.
      if (found != plain) CHECK(found == scale * plain);
    }
  });
}

TEST_CASE("Metrics: read any vector or expression, and evaluate it once", "[metrics]") {
  every_metric([](const std::string& name, const V& p, const V& t, const auto& metric) {
    CAPTURE(name);
    const std::vector<double> guess(p.begin(), p.end());
    const std::vector<double> truth(t.begin(), t.end());
    const std::vector<float> weights(s.begin(), s.end());
    CHECK(metric(guess, std::span<const double>(truth), weights) == metric(p, t, s));
  });
  const Eigen::RowVectorXf row = predicted.transpose().cast<float>();
  const Eigen::ArrayXi whole = y.cast<int>().array();
  CHECK(accuracy(row, whole) == 0.625);
  CHECK(accuracy(predicted.array() == y.array(), Eigen::VectorXi::Ones(8)) == 0.625);
  Index evaluations = 0;
  const auto counted = b.unaryExpr([&](double value) {
    ++evaluations;
    return value;
  });
  CHECK_THAT(r2(counted, a), WithinRel(0.9998816169733136, rounding));
  CHECK(evaluations == 8);
}

}  // namespace laws_test
