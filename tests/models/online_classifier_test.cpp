// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <linea/losses.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/models/online_classifier.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes/constant.hpp>

#include "support/catch.hpp"
#include "support/same_bits.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace online_classifier_test {

using namespace linea;

namespace {

template <class Left, class Right>
bool same_weights(const Left& a, const Right& b) {
  return same_bits(a.weights, b.weights) && same_bits(a.offset, b.offset);
}

const Objective log_loss{Log{}, L2{1e-3}};

}  // namespace

TEST_CASE("OnlineClassifier: the three lines of its page", "[models]") {
  const auto& [x, numbers] = shipped::breast_cancer();
  const Vector<int> y = ((numbers.array() + 1) / 2).cast<int>();  // 0 and 1
  const Index d = x.cols();
  OnlineClassifier learner(Sgd{}.start<double>(Objective{Log{}, L2{1e-4}}, d), {0, 1});
  for (Index i = 0; i < x.rows(); ++i)
    learner.update(x.row(i), y[i]);  // or learner.epoch(x, y), a pass over what is at hand
  CHECK(accuracy(learner.predict(x), y) > 0.95);
  learner.epoch(x, y);
  CHECK(accuracy(learner.predict(x), y) > 0.97);
  const Vector<double> chances = learner.probabilities(x);
  CHECK(chances.minCoeff() >= 0);
  CHECK(chances.maxCoeff() <= 1);
  CHECK(((chances.array() >= 0.5).cast<double>() == learner.predict(x).array()).all());
  CHECK(learner.labels().values() == std::vector<double>{0, 1});
}

TEMPLATE_TEST_CASE("OnlineClassifier: the bits of the bare learner, whatever the labels",
                   "[models]", float, double) {
  using T = TestType;
  const auto x = synthetic::features<T>(60, 4, 1);
  const Vector<T> y = synthetic::signs(x, 2);
  const Vector<T> weights = (y.array() + T(2)).matrix();
  const auto compare = [&](const auto& start) {
    auto bare = start;
    OnlineClassifier signs(start, {1, -1});
    OnlineClassifier others(start, {2.5, -1e300});
    const Vector<double> labels = (y.array() > 0).select(Vector<double>::Constant(60, 2.5), -1e300);
    for (Index i = 0; i < 20; ++i) {
      bare.update(x.row(i), y[i], weights[i]);
      signs.update(x.row(i), y[i], weights[i]);
      others.update(x.row(i), labels[i], weights[i]);
    }
    bare.update_batch(x.topRows(9), y.head(9), weights.head(9));
    signs.update_batch(x.topRows(9), y.head(9), weights.head(9));
    others.update_batch(x.topRows(9), labels.head(9), weights.head(9));
    for (int k = 0; k < 3; ++k) {
      bare.epoch(x, y);
      signs.epoch(x, y);
      others.epoch(x, labels);
    }
    const auto solution = bare.solution();
    CHECK(same_weights(signs.classifier(), solution));
    CHECK(same_weights(others.classifier(), solution));
    CHECK(signs.classifier().updates == solution.updates);
    CHECK(signs.classifier().iterate == solution.iterate);
    const auto expected = LinearModel<T>{solution}.scores(x);
    CHECK(same_bits(signs.scores(x), expected));
    for (Index i = 0; i < x.rows(); ++i) {
      CHECK(signs.predict(x)[i] == (expected[i] >= 0 ? 1 : -1));
      CHECK(others.predict(x)[i] == (expected[i] >= 0 ? 2.5 : -1e300));
    }
  };
  compare(Sgd{.seed = 3}.start<T>(log_loss, 4));
  compare(Sgd{.iterate = Iterate::average}.start<T>(
      Objective{Hinge{}, ElasticNet{.l1 = 0.01, .l2 = 0.01}}, 4));
  compare(Pegasos{}.start<T>(Objective{Hinge{}, L2{0.1}}, 4));
  compare(Perceptron{.average = true}.start<T>(4));
}

TEST_CASE("OnlineClassifier: samples of every kind", "[models]") {
  const auto x = synthetic::features(30, 5, 3, 0.5);
  const auto sparse = synthetic::sparse(x);
  const Eigen::MatrixXd columns = x;
  const Matrix<float> narrow = x.cast<float>();
  const Matrix<double> rounded = narrow.cast<double>();
  const auto y = synthetic::signs(x, 4);
  const auto start = Sgd{}.start<double>(log_loss, 5);
  OnlineClassifier rows(start, {-1, 1}), by_sparse_row(start, {-1, 1}), vectors(start, {-1, 1}),
      sparse_vectors(start, {-1, 1}), by_column(start, {-1, 1}), widened(start, {-1, 1}),
      copied(start, {-1, 1});
  for (Index i = 0; i < x.rows(); ++i) {
    const Eigen::SparseVector<double> sparse_vector = sparse.row(i).transpose();
    const Vector<double> vector = x.row(i);
    rows.update(x.row(i), y[i]);
    vectors.update(vector, y[i]);
    by_column.update(columns.row(i), y[i]);
    by_sparse_row.update(sparse.row(i), y[i]);
    sparse_vectors.update(sparse_vector, y[i]);
    widened.update(in_double(narrow.row(i)), y[i]);
    copied.update(rounded.row(i), y[i]);
    const double label = rows.predict_one(x.row(i));
    CHECK(label == rows.predict(x.row(i))[0]);
    CHECK(label == rows.predict_one(vector));
    CHECK(label == rows.predict_one(sparse_vector));
    CHECK(label == rows.predict_one(sparse.row(i)));
  }
  const auto expected = rows.classifier();
  CHECK(same_weights(vectors.classifier(), expected));
  CHECK((by_column.classifier().weights - expected.weights).norm() < 1e-13);
  CHECK((by_sparse_row.classifier().weights - expected.weights).norm() < 1e-13);
  CHECK(same_weights(sparse_vectors.classifier(), by_sparse_row.classifier()));
  CHECK(same_weights(widened.classifier(), copied.classifier()));
  widened.epoch(in_double(narrow), y);
  copied.epoch(rounded, y);
  CHECK(same_weights(widened.classifier(), copied.classifier()));
  CHECK(same_bits(widened.predict(in_double(narrow)), copied.predict(rounded)));
}

TEST_CASE("OnlineClassifier: goes on from where a learner or a start is", "[models]") {
  const auto x = synthetic::features(20, 3, 5);
  const auto y = synthetic::signs(x, 6);
  auto bare = Sgd{}.start<double>(log_loss, 3);
  bare.epoch(x, y);
  const OnlineClassifier later(bare, {-1, 1});
  CHECK(same_weights(later.classifier(), bare.solution()));

  const Extras<double> start{.start_weights = Vector<double>::Ones(3), .start_offset = 2};
  const OnlineClassifier warm(Sgd{}.start(log_loss, 3, start), {-1, 1});
  CHECK(warm.scores(Matrix<double>(Matrix<double>::Ones(1, 3)))[0] == 5);
}

TEST_CASE("Door: OnlineClassifier refuses and stays as it was", "[models]") {
  const auto start = Sgd{}.start<double>(log_loss, 3);
  CHECK_THROWS_WITH(OnlineClassifier(start, {1, 2, 3}),
                    "OnlineClassifier: two classes are needed, but there are 3; OnlineOneVsRest "
                    "takes more");
  CHECK_THROWS_WITH(OnlineClassifier(start, {4, 4}), ContainsSubstring("but there is 1"));
  CHECK_THROWS_WITH(OnlineClassifier(ThresholdPerceptron{}.start<double>(3), {0, 1}),
                    "OnlineClassifier: targets are -1 and +1, but threshold-error takes 0 or 1");
  Matrix<double> x = synthetic::features(4, 3, 7);
  const Vector<double> y = Eigen::Vector4d(0, 1, 1, 0);
  OnlineClassifier learner(start, {0, 1});
  CHECK_THROWS_WITH(learner.predict(x),
                    "OnlineClassifier::predict: no sample has been learnt from yet");
  CHECK_THROWS_WITH(learner.predict_one(x.row(0)),
                    "OnlineClassifier::predict_one: no sample has been learnt from yet");
  CHECK_THROWS_WITH(learner.classifier(),
                    "OnlineClassifier::classifier: no sample has been learnt from yet");
  learner.epoch(x, y);
  const auto before = learner.classifier();
  const auto is_as_before = [&] {
    const auto now = learner.classifier();
    return same_weights(now, before) && now.updates == before.updates;
  };
  CHECK_THROWS_WITH(learner.update(x.row(0), 2),
                    "ClassLabels::index_of: label 2 is none of the 2 known ones (0, 1)");
  CHECK_THROWS_WITH(learner.update(x.row(0).head(2), 1),
                    "Learner::update: a sample of 2 numbers, but the model has 3 weights");
  CHECK_THROWS_WITH(learner.epoch(x, Vector<double>(Vector<double>::Constant(4, 0.5))),
                    "ClassLabels::encode: label 0.5 is none of the 2 known ones (0, 1)");
  CHECK_THROWS_WITH(learner.epoch(x, y.head(3)), "Learner::epoch: x has 4 rows but y has 3");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(learner.update(x.row(0), nan));
  x(2, 1) = nan;
  CHECK_THROWS_WITH(learner.epoch(x, y), "Learner::epoch: x(2, 1) is not finite");
  CHECK_THROWS_WITH(learner.predict_one(x.row(2)),
                    "OnlineClassifier::predict_one: a score is not a number: the sample is not "
                    "finite, or the learner has diverged");
  CHECK(is_as_before());
}

TEST_CASE("OnlineClassifier: a sample of weight 0 may have a label that is not known", "[models]") {
  const auto x = synthetic::features(4, 3, 7);
  OnlineClassifier with(Sgd{}.start<double>(log_loss, 3), {0, 1});
  OnlineClassifier without = with;
  const Vector<double> weights = Eigen::Vector4d(1, 0, 2, 1);
  with.epoch(x, Eigen::Vector4d(0, 9, 1, 0), weights);
  without.epoch(x, Eigen::Vector4d(0, 1, 1, 0), weights);
  with.update(x.row(1), 9, 0);
  without.update(x.row(1), 0, 0);
  CHECK(same_weights(with.classifier(), without.classifier()));
}

TEST_CASE("OnlineClassifier: a learner that has diverged predicts nothing", "[models]") {
  const BasicSgd<ConstantStep> reckless{.step = {1e200}};
  OnlineClassifier learner(reckless.start<double>(Objective{Squared{}, L2{0.1}}, 1), {-1, 1});
  const Matrix<double> x = Matrix<double>::Constant(1, 1, 3);
  for (int k = 0; k < 5; ++k) learner.update(x.row(0), 1);
  CHECK_THROWS_WITH(
      learner.predict(x),
      "OnlineClassifier::predict: the weights are not finite any more: the learner has diverged");
}

}  // namespace online_classifier_test
