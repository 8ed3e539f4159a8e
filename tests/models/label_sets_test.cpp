// SPDX-License-Identifier: MIT
/// \file The names of labels have no effect. Every classifier, and CrossValidation by scores of
/// labels, gives the same bits for the labels −1 and 1, 0 and 1, ½ and 10⁹. Their types are tested
/// in tests/core/numbers_test.cpp, metrics in tests/metrics/counted_test.cpp. (`margins` and the
/// losses require −1 and +1.)
#include <algorithm>
#include <linea/losses/log.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/probabilities.hpp>
#include <linea/metrics/ranking.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/evaluate.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/standardised.hpp>
#include <linea/optimizers/sgd.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

namespace label_sets_test {

using namespace linea;
using V = Eigen::VectorXd;

namespace {

/// Samples x, and the class index of each sample.
struct Samples {
  Matrix<double> x;
  std::vector<int> classes;
};

Samples of_classes(int count, Index n) {
  Samples samples{synthetic::features(n, 4, 1), {}};
  const V noise = synthetic::features(n, 1, 2).col(0);
  for (Index i = 0; i < n; ++i) {
    const double score = 2 * samples.x(i, 0) - samples.x(i, 1) + 0.5 * noise[i];
    samples.classes.push_back(score < -0.4 ? 0 : count == 2 || score < 0.7 ? 1 : 2);
  }
  return samples;
}

/// Returns labels[class] for each sample.
std::vector<double> called(const std::vector<int>& classes, const std::vector<double>& labels) {
  std::vector<double> y;
  for (const int k : classes) y.push_back(labels[static_cast<std::size_t>(k)]);
  return y;
}

/// Sets of labels, each ascending.
using Sets = std::vector<std::vector<double>>;
const Sets of_two{{-1, 1}, {0, 1}, {0.5, 1e9}};
const Sets of_three{{0, 1, 2}, {-3, -0.5, 8}};

/// Checks that fit(y) gives the same scores and classes for all sets of labels and, if the model
/// has labels, the same evaluation.
template <class Fit>
void same_for(const Samples& samples, const Sets& sets, const Fit& fit) {
  const auto& x = samples.x;
  const auto first = called(samples.classes, sets.front());
  const auto expected = fit(first);
  const V predicted = expected.predict(x);
  for (const auto& labels : sets) {
    CAPTURE(labels);
    const auto y = called(samples.classes, labels);
    const auto model = fit(y);
    CHECK(same_bits(model.scores(x), expected.scores(x)));
    const V answers = model.predict(x);
    for (Index i = 0; i < answers.size(); ++i)
      for (std::size_t k = 0; k < labels.size(); ++k)
        REQUIRE((answers[i] == labels[k]) == (predicted[i] == sets.front()[k]));
    if constexpr (requires { model.labels.values(); }) {
      const auto found = evaluate(model, x, y), wanted = evaluate(expected, x, first);
      CHECK(found.accuracy == wanted.accuracy);
      CHECK(found.roc_auc == wanted.roc_auc);
      CHECK(found.log_loss == wanted.log_loss);
      CHECK(found.brier_score == wanted.brier_score);
      CHECK(found.confusion.counts == wanted.confusion.counts);
    }
  }
}

/// Checks a recipe, and, if it has a λ, its CrossValidation by the error rate.
template <class R>
void same_fit(const R& recipe, const Samples& samples, const Sets& sets) {
  same_for(samples, sets, [&](const auto& y) { return recipe.fit(samples.x, y); });
  if constexpr (RecipeWithLambda<R>) {
    const auto scores = [&](const std::vector<double>& labels) {
      return CrossValidation{.folds = 3}
          .choose(recipe, {1, 1e-2}, samples.x, called(samples.classes, labels))
          .fold_scores;
    };
    for (const auto& labels : sets) CHECK(same_bits(scores(labels), scores(sets.front())));
  }
}

/// Checks that CrossValidation by this score gives the same bits for all label sets, also if some
/// folds have only one of two labels.
template <class Score>
void same_scores(const Samples& samples, const Sets& sets, const auto& recipe, const Score& score) {
  const auto scores = [&](const std::vector<double>& labels) {
    return CrossValidation{.folds = 10, .stratify = false}
        .choose(recipe, {1, 1e-3}, samples.x, called(samples.classes, labels), V(), score)
        .fold_scores;
  };
  const Matrix<double> expected = scores(sets.front());
  CHECK(expected.allFinite());
  for (const auto& labels : sets) CHECK(same_bits(scores(labels), expected));
}

}  // namespace

TEST_CASE("Label sets: every classifier of two labels has the same bits", "[models]") {
  const auto samples = of_classes(2, 90);
  const auto same = [&](const auto& recipe) { same_fit(recipe, samples, of_two); };
  same(LogisticRegression{.lambda = 1e-2, .class_weights = balanced});
  same(SquaredHingeSvm{.lambda = 1e-2}.with(Sgd{.epochs = 3}));
  same(PerceptronClassifier{.epochs = 5});
  same(Standardised{LinearSvm{.lambda = 1e-2}});
  same(SoftmaxRegression{.lambda = 1e-2, .class_weights = balanced});
  same_for(samples, of_two, [&](const auto& y) {  // class weights refer to the labels
    const double larger = *std::max_element(y.begin(), y.end());
    return LogisticRegression{.lambda = 1e-2, .class_weights = {{larger, 5}}}.fit(samples.x, y);
  });
  same_for(samples, of_two, [&](const auto& y) {
    return LogisticRegression{}.fit_each(samples.x, Matrix<double>(detail::vector_of(y)))[0];
  });
}

TEST_CASE("Label sets: every classifier of three labels has the same bits", "[models]") {
  const auto samples = of_classes(3, 90);
  const auto same = [&](const auto& recipe) { same_fit(recipe, samples, of_three); };
  same(OneVsRest{LinearSvm{.lambda = 1e-2, .class_weights = balanced}});
  same(Standardised{OneVsRest{LogisticRegression{.lambda = 1e-2}.with(Sgd{.epochs = 3})}});
  same(SoftmaxRegression{.lambda = 1e-2});
}

TEST_CASE("Label sets: CrossValidation gives the same scores, also for folds with one label of two",
          "[models]") {
  // Three of 30 samples have the larger label, so that some folds have none of them.
  Samples samples = of_classes(2, 30);
  samples.classes.assign(30, 0);
  samples.classes[3] = samples.classes[4] = samples.classes[5] = 1;
  const LogisticRegression recipe;
  same_scores(samples, of_two, recipe,
              [](const auto& m, const auto& x, const auto& y, const auto&) {
                return log_loss(m.probabilities(x), y, m.labels);
              });
  const OneVsRest of_several{LogisticRegression{}.with(Sgd{.epochs = 2})};
  same_scores(of_classes(3, 60), of_three, of_several,
              [](const auto& m, const auto& x, const auto& y, const auto&) {
                return -roc_auc(m.scores(x), y, m.labels, Average::weighted);
              });
}

}  // namespace label_sets_test
