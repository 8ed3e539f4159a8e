// SPDX-License-Identifier: MIT
#include <algorithm>
#include <linea/losses.hpp>
#include <linea/metrics/classification.hpp>
#include <linea/models/evaluate.hpp>
#include <linea/models/online.hpp>
#include <linea/optimizers/adaptive_sgd.hpp>
#include <linea/optimizers/pegasos.hpp>
#include <linea/optimizers/perceptron.hpp>
#include <linea/optimizers/sgd.hpp>
#include <linea/penalties/elastic_net.hpp>
#include <linea/penalties/l2.hpp>
#include <linea/rows/in_double.hpp>
#include <linea/step_sizes/constant.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/constants.hpp"
#include "support/same_bits.hpp"
#include "support/shipped.hpp"
#include "support/synthetic.hpp"

namespace online_test {

using namespace linea;
using test::not_a_number;
using V = Vector<double>;

namespace {

template <class Left, class Right>
bool same_weights(const Left& a, const Right& b) {
  return same_bits(a.weights, b.weights) && same_bits(a.offset, b.offset);
}

/// Do the models have equal labels, and equal numbers bit for bit?
template <class F>
bool same(const F& a, const F& b) {
  if (a.labels.values() != b.labels.values()) return false;
  if constexpr (requires { a.models; })
    return std::equal(a.models.begin(), a.models.end(), b.models.begin(), b.models.end(),
                      [](const auto& one, const auto& other) { return same(one, other); });
  else
    return same_weights(a, b) && a.updates == b.updates && a.epochs == b.epochs;
}

const Objective log_loss{Log{}, L2{1e-3}};
const Objective hinge{Hinge{}, L2{1e-2}};

/// 90 samples of four classes. The label 3 appears only from sample 30 on, and the label 1e9 only
/// before sample 60.
template <class T>
struct Stream {
  Matrix<T> x = synthetic::features<T>(90, 5, 1);
  V y{90};

  Stream() {
    const double labels[] = {7, -2.5, 1e9, 3};
    for (Index i = 0; i < 90; ++i) {
      Index k = 0;
      x.row(i).head(4).maxCoeff(&k);
      if (i < 30 && k == 3) k = 1;
      if (i >= 60 && k == 2) k = 0;
      y[i] = labels[k];
    }
  }
};

const auto all_labels = {-2.5, 3.0, 7.0, 1e9};

/// Passes the stream to a learner: sample by sample, in batches, in epochs over parts, and in
/// epochs over all samples.
template <class T>
void feed(auto& learner, const V& y) {
  const Stream<T> s;
  const Vector<T> weights = (s.x.col(4).array().abs() + T(0.25)).matrix();
  for (Index i = 0; i < 90; ++i) learner.update(s.x.row(i), static_cast<T>(y[i]), weights[i]);
  for (Index i = 0; i < 90; i += 10)
    learner.update_batch(s.x.middleRows(i, 10), y.segment(i, 10), weights.segment(i, 10));
  for (Index i = 0; i < 90; i += 15)
    learner.epoch(s.x.middleRows(i, 15), y.segment(i, 15), weights.segment(i, 15));
  for (int k = 0; k < 3; ++k) learner.epoch(s.x, y);
}

/// Calls check(learner) for a learner of Sgd and, in double, also for learners of Sgd with an
/// average, Pegasos and Perceptron.
template <class T>
void every_learner(const auto& check) {
  check(Sgd{.seed = 5}.start<T>(log_loss, 5));
  if constexpr (std::is_same_v<T, double>) {  // separate tests cover the other learners in float
    check(Sgd{.iterate = Iterate::average}.start<T>(
        Objective{Hinge{}, ElasticNet{.l1 = 0.01, .l2 = 0.01}}, 5));
    check(Pegasos{}.start<T>(hinge, 5));
    check(AdaptiveSgd{}.start<T>(log_loss, 5));
    check(Perceptron{.average = true}.start<T>(5));
  }
}

}  // namespace

TEST_CASE("OnlineClassifier: the three lines of its documentation", "[models]") {
  const auto& [x, numbers] = shipped::breast_cancer();
  const Vector<int> y = ((numbers.array() + 1) / 2).cast<int>();  // the labels 0 and 1
  const Index d = x.cols();
  OnlineClassifier learner(Sgd{}.start<double>(Objective{Log{}, L2{1e-4}}, d), {0, 1});
  for (Index i = 0; i < x.rows(); ++i)
    learner.update(x.row(i), y[i]);  // or learner.epoch(x, y) for a pass over the samples
  CHECK(accuracy(learner.predict(x), y) > 0.95);
  learner.epoch(x, y);
  CHECK(accuracy(learner.predict(x), y) > 0.97);
  const V chances = learner.probabilities(x);
  CHECK(chances.minCoeff() >= 0);
  CHECK(chances.maxCoeff() <= 1);
  CHECK(((chances.array() >= 0.5).cast<double>() == learner.predict(x).array()).all());
  CHECK(learner.labels().values() == std::vector<double>{0, 1});
}

TEMPLATE_TEST_CASE("OnlineClassifier: gives the bits of the learner alone, for any labels",
                   "[models]", float, double) {
  using T = TestType;
  const Stream<T> s;
  const V y = (s.y.array() > 5).select(V::Ones(90), -1.0);
  every_learner<T>([&](const auto& start) {
    auto bare = start;
    OnlineClassifier signs(start, {1, -1});
    OnlineClassifier others(start, {2.5, -1e9});
    feed<T>(bare, y);
    feed<T>(signs, y);
    feed<T>(others, (y.array() > 0).select(V::Constant(90, 2.5), -1e9));
    const auto solution = bare.solution();
    CHECK(same_weights(signs.classifier(), solution));
    CHECK(same_weights(others.classifier(), solution));
    CHECK(signs.classifier().updates == solution.updates);
    CHECK(signs.classifier().iterate == solution.iterate);
    const auto expected = LinearModel<T>{solution}.scores(s.x);
    CHECK(same_bits(signs.scores(s.x), expected));
    CHECK(signs.predict(s.x) == V((expected.array() >= 0).select(V::Ones(90), -1.0)));
    CHECK(others.predict(s.x) == V((expected.array() >= 0).select(V::Constant(90, 2.5), -1e9)));
  });
}

TEST_CASE("evaluate: of an online model, is that of its classifier", "[models]") {
  const Matrix<double> x{{1}, {2}, {-1}, {-2}};
  const Vector<double> y{{1, 1, 0, 1}};
  OnlineClassifier online(Sgd{}.start<double>(Objective{Log{}, L2{1e-2}}, 1), {0, 1});
  online.epoch(x, y);
  CHECK(evaluate(online, x, y).accuracy == evaluate(online.classifier(), x, y).accuracy);
  OnlineOneVsRest several(Sgd{}.start<double>(Objective{Log{}, L2{1e-2}}, 1));
  several.epoch(x, Vector<double>{{1, 2, 0, 1}});
  CHECK(evaluate(several, x, y).accuracy == evaluate(several.classifier(), x, y).accuracy);
}

TEST_CASE("OnlineClassifier: samples of every kind", "[models]") {
  const auto x = synthetic::features(30, 5, 3, 0.5);
  const auto sparse = synthetic::sparse(x);
  const Eigen::MatrixXd columns = x;
  const auto y = synthetic::signs(x, 4);
  const auto start = Sgd{}.start<double>(log_loss, 5);
  const auto fed = [&](const auto& sample_of) {
    OnlineClassifier learner(start, {-1, 1});
    for (Index i = 0; i < x.rows(); ++i) {
      learner.update(sample_of(i), y[i]);
      CHECK(learner.predict_one(sample_of(i)) == learner.predict(x.row(i))[0]);
    }
    return learner.classifier();
  };
  const auto expected = fed([&](Index i) { return x.row(i); });
  const auto by_sparse_row = fed([&](Index i) { return sparse.row(i); });
  CHECK((by_sparse_row.weights - expected.weights).norm() < 1e-13);
  CHECK((fed([&](Index i) { return columns.row(i); }).weights - expected.weights).norm() < 1e-13);
  CHECK(same_weights(fed([&](Index i) -> V { return x.row(i); }), expected));
  CHECK(same_weights(
      fed([&](Index i) -> Eigen::SparseVector<double> { return sparse.row(i).transpose(); }),
      by_sparse_row));
  const Matrix<float> narrow = x.cast<float>();
  const Matrix<double> rounded = narrow.cast<double>();
  OnlineClassifier widened(start, {-1, 1}), copied(start, {-1, 1});
  widened.update(in_double(narrow.row(3)), y[3]);
  copied.update(rounded.row(3), y[3]);
  widened.epoch(in_double(narrow), y);
  copied.epoch(rounded, y);
  CHECK(same_weights(widened.classifier(), copied.classifier()));
  CHECK(same_bits(widened.predict(in_double(narrow)), copied.predict(rounded)));
}

TEST_CASE("OnlineClassifier: continues from a learner or a start, until it has diverged",
          "[models]") {
  const auto x = synthetic::features(20, 3, 5);
  auto bare = Sgd{}.start<double>(log_loss, 3);
  bare.epoch(x, synthetic::signs(x, 6));
  const OnlineClassifier later(bare, {-1, 1});
  CHECK(same_weights(later.classifier(), bare.solution()));
  const Extras<double> start{.start_weights = V::Ones(3), .start_offset = 2};
  const OnlineClassifier warm(Sgd{}.start(log_loss, 3, start), {-1, 1});
  CHECK(warm.scores(Matrix<double>(Matrix<double>::Ones(1, 3)))[0] == 5);

  const BasicSgd<ConstantStep> reckless{.step = {1e200}};
  OnlineClassifier learner(reckless.start<double>(Objective{Squared{}, L2{0.1}}, 1), {-1, 1});
  const Matrix<double> three = Matrix<double>::Constant(1, 1, 3);
  for (int k = 0; k < 5; ++k) learner.epoch(three, V::Ones(1));
  CHECK_THROWS_WITH(
      learner.predict(three),
      "OnlineClassifier::predict: the weights are not finite any more: the learner has diverged");
}

TEMPLATE_TEST_CASE(
    "OnlineOneVsRest: k classes equal k learners, bit for bit, known or appearing late", "[models]",
    float, double) {
  const V y = Stream<TestType>{}.y;
  every_learner<TestType>([&](const auto& start) {
    OnlineOneVsRest known(start, all_labels);
    OnlineOneVsRest growing(start);
    feed<TestType>(known, y);
    feed<TestType>(growing, y);
    const auto classifier = known.classifier();
    REQUIRE(classifier.labels.values() == std::vector<double>(all_labels));
    REQUIRE(classifier.models.size() == 4);
    CHECK(growing.labels() == std::vector<double>(all_labels));
    CHECK(same(growing.classifier(), classifier));
    for (Index k = 0; k < 4; ++k) {
      auto bare = start;
      feed<TestType>(bare, (y.array() == classifier.labels[k]).select(V::Ones(90), -1.0));
      CHECK(same_weights(classifier.models[static_cast<std::size_t>(k)], bare.solution()));
    }
    // Add a fifth class, whose first sample comes after all other samples.
    OnlineOneVsRest more(start, {-2.5, 3, 5, 7, 1e9});
    feed<TestType>(more, y);
    const Vector<TestType> sample = Vector<TestType>::Ones(5);
    growing.update(sample, 5);
    more.update(sample, 5);
    CHECK(same(growing.classifier(), more.classifier()));
  });
}

TEST_CASE("OnlineOneVsRest: the order in which labels appear does not affect the models",
          "[models]") {
  // The labels are renamed so that they appear in ascending, descending and mixed order. The models
  // are the same, but in the order of the labels.
  const auto x = synthetic::features(40, 3, 8);
  const double names[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}, {-0.0, 5, -5, 0.5}};
  std::vector<V> first;
  for (const auto& name : names) {
    OnlineOneVsRest learner(Sgd{}.start<double>(log_loss, 3));
    for (Index i = 0; i < 40; ++i) learner.update(x.row(i), name[i < 4 ? i : i * i % 4]);
    const auto classifier = learner.classifier();
    for (std::size_t k = 0; k < 4; ++k) {
      const auto place = static_cast<std::size_t>(classifier.labels.index_of(name[k]));
      if (first.size() < 4) first.push_back(classifier.models[place].weights);
      CHECK(same_bits(classifier.models[place].weights, first[k]));
    }
  }
}

TEST_CASE("OnlineOneVsRest: k epochs equal one run of k epochs for each class", "[models]") {
  const auto& [x, y] = shipped::iris();
  const ClassLabels labels(y);
  const Sgd sgd{.epochs = 4, .tolerance = 0, .iterate = Iterate::last, .retries = 0};
  OnlineOneVsRest learner(sgd.start<double>(log_loss, x.cols()));
  for (int k = 0; k < 4; ++k) learner.epoch(x, y);
  Matrix<double> targets(x.rows(), 3);
  for (Index k = 0; k < 3; ++k) targets.col(k) = labels.one_against_rest(y, k);
  const auto solutions = sgd.minimize_each(log_loss, x, targets);
  const auto classifier = learner.classifier();
  for (std::size_t k = 0; k < 3; ++k) CHECK(same_weights(classifier.models[k], solutions[k]));
  CHECK(accuracy(learner.predict(x), y) > 0.9);
  CHECK(same_bits(learner.predict(x), classifier.predict(x, 2)));
  CHECK(same_bits(learner.scores(x), classifier.scores(x)));
  const Matrix<double> chances = learner.probabilities(x);
  CHECK(same_bits(chances, classifier.probabilities(x)));
  CHECK((chances.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-14);
  for (Index i = 0; i < x.rows(); i += 7) {
    CHECK(learner.predict_one(x.row(i)) == learner.predict(x)[i]);
    CHECK((learner.scores_of(x.row(i)).transpose() - learner.scores(x).row(i)).norm() < 1e-12);
  }
}

TEST_CASE("OnlineOneVsRest: predicts the only class so far, and the smaller label of equal scores",
          "[models]") {
  const auto x = synthetic::features(5, 2, 9);
  OnlineOneVsRest alone(Sgd{}.start<double>(log_loss, 2));
  CHECK(alone.labels().empty());
  alone.update(x.row(0), 42);
  CHECK((alone.predict(x).array() == 42).all());
  CHECK(alone.predict_one(x.row(3)) == 42);
  CHECK(alone.scores(x).cols() == 1);
  CHECK((alone.probabilities(x).array() == 1).all());

  OnlineOneVsRest learner(Perceptron{}.start<double>(2), {4, 9, 6});
  learner.update(V::Ones(2).eval(), 9);
  learner.update((-V::Ones(2)).eval(), 9);
  const V nothing = V::Zero(2);
  const auto scores = learner.scores_of(nothing);
  REQUIRE(scores[0] == scores[1]);
  CHECK(learner.predict_one(nothing) == (scores[2] > scores[0] ? 9 : 4));
  CHECK(learner.predict_one(nothing) == learner.predict(Matrix<double>(nothing.transpose()))[0]);
}

TEST_CASE("Online classifiers: a sample of weight 0 adds no class, and may have any label",
          "[models]") {
  const auto x = synthetic::features(4, 2, 10);
  const auto start = Sgd{}.start<double>(log_loss, 2);
  using Four = Eigen::Vector4d;
  OnlineClassifier with(start, {0, 1}), without(start, {0, 1});
  with.epoch(x, Four(0, 9, 1, 0), Four(1, 0, 2, 1));
  without.epoch(x, Four(0, 1, 1, 0), Four(1, 0, 2, 1));
  with.update(x.row(1), 9, 0);
  without.update(x.row(1), 0, 0);
  CHECK(same_weights(with.classifier(), without.classifier()));

  OnlineOneVsRest learner(start);
  learner.update(x.row(0), 1, 0);
  CHECK(learner.labels().empty());
  CHECK_THROWS(learner.predict(x));
  learner.update_batch(x, Four(1, 2, 3, 2), Four(1, 0, 1, 2));
  CHECK(learner.labels() == std::vector<double>{1, 2, 3});
  learner.epoch(x, Eigen::Vector4i(5, 1, 4, 5), Four(0, 1, 1, 0));
  CHECK(learner.labels() == std::vector<double>{1, 2, 3, 4});
  OnlineOneVsRest known(start, {1, 2});
  known.update(x.row(0), 9, 0);
  known.update_batch(x, Four(1, 2, 9, 2), Four(1, 1, 0, 2));
  CHECK(known.labels() == std::vector<double>{1, 2});
}

TEST_CASE("Validation: online classifiers refuse invalid input and do not change", "[models]") {
  const auto start = Sgd{}.start<double>(log_loss, 3);
  CHECK_THROWS_WITH(OnlineClassifier(start, {1, 2, 3}),
                    "OnlineClassifier: two classes are needed, but there are 3; OnlineOneVsRest "
                    "takes more");
  CHECK_THROWS_WITH(OnlineClassifier(start, {4, 4}), ContainsSubstring("but there is 1"));
  CHECK_THROWS_WITH(OnlineOneVsRest(start, {2, 2}),
                    "OnlineOneVsRest: two classes are needed, but there is 1");
  const std::string targets = ": targets are -1 and +1, but threshold-error takes 0 or 1";
  const auto threshold = ThresholdPerceptron{}.start<double>(3);
  CHECK_THROWS_WITH(OnlineClassifier(threshold, {0, 1}), "OnlineClassifier" + targets);
  CHECK_THROWS_WITH(OnlineOneVsRest(threshold), "OnlineOneVsRest" + targets);
  const Matrix<double> x = synthetic::features(4, 3, 7);
  const V y = Eigen::Vector4d(0, 1, 1, 0);
  auto used = start;
  used.update(x.row(0), 1);
  CHECK_THROWS_WITH(OnlineOneVsRest(used),
                    "OnlineOneVsRest: the learner has made 1 steps already, but must be new");

  Matrix<double> holed = x;
  holed(2, 1) = not_a_number;
  const auto check = [&](auto learner, const std::string& name, bool grows) {
    const std::string nothing = ": no sample has been learnt from yet";
    CHECK_THROWS_WITH(learner.predict(x), name + "::predict" + nothing);
    CHECK_THROWS_WITH(learner.predict_one(x.row(0)), name + "::predict_one" + nothing);
    CHECK_THROWS_WITH(learner.classifier(), name + "::classifier" + nothing);
    learner.epoch(x, y);
    auto untroubled = learner;
    const V others = grows ? V(Eigen::Vector4d(8, 9, 8, 9)) : y;
    if (!grows) {
      const char* unknown = "ClassLabels::index_of: label 8 is none of the 2 known ones (0, 1)";
      CHECK_THROWS_WITH(learner.update(x.row(0), 8), unknown);
      CHECK_THROWS_WITH(learner.epoch(x, Eigen::Vector4d(0, 1, 8, 0)), unknown);
    }
    CHECK_THROWS_WITH(learner.update(x.row(0), not_a_number),
                      name + "::update: the label is not finite");
    CHECK_THROWS_WITH(learner.epoch(x, y.head(3)),
                      ContainsSubstring(name + "::epoch: x has 4 rows but y has 3"));
    CHECK_THROWS_WITH(learner.epoch(x, others, V::Ones(3)),
                      "Learner::epoch: 3 sample weights but y has 4");
    CHECK_THROWS_WITH(learner.update(x.row(0).head(2), others[0]),
                      "Learner::update: a sample of 2 numbers, but the model has 3 weights");
    CHECK_THROWS_WITH(learner.update(x.row(0), others[0], not_a_number),
                      "Learner::update: the sample weight is nan");
    CHECK_THROWS_WITH(learner.update_batch(x.leftCols(2), others),
                      "Learner::update_batch: x has 2 columns but the learner has 3 weights");
    CHECK_THROWS_WITH(learner.epoch(holed, others), "Learner::epoch: x(2, 1) is not finite");
    CHECK_THROWS_WITH(
        learner.predict_one(holed.row(2)),
        name + (name == "OnlineClassifier"
                    ? "::predict_one: a score is not a number: the sample is not finite, or the "
                      "learner has diverged"
                    : "::predict_one: the sample is not finite"));
    CHECK(same(learner.classifier(), untroubled.classifier()));
    // The refused calls do not affect the model of a class that appears later either.
    learner.update(x.row(1), others[1]);
    untroubled.update(x.row(1), others[1]);
    CHECK(same(learner.classifier(), untroubled.classifier()));
  };
  check(OnlineClassifier(start, {0, 1}), "OnlineClassifier", false);
  check(OnlineOneVsRest(start, {0, 1}), "OnlineOneVsRest", false);
  check(OnlineOneVsRest(start), "OnlineOneVsRest", true);
}

}  // namespace online_test
