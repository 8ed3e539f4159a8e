// SPDX-License-Identifier: MIT
/// \file What labels are called makes no difference: every classifier, every metric of labels, scores
/// or probabilities and CrossValidation by each of them have the same bits for 0 and 1, 1 and 2, −1
/// and 1, …, given as numbers of any type. (`margins` and the losses take −1 and +1 only.)
#include <algorithm>
#include <limits>
#include <linea/losses/log.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/metrics/probabilities.hpp>
#include <linea/metrics/ranking.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/cross_validation.hpp>
#include <linea/models/evaluate.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/online.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/softmax_regression.hpp>
#include <linea/models/standardised.hpp>
#include <linea/models/validation_curve.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/synthetic.hpp"

namespace label_sets_test {

using namespace linea;
using V = Eigen::VectorXd;

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// Samples, and the number of the class of each.
struct Samples {
  Matrix<double> x;
  std::vector<int> classes;

  Index size() const { return x.rows(); }
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

/// labels[class] of each sample.
template <class Label = double>
std::vector<Label> called(const std::vector<int>& classes, const std::vector<double>& labels) {
  std::vector<Label> y;
  for (const int k : classes) y.push_back(static_cast<Label>(labels[static_cast<std::size_t>(k)]));
  return y;
}

/// Label sets, ascending, each of as many as the first.
const std::vector<std::vector<double>> of_two{{-1, 1}, {0, 1},     {1, 2},
                                              {2, 4},  {0.5, 1.5}, {-7, 1e9}};
const std::vector<std::vector<double>> of_three{{0, 1, 2}, {1, 2, 3}, {-3, -1, 8}, {-0.5, 0.25, 4}};

constexpr int figure_count = 16;

/// Figure number `which` of a model on samples: NaN where the model has no probabilities.
template <class M, class X, class Y, class W>
double figure_of(int which, const M& model, const X& x, const Y& y, const W& weights) {
  constexpr bool has_chances = requires { model.probabilities(x); };
  constexpr bool is_of_two = VectorLike<decltype(model.scores(x))>;
  const auto labels = [&] {
    if constexpr (requires { model.labels(); })
      return model.labels();
    else
      return model.labels;
  }();
  const auto predicted = model.predict(x);
  const auto scores = model.scores(x);
  if constexpr (has_chances) {
    if (which == 0) return log_loss(model.probabilities(x), y, labels, weights);
    if (which == 1) return brier_score(model.probabilities(x), y, labels, weights);
  }
  if constexpr (has_chances && is_of_two) {
    if (which == 2) return log_likelihood(model.probabilities(x), y, labels, weights);
    if (which == 3) return likelihood(model.probabilities(x), y, labels, weights);
  }
  if constexpr (is_of_two) {
    if (which == 4) return roc_auc(scores, y, labels, weights);
    if (which == 5) return average_precision(scores, y, labels, weights);
    if (which == 6) return precision(predicted, y, labels, weights);
    if (which == 7) return recall(predicted, y, labels, weights);
    if (which == 8) return f1(predicted, y, labels, weights);
  } else {
    if (which == 4) return roc_auc(scores, y, labels, Average::weighted, weights);
    if (which == 5) return average_precision(scores, y, labels, Average::weighted, weights);
    if (which == 6) return precision(predicted, y, Average::micro, weights);
    if (which == 7) return recall(predicted, y, Average::weighted, weights);
    if (which == 8) return f1(predicted, y, Average::macro, weights);
  }
  if (which == 9) return accuracy(predicted, y, weights);
  if (which == 10) return error_rate(predicted, y, weights);
  if (which == 11) return balanced_accuracy(predicted, y, weights);
  if (which == 12) return matthews_correlation(predicted, y, weights);
  if (which == 13) return confusion_matrix(predicted, y, weights).counts(0, 1);
  if (which == 14) return class_metrics(predicted, y, weights).f1[0];
  if (which == 15) return class_metrics(predicted, y, weights).support[0];
  return undefined;
}

V weights_of(Index n) {
  V weights(n);
  for (Index i = 0; i < n; ++i) weights[i] = static_cast<double>(i % 3) / 2 + 0.25;
  return weights;
}

/// Everything that a model says of x in numbers, without its labels.
template <class M, class Y>
std::vector<double> account_of(const M& model, const Matrix<double>& x, const Y& y) {
  std::vector<double> all;
  const auto scores = model.scores(x);
  all.assign(scores.data(), scores.data() + scores.size());
  for (int which = 0; which < figure_count; ++which) {
    all.push_back(figure_of(which, model, x, y, std::vector<double>{}));
    all.push_back(figure_of(which, model, x, y, weights_of(x.rows())));
  }
  const auto add = [&](std::initializer_list<double> figures) { all.insert(all.end(), figures); };
  if constexpr (requires { model.labels.values(); }) {
    const auto found = evaluate(model, x, y);
    add({found.accuracy, found.roc_auc, found.log_loss.value_or(undefined),
         found.brier_score.value_or(undefined), found.confusion.counts(1, 0)});
  }
  if constexpr (VectorLike<decltype(model.scores(x))>) {  // the positive label is not named
    const V p = model.predict(x);
    add({roc_auc(scores, y), average_precision(scores, y), precision(p, y), recall(p, y),
         f1(p, y)});
    if constexpr (requires { model.probabilities(x); }) {
      const V q = model.probabilities(x);
      add({log_loss(q, y), brier_score(q, y), log_likelihood(q, y), likelihood(q, y)});
    }
  }
  return all;
}

/// fit(y) is a model with one account and one set of predicted classes, whatever labels are in y.
template <class Fit>
void same_for(const Samples& samples, const std::vector<std::vector<double>>& sets,
              const Fit& fit) {
  const auto first = called(samples.classes, sets.front());
  const auto expected = fit(first);
  const auto account = account_of(expected, samples.x, first);
  const V predicted = expected.predict(samples.x);
  for (const auto& labels : sets) {
    CAPTURE(labels);
    const auto y = called(samples.classes, labels);
    const auto model = fit(y);
    const auto found = account_of(model, samples.x, y);
    REQUIRE(found.size() == account.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CAPTURE(k);
      CHECK(same_bits(found[k], account[k]));
    }
    const V answers = model.predict(samples.x);
    for (Index i = 0; i < answers.size(); ++i)
      for (std::size_t k = 0; k < labels.size(); ++k)
        REQUIRE((answers[i] == labels[k]) == (predicted[i] == sets.front()[k]));
  }
}

/// A recipe, and CrossValidation of it by the share of wrong labels where it has a λ.
template <class R>
void same_fit(const R& recipe, const Samples& samples,
              const std::vector<std::vector<double>>& sets) {
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

/// An online learner that is fed each sample, then all of them in one pass.
const auto feeds = [](const auto& learner, const Samples& samples) {
  return [&, learner](const auto& y) {
    auto fed = learner(y);
    const Vector<double> labels = core::vector_of(y).template cast<double>();
    for (Index i = 0; i < samples.size(); ++i) fed.update(samples.x.row(i), labels[i]);
    fed.epoch(samples.x, core::vector_of(y));
    return fed;
  };
};

/// A score of CrossValidation by figure number `which`, negated where the higher is the better.
struct ByFigure {
  int which{0};

  template <class M, class X>
  double operator()(const M& model, const X& x, const Vector<double>& y,
                    const Vector<double>& weights) const {
    const bool is_loss = which < 2 || which == 10 || which == 13;
    return (is_loss ? 1 : -1) * figure_of(which, model, x, y, weights);
  }
};

/// CrossValidation by every score has the same folds, scores and choice for all label sets.
template <class R>
void same_choice(const R& recipe, const Samples& samples,
                 const std::vector<std::vector<double>>& sets) {
  const std::vector<double> lambdas{1, 1e-1, 1e-2};
  const V weights = weights_of(samples.size());
  const auto choose = [&](const auto& y, int which) -> ValidationCurve {
    if (which < 0) return CrossValidation{.folds = 3}.choose(recipe, lambdas, samples.x, y);
    return CrossValidation{.folds = 3}.choose(recipe, lambdas, samples.x, y, weights,
                                              ByFigure{which});
  };
  for (int which = -1; which < figure_count; ++which) {
    CAPTURE(which);
    const auto expected = choose(called(samples.classes, sets.front()), which);
    for (const auto& labels : sets) {
      CAPTURE(labels);
      const auto found = choose(called(samples.classes, labels), which);
      CHECK(same_bits(found.fold_scores, expected.fold_scores));
      CHECK(found.best == expected.best);
      CHECK(found.one_standard_error == expected.one_standard_error);
    }
  }
}

}  // namespace

TEST_CASE("Label sets: every classifier of two labels and every metric have the same bits",
          "[models]") {
  const auto samples = of_classes(2, 90);
  const auto same = [&](const auto& recipe) { same_fit(recipe, samples, of_two); };
  same(LogisticRegression{.lambda = 1e-2, .class_weights = balanced});
  same(LinearSvm{.lambda = 1e-2});
  same(SquaredHingeSvm{.lambda = 1e-2}.with(Sgd{.epochs = 3}));
  same(PerceptronClassifier{.epochs = 5});
  same(Standardised{LinearSvm{.lambda = 1e-2}.with(Pegasos{.epochs = 3})});
  same(OneVsRest{LogisticRegression{.lambda = 1e-2}.with(Sgd{.epochs = 3})});
  same(SoftmaxRegression{.lambda = 1e-2, .class_weights = balanced});
  same_for(samples, of_two, [&](const auto& y) {  // class weights by name
    const double larger = *std::max_element(y.begin(), y.end());
    return LogisticRegression{.lambda = 1e-2, .class_weights = {{larger, 5}}}.fit(samples.x, y);
  });
  const auto in_columns = [&](const auto& recipe) {
    same_for(samples, of_two, [&](const auto& y) {
      const Matrix<double> columns = core::vector_of(y);
      return recipe.fit_each(samples.x, columns)[0];
    });
  };
  in_columns(LinearSvm{.lambda = 1e-2});
  in_columns(LogisticRegression{.lambda = 1e-2}.with(Sgd{.epochs = 3}));
}

TEST_CASE("Label sets: every classifier of three labels and every metric have the same bits",
          "[models]") {
  const auto samples = of_classes(3, 90);
  const auto same = [&](const auto& recipe) { same_fit(recipe, samples, of_three); };
  same(OneVsRest{LinearSvm{.lambda = 1e-2, .class_weights = balanced}});
  same(OneVsRest{SquaredHingeSvm{.lambda = 1e-2}.with(Sgd{.epochs = 3})});
  same(OneVsRest{PerceptronClassifier{.epochs = 5}});
  same(OneVsRest{RidgeRegression{.lambda = 1e-2}});
  same(Standardised{OneVsRest{LogisticRegression{.lambda = 1e-2}.with(Sgd{.epochs = 3})}});
  same(SoftmaxRegression{.lambda = 1e-2});
}

TEST_CASE("Label sets: labels of any type of number are the same labels", "[models]") {
  const auto samples = of_classes(2, 60);
  const PerceptronClassifier recipe{.epochs = 5};
  const auto check = [&]<class Label>(Label) {
    for (const auto& labels : of_two) {
      const auto y = called<Label>(samples.classes, labels);
      const auto same = called(samples.classes, labels);
      if (!std::equal(y.begin(), y.end(), same.begin())) continue;  // the type does not hold them
      CAPTURE(labels);
      const auto expected = recipe.fit(samples.x, same);
      const auto model = recipe.fit(samples.x, y);
      CHECK(model.weights == expected.weights);
      CHECK(model.labels.values() == labels);
      Vector<Label> vector(samples.size());
      for (Index i = 0; i < vector.size(); ++i) vector[i] = y[static_cast<std::size_t>(i)];
      CHECK(recipe.fit(samples.x, vector).weights == expected.weights);
      CHECK(accuracy(model.predict(samples.x), y) == accuracy(expected.predict(samples.x), same));
    }
  };
  check(0.0F);
  check(0);
  check(false);
}

TEST_CASE("Label sets: every online classifier and every metric have the same bits", "[models]") {
  const Objective log{Log{}, L2{1e-2}};
  const auto two = of_classes(2, 60);
  const auto pair_of = [](const auto& start) {
    return
        [start](const auto& y) { return OnlineClassifier(start, ClassLabels(core::vector_of(y))); };
  };
  same_for(two, of_two, feeds(pair_of(Sgd{}.start<double>(log, 4)), two));
  same_for(two, of_two, feeds(pair_of(Perceptron{}.start<double>(4)), two));
  same_for(two, of_two,
           feeds(pair_of(Pegasos{}.start<double>(Objective{Hinge{}, L2{1e-2}}, 4)), two));

  const auto three = of_classes(3, 60);
  const auto start = Sgd{}.start<double>(log, 4);
  same_for(three, of_three, feeds([&](const auto&) { return OnlineOneVsRest(start); }, three));
  same_for(
      three, of_three,
      feeds([&](const auto& y) { return OnlineOneVsRest(start, ClassLabels(core::vector_of(y))); },
            three));
}

TEST_CASE("Label sets: CrossValidation by every score chooses the same", "[models]") {
  same_choice(Standardised{LogisticRegression{}.with(Sgd{.epochs = 2})}, of_classes(2, 60), of_two);
  same_choice(OneVsRest{LogisticRegression{}.with(Sgd{.epochs = 2})}, of_classes(3, 60), of_three);
}

TEST_CASE("Label sets: a fold with one label of two is scored as the model's labels say",
          "[models]") {
  // Two samples of the larger label among 30: a fold of 15 or so has neither.
  auto samples = of_classes(2, 30);
  samples.classes.assign(30, 0);
  samples.classes[3] = samples.classes[4] = samples.classes[5] = 1;
  const CrossValidation in_ten{.folds = 10, .stratify = false};
  for (const int which : {0, 1, 2, 9}) {
    CAPTURE(which);
    const auto choose = [&](const std::vector<double>& labels) -> ValidationCurve {
      return in_ten.choose(LogisticRegression{}, {1, 1e-3}, samples.x,
                           called(samples.classes, labels), V(), ByFigure{which});
    };
    const auto expected = choose(of_two.front());
    CHECK(expected.fold_scores.allFinite());
    for (const auto& labels : of_two)
      CHECK(same_bits(choose(labels).fold_scores, expected.fold_scores));
  }
}

}  // namespace label_sets_test
