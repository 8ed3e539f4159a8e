// SPDX-License-Identifier: MIT
// Golden values: sklearn.metrics of scikit-learn 1.2.1 on the vectors below, by
//   accuracy_score(y, p), zero_one_loss(y, p), confusion_matrix(y, p), log_loss(positive, chances),
//   mean_squared_error(a, b), mean_absolute_error(a, b), r2_score(a, b), r2_score(d, bad),
// each again with sample_weight=s. Sums of errors by hand.
#include <initializer_list>
#include <limits>
#include <linea/losses/hinge.hpp>
#include <linea/losses/squared.hpp>
#include <linea/losses/zero_one.hpp>
#include <linea/metrics.hpp>
#include <linea/penalties/l2.hpp>

#include "support/catch.hpp"
#include "support/synthetic.hpp"

using namespace linea;
using V = Eigen::VectorXd;

namespace {

constexpr double rounding = 1e-14;  // relative: some tens of additions
const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

V vector(std::initializer_list<double> values) {
  return Eigen::Map<const V>(values.begin(), static_cast<Index>(values.size()));
}

const V y = vector({1, 2, 2, 3, 1, 3, 3, 2});
const V predicted = vector({1, 2, 3, 3, 2, 3, 1, 2});
const V s = vector({1, 2, 0.5, 1, 3, 1, 0.25, 2});
const V positive = vector({1, 0, 0, 1, 1, 0, 1, 0});
const V chances = vector({0.9, 0.2, 0.6, 0.35, 0.99, 0.001, 0.5, 0.75});
const V a = vector({0.5, -1, 2.5, 7, 3, -0.25, 4, 1e3});
const V b = vector({0.25, -1.5, 2, 8, 2, 0.5, 4, 990});
const V d = vector({1, 0, 3, 2, 1, 0, 2, 1});
const V bad = vector({2, 2, 2, 2, 0, 0, 0, 0});

/// Every metric of two vectors and weights, as check(name, metric, predicted, y).
template <class Check>
void every_metric(const Check& check) {
  using const_v = const V&;
  check(
      "accuracy", [](const_v p, const_v t, const_v w) { return accuracy(p, t, w); }, predicted, y);
  check(
      "error_rate", [](const_v p, const_v t, const_v w) { return error_rate(p, t, w); }, predicted,
      y);
  check(
      "log_loss", [](const_v p, const_v t, const_v w) { return log_loss(p, t, 1, w); }, chances,
      positive);
  check(
      "log_likelihood", [](const_v p, const_v t, const_v w) { return log_likelihood(p, t, 1, w); },
      chances, positive);
  check(
      "confusion_matrix",
      [](const_v p, const_v t, const_v w) { return confusion_matrix(p, t, w).counts(1, 2); },
      predicted, y);
  check(
      "mean_squared_error",
      [](const_v p, const_v t, const_v w) { return mean_squared_error(p, t, w); }, b, a);
  check(
      "mean_absolute_error",
      [](const_v p, const_v t, const_v w) { return mean_absolute_error(p, t, w); }, b, a);
  check(
      "sum_of_squared_errors",
      [](const_v p, const_v t, const_v w) { return sum_of_squared_errors(p, t, w); }, b, a);
  check(
      "sum_of_absolute_errors",
      [](const_v p, const_v t, const_v w) { return sum_of_absolute_errors(p, t, w); }, b, a);
  check(
      "r2", [](const_v p, const_v t, const_v w) { return r2(p, t, w); }, b, a);
  check(
      "empirical_risk",
      [](const_v p, const_v t, const_v w) { return empirical_risk(Squared{}, p, t, w); }, b, a);
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
  every_metric([&](const std::string& name, const auto& metric, const V& p, const V& t) {
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
  every_metric([](const std::string& name, const auto& metric, const V& p, const V& t) {
    CHECK_THROWS_AS(metric(p.head(3), t, V()), std::invalid_argument);
    CHECK_THROWS_WITH(metric(p.head(3), t, V()), name + ": 3 predictions but y has 8");
    CHECK_THROWS_WITH(metric(V(), V(), V()), name + ": no samples");
    CHECK_THROWS_WITH(metric(p, t, V::Ones(5)), name + ": 5 sample weights but y has 8");
    CHECK_THROWS_WITH(metric(p, t, V::Zero(8)), name + ": all sample weights are zero");
    V weights = s;
    weights[6] = -0.5;
    CHECK_THROWS_WITH(metric(p, t, weights), name + ": sample weight 6 is -0.5");
    weights[6] = nan_value;
    CHECK_THROWS_WITH(metric(p, t, weights), ContainsSubstring(name + ": sample weight 6 is"));
  });
}

TEST_CASE("Metrics: read any vector or expression, and evaluate it once", "[metrics]") {
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

TEST_CASE("Accuracy: a prediction that is not a number is wrong", "[metrics]") {
  CHECK(accuracy(vector({1, nan_value}), vector({1, nan_value})) == 0.5);
  CHECK(error_rate(vector({1, nan_value}), vector({1, 2})) == 0.5);
}

TEST_CASE("Confusion matrix: labels of either vector, and their sums are the truth's",
          "[metrics]") {
  const auto matrix = confusion_matrix(vector({5, -1}), vector({0.5, -1}));
  CHECK(matrix.labels == vector({-1, 0.5, 5}));
  CHECK(matrix.counts == (Eigen::Matrix3d() << 1, 0, 0, 0, 0, 1, 0, 0, 0).finished());
  CHECK(confusion_matrix(predicted, y).counts.diagonal().sum() / 8 == accuracy(predicted, y));
  CHECK_THROWS_WITH(confusion_matrix(vector({1, nan_value}), vector({1, 2})),
                    "confusion_matrix: predicted(1) is not a number");
  CHECK_THROWS_WITH(confusion_matrix(vector({1, 2}), vector({nan_value, 2})),
                    "confusion_matrix: y(0) is not a number");
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
  CHECK_THROWS_WITH(log_loss(vector({nan_value}), vector({1})),
                    ContainsSubstring("probability 0 is"));
}

TEST_CASE("R2: 1 at best, 0 for the mean", "[metrics]") {
  CHECK(r2(a, a) == 1);
  CHECK_THAT(r2(V::Constant(8, a.mean()), a), WithinAbs(0, rounding));
  CHECK(std::isnan(r2(vector({1, nan_value}), vector({1, 2}))));
}

TEST_CASE("R2: of a constant y 1 if every prediction is right, else 0", "[metrics]") {
  // The mean of these is not 0.1 once rounded, nor their variance 0.
  const V constant = V::Constant(3, 0.1);
  CHECK(r2(constant, constant) == 1);
  CHECK(r2(vector({0.1, 0.1, 0.2}), constant) == 0);
  CHECK(r2(vector({7}), vector({7})) == 1);
  CHECK(r2(vector({5, 0.1, 0.2}), vector({9, 0.1, 0.1}), vector({0, 1, 3})) == 0);
  CHECK(std::isnan(r2(vector({0.1, 0.1, nan_value}), constant)));
}

TEST_CASE("Empirical risk: the share of mistakes is never above the mean hinge loss", "[metrics]") {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    V scores(20);
    V targets(20);
    for (Index i = 0; i < 20; ++i) {
      scores[i] = trial % 4 == 0 && i == 0 ? 0 : 2 * synthetic::normal(random);
      targets[i] = random.uniform() < 0.5 ? -1 : 1;
    }
    const double mistakes = empirical_risk(ZeroOne{}, scores, targets);
    REQUIRE(mistakes <= empirical_risk(Hinge{}, scores, targets));
    REQUIRE(mistakes == (targets.cwiseProduct(scores).array() <= 0).cast<double>().mean());
  }
}

TEST_CASE("Objective value: the formula, for every layout and scalar", "[metrics]") {
  const auto x = synthetic::features(600, 5, 2, 0.5);  // more rows than one block of scores
  const auto targets = synthetic::signs(x, 3);
  const V w = vector({0.5, -1, 2, 0, 0.25});
  V weights(600);
  Random random(4);
  for (double& weight : weights) weight = static_cast<double>(random.below(3));
  const Objective objective{Hinge{}, L2{0.3}};

  const V losses = (1 - targets.array() * ((x * w).array() + 0.125)).cwiseMax(0);
  const double penalty = 0.15 * w.squaredNorm();
  const double plain = losses.mean() + penalty;
  const double weighted = losses.dot(weights) / weights.sum() + penalty;
  const Eigen::MatrixXd columns = x;
  const auto sparse = synthetic::sparse(x);
  CHECK_THAT(objective_value(objective, x, targets, w, 0.125), WithinRel(plain, rounding));
  CHECK_THAT(objective_value(objective, x, targets, w, 0.125, weights),
             WithinRel(weighted, rounding));
  CHECK_THAT(objective_value(objective, columns, targets, w, 0.125, weights),
             WithinRel(weighted, rounding));
  CHECK_THAT(objective_value(objective, sparse, targets, w, 0.125, weights),
             WithinRel(weighted, rounding));
  CHECK_THAT(objective_value(objective, Matrix<float>(x.cast<float>()), targets,
                             Vector<float>(w.cast<float>()), 0.125F),
             WithinRel(plain, 1e-6));  // scores are float
  CHECK_THAT(empirical_risk(Hinge{}, (x * w).array() + 0.125, targets, weights),
             WithinRel(weighted - penalty, rounding));
}

TEST_CASE("Objective value: refusals", "[metrics]") {
  const Objective objective{Hinge{}, L2{0.3}};
  const Matrix<double> x = Matrix<double>::Ones(3, 2);
  const V three = V::Ones(3);
  const V w = V::Ones(2);
  const auto value = [&](const Matrix<double>& samples, const V& t, const V& v,
                         const V& weights = {}) {
    return objective_value(objective, samples, t, v, 0, weights);
  };
  CHECK_THROWS_WITH(value(x, w, w), "objective_value: x has 3 rows but y has 2");
  CHECK_THROWS_WITH(value(Matrix<double>(0, 2), V(), w), "objective_value: x has no rows");
  CHECK_THROWS_WITH(value(x, three, three),
                    "objective_value: x has 2 columns but there are 3 weights");
  CHECK_THROWS_WITH(value(x, three, w, w), "objective_value: 2 sample weights but y has 3");
  CHECK_THROWS_WITH(value(x, three, w, V::Zero(3)), "objective_value: all sample weights are zero");
}
