// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/data/labels.hpp>
#include <linea/metrics/classification.hpp>
#include <sstream>

#include "golden/metrics.hpp"
#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/predictions.hpp"
#include "support/synthetic.hpp"

namespace classification_test {

using namespace linea;
using namespace linea::test;

namespace {

constexpr double rounding = 1e-14;

void same(const V& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == static_cast<Index>(expected.size()));
  for (Index k = 0; k < found.size(); ++k)
    CHECK_THAT(found[k], WithinRel(expected[static_cast<std::size_t>(k)], rounding));
}

}  // namespace

TEST_CASE("Confusion matrix: labels of either vector, and row sums of the true labels",
          "[metrics]") {
  const auto matrix = confusion_matrix(vector({5, -1}), vector({0.5, -1}));
  CHECK(matrix.labels == vector({-1, 0.5, 5}));
  CHECK(matrix.counts == (Eigen::Matrix3d() << 1, 0, 0, 0, 0, 1, 0, 0, 0).finished());
  CHECK(confusion_matrix(predicted, y).counts.diagonal().sum() / 8 == accuracy(predicted, y));
  std::ostringstream text;
  text << confusion_matrix(vector({1234567890, 1}), vector({1234567890, 1}));
  CHECK(text.str() ==
        "  y \\ pred.          1 1234567890\n"
        "          1          1          0\n"
        " 1234567890          0          1\n");
  CHECK(confusion_matrix(vector({1, 7}), vector({1, 8}), vector({1, 0})).labels == vector({1}));
}

TEST_CASE("Precision, recall, F1 and Matthews correlation: agree with scikit-learn", "[metrics]") {
  namespace g = golden::metrics;
  const auto is_five = [](const std::vector<double>& v) {
    return V((detail::doubles_of(v).array() == 5).cast<double>());
  };
  const auto check = [&](const g::Figures& expected, const std::vector<double>& given) {
    const auto each = class_metrics(g::predicted, g::y, given);
    same(each.labels, g::labels);
    same(each.precision, expected.precision);
    same(each.recall, expected.recall);
    same(each.f1, expected.f1);
    same(each.support, expected.support);
    const auto three = [&](auto kind) {
      return vector({precision(g::predicted, g::y, kind, given),
                     recall(g::predicted, g::y, kind, given), f1(g::predicted, g::y, kind, given)});
    };
    same(three(5), expected.of_five);
    same(three(Average::macro), expected.macro);
    same(three(Average::weighted), expected.weighted);
    same(three(Average::micro), expected.micro);
    CHECK_THAT(balanced_accuracy(g::predicted, g::y, given),
               WithinRel(expected.balanced_accuracy, rounding));
    CHECK_THAT(matthews_correlation(g::predicted, g::y, given),
               WithinRel(expected.matthews, 1e-13));
    CHECK_THAT(matthews_correlation(is_five(g::predicted), is_five(g::y), given),
               WithinRel(expected.matthews_of_five, 1e-13));
  };
  check(g::plain, {});
  check(g::heavy, g::weights);
}

TEST_CASE("Precision and recall: undefined values are NaN, or as requested", "[metrics]") {
  // Label 3 is never predicted, and label 4 does not occur in y.
  const V truth = vector({1, 1, 2, 3, 3});
  const V guess = vector({1, 2, 2, 4, 1});
  const auto each = class_metrics(guess, truth);
  CHECK(each.labels == vector({1, 2, 3, 4}));
  CHECK(each.precision.head(2) == vector({0.5, 0.5}));
  CHECK(std::isnan(each.precision[2]));
  CHECK(each.precision[3] == 0);
  CHECK(each.recall.head(3) == vector({0.5, 1, 0}));
  CHECK(std::isnan(each.recall[3]));
  CHECK_THAT(each.f1[1], WithinRel(2.0 / 3, rounding));
  CHECK(each.f1.tail(2) == vector({0, 0}));
  CHECK(each.support == vector({2, 1, 2, 0}));

  CHECK(std::isnan(precision(guess, truth, 3)));
  CHECK(precision(guess, truth, 3, {}, 0) == 0);
  CHECK(std::isnan(precision(guess, truth, Average::macro)));
  CHECK(std::isnan(precision(guess, truth, Average::weighted)));
  CHECK(precision(guess, truth, Average::macro, {}, 0) == 0.25);
  CHECK(precision(guess, truth, Average::macro, {}, 1) == 0.5);
  CHECK_THAT(precision(guess, truth, Average::weighted, {}, 0), WithinRel(0.3, rounding));
  CHECK(std::isnan(recall(guess, truth, 4)));
  CHECK(std::isnan(recall(guess, truth, Average::macro)));
  CHECK(recall(guess, truth, Average::macro, {}, 0) == 0.375);
  // A label that does not occur in y has weight 0.
  CHECK_THAT(recall(guess, truth, Average::weighted), WithinRel(0.4, rounding));
  CHECK(balanced_accuracy(guess, truth) == 0.5);
  CHECK_THAT(f1(guess, truth, Average::macro), WithinRel((0.5 + 2.0 / 3) / 4, rounding));
}

TEST_CASE("F-beta: recall has beta times the weight", "[metrics]") {
  const V truth = vector({0, 1, 2, 0, 1, 2});
  const V guess = vector({0, 2, 1, 0, 0, 1});
  CHECK_THAT(f_beta(0.5, guess, truth, 0), WithinRel(0.7142857142857143, rounding));
  CHECK_THAT(f_beta(0.5, guess, truth, Average::macro),
             WithinRel(0.7142857142857143 / 3, rounding));
  CHECK_THAT(f_beta(0.5, guess, truth, Average::micro), WithinRel(1.0 / 3, rounding));
  CHECK_THAT(f_beta(2, guess, truth, 0), WithinRel(5 * (2.0 / 3) / (4 * (2.0 / 3) + 1), rounding));
  CHECK(f_beta(1, guess, truth, 0) == f1(guess, truth, 0));
  for (const double beta : {0.0, -1.0, std::numeric_limits<double>::infinity()})
    CHECK_THROWS_WITH(f_beta(beta, guess, truth), ContainsSubstring("f_beta: beta = "));
}

TEST_CASE("Precision and recall: a label that occurs nowhere is refused, and -0 equals 0",
          "[metrics]") {
  CHECK_THROWS_WITH(precision(predicted, y, 7),
                    "precision: the label 7 is neither predicted nor in y");
  CHECK_THROWS_WITH(recall(predicted, y, -1), "recall: the label -1 is neither predicted nor in y");
  CHECK_THROWS_WITH(f1(predicted, y, 0), "f1: the label 0 is neither predicted nor in y");
  // A sample of weight 0 does not add its label to the labels.
  const V truth = vector({1, 2, 9});
  const V guess = vector({1, 1, 8});
  const V some = vector({1, 1, 0});
  CHECK(class_metrics(guess, truth, some).labels == vector({1, 2}));
  CHECK(recall(guess, truth, Average::macro, some) == 0.5);
  CHECK_THROWS_WITH(recall(guess, truth, 9, some),
                    "recall: the label 9 is neither predicted nor in y");
  CHECK(class_metrics(vector({-0.0, 1}), vector({0, 1})).labels == vector({0, 1}));
  CHECK(recall(vector({-0.0, 1}), vector({0, 1}), 0) == 1);
  CHECK(recall(vector({-infinity, 1}), vector({-infinity, 1}), -infinity) == 1);
}

TEST_CASE("Precision, recall and F1: of the larger label by default", "[metrics]") {
  const V guess = vector({1, 1, 2, 2, 2});
  const V truth = vector({1, 2, 2, 2, 1});
  for (const double found : {precision(guess, truth), recall(guess, truth), f1(guess, truth),
                             f1(guess, truth, {}, V(V::Ones(5)))})
    CHECK_THAT(found, WithinRel(2.0 / 3, rounding));
  CHECK_THAT(precision(V(2.5 * guess.array() - 7), V(2.5 * truth.array() - 7)),
             WithinRel(2.0 / 3, rounding));
  CHECK(f1(guess, truth, 1) == 0.5);
  CHECK_THROWS_WITH(precision(predicted, y),
                    ContainsSubstring("precision: there are more than two"));
  CHECK_THROWS_WITH(recall(vector({1, 1}), vector({1, 1})),
                    "recall: 1 is the only label, so the positive one must be named");
  // Labels of a model may be missing among the samples.
  const ClassLabels labels(vector({1, 2}));
  const V smaller = V::Ones(3);
  CHECK(std::isnan(precision(smaller, smaller, labels)));
  CHECK(recall(smaller, smaller, labels, {}, 0) == 0);
  CHECK(std::isnan(f1(smaller, smaller, labels)));
  CHECK(f1(V(2 * smaller), V(2 * smaller), labels) == 1);
}

TEST_CASE("Matthews correlation: that of the numbers for two labels, 1 at best, 0 for a constant",
          "[metrics]") {
  const auto x = synthetic::features(60, 1, 3);
  const V truth = synthetic::signs(x, 4);
  const V guess = synthetic::signs(x, 4, 1.5);
  const V p = guess.array() - guess.mean();
  const V t = truth.array() - truth.mean();
  const double expected = p.dot(t) / p.norm() / t.norm();
  CHECK_THAT(matthews_correlation(guess, truth), WithinRel(expected, 1e-13));
  CHECK_THAT(matthews_correlation(V(-guess), truth), WithinRel(-expected, 1e-13));
  CHECK_THAT(matthews_correlation(y, y), WithinRel(1.0, rounding));
  CHECK(matthews_correlation(y, y) <= 1);
  CHECK(matthews_correlation(V::Ones(3), vector({1, 2, 2}), vector({0.1, 0.2, 0.3})) == 0);
  CHECK(matthews_correlation(V(V::Constant(8, 7)), y) == 0);
  const std::string constant = "matthews_correlation: y has only one label";
  CHECK_THROWS_WITH(matthews_correlation(y, V(V::Ones(8))), constant);
  CHECK_THROWS_WITH(matthews_correlation(vector({1, 2, 1}), vector({1, 1, 2}), vector({1, 1, 0})),
                    constant);
}

}  // namespace classification_test
