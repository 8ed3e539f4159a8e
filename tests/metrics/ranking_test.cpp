// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/data/labels.hpp>
#include <linea/metrics/ranking.hpp>

#include "golden/metrics.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"
#include "support/synthetic.hpp"

namespace ranking_test {

using namespace linea;
using namespace linea::test;

namespace {

Matrix<double> by_rows(const std::vector<double>& values) {
  return Eigen::Map<const Matrix<double>>(values.data(), static_cast<Index>(values.size()) / 3, 3);
}

/// Computes the AUC by definition: over all pairs of a positive and a negative sample.
double over_pairs(const V& scores, const V& y, const V& weights) {
  double sum = 0;
  double total = 0;
  for (Index i = 0; i < y.size(); ++i)
    for (Index k = 0; k < y.size(); ++k)
      if (y[i] == 1 && y[k] != 1) {
        const double won = scores[i] > scores[k] ? 1 : scores[i] == scores[k] ? 0.5 : 0;
        sum += weights[i] * weights[k] * won;
        total += weights[i] * weights[k];
      }
  return sum / total;
}

}  // namespace

TEST_CASE("ROC AUC and average precision: agree with scikit-learn", "[metrics]") {
  namespace g = golden::metrics;
  const Matrix<double> scores = by_rows(g::scores);
  const detail::ColumnMatrix<float> table = by_rows(g::chances).cast<float>();  // multiples of 1/64
  const auto check = [&](const g::Figures& expected, const std::vector<double>& given) {
    const auto auc = [&](const auto& of, Average average) {
      return roc_auc(of, g::y, g::labels, average, given);
    };
    const auto precision = [&](Average average) {
      return average_precision(scores, g::y, g::labels, average, given);
    };
    const double rows[][2] = {
        {roc_auc(scores.col(2), g::y, 5, given), expected.auc},
        {auc(scores, Average::macro), expected.auc_macro},
        {auc(scores, Average::weighted), expected.auc_weighted},
        {auc(table, Average::macro), expected.auc_ovr_macro},
        {auc(table, Average::weighted), expected.auc_ovr_weighted},
        {average_precision(scores.col(2), g::y, 5, given), expected.average_precision},
        {precision(Average::macro), expected.average_precision_macro},
        {precision(Average::weighted), expected.average_precision_weighted}};
    for (const auto& [found, golden] : rows) CHECK_THAT(found, WithinRel(golden, 1e-13));
  };
  check(g::plain, {});
  check(g::heavy, g::weights);
  CHECK(roc_auc(scores, g::y, ClassLabels(detail::doubles_of(g::y))) ==
        roc_auc(scores, g::y, g::labels));
  // A sample of weight k counts as k samples.
  const V truth = detail::doubles_of(g::y);
  Eigen::VectorXi counts(40);
  for (int i = 0; i < 40; ++i) counts[i] = (7 * i) % 4;
  for (const Average average : {Average::macro, Average::weighted})
    CHECK_THAT(roc_auc(scores, truth, g::labels, average, counts),
               WithinRel(roc_auc(synthetic::repeated(scores, counts),
                                 synthetic::repeated(truth, counts), g::labels, average),
                         1e-13));
}

TEST_CASE("ROC AUC: the probability that the positive of a pair ranks higher, ties counting half",
          "[metrics]") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    V scores(60), truth(60), weights(60);
    for (Index i = 0; i < 60; ++i) {
      truth[i] = random.below(2) ? 1 : -1;
      scores[i] = static_cast<double>(random.below(8)) + truth[i];
      weights[i] = static_cast<double>(random.below(4));
    }
    CHECK_THAT(roc_auc(scores, truth), WithinRel(over_pairs(scores, truth, V::Ones(60)), 1e-13));
    CHECK_THAT(roc_auc(scores, truth, 1, weights),
               WithinRel(over_pairs(scores, truth, weights), 1e-13));
    // The AUC depends only on the order of the scores. Negated scores rank the other label.
    CHECK(roc_auc(V(scores.array().exp()), truth) == roc_auc(scores, truth));
    CHECK_THAT(roc_auc(V(-scores), truth, -1), WithinRel(roc_auc(scores, truth), 1e-13));
  }
  CHECK(roc_auc(vector({-infinity, 0, 1, infinity}), vector({0, 0, 1, 1})) == 1);
  CHECK(roc_auc(vector({-infinity, 0, 1, infinity}), vector({1, 1, 0, 0})) == 0);
  CHECK(roc_auc(vector({0.0, -0.0}), vector({0, 1})) == 0.5);
  // The mean over two columns that mirror each other equals the AUC of one.
  Matrix<double> both(8, 2);
  both << chances, -chances;
  CHECK_THAT(roc_auc(both, positive, vector({1, 0})), WithinRel(roc_auc(chances, positive), 1e-14));
}

TEST_CASE("ROC AUC: of a perfect ranking exactly 1, for any counts", "[metrics]") {
  for (const Index n : {3, 40, 49, 569})
    for (const Index positives : {Index{1}, n / 3, n - 1}) {
      V signs = -V::Ones(n);
      signs.tail(positives).setOnes();
      const V scores = V::LinSpaced(n, -1, 3), weights = V::LinSpaced(n, 0.1, 0.7);
      CHECK(roc_auc(scores, signs) == 1);
      CHECK(roc_auc(V(-scores), signs) == 0);
      CHECK(roc_auc(scores, signs, 1, weights) <= 1);
      CHECK_THAT(roc_auc(scores, signs, 1, weights), WithinRel(1, 1e-14));
    }
  // A sample counts even if its weight is tiny compared to the others.
  CHECK(roc_auc(vector({1, 2}), vector({0, 1}), 1, vector({1e150, 1e-150})) == 1);
  CHECK(roc_auc(vector({1, 2}), vector({1, 0}), 1, vector({1e150, 1e-150})) == 0);
}

TEST_CASE("Average precision: computed by hand", "[metrics]") {
  // In order of the scores: positive, negative, positive. This gives 1/2·1 + 1/2·2/3.
  CHECK_THAT(average_precision(vector({3, 2, 1}), vector({1, 0, 1})), WithinRel(5.0 / 6, 1e-15));
  // With equal scores the result is the fraction of positives.
  CHECK(average_precision(vector({2, 2, 2, 2}), vector({1, 0, 0, 0})) == 0.25);
  CHECK(average_precision(vector({1, 2, 3}), vector({0, 1, 1})) == 1);
  CHECK(average_precision(vector({1, 2, 3}), V(V::Ones(3)), 1) == 1);
}

TEST_CASE("Rankings: refuse one label, and invalid labels and columns", "[metrics]") {
  CHECK_THROWS_WITH(roc_auc(chances, positive, 2), "roc_auc: no sample has the label 2");
  CHECK_THROWS_WITH(roc_auc(chances, V(V::Ones(8)), 1), "roc_auc: all samples have the label 1");
  CHECK_THROWS_WITH(roc_auc(vector({1, 2}), vector({0, 1}), 1, vector({1, 0})),
                    "roc_auc: no sample has the label 1");
  CHECK_THROWS_WITH(average_precision(chances, V(V::Zero(8)), 1),
                    "average_precision: no sample has the label 1");
  const Matrix<double> scores = synthetic::features(4, 3, 1);
  const V truth = vector({1, 2, 1, 2}), ones = V::Ones(4), three = vector({1, 2, 3});
  const auto refused = [&](const V& y, const V& labels, const char* why,
                           Average average = Average::macro) {
    CHECK_THROWS_WITH(roc_auc(scores, y, labels, average), std::string("roc_auc: ") + why);
  };
  refused(truth, vector({1, 2}), "3 columns but 2 labels");
  refused(truth, vector({1, 2, 1}), "the label 1 has two columns");
  refused(truth, vector({1, 3, 4}), "y(1) = 2 is none of the 3 labels");
  refused(vector({1, 2, 1, not_a_number}), three, "y(3) is not a number");
  refused(truth, vector({1, not_a_number, 2}), "label 1 is not a number");
  refused(truth, three, "no sample has the label 3");
  refused(truth, three, "there is no micro average of rankings", Average::micro);
  refused(ones, three, "all samples have the label 1", Average::weighted);
  refused(V::Ones(3), three, "4 predictions but y has 3");
  CHECK(std::isfinite(roc_auc(scores, truth, three, Average::weighted)));
  CHECK_THROWS_WITH(average_precision(scores, ones, three),
                    "average_precision: no sample has the label 2");
  CHECK(average_precision(scores, ones, three, Average::weighted) == 1);
  CHECK_THROWS_WITH(average_precision(scores, truth, three, Average::micro),
                    "average_precision: there is no micro average of rankings");
  Matrix<double> wrong = scores;
  wrong(2, 1) = not_a_number;
  CHECK_THROWS_WITH(roc_auc(wrong, truth, three), "roc_auc: prediction (2, 1) is not a number");
  CHECK(std::isfinite(roc_auc(wrong, truth, three, Average::weighted, vector({1, 1, 0, 2}))));
}

TEST_CASE("Ranking curves: the areas under their points equal the metrics", "[metrics]") {
  // The samples are a positive one at score 3, one of each class at 2, and a negative one at 1.
  const RankingCurve curve = ranking_curve(vector({3, 2, 2, 1}), vector({1, 1, 0, 0}));
  CHECK(curve.thresholds == vector({3, 2, 1}));
  CHECK(curve.recall == vector({0.5, 1, 1}));
  CHECK(curve.false_positive_rate == vector({0, 0.5, 1}));
  CHECK_THAT(curve.precision[1], WithinRel(2.0 / 3, 1e-15));

  const V scores = synthetic::features(200, 1, 5).col(0).unaryExpr(
      [](double v) { return std::round(4 * v) / 4; });
  const V y =
      synthetic::features(200, 1, 6).col(0).unaryExpr([](double v) { return v > 0.3 ? 1.0 : 0.0; });
  const V s = synthetic::features(200, 1, 7).col(0).cwiseAbs();
  const RankingCurve points = ranking_curve(scores, y, 1, s);
  double roc = 0, steps = 0, recall = 0, others = 0;
  for (Index k = 0; k < points.thresholds.size(); ++k) {
    roc += (points.false_positive_rate[k] - others) * (points.recall[k] + recall) / 2;
    steps += (points.recall[k] - recall) * points.precision[k];
    recall = points.recall[k];
    others = points.false_positive_rate[k];
  }
  CHECK_THAT(recall, WithinRel(1.0, 1e-12));
  CHECK_THAT(roc, WithinRel(roc_auc(scores, y, 1, s), 1e-12));
  CHECK_THAT(steps, WithinRel(average_precision(scores, y, 1, s), 1e-12));
  CHECK_THROWS_WITH(ranking_curve(scores, y, 2), "ranking_curve: no sample has the label 2");
  CHECK_THROWS_WITH(ranking_curve(vector({1, 2}), vector({1, 1}), 1),
                    "ranking_curve: all samples have the label 1");
}

}  // namespace ranking_test
