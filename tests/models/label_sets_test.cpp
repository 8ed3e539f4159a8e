// SPDX-License-Identifier: MIT
/// \file What labels are called makes no difference: every classifier, every metric of classes and
/// CrossValidation by each of them have the same bits for 0 and 1, 1 and 2, −1 and 1, …, given as
/// numbers of any type.
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
template <class Label>
std::vector<Label> called(const std::vector<int>& classes, const std::vector<double>& labels) {
  std::vector<Label> y;
  for (const int k : classes) y.push_back(static_cast<Label>(labels[static_cast<std::size_t>(k)]));
  return y;
}

template <class Label>
bool holds(const std::vector<double>& labels) {
  for (const double label : labels)
    if (static_cast<double>(static_cast<Label>(label)) != label) return false;
  return true;
}

/// check(y) for y as std::vector and as Eigen vector of every type that holds the labels.
template <class Check>
void in_every_type(const std::vector<int>& classes, const std::vector<double>& labels,
                   const Check& check) {
  const auto both = [&]<class Label>(Label) {
    if (!holds<Label>(labels)) return;
    const auto y = called<Label>(classes, labels);
    check(y);
    Vector<Label> vector(static_cast<Index>(y.size()));
    for (Index i = 0; i < vector.size(); ++i) vector[i] = y[static_cast<std::size_t>(i)];
    check(vector);
  };
  both(0.0);
  both(0.0F);
  both(0);
  both(false);
}

/// Label sets, ascending, each of as many as the first.
const std::vector<std::vector<double>> of_two{{-1, 1}, {0, 1},     {1, 2},
                                              {2, 4},  {0.5, 1.5}, {-7, 1e9}};
const std::vector<std::vector<double>> of_three{{0, 1, 2}, {1, 2, 3}, {-3, -1, 8}, {-0.5, 0.25, 4}};

constexpr int figure_count = 14;

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
  const Matrix<double> scores = model.scores(x);
  all.assign(scores.data(), scores.data() + scores.size());
  for (int which = 0; which < figure_count; ++which) {
    all.push_back(figure_of(which, model, x, y, std::vector<double>{}));
    all.push_back(figure_of(which, model, x, y, weights_of(x.rows())));
  }
  if constexpr (requires { model.labels.values(); }) {
    const auto found = evaluate(model, x, y);
    all.push_back(found.accuracy);
    all.push_back(found.roc_auc);
    all.push_back(found.log_loss.value_or(undefined));
    all.push_back(found.brier_score.value_or(undefined));
  }
  return all;
}

/// fit(y) is a model with one account and one set of predicted classes, whatever labels are in y.
template <class Fit>
void same_for(const Samples& samples, const std::vector<std::vector<double>>& sets,
              const Fit& fit) {
  const auto first = called<double>(samples.classes, sets.front());
  const auto expected = fit(first);
  const auto account = account_of(expected, samples.x, first);
  const V predicted = expected.predict(samples.x);
  for (const auto& labels : sets) {
    CAPTURE(labels);
    in_every_type(samples.classes, labels, [&](const auto& y) {
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
    });
  }
}

const auto fits = [](const auto& recipe, const Samples& samples) {
  return [&, recipe](const auto& y) { return recipe.fit(samples.x, y); };
};

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
    const auto expected = choose(called<double>(samples.classes, sets.front()), which);
    for (const auto& labels : sets) {
      CAPTURE(labels);
      const auto found = choose(called<double>(samples.classes, labels), which);
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
  const auto same = [&](const auto& recipe) { same_for(samples, of_two, fits(recipe, samples)); };
  same(LinearSvm{.lambda = 1e-2});
  same(SquaredHingeSvm{.lambda = 1e-2, .class_weights = balanced});
  same(LogisticRegression{.lambda = 1e-2});
  same(PerceptronClassifier{.epochs = 5});
  same(PerceptronClassifier{.epochs = 5, .average = true, .class_weights = balanced});
  same(Standardised{LogisticRegression{.lambda = 1e-2}});
  same(LogisticRegression{.lambda = 1e-2}.with(Sgd{.epochs = 3}));
  same(Standardised{LinearSvm{.lambda = 1e-2}.with(Pegasos{.epochs = 3})});
  same(OneVsRest{LinearSvm{.lambda = 1e-2}});
  same(OneVsRest{LogisticRegression{.lambda = 1e-2}});
  same(SoftmaxRegression{.lambda = 1e-2, .class_weights = balanced});
}

TEST_CASE("Label sets: every classifier of three labels and every metric have the same bits",
          "[models]") {
  const auto samples = of_classes(3, 90);
  const auto same = [&](const auto& recipe) { same_for(samples, of_three, fits(recipe, samples)); };
  same(OneVsRest{LinearSvm{.lambda = 1e-2, .class_weights = balanced}});
  same(OneVsRest{PerceptronClassifier{.epochs = 5}});
  same(OneVsRest{Standardised{LogisticRegression{.lambda = 1e-2}}});
  same(Standardised{OneVsRest{LogisticRegression{.lambda = 1e-2}.with(Sgd{.epochs = 3})}});
  same(SoftmaxRegression{.lambda = 1e-2});
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

TEST_CASE("Label sets: CrossValidation by every score chooses the same, of two labels",
          "[models]") {
  const auto samples = of_classes(2, 60);
  same_choice(LinearSvm{}, samples, of_two);
  same_choice(Standardised{LogisticRegression{}}, samples, of_two);
  same_choice(LogisticRegression{}.with(Sgd{.epochs = 2}), samples, of_two);
  same_choice(OneVsRest{LogisticRegression{}}, samples, of_two);
}

TEST_CASE("Label sets: CrossValidation by every score chooses the same, of three labels",
          "[models]") {
  const auto samples = of_classes(3, 60);
  same_choice(SoftmaxRegression{}, samples, of_three);
  same_choice(OneVsRest{SquaredHingeSvm{}}, samples, of_three);
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
                           called<double>(samples.classes, labels), V(), ByFigure{which});
    };
    const auto expected = choose(of_two.front());
    CHECK(expected.fold_scores.allFinite());
    for (const auto& labels : of_two)
      CHECK(same_bits(choose(labels).fold_scores, expected.fold_scores));
  }
}

}  // namespace label_sets_test
