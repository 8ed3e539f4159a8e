// SPDX-License-Identifier: MIT
/// \file The properties of all metrics: golden values, weights as repeats, and invalid arguments.
//
// The golden values are those of sklearn.metrics of scikit-learn 1.2.1 on the vectors in
// support/predictions.hpp, by
//   accuracy_score(y, p), zero_one_loss(y, p), confusion_matrix(y, p), log_loss(positive, chances),
//   mean_squared_error(a, b), mean_absolute_error(a, b), r2_score(a, b), r2_score(d, bad),
// each again with sample_weight=s. Sums of errors are computed by hand.
#include <cmath>
#include <cstdint>
#include <linea/losses/squared.hpp>
#include <linea/metrics.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"
#include "support/refusal.hpp"
#include "support/synthetic.hpp"

namespace laws_test {

using namespace linea;
using namespace linea::test;

namespace {

constexpr double rounding = 1e-14;  // relative rounding error of tens of additions

/// Calls f(name, predicted, y, metric) for every metric of two vectors and weights.
template <class F>
void every_metric(const F& f) {
  const auto of = [&](const char* name, const V& p, const V& t, const auto& metric) {
    f(std::string(name), p, t, metric);
  };
  const auto three = [&](auto kind) {
    of("precision", predicted, y,
       [=](auto&& p, auto&& t, auto&& w) { return precision(p, t, kind, w); });
    of("recall", predicted, y, [=](auto&& p, auto&& t, auto&& w) { return recall(p, t, kind, w); });
    of("f1", predicted, y, [=](auto&& p, auto&& t, auto&& w) { return f1(p, t, kind, w); });
  };
  for (const double label : {1.0, 2.0}) three(label);
  for (const Average average : {Average::macro, Average::weighted}) three(average);
  of("accuracy", predicted, y, [](auto&&... all) { return accuracy(all...); });
  of("error_rate", predicted, y, [](auto&&... all) { return error_rate(all...); });
  of("confusion_matrix", predicted, y,
     [](auto&&... all) { return confusion_matrix(all...).counts(1, 2); });
  of("class_metrics", predicted, y, [](auto&&... all) { return class_metrics(all...).support[1]; });
  of("balanced_accuracy", predicted, y, [](auto&&... all) { return balanced_accuracy(all...); });
  of("matthews_correlation", predicted, y,
     [](auto&&... all) { return matthews_correlation(all...); });
  of("log_loss", chances, positive,
     [](auto&& p, auto&& t, auto&& w) { return log_loss(p, t, 1, w); });
  of("log_likelihood", chances, positive,
     [](auto&& p, auto&& t, auto&& w) { return log_likelihood(p, t, 1, w); });
  of("likelihood", chances, positive,
     [](auto&& p, auto&& t, auto&& w) { return likelihood(p, t, 1, w); });
  of("brier_score", chances, positive,
     [](auto&& p, auto&& t, auto&& w) { return brier_score(p, t, 1, w); });
  of("roc_auc", chances, positive,
     [](auto&& p, auto&& t, auto&& w) { return roc_auc(p, t, 1, w); });
  of("average_precision", chances, positive,
     [](auto&& p, auto&& t, auto&& w) { return average_precision(p, t, 1, w); });
  of("mean_squared_error", b, a, [](auto&&... all) { return mean_squared_error(all...); });
  of("root_mean_squared_error", b, a,
     [](auto&&... all) { return root_mean_squared_error(all...); });
  of("sum_of_squared_errors", b, a, [](auto&&... all) { return sum_of_squared_errors(all...); });
  of("mean_absolute_error", b, a, [](auto&&... all) { return mean_absolute_error(all...); });
  of("sum_of_absolute_errors", b, a, [](auto&&... all) { return sum_of_absolute_errors(all...); });
  of("median_absolute_error", b, a, [](auto&&... all) { return median_absolute_error(all...); });
  of("mean_absolute_percentage_error", b, a,
     [](auto&&... all) { return mean_absolute_percentage_error(all...); });
  of("explained_variance", b, a, [](auto&&... all) { return explained_variance(all...); });
  of("r2", b, a, [](auto&&... all) { return r2(all...); });
  of("empirical_risk", b, a, [](auto&&... all) { return empirical_risk(Squared{}, all...); });
}

}  // namespace

TEST_CASE("Metrics: agree with scikit-learn, with and without sample weights", "[metrics]") {
  const double rows[][4] = {
      // the metric and its expected value, then both with weights
      {accuracy(predicted, y), 0.625, accuracy(predicted, y, s), 0.6511627906976745},
      {error_rate(predicted, y), 0.375, error_rate(predicted, y, s), 0.34883720930232553},
      {log_loss(chances, positive), 0.5481386626514737, log_loss(chances, positive, 1, s),
       0.4685248496740332},
      {mean_squared_error(b, a), 12.890625, mean_squared_error(b, a, s), 19.093023255813954},
      {mean_absolute_error(b, a), 1.75, mean_absolute_error(b, a, s), 2.441860465116279},
      {r2(b, a), 0.9998816169733136, r2(b, a, s), 0.9998734452380453},
      {r2(bad, d), -0.6, r2(bad, d, s), -1.5009380863039397}};
  for (const auto& [plain, expected, weighted, expected_weighted] : rows) {
    CHECK_THAT(plain, WithinRel(expected, rounding));
    CHECK_THAT(weighted, WithinRel(expected_weighted, rounding));
  }
  // The differences are 0.25, 0.5, 0.5, 1, 1, 0.75, 0, 10: all sums are exact.
  CHECK(sum_of_squared_errors(b, a) == 103.125);
  CHECK(sum_of_squared_errors(b, a, s) == 205.25);
  CHECK(sum_of_absolute_errors(b, a) == 14);
  CHECK(sum_of_absolute_errors(b, a, s) == 26.25);
  const auto plain = confusion_matrix(predicted, y);
  CHECK(plain.labels == vector({1, 2, 3}));
  CHECK(plain.counts == (Eigen::Matrix3d() << 1, 1, 0, 0, 2, 1, 1, 0, 2).finished());
  CHECK(confusion_matrix(predicted, y, s).counts ==
        (Eigen::Matrix3d() << 1, 3, 0, 0, 4, 0.5, 0.25, 0, 2).finished());
}

TEST_CASE(
    "Metrics: a sample of weight k counts as k samples, of weight 0 as none, and scales do not "
    "matter",
    "[metrics]") {
  const Eigen::VectorXi counts{{2, 1, 3, 0, 1, 4, 1, 2}};
  every_metric([&](const std::string& name, const V& p, const V& t, const auto& metric) {
    CAPTURE(name);
    const auto repeated =
        metric(synthetic::repeated(p, counts), synthetic::repeated(t, counts), V());
    CHECK_THAT(metric(p, t, counts.cast<double>()), WithinRel(repeated, rounding));
    const double plain = metric(p, t, s);
    if (name == "likelihood") return;  // scaling the weights raises the likelihood to a power
    for (const int exponent : {-330, 330}) {
      const double scale = std::ldexp(1.0, exponent);
      const double found = metric(p, t, V(scale * s));
      if (found != plain) CHECK(found == scale * plain);  // sums and counts scale with the weights
    }
  });
  // A sample of weight 0 is ignored even if its loss is infinite.
  CHECK(log_loss(vector({0, 0.5}), vector({1, 1}), 1, vector({0, 2})) == std::log(2.0));
}

TEST_CASE("Metrics: refuse sizes that differ, no samples and invalid weights", "[metrics]") {
  every_metric([](const std::string& name, const V& p, const V& t, const auto& metric) {
    const auto refused = [&](const V& guess, const V& truth, const V& weights,
                             const std::string& why) {
      CHECK_THROWS_AS(metric(guess, truth, weights), std::invalid_argument);
      CHECK_THROWS_WITH(metric(guess, truth, weights), name + ": " + why);
    };
    V weights = s;
    weights[6] = -0.5;
    refused(p, t, weights, "sample weight 6 is -0.5");
    weights[6] = not_a_number;
    refused(p, t, weights, "sample weight 6 is nan");
    weights[6] = 1e200;
    refused(p, t, weights, "sample weight 6 is 1e+200" + above);
    refused(p, t, V(1e-200 * V::Ones(8)),
            "the largest magnitude of the sample weights is 1e-200" + below);
    refused(p.head(3), t, {}, "3 predictions but y has 8");
    refused({}, {}, {}, "no samples");
    refused(p, t, V::Ones(5), "5 sample weights but y has 8");
    refused(p, t, V::Zero(8), "all sample weights are zero");
  });
}

TEST_CASE("Metrics: refuse 64-bit labels that double would merge, but take such numbers",
          "[metrics]") {
  using Longs = linea::Vector<std::int64_t>;
  const std::string why =
      ": label 9007199254740993 is of 2^53 or more, where double does not hold every whole number";
  const Longs ids{{(std::int64_t{1} << 53) + 1, 5}};
  const Longs others{{std::int64_t{1} << 53, 5}};  // equal to ids as doubles
  CHECK_THROWS_WITH(accuracy(ids, others), "accuracy" + why);
  Index count = 0;
  every_metric([&](const std::string& name, const V& p, const V& t, const auto& metric) {
    Longs labels = t.cast<std::int64_t>();
    labels[5] = ids[0];
    const bool of_numbers = p.data() == b.data() || name == "empirical_risk";
    const std::string message = refusal_of([&] { (void)metric(p, labels, V()); });
    CHECK((of_numbers ? message.find("2^53") == message.npos : message == name + why));
    if (!of_numbers) ++count;
    if (p.data() == predicted.data())
      CHECK(refusal_of([&] { (void)metric(labels, t, V()); }) == name + why);
  });
  CHECK(count == 24);
  CHECK_THROWS_WITH(ranking_curve(V{{1, 2}}, ids), "ranking_curve" + why);
  const Matrix<double> both{{0.25, 0.75}, {0.5, 0.5}};
  CHECK_THROWS_WITH(log_loss(both, ids, others), "log_loss" + why);
  CHECK_THROWS_WITH(roc_auc(both, V{{1, 5}}, ids), "roc_auc" + why);
}

TEST_CASE("Metrics: refuse predictions and labels of NaN, except with weight 0", "[metrics]") {
  every_metric([](const std::string& name, const V& p, const V& t, const auto& metric) {
    V wrong = p, wrong_t = t, some = s;
    wrong[5] = wrong_t[5] = not_a_number;
    some[5] = 0;
    CHECK_THROWS_WITH(metric(wrong, t, V()), name + ": prediction 5 is not a number");
    CHECK_THROWS_WITH(metric(p, wrong_t, V()), name + ": y(5) is not a number");
    CHECK(metric(wrong, t, some) == metric(p, t, some));
    CHECK(metric(p, wrong_t, some) == metric(p, t, some));
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
  CHECK(accuracy(row, Eigen::ArrayXi(y.cast<int>().array())) == 0.625);
  CHECK(accuracy(predicted.array() == y.array(), Eigen::VectorXi::Ones(8)) == 0.625);
  Index evaluations = 0;
  const auto counted = b.unaryExpr([&](double value) {
    ++evaluations;
    return value;
  });
  CHECK(r2(counted, a) == r2(b, a));
  CHECK(evaluations == 8);
}

}  // namespace laws_test
