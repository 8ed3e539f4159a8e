// SPDX-License-Identifier: MIT
#include <cmath>
#include <linea/activations/exponential.hpp>
#include <linea/metrics.hpp>
#include <linea/models/classifiers.hpp>
#include <linea/models/evaluate.hpp>
#include <linea/models/linear_model.hpp>
#include <linea/models/one_vs_rest.hpp>
#include <linea/models/regressors.hpp>
#include <linea/models/softmax_regression.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/synthetic.hpp"

namespace evaluate_test {

using namespace linea;
using namespace linea::test;
using V = Eigen::VectorXd;

namespace {

/// Returns a classifier of one feature, whose score is the feature.
template <class T = double>
ProbabilisticClassifier<T> identity() {
  LinearModel<T> model;
  model.weights = Vector<T>::Ones(1);
  return {{model, ClassLabels(Eigen::Vector2d(3, 8))}};
}

/// Six scores and labels: four predictions are correct, and six of the nine pairs of a 3 and an 8
/// are in order.
const V six{{-2, -1, 0.5, 1, 3, -0.5}}, truth{{3, 8, 8, 3, 8, 3}};

/// A user's model with only the required members, for three labels. The scores are the features.
struct Own {
  ClassLabels labels{Eigen::Vector3d(1, 2, 5)};

  Matrix<double> scores(const Matrix<double>& x, Index) const { return x; }
  Vector<double> predict(const Matrix<double>& x, Index) const {
    Vector<double> predicted(x.rows());
    for (Index i = 0; i < x.rows(); ++i) {
      Index best = 0;
      x.row(i).maxCoeff(&best);
      predicted[i] = labels[best];
    }
    return predicted;
  }
};
struct OwnWithChances : Own {
  Matrix<double> probabilities(const Matrix<double>& x, Index) const {
    Matrix<double> chances = x.array().exp();
    for (Index i = 0; i < x.rows(); ++i) chances.row(i) /= chances.row(i).sum();
    return chances;
  }
};

V labels_for(const Matrix<double>& x, std::uint64_t seed) {
  Random random(seed);
  return Own{}.predict(x, 1).unaryExpr([&](double label) {
    return random.uniform() < 0.7 ? label : Own{}.labels[static_cast<Index>(random.below(3))];
  });
}

template <class E>
std::string text_of(const E& evaluation) {
  std::ostringstream text;
  text.precision(2);
  text << std::fixed << evaluation;
  return text.str();
}

}  // namespace

TEST_CASE("Evaluate: two labels, computed by hand", "[models]") {
  const auto found = evaluate(identity(), six, truth);
  CHECK(found.samples == 6);
  CHECK(found.smaller == 3);
  CHECK(found.larger == 8);
  CHECK_THAT(found.accuracy, WithinRel(4.0 / 6, 1e-15));
  CHECK_THAT(found.accuracy_error, WithinRel(std::sqrt(4.0 / 6 * 2.0 / 6 / 6), 1e-14));
  for (const double share : {found.precision, found.recall, found.f1, found.roc_auc})
    CHECK_THAT(share, WithinRel(2.0 / 3, 1e-15));
  const V q = identity().probabilities(six);
  CHECK_THAT(found.log_loss.value(), WithinRel(log_loss(q, truth, 8), 1e-14));
  CHECK_THAT(found.brier_score.value(), WithinRel(brier_score(q, truth, 8), 1e-15));
  CHECK(found.confusion.labels == Eigen::Vector2d(3, 8));
  CHECK(found.confusion.counts == Eigen::Matrix2d{{2, 1}, {1, 2}});
  // A classifier without probabilities has no log loss and no Brier score.
  const auto plain = evaluate(Classifier<double>{identity()}, six, truth);
  CHECK(!plain.log_loss);
  CHECK(!plain.brier_score);
  CHECK(plain.roc_auc == found.roc_auc);

  const Vector<float> narrow = six.cast<float>();  // float represents the numbers exactly
  const std::vector<int> labels{3, 8, 8, 3, 8, 3}, twos(6, 2);
  const auto same = [&](const auto& other) {
    CHECK(other.accuracy == found.accuracy);
    CHECK(other.roc_auc == found.roc_auc);
    CHECK_THAT(other.log_loss.value(), WithinRel(found.log_loss.value(), 1e-6));
  };
  same(evaluate(identity<float>(), narrow, labels));
  same(evaluate(identity(), in_double(narrow), labels));
  same(evaluate(identity(), synthetic::sparse(Matrix<double>(six)), labels, twos));
  same(evaluate(identity(), six, labels, {}, 3));
}

TEST_CASE("Evaluate: log loss is finite where probabilities are 0 or 1", "[models]") {
  const Vector<float> sure = Eigen::Vector2f(40, 1);
  CHECK_THAT(evaluate(identity<float>(), sure, Eigen::Vector2d(3, 8)).log_loss.value(),
             WithinRel((40 + std::log1p(std::exp(-1.0))) / 2, 1e-6));

  const Matrix<double> x = Matrix<double>::Ones(2, 1);
  const std::vector<int> y{0, 1};
  const ClassLabels labels(Eigen::Vector2d(0, 1));
  const auto of_softmax = [&]<class T>(T, const std::vector<int>& weights) {
    SoftmaxClassifier<T> softmax{{}, labels};
    softmax.weights = Matrix<T>{{-500, 500}};
    softmax.offset.setZero(2);
    const Matrix<T> samples = x.cast<T>();
    REQUIRE(softmax.probabilities(samples)(0, 0) == 0);
    return evaluate(softmax, samples, y, weights).log_loss;
  };
  CHECK(of_softmax(0.0, {}) == 500.0);  // the mean of the losses 1000 and 0
  CHECK(of_softmax(0.0, {3, 1}) == 750.0);
  CHECK(of_softmax(0.0F, {}) == 500.0);
  // One-vs-rest: the probabilities 1/(1 + exp(1000)) and 1/2 are divided by their sum.
  OneVsRestClassifier<double, ProbabilisticClassifier<double>> each{labels, {}};
  for (const double weight : {-1000.0, 0.0}) {
    each.models.push_back(identity());
    each.models.back().weights[0] = weight;
  }
  CHECK_THAT(evaluate(each, x, y).log_loss.value(), WithinRel((1000 - std::log(2.0)) / 2, 1e-14));
}

TEST_CASE("Evaluate: logarithms of probabilities are those of the probabilities", "[models]") {
  const Matrix<double> x = synthetic::features(60, 3, 7);
  const V y = labels_for(x, 8);
  const auto same = [&](const auto& model) {
    const Matrix<double> q = model.probabilities(x);
    CHECK((model.log_probabilities(x, 2).array().exp() - q.array()).abs().maxCoeff() < 1e-14);
    const auto found = evaluate(model, x, y, {}, 2);
    CHECK_THAT(found.log_loss.value(), WithinRel(log_loss(q, y, model.labels), 1e-13));
    CHECK(found.accuracy == accuracy(model.predict(x), y));
  };
  same(SoftmaxRegression{.lambda = 1e-2}.fit(x, y));
  same(OneVsRest{LogisticRegression{.lambda = 1e-2}}.fit(x, y));
}

TEST_CASE("Evaluate: weight k counts as k samples, weight 0 as none", "[models]") {
  const Eigen::VectorXi counts{{2, 0, 1, 3, 1, 2}};
  const V weights = counts.cast<double>();
  V with_stranger = truth;
  with_stranger[1] = 77;  // the model does not know this label, but its sample has weight 0
  const auto found = evaluate(identity(), six, with_stranger, weights);
  const auto repeated =
      evaluate(identity(), synthetic::repeated(six, counts), synthetic::repeated(truth, counts));
  CHECK(found.samples == 5);
  CHECK(found.confusion.counts == repeated.confusion.counts);
  // The standard error is larger than for repeated samples, because a sample of weight k is still
  // one draw. It depends only on the ratios of the weights.
  CHECK(found.accuracy_error > repeated.accuracy_error);
  CHECK_THAT(evaluate(identity(), six, truth, V(1e140 * weights)).accuracy_error,
             WithinRel(found.accuracy_error, 1e-14));
  // The samples of positive weight are predicted as 3, 8, 8, 8, 3, with an accuracy of 6/9.
  const double squares = (4 + 1 + 1 + 4) / 9.0 + 9 * 4 / 9.0;
  CHECK_THAT(found.accuracy_error, WithinRel(std::sqrt(squares) / 9, 1e-14));
  // The spread of a single sample is not known.
  const auto one = evaluate(identity(), six, truth, V{{0, 0, 5, 0, 0, 0}});
  CHECK(one.samples == 1);
  CHECK(std::isnan(one.accuracy_error));
}

TEST_CASE("Evaluate: several labels, for each member", "[models]") {
  const Matrix<double> x = synthetic::features(80, 3, 1);
  const V y = labels_for(x, 2);
  const V p = Own{}.predict(x, 1);
  V weights(80);
  for (Index i = 0; i < 80; ++i) weights[i] = static_cast<double>(i % 3);
  for (const V& given : {V(), weights}) {
    const auto found = evaluate(OwnWithChances{}, x, y, given);
    const Matrix<double> q = OwnWithChances{}.probabilities(x, 1);
    const Eigen::Vector3d labels(1, 2, 5);
    CHECK(found.samples == (given.size() ? 53 : 80));
    CHECK(found.accuracy == accuracy(p, y, given));
    CHECK(found.balanced_accuracy == balanced_accuracy(p, y, given));
    CHECK(found.macro_f1 == f1(p, y, Average::macro, given));
    CHECK(found.roc_auc == roc_auc(q, y, labels, Average::macro, given));
    CHECK(evaluate(Own{}, x, y, given).roc_auc == roc_auc(x, y, labels, Average::macro, given));
    CHECK(found.log_loss == log_loss(q, y, labels, given));
    CHECK(found.brier_score == brier_score(q, y, labels, given));
    CHECK(found.classes.recall == class_metrics(p, y, given).recall);
    CHECK(found.confusion.counts == confusion_matrix(p, y, given).counts);
    CHECK(!evaluate(Own{}, x, y, given).log_loss);
  }
  // A label without samples is in the confusion matrix, and makes the ROC AUC undefined.
  const auto found = evaluate(Own{}, x, V(V::Ones(80)));
  CHECK(found.confusion.labels == Eigen::Vector3d(1, 2, 5));
  CHECK(std::isnan(found.roc_auc));
  CHECK(std::isnan(found.classes.recall[1]));
  CHECK(std::isfinite(found.macro_f1));
}

TEST_CASE("Evaluate: numbers", "[models]") {
  const Matrix<double> x = synthetic::features(50, 2, 1);
  const V y = synthetic::numbers(x, 2);
  V weights(50);
  for (Index i = 0; i < 50; ++i) weights[i] = static_cast<double>(i % 4);
  const auto model = LinearRegression{}.fit(x, y, weights);
  const V p = model.predict(x);
  const auto found = evaluate(model, x, y, weights, 2);
  CHECK(found.samples == 37);
  CHECK(found.r2 == r2(p, y, weights));
  CHECK(found.mean_squared_error == mean_squared_error(p, y, weights));
  CHECK(found.root_mean_squared_error == root_mean_squared_error(p, y, weights));
  CHECK(found.mean_absolute_error == mean_absolute_error(p, y, weights));
}

TEST_CASE("Evaluate: prints undefined metrics as such", "[models]") {
  ActivatedModel<double, Exponential> activated;
  activated.weights = V::Ones(1);
  CHECK(text_of(evaluate(activated, V{{0, std::log(3.0)}}, Eigen::Vector2d(1, 5))) ==
        "2 samples\n"
        "R2                       0.5\n"
        "mean squared error       2\n"
        "root mean squared error  1.414\n"
        "mean absolute error      1\n");
  const auto found = evaluate(identity(), V(V::Constant(3, -1)), V(V::Constant(3, 3)));
  CHECK(std::isnan(found.precision));
  CHECK(std::isnan(found.roc_auc));
  CHECK(text_of(found) ==
        "3 samples of two labels\n"
        "accuracy        1 (standard error 0)\n"
        "precision of 8  undefined\n"
        "recall of 8     undefined\n"
        "F1 of 8         undefined\n"
        "ROC AUC         undefined\n"
        "log loss        0.3133\n"
        "Brier score     0.07233\n"
        "true \\ predicted  3  8\n"
        "               3  3  0\n"
        "               8  0  0\n");
  const Matrix<double> x{{1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  CHECK(text_of(evaluate(Own{}, x, Eigen::Vector4d(1, 2, 2, 5))) ==
        "4 samples of 3 labels\n"
        "accuracy                 0.75 (standard error 0.2165)\n"
        "balanced accuracy        0.8333\n"
        "F1, mean of labels       0.7778\n"
        "ROC AUC, mean of labels  0.8611\n"
        "label  precision  recall      F1  support\n"
        "    1        0.5       1  0.6667        1\n"
        "    2          1     0.5  0.6667        2\n"
        "    5          1       1       1        1\n"
        "true \\ predicted  1  2  5\n"
        "               1  1  0  0\n"
        "               2  1  1  0\n"
        "               5  0  0  1\n");
  // An evaluation with more labels than are printed.
  ClassesEvaluation many;
  many.confusion.labels = V::LinSpaced(25, 1, 25);
  many.confusion.counts.setZero(25, 25);
  many.classes = class_metrics(many.confusion.labels, many.confusion.labels);
  CHECK_THAT(text_of(many), ContainsSubstring("and 5 more labels\n") && !ContainsSubstring("true"));
}

TEST_CASE("Evaluate: refuses invalid arguments", "[models]") {
  const auto refused = [](const V& y, const V& weights, const char* why) {
    CHECK_THROWS_WITH(evaluate(identity(), six, y, weights), std::string("evaluate: ") + why);
  };
  V other = truth;
  other[4] = 7;
  refused(other, {}, "y(4) = 7 is none of the 2 labels of the model");
  other[4] = not_a_number;
  refused(other, {}, "y(4) is not a number");
  refused(truth.head(4), {}, "x has 6 rows but y has 4");
  refused(truth, V::Ones(2), "2 sample weights but y has 6");
  refused(truth, V::Zero(6), "all sample weights are zero");
  CHECK_THROWS_WITH(evaluate(identity(), V(0), V()), "evaluate: no samples");
  CHECK_THROWS_WITH(evaluate(Own{}, synthetic::features(6, 3, 1), truth),
                    "evaluate: y(0) = 3 is none of the 3 labels of the model");
  CHECK_THROWS_WITH(evaluate(identity(), six, truth, {}, 0), ContainsSubstring("0 threads"));
  auto three = identity();
  three.labels = ClassLabels(Eigen::Vector3d(3, 4, 8));
  CHECK_THROWS_WITH(evaluate(three, six, truth),
                    "evaluate: the model has one score a sample but 3 labels");
  struct Stranger : Own {
    Vector<double> predict(const Matrix<double>& x, Index) const {
      return V::Constant(x.rows(), 7);
    }
  };
  CHECK_THROWS_WITH(evaluate(Stranger{}, synthetic::features(2, 3, 1), Eigen::Vector2d(1, 2)),
                    "evaluate: prediction 0 = 7 is none of the 3 labels of the model");
  Regressor<double> numbers;
  numbers.weights = V::Ones(1);
  V x = six;
  x[3] = not_a_number;
  CHECK_THROWS_WITH(evaluate(numbers, x, truth), "evaluate: prediction 3 is not a number");
}

TEST_CASE("evaluate: prints all digits of counts, and four of sums of fractions", "[models]") {
  const Index n = 20000;
  Matrix<double> x(n, 1);
  for (Index i = 0; i < n; ++i) x(i, 0) = i % 3 == 0 ? 1 : -1;
  const Vector<double> y = x.col(0);
  const auto model = LogisticRegression{.lambda = 1e-2}.fit(x, y);
  std::ostringstream whole, parts;
  whole << evaluate(model, x, y);
  CHECK_THAT(whole.str(), ContainsSubstring("-1  13333     0\n"));
  parts << evaluate(model, x, y, Vector<double>(Vector<double>::Constant(n, 0.77777)));
  CHECK_THAT(parts.str(), ContainsSubstring("-1  1.037e+04     0\n"));
}

}  // namespace evaluate_test
